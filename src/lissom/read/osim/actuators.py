"""Coordinate actuators: the largest torque or force of each coordinate."""

from __future__ import annotations

import math

from ...errors import suggest
from ..source import Source
from .parts import OsimParts


def efforts(parts: OsimParts, source: Source) -> dict[str, float]:
    """Return the largest torque [N m] or force [N] of the actuators of each coordinate that has some; infinite without a bound.

    Where the two directions differ it is that of the stronger one, and a doubt says so.
    """
    names = [coordinate.name for coordinate in parts.coordinates]
    found: dict[str, float] = {}
    for actuator in parts.actuators:
        if actuator.coordinate not in names:
            what = f"actuator {actuator.name!r} drives {actuator.coordinate!r}, which is no coordinate"
            raise source.error(f"{what}; {suggest(actuator.coordinate, names)}", actuator.line)
        if not actuator.acts:
            continue
        if actuator.least != -actuator.most and actuator.optimal_force != 0.0:
            source.warn(
                f"actuator {actuator.name!r} has controls from {actuator.least:g} to {actuator.most:g}; the limit of its "
                "coordinate is the larger one in both directions",
                actuator.line,
            )
        most = max(abs(actuator.least), abs(actuator.most))
        effort = abs(actuator.optimal_force) * most if most and actuator.optimal_force else 0.0
        found[actuator.coordinate] = found.get(actuator.coordinate, 0.0) + effort
    return {name: effort for name, effort in found.items() if math.isfinite(effort)}
