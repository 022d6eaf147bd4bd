"""Trajectories in files: NumPy's npz, without pickles, and CSV with the columns that `lissom torque` reads.

A file is written whole or not at all. Reading checks that its names are the robot's and its shapes fit.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..files import csv_line, npz_texts, write_whole
from ..npz import read_npz
from ..read.table import no_more_lines, read_text
from .columns import PARTS, TREE, check_columns, check_shapes, column_names, part_names
from .events import Occurrence
from .external_files import NAMES as EXTERNAL
from .external_files import external_arrays, read_external
from .notes import COLUMN, find_status, read_notes, write_notes
from .trajectory import Trajectory, trajectory_kind

if TYPE_CHECKING:
    from ..robot import Robot

FORMAT = "lissom trajectory 1"
TEXTS, LISTS, OPTIONAL = ("status", "message"), ("columns", "unfired"), ("method", "choice")  # files of older versions lack these
EVENTS = ("event_names", "event_t", "event_q", "event_qd")
NAMES = ("format", "t", *PARTS, *TREE, "switches", *TEXTS, *LISTS, *OPTIONAL, *EVENTS, *EXTERNAL)


def save(trajectory: Trajectory, path: str | os.PathLike[str]) -> Path:
    """Write a trajectory in the format given by the path's suffix."""
    path = Path(path)
    if path.suffix.lower() not in (".npz", ".csv"):
        raise FileError(f"cannot write a trajectory into a file ending in {path.suffix!r}; use .npz or .csv", path)
    if path.suffix.lower() == ".npz":
        return write_whole(path, lambda file: _write_npz(trajectory, path, file), folders=True)
    if trajectory.q.ndim != 2:
        raise FileError(f"a CSV holds one motion, and this trajectory has {trajectory.q.shape[1:-1]} of them; use .npz", path)
    notes = write_notes(trajectory, path)
    return write_whole(path, lambda file: _write_csv(trajectory, notes, file), folders=True)


def load(path: str | os.PathLike[str], robot: Robot) -> Trajectory:
    """Read a trajectory of `robot`."""
    path = Path(path)
    readers = {".npz": _read_npz, ".csv": _read_csv}
    if path.suffix.lower() not in readers:
        raise FileError(f"cannot read a trajectory from a file ending in {path.suffix!r}; expected .npz or .csv", path)
    try:
        return readers[path.suffix.lower()](path, robot)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", path) from None


def _write_npz(trajectory: Trajectory, path: Path, file: IO[bytes]) -> None:
    arrays = {"t": trajectory.t, **{part: getattr(trajectory, part) for part in part_names(trajectory.robot)}}
    arrays |= {name: np.array(getattr(trajectory, name)) for name in trajectory.counts}
    arrays |= external_arrays(trajectory, path)
    happened = trajectory.events
    np.savez_compressed(
        file,
        format=FORMAT,
        robot=trajectory.robot.name,
        columns=npz_texts(column_names(trajectory.robot), path),
        status=trajectory.status.value,
        message=trajectory.message,
        event_names=npz_texts([e.name for e in happened], path),
        event_t=np.array([e.t for e in happened]),
        event_q=np.array([e.q for e in happened]).reshape(len(happened), trajectory.robot.nq),
        event_qd=np.array([e.qd for e in happened]).reshape(len(happened), trajectory.robot.nv),
        unfired=npz_texts(list(trajectory.unfired), path),
        method=trajectory.method,
        choice=trajectory.choice,
        **arrays,
    )


