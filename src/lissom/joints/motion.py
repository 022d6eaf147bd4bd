"""The motion of a child relative to its parent."""

from __future__ import annotations

from dataclasses import dataclass

from ..spatial.rotation import Turn
from ..spatial.scalar import Scalar
from ..spatial.vector import ZERO, Vector


@dataclass(frozen=True)
class JointMotion:
    """The motion of a child relative to its parent.

    Attributes:
        turn: rotation of the child from its zero position.
        shift: displacement of its origin, in the axes of the zero position [m].
        v, w: velocity relative to the parent, in the child's axes [m/s, rad/s].
        a, dw: their rates, as seen in the child [m/s^2, rad/s^2].
    """

    turn: Turn
    shift: Vector = ZERO
    v: Vector = ZERO
    w: Vector = ZERO
    a: Vector = ZERO
    dw: Vector = ZERO


def along_z(x: Scalar) -> Vector:
    """Return (0, 0, x)."""
    return Vector(0.0, 0.0, x)
