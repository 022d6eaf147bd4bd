"""The simple motions that OpenSim's joints are chains of."""

from __future__ import annotations

from dataclasses import dataclass

from ...joints.function import Function, Polynomial
from ...model.pose import Vector3

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Simple:
    """A translation along an axis or a rotation about it, by a function of a coordinate, or constant without one."""

    slides: bool
    axis: Vector3
    coordinate: str | None
    law: Function


def turned(axis: Vector3, coordinate: str, times: float) -> Simple:
    """Return the rotation by a multiple of a coordinate."""
    return Simple(False, axis, coordinate, Polynomial((0.0, times)))


def turned_by(axis: Vector3, angle: float) -> Simple:
    """Return a constant rotation [rad]."""
    return Simple(False, axis, None, Polynomial((angle,)))
