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
from ..data.joints import path_names
from ..data.phases import Phases
from ..quantities.by_name import LINEAR
from .check import joint_values
from .end_values import end_position, end_velocity
from .parts import BothEnds, Equation

FREE = "free"

End = Mapping[str, np.ndarray]


def read_end(
    robot: DrivenRobot, side: str, degree: int, values: Mapping[str, Any], near: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Return the known derivatives at an end, by the names of LINEAR, each (n,).

    Args:
        robot: the robot.
        side: "start" or "end".
        degree: of the path.
        values: values by the same names; "free" or None where unknown. For derivatives that motors behind springs need at rest,
            None means zero.
        near: position at the other end, if known, from which rotations are counted.
    """
    found: dict[str, np.ndarray] = {}
    for name, value in values.items():
        if value is not None and not (isinstance(value, str) and value == FREE):
            what = f"{side}'s {name}"
            if name == "position":
                found[name] = end_position(robot, value, what, near)
            elif name == "velocity":
                found[name] = end_velocity(robot, value, what, found.get("position"))
            else:
                found[name] = joint_values(robot, value, what)
    if "velocity" in found and not found["velocity"].any():
        for name in LINEAR[2 : robot.path_order]:
            if values.get(name) is None:
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
    """Return bounds of the control points (m, n) of the path: those that the ends fix are equal."""
    lower, upper = np.full((basis.count, n), -np.inf), np.full((basis.count, n), np.inf)
    taken = sum(resting(given) for given in ends.values())
    if taken > basis.count:
        raise StateError(f"{basis.count} control points are too few for the conditions at both ends, expected {taken} or more")
    for side, given in ends.items():
        if count := resting(given):
            rows = slice(0, count) if side == "start" else slice(basis.count - count, None)
            lower[rows] = upper[rows] = given["position"]
    return lower, upper


def end_equations(
    ends: Mapping[str, End], basis: Basis, names: tuple[str, ...], size: int, phases: Phases | None = None
) -> list[Equation]:
    """Return the other conditions at the ends: derivatives that are not zero, or at a free position.

    The durations are the unknowns after all `size` control points, of which those of the path come first.
    """
    found, n, phases = [], len(names), phases or Phases()
    shares = np.diff(phases.clock_ends)  # of s, that clocks have
    for side, given in ends.items():
        s, clock = np.array([0.0 if side == "start" else 1.0]), 0 if side == "start" else phases.clocks - 1
        for order, name in enumerate(LINEAR[1:], 1):
            if name not in given or order < resting(given):
                continue  # nothing is asked, or equal control points have it
            row = basis.matrix(s, order).tocoo()
            data = row.data * shares[clock] ** order
            for joint, value in enumerate(given[name]):
                # B' w P = v T, and B'' P = 0
                places = np.append(row.col * n + joint, size + clock)
                label = f"{name} of {names[joint]} at the {side}"
                found.append(Equation(places, np.append(data, -value if order == 1 else 0.0), 0.0, 0.0, label))
    return found


def between_ends(basis: Basis, names: tuple[str, ...], ends: BothEnds) -> Equation:
    """Return the equation of a condition between the two ends."""
    start, end = (basis.matrix(np.array([s]), ends.order).tocoo() for s in (0.0, 1.0))
    # sign B(0) P c - B(1) P d = -shift
    sides = [(start, joint, ends.sign * c) for joint, c in ends.start] + [(end, joint, -c) for joint, c in ends.end]
    places = np.concatenate([row.col * len(names) + joint for row, joint, _ in sides])
    factors = np.concatenate([c * row.data for row, _, c in sides])
    said = [" + ".join(names[joint] if c == 1.0 else f"{c:g} {names[joint]}" for joint, c in side) for side in ends[1:3]]
    label = f"{LINEAR[ends.order]} of {said[0]} at the start and of {said[1]} at the end"
    return Equation(places, factors, -ends.shift, -ends.shift, label, ends)
