"""Limits that a robot's description gives: range, speed and effort of its joints."""

from __future__ import annotations

import math

from ..errors import StateError, suggest
from ..robot import Robot

OWN = ("position", "velocity", "torque")


def model_bounds(robot: Robot, name: str) -> tuple[list[str], dict[str, float], dict[str, float]]:
    """Return the joints that have such a limit, and its lower and upper bounds by joint."""
    if name not in OWN:
        raise StateError(f"a description has no limits of {name!r}; {suggest(str(name), OWN)}")
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    for joint in robot.model.independent_joints:
        limits = joint.limits
        if name == "position":
            pair = (limits.lower, limits.upper)
        else:
            size = limits.velocity if name == "velocity" else limits.effort
            if size == 0:  # many descriptions write 0 for what they do not know
                continue
            pair = (-size, size)
        if any(math.isfinite(x) for x in pair):
            low[joint.name], high[joint.name] = pair
    return list(low), low, high
