"""Columns: the names that entries of a motion have in files, and whether what a file holds fits a robot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError
from ..model.names import coordinate_names, velocity_names
from .status import Status

if TYPE_CHECKING:
    from ..robot import Robot

PARTS = ("q", "qd", "qdd", "tau")


def column_names(robot: Robot) -> list[str]:
    """Return the header of a CSV: t, q_<coordinate>, qd_<velocity>, qdd_<velocity>, tau_<velocity>."""
    q, qd = coordinate_names(robot.model), velocity_names(robot.model)
    return ["t", *(f"{part}_{name}" for part in PARTS for name in (q if part == "q" else qd))]


def check_columns(path: Path, names: list[str], robot: Robot) -> None:
    """Refuse columns that are not the robot's."""
    expected = column_names(robot)
    for k, (ours, theirs) in enumerate(zip(expected, names, strict=False)):
        if ours != theirs:
            raise FileError(f"is not a trajectory of {robot.name!r}: column {k} is {theirs!r}, expected {ours!r}", path)
    if len(names) != len(expected):
        raise FileError(f"is not a trajectory of {robot.name!r}: {len(names)} columns, expected {len(expected)}", path)


def check_shapes(path: Path, parts: Sequence[np.ndarray], robot: Robot, status: Status) -> None:
    """Refuse t, q, qd, qdd, tau that do not fit together or to the robot; only a run that failed may have no samples."""
    t, q = parts[:2]
    if not t.size and status in (Status.FINISHED, Status.EVENT):
        raise FileError("holds a header but no states", path)
    lead = (t.size, *q.shape[1:-1])
    shapes = [lead[:1], (*lead, robot.nq), *[(*lead, robot.nv)] * 3]
    for name, array, shape in zip(("t", *PARTS), parts, shapes, strict=True):
        if array.dtype != np.float64 or array.shape != shape:
            raise FileError(f"{name} has shape {array.shape}, expected {shape}; it is damaged", path)
    if not all(np.isfinite(x).all() for x in parts[:3]):
        raise FileError("t, q or qd holds something that is not finite", path)
