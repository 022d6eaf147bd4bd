"""Values of joints at the ends of a motion: the robot's own coordinates and velocities, as columns of a path.

Where joints have one axis, coordinates are columns. Others are given by all coordinates of the robot, or by name: those of a
joint together, {"base": [x, y, z, qx, qy, qz, qw], "knee": 0.3}, or columns of the path, {"base_rx": 0.1, ...}. Velocities are
those of the robot, in the child's axes, from which the rates of the columns follow at a given position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import StateError, suggest
from ...joints.chart import nearest_turn
from ...model import Joint
from ...model.layout import Layout
from ...protocol import DrivenRobot
from ..data.joints import column_units, path_joints, path_names
from .check import joint_values, refuse_degrees

UNIT = 1e-2  # by which the length of a quaternion may differ from one


def end_position(robot: DrivenRobot, value: Any, what: str, near: np.ndarray | None = None) -> np.ndarray:
    """Return the columns of a path (n,) at a given position.

    Args:
        robot: the robot.
        value: all coordinates (nq,), or by the names of joints or columns.
        what: for messages: "start's position".
        near: columns at the other end, if known: of two ways to turn there, the shorter one is taken.
    """
    joints = path_joints(robot)
    if all(joint.kind.nv == 1 for joint in joints):
        return joint_values(robot, value, what, angles=True)
    found = []
    for joint, at, own in _by_joint(robot, value, what, columns=True):
        if len(own) == joint.kind.nq and not (isinstance(value, Mapping) and joint.name not in value):
            _expect_unit(joint, own, what)
            own = joint.kind.traits.to_path(own)
            if near is not None and joint.kind.nq > joint.kind.nv:
                own = np.concatenate([own[:-3], nearest_turn(own[-3:], near[at.v][-3:])])
        found.append(own)
    columns = np.concatenate(found)
    for name, unit, x in zip(path_names(robot), column_units(robot), columns, strict=True):
        if unit == "rad":
            refuse_degrees(float(x), f"{what} of {name!r}")
    return columns


def end_velocity(robot: DrivenRobot, value: Any, what: str, position: np.ndarray | None) -> np.ndarray:
    """Return the rates of the columns of a path (n,) at a given velocity of the robot, which `position` (n,) turns.

    Args:
        robot: the robot.
        value: all velocities (nv,), by the names of joints or velocities, or one number for all.
        what: for messages.
        position: columns of the path there, None where it is free.
    """
    joints = path_joints(robot)
    if all(joint.kind.nv == 1 for joint in joints) or np.ndim(value) == 0 and not isinstance(value, Mapping):
        return joint_values(robot, value, what)
    found = []
    for joint, at, own in _by_joint(robot, value, what, columns=False):
        if not joint.kind.traits.adds_up and own.any():
            if position is None:
                raise StateError(f"{what} of {joint.name!r}, a {joint.kind.value} joint, needs its position there; give both")
            p = position[at.v].tolist()
            slopes = [joint.kind.traits.of_path([p, one])[1] for one in np.eye(joint.kind.nv).tolist()]
            own = np.linalg.solve(np.array(slopes, dtype=float).T, own)
        found.append(own)
    return np.concatenate(found)


def _by_joint(robot: DrivenRobot, value: Any, what: str, columns: bool) -> list[tuple[Joint, Any, np.ndarray]]:
    """Return every joint of a path, its place, and its values: coordinates or velocities, or columns where these are named."""
    joints = path_joints(robot)
    layout = list(zip(joints, Layout.of_joints(joints), strict=True))
    if isinstance(value, Mapping):
        _refuse_unknown(robot, value, what, columns)
        return [(joint, at, _named(joint, value, what, columns)) for joint, at in layout]
    every = [(joint.name, joint.kind.traits) for joint in joints]
    names = [name + end for name, kind in every for end in (kind.coordinates if columns else kind.velocities)]
    found = _numbers(value, what)
    if found.shape != (len(names),):
        raise StateError(f"{what} has shape {found.shape}, expected ({len(names)},): {', '.join(names)}")
    return [(joint, at, found[at.q if columns else at.v]) for joint, at in layout]


def _named(joint: Joint, value: Mapping[str, Any], what: str, columns: bool) -> np.ndarray:
    """Return the values of one joint from a mapping."""
    size = joint.kind.nq if columns else joint.kind.nv
    entries = _entry_names(joint, columns)
    if joint.name in value:
        own = np.atleast_1d(_numbers(value[joint.name], f"{what} of joint {joint.name!r}"))
        if own.shape != (size,):
            suffixes = joint.kind.traits.coordinates if columns else joint.kind.traits.velocities
            expected = ", ".join(suffix.removeprefix("_") for suffix in suffixes)
            raise StateError(f"{what} of joint {joint.name!r} has shape {own.shape}, expected ({size},): {expected}")
        return own
    for name in entries:
        if name not in value:
            more = "" if entries == (joint.name,) else f", or for each of {', '.join(entries)}"
            raise StateError(f"{what} has no value for joint {joint.name!r}; give {size} under its name{more}")
    return np.array([float(_numbers(value[name], f"{what} of {name!r}")) for name in entries])


def _entry_names(joint: Joint, columns: bool) -> tuple[str, ...]:
    traits = joint.kind.traits
    return tuple(joint.name + suffix for suffix in ((traits.columns if columns else None) or traits.velocities))


def _refuse_unknown(robot: DrivenRobot, value: Mapping[str, Any], what: str, columns: bool) -> None:
    joints = path_joints(robot)
    known = [joint.name for joint in joints] + [name for joint in joints for name in _entry_names(joint, columns)]
    for name in value:
        if name not in known:
            raise StateError(f"{what}: no joint {name!r}; {suggest(str(name), known)}")
    for joint in joints:
        twice = [name for name in _entry_names(joint, columns) if name in value and name != joint.name]
        if joint.name in value and twice:
            raise StateError(f"{what} has joint {joint.name!r} and its {twice[0]!r}; give one of them")


def _numbers(value: Any, what: str) -> np.ndarray:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what} is {value!r}, expected numbers") from None
    if not np.isfinite(found).all():
        raise StateError(f"{what} is {value!r}, which is not finite")
    return found


def _expect_unit(joint: Joint, q: Sequence[float] | np.ndarray, what: str) -> None:
    """Raise StateError where a quaternion is not one."""
    if joint.kind.nq > joint.kind.nv:
        length = float(np.linalg.norm(q[-4:]))
        if abs(length - 1.0) > UNIT:
            raise StateError(
                f"{what} of joint {joint.name!r} has a quaternion x y z w of length {length:.4g}, expected 1; no rotation "
                "is 0 0 0 1"
            )
