"""Columns: the names of a motion's entries in files, and checks that a file fits a robot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError
from .status import Status

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot

PARTS = ("q", "qd", "qdd", "tau")
TREE = ("tree_q", "tree_qd", "tree_qdd", "forces")  # of closed robots: all joints, and the loop-closure forces


def part_names(robot: Robot | ClosedRobot) -> dict[str, tuple[str, ...]]:
    """Return the parts of a trajectory, with the names of their entries."""
    own = (robot.coordinate_names, robot.velocity_names, robot.velocity_names, robot.torque_names)
    return dict(zip((*PARTS, *TREE), (*own, *robot._tree_parts), strict=False))


def column_names(robot: Robot | ClosedRobot) -> list[str]:
    """Return the header of a CSV: t, q_<coordinate>, qd_<velocity>, qdd_<velocity>, tau_<force>, and those of the tree."""
    return ["t", *(f"{part}_{name}" for part, names in part_names(robot).items() for name in names)]


def check_columns(path: Path, names: list[str], robot: Robot | ClosedRobot) -> None:
    """Raise unless the columns are the robot's."""
    expected = column_names(robot)
    for k, (ours, theirs) in enumerate(zip(expected, names, strict=False)):
        if ours != theirs:
            raise FileError(f"is not a trajectory of {robot.name!r}: column {k} is {theirs!r}, expected {ours!r}", path)
    if len(names) != len(expected):
        raise FileError(f"is not a trajectory of {robot.name!r}: {len(names)} columns, expected {len(expected)}", path)


def check_shapes(path: Path, t: np.ndarray, parts: Sequence[np.ndarray], robot: Robot | ClosedRobot, status: Status) -> None:
    """Raise unless t and the parts fit the robot and each other; only a failed run may have no samples."""
    if not t.size and status in (Status.FINISHED, Status.EVENT):
        raise FileError("holds a header but no states", path)
    lead = (t.size, *parts[0].shape[1:-1])
    sizes = {name: len(names) for name, names in part_names(robot).items()}
    for name, array, shape in zip(("t", *sizes), (t, *parts), (lead[:1], *((*lead, n) for n in sizes.values())), strict=True):
        if array.shape != shape:
            raise FileError(f"{name} has shape {array.shape}, expected {shape}; it is damaged", path)
        if array.dtype != np.float64:
            raise FileError(f"{name} is an array of {array.dtype}, expected float64; it is damaged", path)
    if not all(np.isfinite(x).all() for x in (t, *parts[:2])):
        raise FileError("t, q or qd has values that are not finite", path)
