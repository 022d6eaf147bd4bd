"""Progress of a study: how many cases are done, how fast, how many failed, and the time left."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from .job import Row


@dataclass
class Progress:
    """Where a run is.

    Attributes:
        name: of the study.
        total: number of its cases.
        done: how many have a row, those of earlier runs counted.
        failed: how many of these failed.
        new: how many rows this run has found.
        began: when it began, by `time.perf_counter`.
    """

    name: str
    total: int
    done: int
    failed: int
    new: int = 0
    began: float = 0.0
    row: Row | None = None

    event = "row"

    @property
    def share(self) -> float:
        """Share of the cases that are done."""
        return self.done / max(self.total, 1)

    @property
    def rate(self) -> float:
        """Cases per second in this run."""
        return self.new / max(perf_counter() - self.began, 1e-9)

    @property
    def left(self) -> float:
        """Time left [s], at the rate of this run."""
        return (self.total - self.done) / self.rate if self.new else float("inf")

    def add(self, row: Row, known: Row | None) -> None:
        """Count a row, and whether its case had one before."""
        self.new += 1
        if known is None:
            self.done += 1
        self.failed += (not row.success) - (known is not None and not known.success)
        self.row = row

    def __call__(self, progress: Progress) -> str:
        """Return the line that is shown."""
        left = f"{self.left:.0f} s left" if self.new else "starting"
        broken = f", {self.failed} failed" if self.failed else ""
        return f"{self.name[:30]}: {self.done} of {self.total} done{broken}, {self.rate:.3g}/s, {left}"
