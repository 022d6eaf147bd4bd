"""Ctrl-C that waits until something short is done."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any

from .text import complain


class Later:
    """Inside the `with` block the first Ctrl-C is only noted, in `asked`; the second raises KeyboardInterrupt.

    Handlers other than Python's own are left alone: where Ctrl-C is ignored, it stays so.
    """

    def __init__(self, what: str) -> None:
        """Take what is being done, for the message after Ctrl-C."""
        self.what, self.asked, self.placed = what, False, False
        self.previous: Any = None

    def __enter__(self) -> Later:
        self.previous = signal.getsignal(signal.SIGINT)
        if self.previous is signal.default_int_handler:
            try:
                signal.signal(signal.SIGINT, self._note)
                self.placed = True
            except ValueError:  # not the main thread, which gets no signals
                pass
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.placed:
            signal.signal(signal.SIGINT, self.previous)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        complain(f"{self.what}; Ctrl-C again stops at once")
