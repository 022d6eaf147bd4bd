"""Tables over time: the columns of OpenSim's .mot and .sto files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import FileError, StateError, has_instead
from ..model.show import by_shape


@dataclass(frozen=True, eq=False)
class Table:
    """Columns over time.

    Attributes:
        names: of the columns, without time.
        times: (N,) [s], increasing.
        values: (N, n), in the units of the file: gaps are NaN.
        degrees: whether the file says that its angles are in degrees.
        title: its first line.
        path, lines: the file, and the line of each row, for messages.
    """

    names: tuple[str, ...]
    times: np.ndarray
    values: np.ndarray
    degrees: bool = False
    title: str = "table"
    path: object = None
    lines: tuple[int, ...] = field(default=(), repr=False)
    __repr__ = by_shape

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for name in ("times", "values"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))
        if self.times.ndim != 1 or self.values.shape != (len(self.times), len(self.names)):
            shapes = f"{self.times.shape} and {self.values.shape}"
            raise StateError(f"times and values of a table with {len(self.names)} names must be (N,) and (N, n), got {shapes}")

    def error(self, message: str, row: int | None = None) -> FileError:
        """Return an error with `message` for the table's file, at the line of a row."""
        line = self.lines[row] if row is not None and row < len(self.lines) else None
        return FileError(message, self.path if self.path is not None else f"table {self.title!r}", line)

    def column(self, name: str) -> np.ndarray:
        """Return the column called `name` (N,); a missing one, or one with gaps, is an error."""
        return self.columns([name])[:, 0]

    def columns(self, names: Sequence[str]) -> np.ndarray:
        """Return columns (N, len(names)); a missing one, or one with gaps, is an error that names line and column."""
        for name in names:
            if name not in self.names:
                raise self.error(f"column {name!r} missing; {has_instead(name, self.names)}")
        found = self.values[:, [self.names.index(name) for name in names]]
        if not np.isfinite(found).all():
            bad = np.argwhere(~np.isfinite(found))
            row, k = bad[0]
            raise self.error(
                f"column {names[k]!r} has no number at {self.times[row]:g} s ({len(bad)} gaps in all); fill or cut the table",
                int(row),
            )
        return found

    def between(self, start: float, end: float) -> Table:
        """Return the rows from `start` to `end` [s]."""
        keep = (self.times >= start) & (self.times <= end)
        lines = tuple(line for line, k in zip(self.lines, keep, strict=True) if k) if self.lines else ()
        return replace(self, times=self.times[keep], values=self.values[keep], lines=lines)

    def __len__(self) -> int:
        return len(self.times)
