"""OpenSim's .mot and .sto files: a header that ends with "endheader", the names of the columns, then rows of numbers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ..errors import FileError
from ..read.number import shown
from ..read.source import Source, decode, read_bytes
from .table import Table
from .times import is_number, kept_rows

MAX_BYTES = 1 << 30
HEADER = 1000  # most lines of it
_ROWS, _COLUMNS = ("nrows", "nr", "datarows"), ("ncolumns", "nc", "datacolumns")


def read_table(path: str | os.PathLike[str]) -> Table:
    """Return the table of a .mot or .sto file.

    A row that is there twice is left out with a warning; gaps (nan) are kept, and refused where their column is used.

    Raises:
        FileError: the file is not a table of numbers over increasing times; with the line.
    """
    source = Source(path)
    lines = decode(read_bytes(path, MAX_BYTES), path).splitlines()
    header, start = _header(lines, source)
    if (kind := header.get("datatype", "double")).lower() != "double":
        raise source.error(f"the file holds values of the type {shown(kind)}; lissom reads numbers (DataType=double)", 1)
    place = next((k for k in range(start, len(lines)) if lines[k].strip()), None)
    if place is None:
        raise source.error("there are no names of columns after 'endheader'", start)
    names = _names(lines[place], place + 1, source)
    numbers, rows = _numbers(lines, place + 1, len(names), source)
    _expect(header, _COLUMNS, len(names), "columns", place + 1, source)
    _expect(header, _ROWS, len(rows), "rows", start, source)
    keep = kept_rows(numbers[:, 0], numbers[:, 1:], rows, source)
    numbers, rows = numbers[keep], rows[keep]
    degrees = header.get("indegrees", "no").lower() in ("yes", "y", "true")
    title = lines[0].strip() if lines[0].strip().lower() != "endheader" else Path(path).name
    return Table(tuple(names[1:]), numbers[:, 0], numbers[:, 1:], degrees, title, path, tuple(int(k) for k in rows))


def write_table(table: Table, path: str | os.PathLike[str]) -> None:
    """Write a table as .mot or .sto; numbers read back bit for bit."""
    for name in ("time", *table.names):
        if not name or "\t" in name or "\n" in name or "\r" in name:
            raise FileError(f"the column name {name!r} cannot stand in a table: it is empty, or has tabs or line ends", path)
    head = [table.title.splitlines()[0] if table.title.strip() else "table", "version=1", f"nRows={len(table)}"]
    head += [f"nColumns={len(table.names) + 1}", f"inDegrees={'yes' if table.degrees else 'no'}", "endheader"]
    rows = np.column_stack([table.times, table.values]).tolist()
    text = ["\t".join(("time", *table.names)), *("\t".join(map(repr, row)) for row in rows)]
    Path(path).write_text("\n".join([*head, *text]) + "\n", encoding="utf-8")


def _header(lines: list[str], source: Source) -> tuple[dict[str, str], int]:
    """Return what the header says, and the index of the line after it."""
    found: dict[str, str] = {}
    for k, line in enumerate(lines[:HEADER]):
        text = line.strip()
        if text.lower() == "endheader":
            return found, k + 1
        key, _, value = text.replace("=", " ", 1).partition(" ")
        found.setdefault(key.strip().lower(), value.strip())
    raise source.error("no line says 'endheader': this is no .mot or .sto file", 1)


def _names(line: str, number: int, source: Source) -> list[str]:
    names = [name.strip() for name in line.strip().split("\t")] if "\t" in line else line.split()
    if names[0].lower() != "time":
        raise source.error(f"the first column must be time, got {shown(names[0])}", number)
    seen: dict[str, int] = {}
    for k, name in enumerate(names):
        if not name:
            raise source.error(f"column {k + 1} has no name", number)
        if name in seen:
            raise source.error(f"columns {seen[name] + 1} and {k + 1} are both called {name!r}", number)
        seen[name] = k
    return names


def _numbers(lines: list[str], start: int, count: int, source: Source) -> tuple[np.ndarray, np.ndarray]:
    rows = [k for k in range(start, len(lines)) if lines[k].strip()]
    if not rows:
        raise source.error("there are no rows of numbers", len(lines))
    cells = [lines[k].split() for k in rows]
    for k, row in zip(rows, cells, strict=True):
        if len(row) != count:
            raise source.error(f"{len(row)} values, but {count} columns are named", k + 1)
    try:
        table = np.array(cells, dtype=float)
    except ValueError:
        k, word = next((k, word) for k, row in zip(rows, cells, strict=True) for word in row if not is_number(word))
        raise source.error(f"{shown(word)} is not a number", k + 1) from None
    return table, np.array(rows) + 1


def _expect(header: dict[str, str], keys: tuple[str, ...], count: int, what: str, line: int, source: Source) -> None:
    """Warn where the header counts otherwise."""
    for key in keys:
        said = header.get(key)
        if said is not None and said != str(count):
            source.warn(f"the header says {shown(said)} {what}, the file has {count}; what it has is used", line)
