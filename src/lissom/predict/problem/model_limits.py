"""Limits from a robot's model: range, speed and effort of its joints, and of motors behind springs.

The limits of a motor behind a spring count at the joint: its effort limits "torque", its range and speed "motor_position" and
"motor_velocity". The torque on the joint is K times the deflection of the spring, so that the joint's effort limit (of gears
and sensors there) limits "deflection".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...errors import StateError, suggest
from ...model import Limits
from ...protocol import DrivenRobot
from ..data.joints import column_joints, drive_names, elastic_motors, path_names

OWN = ("position", "velocity", "torque")
OF_MOTORS = ("motor_position", "motor_velocity", "deflection")


def model_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the quantities that a model can limit."""
    return (*OWN, *OF_MOTORS) if robot.n_elastic else OWN


def model_bounds(
    robot: DrivenRobot, name: str, undriven: Sequence[int] = ()
) -> tuple[list[str], dict[str, float], dict[str, float]]:
    """Return the entries that have such a limit, and its lower and upper bounds by entry; no torque of undriven columns."""
    known = model_names(robot)
    if name not in known:
        raise StateError(f"a robot's model has no limits of {name!r}; {suggest(str(name), known)}")
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    for entry, (lower, upper) in _pairs(robot, name, undriven).items():
        if any(math.isfinite(x) for x in (lower, upper)):
            low[entry], high[entry] = lower, upper
    return list(low), low, high


def _pairs(robot: DrivenRobot, name: str, undriven: Sequence[int]) -> dict[str, tuple[float, float]]:
    """Return both bounds of every entry, infinite ones too."""
    found: dict[str, tuple[float, float]] = {}
    motors = elastic_motors(robot)
    columns = zip(column_joints(robot), path_names(robot), drive_names(robot), strict=True)
    for number, (joint, column, drive) in enumerate(columns):
        motor = motors.get(joint.name)
        if name in OF_MOTORS and motor is None or name == "torque" and number in undriven:
            continue
        if name in ("position", "velocity"):
            if joint.kind.traits.adds_up:  # columns of others are not what a model limits
                found[column] = _pair(joint.limits, name)
        elif name == "torque":
            found[drive] = _pair((joint if motor is None else motor).limits, name)
        else:
            assert motor is not None and motor.spring is not None
            if name == "deflection":
                lower, upper = _pair(joint.limits, "torque")
                found[drive] = (lower / motor.spring.stiffness, upper / motor.spring.stiffness)
            else:
                found[drive] = _pair(motor.limits, name.removeprefix("motor_"))
    return found


def _pair(limits: Limits, name: str) -> tuple[float, float]:
    if name == "position":
        return limits.lower, limits.upper
    size = limits.velocity if name == "velocity" else limits.effort
    size = size or math.inf  # many models have 0 for an unknown limit
    return -size, size
