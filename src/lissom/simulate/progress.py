"""Progress of a long run: a bar in a terminal or a notebook, or a function of the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Update = Callable[[float], None]  # simulated time [s]


@contextmanager
def reporting(progress: bool | Callable[[float, float], None] | None, duration: float, what: str) -> Iterator[Update | None]:
    """Give a function to call with the simulated time, or None where there is none.

    Args:
        progress: True for a bar below the cell of a notebook, or on the standard error, where that is a terminal; or a function
            f(t, duration).
        duration: of the run [s].
        what: text beside the bar.
    """
    if callable(progress):
        yield lambda t: progress(t, duration)
        return
    if not progress:
        yield None
        return
    from ..view.notebook import ProgressLine, in_notebook

    if in_notebook():
        below = ProgressLine(what, 0.0)
        try:
            yield lambda t: below(f"{what}: {t:.3g} of {duration:g} s", t / (duration or 1.0))
        finally:
            below.flush()
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not (console.is_terminal and console.file.isatty()):  # FORCE_COLOR makes any file a terminal
        yield None
        return
    figures = TextColumn("{task.completed:.3g} of {task.total:g} s")
    columns = (TextColumn(escape(what)), BarColumn(), figures, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=duration)
        yield lambda t: bar.update(task, completed=t)
