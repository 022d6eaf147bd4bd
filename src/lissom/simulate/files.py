"""Trajectories in files: NumPy's npz, without pickles, and CSV with the columns that `lissom torque` reads.

A file is written whole or not at all. Reading checks that its names are the robot's and its shapes fit.
"""

from __future__ import annotations

import csv
import os
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..files import write_whole
from .events import Occurrence
from .status import Status
from .trajectory import Trajectory

if TYPE_CHECKING:
    from ..robot import Robot

FORMAT = "lissom trajectory 1"
PARTS = ("q", "qd", "qdd", "tau")


def save(trajectory: Trajectory, path: str | os.PathLike[str]) -> Path:
    """Write a trajectory; the ending of the path says how."""
    path = Path(path)
    writers: dict[str, Callable[[Trajectory, IO[bytes]], None]] = {".npz": _write_npz, ".csv": _write_csv}
    if path.suffix not in writers:
        raise FileError(f"cannot write a trajectory into a file ending in {path.suffix!r}; use .npz or .csv", path)
    if path.suffix == ".csv" and trajectory.q.ndim != 2:
        raise FileError(f"a CSV holds one motion, and this trajectory has {trajectory.q.shape[1:-1]} of them; use .npz", path)
    return write_whole(path, lambda file: writers[path.suffix](trajectory, file), folders=True)


def load(path: str | os.PathLike[str], robot: Robot) -> Trajectory:
    """Read a trajectory of `robot`."""
    path = Path(path)
    readers = {".npz": _read_npz, ".csv": _read_csv}
    if path.suffix not in readers:
        raise FileError(f"cannot read a trajectory from a file ending in {path.suffix!r}; expected .npz or .csv", path)
    try:
        return readers[path.suffix](path, robot)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", path) from None


def column_names(trajectory_or_robot: Any) -> list[str]:
    """Return the header of a CSV: t, q_<coordinate>, qd_<velocity>, qdd_<velocity>, tau_<velocity>."""
    from ..model.names import coordinate_names, velocity_names

    model = getattr(trajectory_or_robot, "robot", trajectory_or_robot).model
    return ["t", *(f"{part}_{name}" for part in PARTS for name in (coordinate_names if part == "q" else velocity_names)(model))]


def _write_npz(trajectory: Trajectory, file: IO[bytes]) -> None:
    arrays = {"t": trajectory.t, **{part: getattr(trajectory, part) for part in PARTS}}
    happened = trajectory.events
    np.savez_compressed(
        file,
        format=FORMAT,
        robot=trajectory.robot.name,
        columns=np.array(column_names(trajectory)),
        status=trajectory.status.value,
        message=trajectory.message,
        event_names=np.array([e.name for e in happened], dtype=str),
        event_t=np.array([e.t for e in happened]),
        event_q=np.array([e.q for e in happened]).reshape(len(happened), trajectory.robot.nq),
        event_qd=np.array([e.qd for e in happened]).reshape(len(happened), trajectory.robot.nv),
        unfired=np.array(list(trajectory.unfired), dtype=str),
        **arrays,
    )


def _write_csv(trajectory: Trajectory, file: IO[bytes]) -> None:
    table = np.column_stack([trajectory.t, *(getattr(trajectory, part) for part in PARTS)])
    quoted = [f'"{n.replace(chr(34), chr(34) * 2)}"' if any(c in n for c in ',"\n') else n for n in column_names(trajectory)]
    file.write((",".join(quoted) + "\n").encode())
    np.savetxt(file, table, fmt="%.17g", delimiter=",")


def _read_npz(path: Path, robot: Robot) -> Trajectory:
    try:
        with np.load(path, allow_pickle=False) as data:
            found = {name: data[name] for name in data.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile):
        raise FileError("is not an npz file of numbers and names, or is damaged", path) from None
    if str(found.get("format")) != FORMAT:
        raise FileError(f"is not a trajectory: its format is {str(found.get('format'))!r}, expected {FORMAT!r}", path)
    missing = [n for n in ("t", *PARTS, "columns", "status", "message", "event_names", "unfired") if n not in found]
    if missing:
        raise FileError(f"lacks {', '.join(map(repr, missing))}; it is damaged", path)
    _check_columns(path, [str(name) for name in found["columns"]], robot)
    t, q, qd, qdd, tau = parts = [found["t"], *(found[part] for part in PARTS)]
    _check_shapes(path, parts, robot)
    happened = zip(*(found[f"event_{x}"] for x in ("names", "t", "q", "qd")), strict=True)
    return Trajectory(
        robot,
        *(t, q, qd, qdd, tau),
        status=Status(str(found["status"])),
        message=str(found["message"]),
        events=tuple(Occurrence(str(name), float(t), q, qd) for name, t, q, qd in happened),
        unfired=tuple(str(name) for name in found["unfired"]),
    )


def _read_csv(path: Path, robot: Robot) -> Trajectory:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
        _check_columns(path, header, robot)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # numpy's about a file without lines
            table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2, encoding="utf-8-sig", quotechar='"', comments=None)
    except (ValueError, UnicodeDecodeError, csv.Error) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"is not a table of numbers below a header: {error}", path) from None
    if not table.size:
        raise FileError("holds a header but no states", path)
    if table.shape[1] != len(header):
        raise FileError(f"has {table.shape[1]} numbers a line for {len(header)} columns", path)
    edges = np.cumsum([1, robot.nq, robot.nv, robot.nv])
    t, q, qd, qdd, tau = (np.ascontiguousarray(part) for part in np.split(table, edges, axis=1))
    _check_shapes(path, [t[:, 0], q, qd, qdd, tau], robot)
    return Trajectory(robot, t[:, 0], q, qd, qdd, tau)


def _check_columns(path: Path, names: list[str], robot: Robot) -> None:
    expected = column_names(robot)
    for k, (ours, theirs) in enumerate(zip(expected, names, strict=False)):
        if ours != theirs:
            raise FileError(f"is not a trajectory of {robot.name!r}: column {k} is {theirs!r}, expected {ours!r}", path)
    if len(names) != len(expected):
        raise FileError(f"is not a trajectory of {robot.name!r}: {len(names)} columns, expected {len(expected)}", path)


def _check_shapes(path: Path, parts: list[np.ndarray], robot: Robot) -> None:
    t, q = parts[:2]
    lead = (t.size, *q.shape[1:-1])
    shapes = [lead[:1], (*lead, robot.nq), *[(*lead, robot.nv)] * 3]
    for name, array, shape in zip(("t", *PARTS), parts, shapes, strict=True):
        if array.dtype != np.float64 or array.shape != shape or not array.size:
            raise FileError(f"{name} has shape {array.shape}, expected {shape}; it is damaged", path)
    if not all(np.isfinite(x).all() for x in parts[:3]):
        raise FileError("t, q or qd holds something that is not finite", path)
