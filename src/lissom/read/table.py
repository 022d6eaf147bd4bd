"""Tables in CSV files: a header with names, then one row per line; only the used columns must be numbers.

A file is read only once, so it may be a pipe.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import FileError, has_instead, suggest
from ..locks import lazy_property

TIME = ("t", "time")  # names of the time column [s]
NO_TABLE = "is not a text file with comma-separated values"
HEAD = 1 << 16  # characters that are checked for being text
MOST = 1 << 30  # characters in a file
PIECE = 1 << 22  # characters read at once
CELL = re.compile(r'"[^"]*(?:""[^"]*)*"[^,\r\n]*|[^,\r\n]*')  # with quotes, doubled inside; or without


@dataclass(frozen=True)
class Table:
    """A CSV file: its path, the names of its columns and its whole text."""

    path: Path
    header: list[str]
    text: str

    def error(self, message: str, line: int | None = None) -> FileError:
        """Return an error with `message` for this file at `line`."""
        return FileError(message, self.path, line)

    def find(self, prefix: str, index: int, name: str) -> int | None:
        """Return the column called <prefix>_<name> or <prefix><index>, or None."""
        places = self._places
        return places.get(f"{prefix}_{name}", places.get(f"{prefix}{index}"))

    def columns(self, prefix: str, names: Sequence[str]) -> list[int]:
        """Return the columns of all `names`; a missing one is an error."""
        found = [(name, self.find(prefix, k, name)) for k, name in enumerate(names)]
        for name, column in found:
            if column is None:
                raise self.error(f"column '{prefix}_{name}' missing; {has_instead(f'{prefix}_{name}', self.header)}", 1)
        return [column for _, column in found if column is not None]

    def refuse_others(self, prefix: str, names: Sequence[str]) -> None:
        """Raise a FileError for columns of this prefix that are not in `names`: they would be ignored silently."""
        known = {self.find(prefix, k, name) for k, name in enumerate(names)}
        for k, label in enumerate(self.header):
            if k not in known and re.match(rf"{prefix}(_|\d+$)", label):
                listed = [f"{prefix}_{name}" for name in names]
                raise self.error(f"column {label!r} does not belong to a joint of this robot; {suggest(label, listed)}", 1)

    @property
    def time(self) -> int | None:
        """The time column, t or time, or None."""
        return next((self.header.index(name) for name in TIME if name in self.header), None)

    def need_time(self) -> int:
        """Return the time column; a missing one is an error."""
        if self.time is None:
            raise self.error("needs a column t with the time in seconds", 1)
        return self.time

    def check_time(self, t: np.ndarray) -> None:
        """Raise a FileError if the times (N,) of all lines do not increase."""
        steps = np.diff(t)
        if not (steps > 0).all():
            k = int(np.argmin(steps > 0)) + 1
            line = [line for line, _ in self._rows()][k]  # blank ones are not states
            raise self.error(f"time must increase from line to line: {t[k]:g} s follows {t[k - 1]:g} s", line)

    @lazy_property
    def _places(self) -> dict[str, int]:
        return {name: k for k, name in reversed(list(enumerate(self.header)))}

    def numbers(self, columns: Sequence[int]) -> np.ndarray:
        """Return these columns of all lines, an array (N, len(columns)) of finite numbers.

        Raises:
            FileError: naming the line and the column of the first mistake.
        """
        every = len(set(columns)) == len(self.header)
        # numpy counts the cells of a line only if all columns are read
        count = -1 if every else sum(1 for _ in self._rows())
        table = np.zeros((count, 0)) if not columns else self._load(None if every else columns)
        if table is not None and len(table) == 0:
            raise FileError("holds a header but no states", self.path)
        if table is None or (every and table.shape[1] != len(self.header)) or not np.isfinite(table).all():
            self._explain(columns)
        assert table is not None  # _explain raised
        return table[:, list(columns)] if every else table

    def texts(self, column: int) -> list[str]:
        """Return a column of all lines as it is written; raise a FileError for an empty cell."""
        found = []
        for line, row in self._rows():
            if not row[column].strip():
                raise self.error(f"column {self.header[column]!r} is empty", line)
            found.append(row[column].strip())
        return found

    def _load(self, columns: Sequence[int] | None) -> np.ndarray | None:
        file = io.StringIO(self.text, newline="")
        next(csv.reader(file))
        if no_more_lines(file):
            return np.empty((0, len(self.header if columns is None else columns)))
        try:
            return np.loadtxt(file, delimiter=",", ndmin=2, comments=None, quotechar='"', usecols=columns)
        except ValueError:
            return None

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number and the cells of every line that is not blank; each has as many as the header."""
        reader = csv.reader(io.StringIO(self.text, newline=""))
        try:
            next(reader)
            for row in filter(None, reader):
                if len(row) != len(self.header):
                    text = f"{len(row)} values, but the header names {len(self.header)} columns"
                    raise FileError(text, self.path, reader.line_num)
                yield reader.line_num, row
        except csv.Error:
            raise FileError(NO_TABLE, self.path) from None

    def _explain(self, columns: Sequence[int]) -> None:
        """Raise the FileError for the first wrong cell."""
        for line, row in self._rows():
            for column in sorted(columns):
                name, cell = self.header[column], row[column]
                try:
                    value = float(cell)
                except ValueError:
                    what = "is empty" if not cell.strip() else f"holds {cell.strip()!r}, which is not a number"
                    raise FileError(f"column {name!r} {what}", self.path, line) from None
                if not np.isfinite(value):
                    raise FileError(f"column {name!r} holds {cell.strip()}; all values must be finite", self.path, line)
        raise FileError("is not a table of numbers", self.path)


