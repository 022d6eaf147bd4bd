"""Progress of a search: a line in a terminal, or a function of the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import StateError
from ...nlp.solution import Iterate


@contextmanager
def reporting(progress: Callable[[Iterate], Any] | bool | None, name: str) -> Iterator[Callable[[Iterate], Any] | None]:
    """Give a function to call with every iterate, or None where there is none.

    Args:
        progress: True for a line on the standard error, where that is a terminal; or a function of an iterate.
        name: of the problem, shown in front.
    """
    if callable(progress):
        yield progress
        return
    if progress not in (None, True, False):
        raise StateError(f"progress is {progress!r}, expected True, or a function that is called with every iterate")
    if not progress:
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield None
        return
    line = Line(name)
    with Live(Text(f"{line.name}: preparing"), console=console, transient=True) as live:
        yield lambda iterate: live.update(Text(line(iterate)))


class Line:
    """The line shown of a search: number of the solve, iteration, objective and violation."""

    def __init__(self, name: str) -> None:
        # names come from files: control characters are shown as escapes
        self.name, self.solves = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name), 0

    def __call__(self, iterate: Iterate) -> str:
        """Return the line of an iterate."""
        self.solves += iterate.iteration == 0
        figures = f"objective {iterate.objective:.8g}, violation {iterate.violation:.1e}"
        return f"{self.name}: solve {self.solves}, iteration {iterate.iteration}, {figures}"
