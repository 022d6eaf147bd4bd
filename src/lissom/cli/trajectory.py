"""Trajectories in CSV files: a header with names, then one state per line.

Columns, in any order: `t` or `time` [s], optional; q_<coordinate>, qd_<velocity> and qdd_<velocity> with the names of
`model/names.py`, or numbered q0 q1 .. qd0 .. qdd0 ..; others are ignored with a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError, ModelWarning, has_instead
from ..model import Joint, Model
from ..model.names import coordinate_names
from ..read.table import TIME, Table, read_table
from ..robot import Robot

if TYPE_CHECKING:
    from ..closed import ClosedRobot

TOO_STEEP = "values change too fast to be differentiated; check the column t and the units"


@dataclass(frozen=True)
class Trajectory:
    """States over time: `time` (N,) [s] or None, `q` (N, nq), `qd` and `qdd` (N, nv).

    `tree_q` are the coordinates of all joints of a closed robot (N, nq of the tree), where the file has them.
    """

    time: np.ndarray | None
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tree_q: np.ndarray | None = None


def read_trajectory(path: Path, robot: Robot | ClosedRobot, differentiate: bool = False) -> Trajectory:
    """Read a motion of a robot from a CSV file.

    Args:
        path: the file.
        robot: determines the required columns: those of its coordinates.
        differentiate: whether to derive missing velocities and accelerations by cubic splines.

    Raises:
        FileError: naming the line and the column of the first mistake.
    """
    table = read_table(path)
    header = table.header
    wanted = {"q": robot.coordinate_names, "qd": robot.velocity_names, "qdd": robot.velocity_names}
    columns = {prefix: [table.find(prefix, i, name) for i, name in enumerate(names)] for prefix, names in wanted.items()}
    time = table.time
    derive = [prefix for prefix in ("qd", "qdd") if differentiate and None in columns[prefix]]
    _check_columns(path, header, wanted, columns, derive, time)
    given = {prefix: [c for c in columns[prefix] if c is not None] for prefix in wanted if prefix not in derive}
    closed = not isinstance(robot, Robot)
    if closed:
        given["tree_q"] = tree_columns(header, robot.model)
    used = [*([] if time is None else [time]), *(c for indices in given.values() for c in indices)]
    beside = ("tau_", "tree_", "forces_") if closed else ()  # also written by `lissom simulate`
    _warn_of_unused(path, header, [*used, *(k for k, name in enumerate(header) if name.startswith(beside))])
    numbers = table.numbers(used)
    t, numbers = (None, numbers) if time is None else (numbers[:, 0], numbers[:, 1:])
    edges = np.cumsum([len(indices) for indices in given.values()])
    parts = dict(zip(given, np.split(numbers, edges, axis=1), strict=False))
    if derive:
        _derive(table, robot.coordinate_joints, t, parts, derive)
    return Trajectory(t, parts["q"], parts["qd"], parts["qdd"], parts["tree_q"] if given.get("tree_q") else None)


def tree_columns(header: list[str], model: Model) -> list[int]:
    """Return the columns tree_q_<coordinate> of all joints of a closed robot, or none where one is missing."""
    names = [f"tree_q_{name}" for name in coordinate_names(model)]
    return [header.index(name) for name in names] if all(name in header for name in names) else []


def _check_columns(
    path: Path,
    header: list[str],
    wanted: dict[str, tuple[str, ...]],
    columns: dict[str, list[int | None]],
    derive: list[str],
    time: int | None,
) -> None:
    """Raise a FileError if a column is missing that will not be derived."""
    missing = {
        prefix: [f"{prefix}_{name}" for name, column in zip(wanted[prefix], columns[prefix], strict=True) if column is None]
        for prefix in wanted
    }
    if derive and time is None:
        raise FileError("--differentiate needs a column t with the time in seconds", path, 1)
    lost = [name for prefix, names in missing.items() if prefix not in derive for name in names]
    if not lost:
        return
    shown = ", ".join(map(repr, lost[:6])) + (f" and {len(lost) - 6} more" if len(lost) > 6 else "")
    text = f"column{'s' if len(lost) > 1 else ''} {shown} missing"
    used = {c for indices in columns.values() for c in indices if c is not None}
    unused = [name for i, name in enumerate(header) if i not in used and name not in TIME]
    if not missing["q"]:
        given = "" if time is not None else ", given a column t"
        text += f"; --differentiate derives velocities and accelerations from q{given}"
    elif bare := [repr(name) for name in unused if name in wanted["q"]]:
        text += f"; {', '.join(bare[:6])} need a prefix: q_ for positions, qd_ for velocities, qdd_ for accelerations"
    elif unused:
        text += f"; {has_instead(lost[0], unused)}"
    else:
        text += f"; expected q_<name>, qd_<name> and qdd_<name> for {', '.join(map(repr, wanted['q'][:6]))}"
    raise FileError(text, path, 1)


def _warn_of_unused(path: Path, header: list[str], used: list[int]) -> None:
    taken = set(used)
    # files written by lissom have torques and notes beside the motion: nobody expects them to be used
    unused = [name for i, name in enumerate(header) if i not in taken and not name.startswith("tau_") and name != "note"]
    if unused:
        shown = ", ".join(map(repr, unused[:12])) + (f" and {len(unused) - 12} more" if len(unused) > 12 else "")
        warnings.warn(f"{path}: columns not used: {shown}", ModelWarning, stacklevel=2)


def _derive(table: Table, joints: Sequence[Joint], t: np.ndarray | None, parts: dict[str, np.ndarray], derive: list[str]) -> None:
    """Add missing velocities and accelerations to `parts` by differentiating cubic splines."""
    from scipy.interpolate import CubicSpline

    for joint in joints:
        if not joint.kind.traits.adds_up:
            text = f"velocities of {joint.name!r} are not the rates of its coordinates ({joint.kind.value}); give its qd and qdd"
            raise table.error(text)
    assert t is not None  # _check_columns saw to it
    if len(t) < 4:
        raise table.error(f"--differentiate needs at least 4 states, got {len(t)}")
    table.check_time(t)
    try:
        with np.errstate(all="ignore"):
            position = CubicSpline(t, parts["q"])
            if "qdd" in derive:
                parts["qdd"] = position(t, 2) if "qd" in derive else CubicSpline(t, parts["qd"])(t, 1)
            if "qd" in derive:
                parts["qd"] = position(t, 1)
    except (ValueError, np.linalg.LinAlgError):  # raised by SciPy where slopes overflow
        raise table.error(f"--differentiate: {TOO_STEEP}") from None
    if not all(np.isfinite(parts[name]).all() for name in derive):
        raise table.error(f"--differentiate: {TOO_STEEP}")
