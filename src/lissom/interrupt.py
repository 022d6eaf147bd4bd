"""Ctrl-C where it must not break off at once: the first is noted, the second raises KeyboardInterrupt.

A solver stops at its next iterate, a simulation that was stopped puts its trajectory together first, and a file is written whole.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


class Interrupt:
    """Takes the place of Python's own handler of SIGINT inside a `with` block; `asked` tells whether Ctrl-C was pressed.

    Handlers that a program has set itself are left alone, where Ctrl-C is ignored it stays so, and threads other than the main
    one get no signals.

    Args:
        first: called at the first Ctrl-C, to say that it was noted.
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
        """Put Python's handler, whichever it is, back in the place of one that a solver's own code has set."""
        handler = signal.getsignal(signal.SIGINT)
        if handler is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Note one Ctrl-C, as the handler of the signal."""
        self.asked += 1
        if isinstance(self.previous, Interrupt):  # a solver inside a function of another: both stop
            self.previous(number, frame)
        elif self.asked > 1:
            raise KeyboardInterrupt
        elif self.first is not None:
            self.first()
