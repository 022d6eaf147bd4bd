"""The console of all commands: as wide as the terminal, and wide enough for the tables where there is none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

from .text import one_line, printable

WIDTH_OF_A_FILE = 150


class PipeConsole(Console):
    """A console that prints names safely and leaves a closed pipe to the command's own handling."""

    def __init__(self, width: int | None = None, stderr: bool = False) -> None:
        """Make a console that prints `[red]` and `:smile:` as text, not markup: names of robots may contain them."""
        super().__init__(highlight=False, markup=False, emoji=False, width=width, stderr=stderr)

    def on_broken_pipe(self) -> None:
        """Pass the error on; rich would end the program with status 1."""
        raise

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Return the printed segments without terminal control codes; rich adds its own, for colors, later."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


class NameTable(Table):
    """A table whose cells are names and numbers: each stays on its line."""

    def add_row(self, *cells: RenderableType | None, **more: Any) -> None:
        """Add a row of texts."""
        super().add_row(*(one_line(cell) if isinstance(cell, str) else cell for cell in cells), **more)


def make_console() -> Console:
    """Return a console on standard output that prints names as they are, without coloring numbers in them."""
    console = PipeConsole()
    return console if console.is_terminal else PipeConsole(WIDTH_OF_A_FILE)


def make_table(title: str, *columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """Return an empty table; the columns named in `numbers` are aligned right."""
    table = NameTable(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0)
    )
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return table
