"""Progress of a search: a line in a terminal or a notebook, or a function of the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...errors import StateError
from ...nlp.solution import Iterate
from ..result.outcomes import Outcome

if TYPE_CHECKING:
    from rich.text import Text

WIDTH, LEAST = 79, 12  # characters of the line shown, and of a name in it that is cut


@contextmanager
def reporting(progress: Callable[[Any], Any] | bool | None, line: Line | Count) -> Iterator[Callable[[Any], Any] | None]:
    """Give a function to call with every iterate of a search, or every outcome of many; None where there is none.

    Args:
        progress: True for a line below the cell of a notebook, or on the standard error, where that is a terminal; or a function
            of an iterate or an outcome.
        line: what is shown.
    """
    if callable(progress):
        yield progress
        return
    if progress not in (None, True, False):
        raise StateError(f"progress is {progress!r}, expected True, or a function that is called with every {line.event}")
    if not progress:
        yield None
        return
    from ...view.notebook import ProgressLine, in_notebook

    if in_notebook():
        below = ProgressLine(f"{line.name}: preparing", line.share)
        try:
            yield lambda event: below(line(event), line.share)
        finally:
            below.end()
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False)
    if not (console.is_terminal and console.file.isatty()):  # FORCE_COLOR makes any file a terminal
        yield None
        return
    with Live(_one_line(f"{line.name}: preparing"), console=console, transient=True) as live:
        yield lambda event: live.update(_one_line(line(event)))


class Line:
    """The line shown of a search: number of the solve after the first, iteration, objective and violation."""

    event = "iterate"
    share = None  # of the work that is done: unknown

    def __init__(self, name: str) -> None:
        self.name, self.solves = _shown(name), 0

    def __call__(self, iterate: Iterate) -> str:
        """Return the line of an iterate."""
        self.solves += iterate.iteration == 0
        figures = f"objective {iterate.objective:.6g}, violation {iterate.violation:.0e}"
        solve = f"solve {self.solves}, " if self.solves > 1 else ""
        rest = f": {solve}iteration {iterate.iteration}, {figures}"
        room = max(LEAST, WIDTH - len(rest))
        return (self.name if len(self.name) <= room else f"{self.name[: room - 2]}..") + rest


class Count:
    """The line shown of many problems: how many are done, how many of them solved, and the time left.

    Args:
        name: shown in front.
        total: of problems.
        found: outcomes so far; None where there is none yet.
    """

    event = "outcome"

    def __init__(self, name: str, total: int, found: Sequence[Outcome | None]) -> None:
        self.name, self.total, self.began = _shown(name), total, perf_counter()
        self.done = sum(outcome is not None for outcome in found)
        self.solved, self.before = 0, self.done

    @property
    def share(self) -> float:
        """Share of the problems that are done."""
        return self.done / max(self.total, 1)

    def __call__(self, outcome: Outcome) -> str:
        """Return the line after one more outcome."""
        self.done, self.solved = self.done + 1, self.solved + outcome.success
        left = (perf_counter() - self.began) / (self.done - self.before) * (self.total - self.done)
        return f"{self.name}: {self.done} of {self.total} done, {self.solved} solved, {left:.0f} s left"


def _one_line(words: str) -> Text:
    """Return a text that ends with the line where the terminal is narrower."""
    from rich.text import Text

    return Text(words, no_wrap=True, overflow="ellipsis")


def _shown(name: str) -> str:
    # names come from files: control characters are shown as escapes
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
