"""Limits from a robot's model: range, speed and effort of its joints, and of motors behind springs.

The limits of a motor behind a spring count at the joint: its effort limits "torque", its range and speed "motor_position" and
"motor_velocity". The torque on the joint is K times the deflection of the spring, so that the joint's effort limit (of gears
and sensors there) limits "deflection".
"""

from __future__ import annotations

import math

from ...errors import StateError, suggest
from ...model import Limits
from ...protocol import DrivenRobot
from .joints import drive_names, elastic_motors, path_joints

OWN = ("position", "velocity", "torque")
OF_MOTORS = ("motor_position", "motor_velocity", "deflection")


def model_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the quantities that a model can limit."""
    return (*OWN, *OF_MOTORS) if robot.n_elastic else OWN


def model_bounds(robot: DrivenRobot, name: str) -> tuple[list[str], dict[str, float], dict[str, float]]:
    """Return the entries that have such a limit, and its lower and upper bounds by entry."""
    known = model_names(robot)
    if name not in known:
        raise StateError(f"a robot's model has no limits of {name!r}; {suggest(str(name), known)}")
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    for entry, (lower, upper) in _pairs(robot, name).items():
        if any(math.isfinite(x) for x in (lower, upper)):
            low[entry], high[entry] = lower, upper
    return list(low), low, high


def _pairs(robot: DrivenRobot, name: str) -> dict[str, tuple[float, float]]:
    """Return both bounds of every entry, infinite ones too."""
    found: dict[str, tuple[float, float]] = {}
    motors = elastic_motors(robot)
    for joint, drive in zip(path_joints(robot), drive_names(robot), strict=True):
        motor = motors.get(joint.name)
        if name in OF_MOTORS and motor is None:
            continue
        if name in ("position", "velocity"):
            found[joint.name] = _pair(joint.limits, name)
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