def read_table(path: Path) -> Table:
    """Read a CSV file; raise a FileError if it has no header with unique names."""
    text = read_text(path)
    _refuse_descriptions(path)
    try:
        header = header_of(text)
    except csv.Error:
        raise FileError(NO_TABLE, path) from None
    if not any(header):
        raise FileError("is empty; expected a header line with the names of columns", path)
    if len(header) == 1 and not text.startswith('"') and (";" in header[0] or "\t" in header[0]):
        raise FileError("columns must be separated by commas, not by semicolons or tabs", path, 1)
    seen: set[str] = set()
    for name in header:
        if name and name in seen:
            raise FileError(f"two columns are called {name!r}", path, 1)
        seen.add(name)
    return Table(path, header, text)


def _refuse_descriptions(path: Path) -> None:
    """Raise a FileError for a robot, a motion problem or a scenario given instead of a table."""
    ending = Path(path).suffix.lower()
    if ending in (".urdf", ".mjcf", ".xml"):
        raise FileError("is a robot, not a CSV table", path)
    if ending in (".yaml", ".yml"):
        from .document import KINDS, is_kind

        kind = next((kind for name, kind in KINDS.items() if is_kind(path, name)), None)
        raise FileError(f"is {kind.what}{kind.command}, not a CSV table" if kind else "is not a CSV table", path)


def no_more_lines(file: io.StringIO) -> bool:
    """Return whether only empty lines follow, of which NumPy would warn; keep the position in the file."""
    start = file.tell()
    empty = not any(line.strip("\r\n") for line in file)
    file.seek(start)
    return empty


def read_text(path: Path) -> str:
    """Return the text of a CSV file: UTF-8, with lone surrogates, which names may contain."""
    try:
        with open(path, encoding="utf-8-sig", errors="surrogatepass", newline="") as file:
            text = file.read(HEAD)
            if "\0" in text and not any("\0" in name for name in header_of(text, quoted=True)):  # /dev/zero never ends
                raise FileError(NO_TABLE, path)
            parts = [text]  # piece by piece: Python allocates the whole size asked for
            room = MOST - len(text)
            while room > 0 and (part := file.read(min(PIECE, room))):
                parts.append(part)
                room -= len(part)
            if room <= 0 and file.read(1):
                raise FileError(f"is larger than {MOST >> 30} GiB; use .npz, or fewer states", path)
            return "".join(parts)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", path) from None
    except (UnicodeDecodeError, csv.Error):
        raise FileError(NO_TABLE, path) from None


def header_of(text: str, quoted: bool = False) -> list[str]:
    """Return the names in the first line of a table: without surrounding blanks, but exact if quoted.

    Args:
        text: the table, or its beginning.
        quoted: whether to return only names in quotes.
    """
    found, place = [], 0
    for cell in next(csv.reader(io.StringIO(text, newline="")), []):
        exact = text.startswith('"', place)
        written = CELL.match(text, place)
        place = written.end() + 1 if written else len(text)
        if exact or not quoted:
            found.append(cell if exact else cell.strip())
    return found
