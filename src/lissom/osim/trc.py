"""Markers over time, and OpenSim's .trc files of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ..errors import FileError, StateError, has_instead
from ..model.show import by_shape
from ..read.number import shown
from ..read.source import Source, decode, read_bytes
from .times import is_number, kept_rows

MAX_BYTES = 1 << 30
UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}


@dataclass(frozen=True, eq=False)
class Markers:
    """Places of markers over time.

    Attributes:
        names: of the M markers.
        times: (N,) [s], increasing.
        places: (N, M, 3) in the laboratory's axes [m]; NaN where a marker was not seen.
        rate: frames per second.
        path, lines: the file, and the line of each frame, for messages.
    """

    names: tuple[str, ...]
    times: np.ndarray
    places: np.ndarray
    rate: float = 0.0
    path: object = None
    lines: tuple[int, ...] = field(default=(), repr=False)
    __repr__ = by_shape

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for name in ("times", "places"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))
        if self.times.ndim != 1 or self.places.shape != (len(self.times), len(self.names), 3):
            shapes = f"{self.times.shape} and {self.places.shape}"
            raise StateError(f"times and places of {len(self.names)} markers must be (N,) and (N, M, 3), got {shapes}")

    def of(self, names: Sequence[str]) -> np.ndarray:
        """Return places (N, len(names), 3) [m]; a missing name is an error."""
        for name in names:
            if name not in self.names:
                raise FileError(f"marker {name!r} missing; {has_instead(name, self.names)}", self.path or "markers")
        return self.places[:, [self.names.index(name) for name in names]]

    def between(self, start: float, end: float) -> Markers:
        """Return the frames from `start` to `end` [s]."""
        keep = (self.times >= start) & (self.times <= end)
        lines = tuple(line for line, k in zip(self.lines, keep, strict=True) if k) if self.lines else ()
        return replace(self, times=self.times[keep], places=self.places[keep], lines=lines)

    def __len__(self) -> int:
        return len(self.times)


def read_trc(path: str | os.PathLike[str]) -> Markers:
    """Return the markers of a .trc file, in m whatever unit the file says (mm, cm or m); empty cells are NaN.

    Raises:
        FileError: the file is not one of markers over increasing times; with the line.
    """
    source = Source(path)
    lines = decode(read_bytes(path, MAX_BYTES), path).splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise source.error("a .trc file starts with 'PathFileType' and has five lines of header before its frames", 1)
    keys, said = lines[1].split(), lines[2].split()
    header = dict(zip(keys, said, strict=False))
    unit = header.get("Units", "")
    if unit not in UNITS:
        raise source.error(f"Units must be {', '.join(UNITS)}, got {shown(unit)}", 3)
    names = _names(lines[3], source)
    _count(header, "NumMarkers", len(names), source)
    rows = [k for k in range(5, len(lines)) if lines[k].strip()]
    if not rows:
        raise source.error("there are no frames", len(lines))
    numbers = np.array([_frame(lines[k], 3 * len(names), k + 1, source) for k in rows])
    _count(header, "NumFrames", len(rows), source)
    at = np.array(rows) + 1
    keep = kept_rows(numbers[:, 1], numbers[:, 2:], at, source)
    numbers, at = numbers[keep], at[keep]
    places = numbers[:, 2:].reshape(len(numbers), len(names), 3) * UNITS[unit]
    try:
        rate = float(header.get("DataRate", "0"))
    except ValueError:
        raise source.error(f"DataRate must be a number, got {shown(header['DataRate'])}", 3) from None
    return Markers(tuple(names), numbers[:, 1], places, rate, path, tuple(int(k) for k in at))


def write_trc(markers: Markers, path: str | os.PathLike[str], unit: str = "m") -> None:
    """Write markers as a .trc file in a unit: "m", "cm" or "mm"; gaps are NaN."""
    if unit not in UNITS:
        raise FileError(f"the unit of a .trc file is {', '.join(UNITS)}, got {unit!r}", path)
    for name in markers.names:
        if not name.strip() or "\t" in name or "\n" in name or "\r" in name:
            raise FileError(f"the marker name {name!r} cannot stand in a .trc file: it is empty, or has tabs or line ends", path)
    n, rate = len(markers), markers.rate or _rate(markers.times)
    keys = ["DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate", "OrigDataStartFrame", "OrigNumFrames"]
    said = [repr(rate), repr(rate), str(n), str(len(markers.names)), unit, repr(rate), "1", str(n)]
    head = ["\t".join(("PathFileType", "4", "(X/Y/Z)", Path(path).name)), "\t".join(keys), "\t".join(said)]
    head += ["\t".join(("Frame#", "Time", *(f"{name}\t\t" for name in markers.names)))]
    head += ["\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(markers.names) + 1)), ""]
    rows = (markers.places / UNITS[unit]).reshape(n, -1).tolist()
    cells = (["NaN" if x != x else repr(x) for x in row] for row in rows)
    body = ["\t".join((str(k), repr(t), *row)) for k, (t, row) in enumerate(zip(markers.times.tolist(), cells, strict=True), 1)]
    Path(path).write_text("\n".join([*head, *body]) + "\n", encoding="utf-8")


def _rate(times: np.ndarray) -> float:
    return float((len(times) - 1) / (times[-1] - times[0])) if len(times) > 1 else 0.0


def _names(line: str, source: Source) -> list[str]:
    names = [word.strip() for word in line.split("\t")] if "\t" in line else line.split()
    if len(names) < 2 or names[0].lower() != "frame#" or names[1].lower() != "time":
        raise source.error("the fourth line must start with 'Frame#' and 'Time', then name the markers", 4)
    names = [name for name in names[2:] if name]
    if not names:
        raise source.error("no markers are named", 4)
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise source.error(f"two markers are called {name!r}", 4)
        seen.add(name)
    return names


def _frame(line: str, count: int, number: int, source: Source) -> list[float]:
    cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
    while len(cells) > count + 2 and not cells[-1]:
        cells.pop()
    cells += [""] * (count + 2 - len(cells)) if "\t" in line else []
    if len(cells) != count + 2:
        raise source.error(f"{len(cells)} values, but a frame of {count // 3} markers has {count + 2}", number)
    try:
        return [float(cell) if cell else np.nan for cell in cells]
    except ValueError:
        wrong = next(cell for cell in cells if cell and not is_number(cell))
        raise source.error(f"{shown(wrong)} is not a number", number) from None


def _count(header: dict[str, str], key: str, count: int, source: Source) -> None:
    said = header.get(key)
    if said is not None and said != str(count):
        source.warn(f"{key} is {shown(said)}, the file has {count}; what it has is used", 3)
