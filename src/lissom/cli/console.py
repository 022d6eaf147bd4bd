"""One console for all commands: as wide as the terminal, and wide enough for the tables where there is none."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

WIDTH_OF_A_FILE = 150


class PipeConsole(Console):
    """A console that prints names as they are and leaves a closed pipe to the command's own handling."""

    def __init__(self, width: int | None = None) -> None:
        """Make a console on which `[red]` and `:smile:` are text, not markup: a robot's names may hold anything."""
        super().__init__(highlight=False, markup=False, emoji=False, width=width)

    def on_broken_pipe(self) -> None:
        """Pass the error on; rich would end the program with status 1."""
        raise


def make_console() -> Console:
    """Return a console on standard output that prints names as they are, without colouring numbers in them."""
    console = PipeConsole()
    return console if console.is_terminal else PipeConsole(WIDTH_OF_A_FILE)


def make_table(title: str, *columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """Return an empty table; the columns named in `numbers` are set flush right."""
    table = Table(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0)
    )
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return table
