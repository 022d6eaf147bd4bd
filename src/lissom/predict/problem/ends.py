"""Ends of a motion: known derivatives, as equal control points and as linear equations in the unknowns.

A path rests at an end up to the order r where its first, or last, r + 1 control points are equal. A robot whose motors drive its
joints rests with its joints: only the velocity is zero, and the torques may jump. Motors behind springs rest only where the path
has neither acceleration nor jerk: theta = q + rest + (M qdd + ...) / K is where springs hold the robot still if qdd = 0, and
theta' = qd + (M qddd + ...) / K = 0 if qddd = 0. theta'', and with it the motor's torque, may jump unless the snap is zero too.
Symbols: P control points (m, n) | T duration [s] | B_i^(r) derivatives by s = t / T.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import StateError
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ..quantities.by_name import LINEAR
from .check import joint_values
from .joints import path_names
from .parts import Equation

FREE = "free"

End = Mapping[str, np.ndarray]


def read_end(robot: DrivenRobot, side: str, degree: int, told: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the known derivatives at an end, by the names of LINEAR, each (n,).

    Args:
        robot: the robot.
        side: "start" or "end".
        degree: of the path.
        told: values by the same names; "free" or None where unknown. For derivatives that motors behind springs need at rest,
            None means zero.
    """
    found: dict[str, np.ndarray] = {}
    for name, value in told.items():
        if value is not None and not (isinstance(value, str) and value == FREE):
            found[name] = joint_values(robot, value, f"{side}'s {name}", angles=name == "position")
    if "velocity" in found and not found["velocity"].any():
        for name in LINEAR[2 : robot.path_order]:
            if told.get(name) is None:
                found[name] = np.zeros(len(path_names(robot)))
            elif name not in found:
                break  # with a free acceleration, motors do not rest whatever the jerk
    for name in LINEAR[2:]:
        if name in found and found[name].any():
            raise StateError(f"the {side}'s {name} must be zero or free; limit {name!r} at= instead")
        if name in found and LINEAR.index(name) >= max(degree, 3):
            raise StateError(
                f"the {side}'s {name} is zero, for which a path of degree {degree} would not move; it needs degree "
                f"{LINEAR.index(name) + 1} or more"
            )
    return {name: found[name] for name in LINEAR if name in found}


def repeating(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the derivatives that are equal at both ends of a motion that repeats without a jump of torques."""
    return LINEAR[: robot.path_order + 1]


def resting(given: End) -> int:
    """Return how many control points are equal at an end: none where its position is free."""
    if "position" not in given:
        return 0
    count = 1
    for name in LINEAR[1:]:
        if name not in given or given[name].any():
            break
        count += 1
    return count


def point_bounds(ends: Mapping[str, End], basis: Basis, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of the control points (m, n): those that the ends fix are equal."""
    lower, upper = np.full((basis.count, n), -np.inf), np.full((basis.count, n), np.inf)
    taken = sum(resting(given) for given in ends.values())
    if taken > basis.count:
        raise StateError(f"{basis.count} control points are too few for the conditions at both ends, expected {taken} or more")
    for side, given in ends.items():
        if count := resting(given):
            rows = slice(0, count) if side == "start" else slice(basis.count - count, None)
            lower[rows] = upper[rows] = given["position"]
    return lower, upper


def end_equations(ends: Mapping[str, End], basis: Basis, names: tuple[str, ...]) -> list[Equation]:
    """Return the other conditions at the ends: derivatives that are not zero, or at a free position."""
    found, n = [], len(names)
    for side, given in ends.items():
        s = np.array([0.0 if side == "start" else 1.0])
        for order, name in enumerate(LINEAR[1:], 1):
            if name not in given or order < resting(given):
                continue  # nothing is asked, or equal control points have it
            row = basis.matrix(s, order).tocoo()
            for joint, value in enumerate(given[name]):
                # B' P = v T, and B'' P = 0
                columns = np.append(row.col * n + joint, basis.count * n)
                label = f"{name} of {names[joint]} at the {side}"
                found.append(Equation(columns, np.append(row.data, -value if order == 1 else 0.0), 0.0, 0.0, label))
    return found


def between_ends(basis: Basis, names: tuple[str, ...], ends: tuple[int, int, int, float]) -> Equation:
    """Return the equation of a derivative at both ends: its order, joint at the start, joint at the end, sign."""
    order, one, two, sign = ends
    start, end = (basis.matrix(np.array([s]), order).tocoo() for s in (0.0, 1.0))
    columns = np.concatenate([start.col * len(names) + one, end.col * len(names) + two])
    label = f"{LINEAR[order]} of {names[one]} at the start and of {names[two]} at the end"
    return Equation(columns, np.concatenate([sign * start.data, -end.data]), 0.0, 0.0, label, ends)
