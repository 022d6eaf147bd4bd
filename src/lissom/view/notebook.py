"""Notebooks: whether one is running, and progress below its cells."""

from __future__ import annotations

import sys
import time
from typing import Any

from .page import text

EVERY = 0.1  # seconds between two updates: each one is a message to the browser


def in_notebook() -> bool:
    """Return whether this is a notebook: a kernel of Jupyter runs the program. Imports nothing."""
    shell = sys.modules.get("IPython")
    if shell is None or "ipykernel" not in sys.modules:
        return False
    running = getattr(shell, "get_ipython", lambda: None)()
    return running is not None and getattr(running, "kernel", None) is not None


class ProgressLine:
    """A line below the cell that changes while the work goes on, with a bar; its last state stays.

    Args:
        words: at first.
        share: that is done, from 0 to 1; None where it is not known: the bar then only moves, until the end.
    """

    def __init__(self, words: str, share: float | None = None) -> None:
        from IPython.display import HTML, display

        self._html, self._last, self._shown = HTML, (words, share), time.monotonic()
        self._handle: Any = display(HTML(_line(words, share)), display_id=True)

    def __call__(self, words: str, share: float | None = None) -> None:
        """Show a text, and the share that is done; at most ten times a second."""
        self._last = (words, share)
        if time.monotonic() - self._shown >= EVERY:
            self.flush()

    def flush(self) -> None:
        """Show the last text now."""
        self._shown = time.monotonic()
        self._handle.update(self._html(_line(*self._last)))

    def end(self) -> None:
        """Show the last text, without a bar that moves."""
        self._handle.update(self._html(_line(*self._last, ended=True)))


def _line(words: str, share: float | None, ended: bool = False) -> str:
    done = "" if share is None else f' value="{min(max(share, 0.0), 1.0):.3f}" max="1"'
    bar = "" if share is None and ended else f"<progress{done}></progress> "
    return f"<div>{bar}<code>{text(words)}</code></div>"
