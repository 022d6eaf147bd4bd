"""The console of all commands: as wide as the terminal, and wide enough for every line where there is none."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from .table import NameTable
from .text import printable

WIDTH_OF_A_FILE = 1 << 20


class PipeConsole(Console):
    """A console that prints names safely and leaves a closed pipe to the command's own handling."""

    def __init__(self, width: int) -> None:
        """Make a console that prints `[red]` and `:smile:` as text, not markup: names of robots may contain them."""
        # rich takes a width only together with a height where TERM is dumb
        super().__init__(highlight=False, markup=False, emoji=False, width=width, height=25)

    def on_broken_pipe(self) -> None:
        """Pass the error on; rich would end the program with status 1."""
        raise

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Return the printed segments without terminal control codes; rich adds its own, for colors, later."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


def make_console() -> Console:
    """Return a console on standard output: as wide as the terminal, or wide enough for everything in a file or pipe."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return PipeConsole(shutil.get_terminal_size().columns if terminal else WIDTH_OF_A_FILE)


def make_table(
    title: str, *columns: str, numbers: tuple[str, ...] = (), texts: tuple[str, ...] = (), whole: tuple[str, ...] = ()
) -> NameTable:
    """Return an empty table; columns in `numbers` are aligned right, in `texts` wrapped between words, in `whole` never cut."""
    return NameTable(title, columns, numbers, texts, whole)
