"""A line that tells how a solver gets on, and Ctrl-C that stops it with what it has."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from rich.live import Live
from rich.text import Text

from .console import PipeConsole
from .text import one_line

if TYPE_CHECKING:
    from ..nlp.solution import Iterate


class Watch:
    """The progress function of a solver: a line on the standard error, where that is a terminal.

    Inside the `with` block the first Ctrl-C stops the solver at its next iterate, and all solves after it; before the first
    iterate, when there is nothing to keep, and from the second time on, it raises KeyboardInterrupt.

    Attributes:
        asked: whether Ctrl-C was pressed.
        seen: iterates so far.
    """

    def __init__(self, name: str) -> None:
        self.name, self.asked, self.seen, self.rounds = one_line(name), False, 0, 0
        console = PipeConsole(stderr=True)
        self.live = Live(Text(f"{self.name}: preparing"), console=console, transient=True) if console.is_terminal else None
        self.previous: Any = None

    def __enter__(self) -> Watch:
        previous = signal.getsignal(signal.SIGINT)
        if previous is signal.default_int_handler:  # where Ctrl-C is ignored, as in a background job, it stays so
            try:
                signal.signal(signal.SIGINT, self._interrupt)
                self.previous = previous
            except ValueError:  # not the main thread, which gets no signals
                pass
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live is not None:
            self.live.stop()
        if self.previous is not None:
            signal.signal(signal.SIGINT, self.previous)

    def __call__(self, iterate: Iterate) -> bool:
        """Show an iterate; tell whether to stop."""
        self.seen += 1
        self.rounds += iterate.iteration == 0
        if self.live is not None:
            self.live.update(Text(self.line(iterate)))
        return self.asked

    def line(self, iterate: Iterate) -> str:
        """Return what is shown of an iterate."""
        figures = f"objective {iterate.objective:.8g}, violation {iterate.violation:.1e}"
        return f"{self.name}: solve {self.rounds}, iteration {iterate.iteration}, {figures}"

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.asked or not self.seen:
            raise KeyboardInterrupt
        self.asked = True
