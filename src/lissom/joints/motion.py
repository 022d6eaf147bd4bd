"""The motion of a child relative to its parent, and the simple motions of a joint."""

from __future__ import annotations

from dataclasses import dataclass

from ..spatial.rotation import Turn
from ..spatial.scalar import Scalar
from ..spatial.vector import ZERO, Vector
from .function import Function


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


@dataclass(frozen=True)
class Part:
    """A rotation about an axis or a translation along one: joints of several simple motions are chains of these.

    Attributes:
        slides: whether it is a translation; otherwise it is a rotation.
        axis: unit vector, in the axes moved by the parts before.
        coordinate: index of the joint's coordinate that moves it.
        factor: its angle or distance is factor times the coordinate, or
        law: this function of the coordinate.
    """

    slides: bool
    axis: tuple[float, float, float]
    coordinate: int = 0
    factor: float = 1.0
    law: Function | None = None

    @property
    def constant(self) -> float | None:
        """Its angle or distance if constant, else None."""
        return 0.0 if self.law is None and self.factor == 0.0 else self.law.constant if self.law is not None else None

    def at(self, q: float) -> float:
        """Return its angle [rad] or distance [m] at a coordinate."""
        return float(self.factor * q if self.law is None else self.law.derivatives(float(q), 0)[0])


@dataclass(frozen=True)
class Axis:
    """An axis of a joint, for pictures.

    Attributes:
        direction: unit vector, in the joint frame, or in the moved one.
        turns, slides: what the joint does about it and along it; a screw does both.
        moved: whether it moves with the child.
        plane: whether the child also slides in the plane normal to it.
        left_handed: of a screw.
    """

    direction: tuple[float, float, float]
    turns: bool = False
    slides: bool = False
    moved: bool = False
    plane: bool = False
    left_handed: bool = False


def along_z(x: Scalar) -> Vector:
    """Return (0, 0, x)."""
    return Vector(0.0, 0.0, x)
