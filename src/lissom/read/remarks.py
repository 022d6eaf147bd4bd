"""Remarks on the shapes of a file: the first few as warnings of their own, the others as a number."""

from __future__ import annotations

from dataclasses import dataclass

from ..doubts import Remark, doubt
from .source import Source

MOST_SHAPES = 20_000  # of a robot: reading each takes some 0.1 ms, drawing it more
SHOWN = 5  # remarks that are warnings of their own


@dataclass
class Remarks:
    """Remarks on one file; files from strangers may deserve a hundred thousand of them."""

    source: Source
    count: int = 0
    shown: int = 0

    def add(self, text: str) -> None:
        """Warn with a text that names file and line, or count it."""
        self.count += 1
        if self.shown < SHOWN:
            self.shown += 1
            doubt(Remark(text), stacklevel=3)

    def add_more(self, count: int) -> None:
        """Count some that are not named."""
        self.count += count

    def finish(self, what: str) -> None:
        """Warn of those that were only counted: "and 12 more `what`"."""
        if self.count > self.shown:
            doubt(Remark(self.source.error(f"{self.count - self.shown} more {what}")), stacklevel=3)
