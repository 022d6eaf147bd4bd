"""Solids that links stay away from: spheres, capsules and boxes; links themselves are made of spheres and capsules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algorithms.kinematics.clearances import Line
from ...errors import StateError
from ...model.pose import Vector3
from .rotation import rotation


@dataclass(frozen=True)
class Sphere:
    """A sphere.

    Attributes:
        center: in the frame of the world, or of a link [m].
        radius: [m].
    """

    center: Sequence[float]
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", _vector(self.center, "center of a sphere"))
        object.__setattr__(self, "radius", _radius(self.radius, "sphere"))

    @property
    def core(self) -> Line:
        """The points around which it is: one."""
        center: Any = self.center
        return Line(center, center)


@dataclass(frozen=True)
class Capsule:
    """All points within a radius of a segment.

    Attributes:
        start, end: of the segment, in the frame of the world, or of a link [m].
        radius: [m].
    """

    start: Sequence[float]
    end: Sequence[float]
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", _vector(self.start, "start of a capsule"))
        object.__setattr__(self, "end", _vector(self.end, "end of a capsule"))
        object.__setattr__(self, "radius", _radius(self.radius, "capsule"))

    @property
    def core(self) -> Line:
        """The points around which it is: a segment."""
        start: Any = self.start
        end: Any = self.end
        return Line(start, end)


@dataclass(frozen=True)
class Box:
    """A box.

    Attributes:
        center: in the frame of the world, or of a link [m].
        size: lengths of its edges along its own x, y and z [m].
        rotation: matrix (3, 3) whose columns are its axes, or quaternion x y z w; None where they are those of the frame.
    """

    center: Sequence[float]
    size: Sequence[float]
    rotation: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", _vector(self.center, "center of a box"))
        object.__setattr__(self, "size", _vector(self.size, "size of a box"))
        if not all(x > 0.0 for x in self.size):
            raise StateError(f"size of a box is {self.size!r} m, expected three positive numbers: the lengths of its edges")
        R = np.eye(3) if self.rotation is None else rotation(self.rotation, "rotation of a box")
        object.__setattr__(self, "rotation", tuple(tuple(row) for row in R.tolist()))


Solid = Sphere | Capsule  # what links are made of
Obstacle = Sphere | Capsule | Box


def kind(solid: Obstacle) -> str:
    """Return the kind of a solid, in a word."""
    return type(solid).__name__.lower()


def margin_of(value: Any) -> float:
    """Return a margin [m], zero or more."""
    if isinstance(value, str | bool) or np.ndim(value) or not 0.0 <= value < np.inf:
        raise StateError(f"margin is {value!r} m, expected a number, zero or more: the least distance of the surfaces")
    return float(value)


def _radius(value: Any, what: str) -> float:
    if isinstance(value, str | bool) or np.ndim(value) or not 0.0 < value < np.inf:
        raise StateError(f"radius of a {what} is {value!r} m, expected a positive number")
    return float(value)


def _vector(value: Any, what: str) -> Vector3:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.full(1, np.nan)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise StateError(f"{what} is {value!r}, expected three numbers [m]")
    x, y, z = found.tolist()
    return x, y, z