def _read_npz(path: Path, robot: Robot) -> Trajectory:
    found, _ = read_npz(path, NAMES)
    if "format" not in found or found["format"].shape != () or str(found["format"]) != FORMAT:
        has = repr(str(found["format"]))[:80] if "format" in found else "missing"
        raise FileError(f"is not a trajectory: its format is {has}, expected {FORMAT!r}", path)
    wanted = part_names(robot)
    # a file of another robot is recognized by its columns
    own = wanted if "tree_q" in found else PARTS
    missing = [name for name in ("t", *own, *TEXTS, *LISTS, *EVENTS) if name not in found]
    if missing:
        raise FileError(f"lacks {', '.join(map(repr, missing))}; it is damaged", path)
    for name in found:
        text = name in ("format", *TEXTS, *LISTS, *OPTIONAL, "event_names", *EXTERNAL[:2])
        flat = found[name].shape == () if name in (*TEXTS, *OPTIONAL) else found[name].ndim == 1 or name not in LISTS
        if (found[name].dtype.kind == "U") != text or not flat:
            raise FileError(f"{name} is an array of {found[name].dtype} of shape {found[name].shape}; it is damaged", path)
    check_columns(path, [str(name) for name in found["columns"]], robot)
    if missing := [name for name in wanted if name not in found]:
        raise FileError(f"lacks {', '.join(map(repr, missing))}; it is damaged", path)
    t, parts = found["t"], [found[part] for part in wanted]
    n = found["event_names"].size
    for name, shape in zip(EVENTS, ((n,), (n,), (n, robot.nq), (n, robot.nv)), strict=True):
        if found[name].shape != shape:
            raise FileError(f"{name} has shape {found[name].shape}, expected {shape}; it is damaged", path)
    try:
        status = find_status(str(found["status"]))
    except ValueError as error:
        raise FileError(f"{error}; it is damaged", path) from None
    check_shapes(path, t, parts, robot, status)
    more = {name: _count(path, name, found.get(name)) for name in trajectory_kind(robot).counts}
    if not all(np.isfinite(found[name]).all() for name in EVENTS[1:]):
        raise FileError("an event has values that are not finite; it is damaged", path)
    happened = zip(*(found[name] for name in EVENTS), strict=True)
    return _made(
        robot,
        t,
        parts,
        **more,
        status=status,
        message=str(found["message"]),
        events=tuple(Occurrence(str(name), float(t), q, qd) for name, t, q, qd in happened),
        unfired=tuple(str(name) for name in found["unfired"]),
        external=read_external(found, robot, parts[0].shape[:-1], path),
        method=str(found.get("method", "")),
        choice=str(found.get("choice", "")),
    )


def _made(robot: Robot, t: np.ndarray, parts: Sequence[np.ndarray], **more: Any) -> Trajectory:
    """Return the trajectory of a tree, or of a closed robot, which has more parts."""
    kind: Any = trajectory_kind(robot)
    return kind(robot, t, *parts[: len(PARTS)], **dict(zip(TREE, parts[len(PARTS) :], strict=False)), **more)  # type: ignore[no-any-return]


def _count(path: Path, name: str, x: np.ndarray | None) -> int:
    if x is None or x.shape != () or x.dtype.kind not in "iu" or x < 0:
        raise FileError(f"{name!r} is missing or not a count; it is damaged", path)
    return int(x)


def _write_csv(trajectory: Trajectory, notes: list[str] | None, file: IO[bytes]) -> None:
    names = [*column_names(trajectory.robot), *([] if notes is None else [COLUMN])]
    file.write(csv_line(names))
    table = np.column_stack([trajectory.t, *(getattr(trajectory, part) for part in part_names(trajectory.robot))])
    if notes is None:
        np.savetxt(file, table, fmt="%.17g", delimiter=",")
        return
    # a run without samples gets a line without numbers
    rows = [[f"{x:.17g}" for x in row] for row in table] or [[""] * table.shape[1]]
    for row, note in zip(rows, notes, strict=True):
        file.write(",".join([*row, ""]).encode() + csv_line([note]))


def _read_csv(path: Path, robot: Robot) -> Trajectory:
    text = read_text(path)
    try:
        lines = csv.reader(io.StringIO(text, newline=""))
        header = next(lines, [])
        noted = header[-1:] == [COLUMN]
        names = header[:-1] if noted else header
        check_columns(path, names, robot)
        cells = _notes(path, lines, len(header)) if noted else []
        table = _table(text, len(names), noted)
    except (ValueError, csv.Error) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"is not a table of numbers below a header: {error}", path) from None
    ending = read_notes(cells, robot, path)
    if table.size and table.shape[1] != len(names):
        raise FileError(f"has {table.shape[1]} numbers per line for {len(names)} columns", path)
    table = table.reshape(-1, len(names))
    edges = np.cumsum([1, *(len(own) for own in part_names(robot).values())][:-1])
    t, *parts = (np.ascontiguousarray(part) for part in np.split(table, edges, axis=1))
    check_shapes(path, t[:, 0], parts, robot, ending["status"])
    return _made(robot, t[:, 0], parts, **ending)


def _notes(path: Path, lines: Any, count: int) -> list[tuple[int, str]]:
    """Return the notes below the header, each with the number of its line."""
    found = []
    for row in filter(None, lines):
        if len(row) != count:
            raise FileError(f"{len(row)} cells, but the header names {count} columns", path, lines.line_num)
        found.append((lines.line_num, row[-1]))
    return found


def _table(text: str, count: int, noted: bool) -> np.ndarray:
    """Return the numbers below the header."""
    file = io.StringIO(text, newline="")
    rows = csv.reader(file)
    next(rows)
    if noted:
        start = file.tell()
        first = next(rows, [])
        if not any(first[:-1]) and next(rows, None) is None:
            return np.empty((0, count))
        file.seek(start)
    if no_more_lines(file):
        return np.empty((0, count))
    columns = range(count) if noted else None
    return np.loadtxt(file, delimiter=",", ndmin=2, quotechar='"', comments=None, usecols=columns)
