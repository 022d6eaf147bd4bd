"""Reading measurements from CSV files.

Columns, in any order: `t` or `time` [s]; q_<coordinate> [rad or m] and tau_<torque> [N m or N] for all joints; qd_<velocity> and
qdd_<velocity> if measured; wrench_<link>_fx .. _mz, a measured wrench on a link along the world's axes. Torques of a
floating base are zero unless given.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ..closed import ClosedRobot
from ..errors import FileError, IdentificationError, suggest
from ..read.table import Table, read_table
from ..robot import Robot
from .measurement import FEWEST, GAP, Measurement

PARTS = ("fx", "fy", "fz", "mx", "my", "mz")
BASE = ("_vx", "_vy", "_vz", "_wx", "_wy", "_wz")


def read_csv(
    path: str | os.PathLike[str], robot: Robot | ClosedRobot, *, split: bool = False, check_units: bool = True
) -> list[Measurement]:
    """Return the recorded motion of a file, as a list of one; with `split`, of the pieces between gaps in time.

    Args:
        path: CSV file.
        robot: whose motion it is.
        split: whether a gap in time starts another piece, instead of being an error; pieces of few samples are left out.
        check_units: whether to compare ranges, speeds and velocities with what is possible; see `Measurement.check_units`.

    Raises:
        FileError: a column is missing or belongs to no joint, or a cell is not a finite number; with file and line.
        IdentificationError: times have gaps, or numbers have other units.
    """
    path = Path(path)
    table = read_table(path)
    names = {"q": robot.coordinate_names, "qd": robot.velocity_names, "qdd": robot.velocity_names, "tau": robot.torque_names}
    undriven = _floating(robot)
    groups: dict[str, list[int | None]] = {}
    for prefix, labels in names.items():
        found = [table.find(prefix, k, name) for k, name in enumerate(labels)]
        missing = [name for name, column in zip(labels, found, strict=True) if column is None]
        if prefix in ("qd", "qdd") and len(missing) == len(labels):
            continue
        lost = [name for name in missing if not (prefix == "tau" and name in undriven)]
        if lost:
            used = {f"{kind}_{name}" for kind, own in names.items() for name in own}
            raise _missing(table, prefix, lost, [label for label in table.header if label not in used])
        groups[prefix] = found
        table.refuse_others(prefix, labels)
    links = _wrenches(table, robot)
    columns = [
        table.need_time(),
        *(c for own in groups.values() for c in own if c is not None),
        *(c for own in links.values() for c in own),
    ]
    numbers = table.numbers(columns)
    table.check_time(numbers[:, 0])
    at = {column: numbers[:, k] for k, column in enumerate(columns)}
    parts = {
        prefix: np.stack([np.zeros(len(numbers)) if c is None else at[c] for c in own], axis=1) for prefix, own in groups.items()
    }
    loads = {link: np.stack([at[c] for c in own], axis=1) for link, own in links.items()}
    t = numbers[:, 0]
    try:
        made = []
        for rows in _pieces(t, split):
            own = {prefix: value[rows] for prefix, value in parts.items()}
            wrenches = {link: value[rows] for link, value in loads.items()}
            made.append(Measurement(robot, t[rows], wrenches=wrenches, name=path.name, **own))
        return [piece.check_units() for piece in made] if check_units else made
    except IdentificationError as error:
        raise IdentificationError(f"{path}: {error}", error.parameters) from None


def _pieces(t: np.ndarray, split: bool) -> list[slice]:
    if not split or len(t) < 2:
        return [slice(0, len(t))]
    steps = np.diff(t)
    ends = [0, *(np.flatnonzero(steps > GAP * np.median(steps)) + 1).tolist(), len(t)]
    found = [slice(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True) if b - a >= FEWEST]
    if not found:
        raise IdentificationError(f"no piece between gaps has {FEWEST} samples or more")
    return found


def _missing(table: Table, prefix: str, lost: list[str], others: list[str]) -> FileError:
    wanted = [f"{prefix}_{name}" for name in lost]
    shown = ", ".join(map(repr, wanted[:6])) + (f" and {len(wanted) - 6} more" if len(wanted) > 6 else "")
    what = "torques [N m or N]" if prefix == "tau" else "positions [rad or m]" if prefix == "q" else "velocities or accelerations"
    return table.error(
        f"column{'s' if len(wanted) > 1 else ''} {shown} missing; identification needs {what} of all joints; "
        f"for {wanted[0]!r}: {suggest(wanted[0], others or table.header)}",
        1,
    )


def _floating(robot: Any) -> set[str]:
    """Return the torques that no drive holds: of a floating or planar base, and those that a closed robot leaves free."""
    bases = [
        joint for joint in robot.model.joints if joint.parent == robot.model.base and joint.kind.value in ("floating", "planar")
    ]
    own = {name for name in robot.torque_names if any(name.startswith(f"{joint.name}_") for joint in bases)}
    return own | set(robot.free_names)


def _wrenches(table: Table, robot: Any) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for label in table.header:
        if not label.startswith("wrench_"):
            continue
        link, _, part = label.removeprefix("wrench_").rpartition("_")
        if part not in PARTS or link not in robot.link_names:
            wanted = [f"wrench_{name}_{one}" for name in robot.link_names for one in PARTS]
            raise table.error(f"column {label!r} is not a component of a wrench on a link; {suggest(label, wanted)}", 1)
        if link not in found:
            names = [f"wrench_{link}_{one}" for one in PARTS]
            lost = [name for name in names if name not in table.header]
            if lost:
                raise table.error(f"column {lost[0]!r} missing: a wrench has six components, {', '.join(names)}", 1)
            found[link] = [table.header.index(name) for name in names]
    return found
