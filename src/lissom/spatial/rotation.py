"""Rotations of a joint, applied factor by factor.

A rotation about z costs four products per vector, a general matrix nine; keeping the factors also keeps only a sine and a
cosine alive between the two passes of a recursion, instead of a matrix.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from .scalar import Scalar, add, mul, sincos, sincos_plus, sub
from .vector import Matrix, Vector


class Turn(Protocol):
    """A rotation of child axes relative to parent axes."""

    def to_child(self, v: Vector) -> Vector:
        """Return the components of v in the child's axes, given those in the parent's."""

    def to_parent(self, v: Vector) -> Vector:
        """Return the components of v in the parent's axes, given those in the child's."""


class NoTurn:
    """No rotation."""

    def to_child(self, v: Vector) -> Vector:
        """Return v."""
        return v

    def to_parent(self, v: Vector) -> Vector:
        """Return v."""
        return v


NO_TURN = NoTurn()


class TurnZ:
    """Rotation about z, by an angle with sine s and cosine c."""

    __slots__ = ("c", "s")

    def __init__(self, s: Scalar, c: Scalar) -> None:
        self.s, self.c = s, c

    @classmethod
    def by(cls, angle: Scalar, zero: float = 0.0) -> TurnZ:
        """Rotate by angle + zero; a zero of quarter turns takes no operations."""
        quarters = round(zero / (math.pi / 2))
        rest = zero - quarters * (math.pi / 2)
        s, c = sincos(angle) if abs(rest) < 1e-15 else sincos_plus(angle, rest)
        return cls(*((s, c), (c, -s), (-s, -c), (-c, s))[quarters % 4])

    def to_child(self, v: Vector) -> Vector:
        """Return Rz' v."""
        s, c = self.s, self.c
        return Vector(add(mul(c, v.x), mul(s, v.y)), sub(mul(c, v.y), mul(s, v.x)), v.z)

    def to_parent(self, v: Vector) -> Vector:
        """Return Rz v."""
        s, c = self.s, self.c
        return Vector(sub(mul(c, v.x), mul(s, v.y)), add(mul(s, v.x), mul(c, v.y)), v.z)


class TurnInSpace:
    """A general rotation matrix R, child to parent."""

    __slots__ = ("R",)

    def __init__(self, R: Matrix) -> None:
        self.R = R

    @classmethod
    def by(cls, quaternion: Sequence[Scalar]) -> TurnInSpace:
        """Rotate by a quaternion x y z w of any length: only its direction counts."""
        x, y, z, w = quaternion
        xx, yy, zz = mul(x, x), mul(y, y), mul(z, z)
        s = 2.0 / add(add(add(xx, yy), zz), mul(w, w))
        sx, sy, sz = mul(s, x), mul(s, y), mul(s, z)
        xy, xz, yz = mul(sx, y), mul(sx, z), mul(sy, z)
        xw, yw, zw = mul(sx, w), mul(sy, w), mul(sz, w)
        xx, yy, zz = mul(sx, x), mul(sy, y), mul(sz, z)
        return cls(
            Matrix(
                (
                    Vector(1.0 - add(yy, zz), sub(xy, zw), add(xz, yw)),
                    Vector(add(xy, zw), 1.0 - add(xx, zz), sub(yz, xw)),
                    Vector(sub(xz, yw), add(yz, xw), 1.0 - add(xx, yy)),
                )
            )
        )

    def to_child(self, v: Vector) -> Vector:
        """Return R' v."""
        return self.R.T @ v

    def to_parent(self, v: Vector) -> Vector:
        """Return R v."""
        return self.R @ v
