"""Deferred Ctrl-C: the first is noted, the second raises KeyboardInterrupt.

A solver stops at its next iterate, an interrupted simulation completes its trajectory first, and a file is written completely.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


class Interrupt:
    """Replaces Python's handler of SIGINT inside a `with` block; `asked` is whether Ctrl-C was pressed.

    Handlers set by the program are left alone, an ignored Ctrl-C stays ignored, and threads other than the main one get no
    signals.

    Args:
        first: called at the first Ctrl-C, to confirm it.
    """

    def __init__(self, first: Callable[[], object] | None = None) -> None:
        self.asked = 0
        self.first = first
        self.previous: Any = None
        self.placed = False

    def __enter__(self) -> Interrupt:
        self.previous = signal.getsignal(signal.SIGINT)
        if self.previous is signal.default_int_handler or isinstance(self.previous, Interrupt):
            try:
                signal.signal(signal.SIGINT, self)
                self.placed = True
            except ValueError:  # not the main thread
                pass
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.placed:
            signal.signal(signal.SIGINT, self.previous)

    def renew(self) -> None:
        """Restore Python's handler after a solver has set its own."""
        handler = signal.getsignal(signal.SIGINT)
        if handler is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal: note one Ctrl-C."""
        self.asked += 1
        if isinstance(self.previous, Interrupt):  # a solver inside a function of another solver: both stop
            self.previous(number, frame)
        elif self.asked > 1:
            raise KeyboardInterrupt
        elif self.first is not None:
            self.first()
