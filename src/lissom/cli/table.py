"""Tables of names and numbers that fit the terminal: columns that find no room follow below, in further blocks.

Numbers are never cut. Where a table is too wide, empty columns go first; then names are shortened in the middle, texts wrapped,
and columns moved into blocks below, each beginning with the first column. A file or pipe has room for everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.segment import Segment
from rich.table import Table as Grid
from rich.text import Text

from .text import one_line

GAP = 2  # between columns
CUT = "..."
SHORTEST = 12  # names are not shortened below this width, texts not wrapped below twice of it


@dataclass(frozen=True)
class Column:
    """A column: its heading, whether it holds numbers or texts of several words (else names), and whether names stay whole."""

    heading: str
    is_number: bool
    is_text: bool
    cells: list[str]
    is_whole: bool = False

    @property
    def width(self) -> int:
        """Width of the longest line."""
        return max(map(cell_len, (self.heading, *self.cells)))

    def within(self, room: int) -> Column:
        """Return the column with its names shortened."""
        if self.is_number or self.is_text or self.is_whole:
            return self
        return Column(self.heading, False, False, [shorten(cell, max(room, SHORTEST)) for cell in self.cells])


class NameTable:
    """A table whose cells are names, numbers and texts, each shown on its line.

    Args:
        title: printed above; "" for none.
        columns: headings.
        numbers: those of `columns` aligned right.
        texts: those of `columns` that are wrapped between words.
        whole: those of `columns` whose names are never shortened, because one types them.
    """

    def __init__(
        self,
        title: str,
        columns: Sequence[str],
        numbers: Sequence[str] = (),
        texts: Sequence[str] = (),
        whole: Sequence[str] = (),
    ) -> None:
        self.title = title
        self.columns = [Column(name, name in numbers, name in texts, [], name in whole) for name in columns]
        self.keys = 2 if columns[0] == "#" else 1  # columns repeated in each block

    def add_row(self, *cells: str) -> None:
        """Add a row."""
        for column, cell in zip(self.columns, cells, strict=True):
            column.cells.append(one_line(cell))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the title and the blocks."""
        if self.title:
            yield Text(self.title, style="bold")
        for k, block in enumerate(self._blocks(options.max_width)):
            if k:
                yield Text("")
            grid = Grid(header_style="bold", box=None, pad_edge=False, padding=(0, GAP, 0, 0))
            for column in block:
                side: JustifyMethod = "right" if column.is_number else "left"
                grid.add_column(column.heading, justify=side, overflow="fold", no_wrap=not column.is_text)
            for row in zip(*(column.cells for column in block), strict=True):
                grid.add_row(*row)
            yield from _without_padding(console.render(grid, options))

    def _blocks(self, room: int) -> Iterator[list[Column]]:
        """Yield the columns of each block, given the width of the terminal."""
        if _width(self.columns) <= room:
            yield self.columns
            return
        columns = [column for k, column in enumerate(self.columns) if k < self.keys or any(column.cells)]
        if _width(columns) > room:
            columns = [column.within(room // 3) for column in columns]
        keys, rest = columns[: self.keys], columns[self.keys :]
        block = list(keys)
        for group in _with_units(rest):
            needed = sum(GAP + (min(column.width, 2 * SHORTEST) if column.is_text else column.width) for column in group)
            if len(block) > len(keys) and _width(block) + needed > room:
                yield block
                block = list(keys)
            block += group
        yield block


def shorten(name: str, width: int) -> str:
    """Return a name that takes at most `width` cells of a terminal; its middle is left out."""
    if cell_len(name) <= width:
        return name
    room = width - len(CUT)
    first = set_cell_size(name, room - room // 2).rstrip()  # a wide letter that is cut leaves a space
    last = set_cell_size(name[::-1], room // 2)[::-1].lstrip()
    return f"{first}{CUT}{last}"


def _without_padding(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield lines without spaces at their ends."""
    for line in Segment.split_lines(segments):
        while line and not line[-1].text.rstrip(" "):
            line.pop()
        if line:
            text, style, control = line.pop()
            line.append(Segment(text.rstrip(" "), style, control))
        yield from line
        yield Segment.line()


def _with_units(columns: Sequence[Column]) -> list[list[Column]]:
    """Return the columns, each with the column of its units."""
    groups: list[list[Column]] = []
    for column in columns:
        if groups and column.heading.strip() == "unit":
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width + GAP for column in columns) - GAP
