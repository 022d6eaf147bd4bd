"""Vectors and matrices of three, over any scalar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .scalar import Scalar, add, mul, sub


class Vector:
    """Three scalars: x, y, z."""

    __slots__ = ("x", "y", "z")

    def __init__(self, x: Scalar, y: Scalar, z: Scalar) -> None:
        self.x, self.y, self.z = x, y, z

    @classmethod
    def of(cls, values: Iterable[Any]) -> Vector:
        """Make a constant vector from three numbers."""
        x, y, z = values
        return cls(float(x), float(y), float(z))

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.x, self.y, self.z))

    def __add__(self, other: Vector) -> Vector:
        return Vector(add(self.x, other.x), add(self.y, other.y), add(self.z, other.z))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(sub(self.x, other.x), sub(self.y, other.y), sub(self.z, other.z))

    def __mul__(self, factor: Scalar) -> Vector:
        return Vector(mul(self.x, factor), mul(self.y, factor), mul(self.z, factor))

    def cross(self, b: Vector) -> Vector:
        """Return the vector product self x b."""
        return Vector(
            sub(mul(self.y, b.z), mul(self.z, b.y)),
            sub(mul(self.z, b.x), mul(self.x, b.z)),
            sub(mul(self.x, b.y), mul(self.y, b.x)),
        )

    def dot(self, b: Vector) -> Scalar:
        """Return the scalar product."""
        return add(add(mul(self.x, b.x), mul(self.y, b.y)), mul(self.z, b.z))


ZERO = Vector(0.0, 0.0, 0.0)


class Matrix:
    """Three rows."""

    __slots__ = ("rows",)

    def __init__(self, rows: Iterable[Vector]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def of(cls, values: Iterable[Iterable[Any]]) -> Matrix:
        """Make a constant matrix from 3x3 numbers."""
        return cls(Vector.of(row) for row in values)

    def __matmul__(self, v: Vector) -> Vector:
        a, b, c = self.rows
        return Vector(a.dot(v), b.dot(v), c.dot(v))

    @property
    def T(self) -> Matrix:
        """The transpose."""
        a, b, c = self.rows
        return Matrix((Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z)))
