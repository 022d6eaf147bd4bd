"""Twists: pairs of vectors. Motions are (linear, angular), wrenches (force, moment), both at one point, along the same axes."""

from __future__ import annotations

from .scalar import Scalar, add
from .vector import ZERO, Matrix, Vector

Twist = tuple[Vector, Vector]

STILL: Twist = (ZERO, ZERO)
UPRIGHT = Matrix.of(((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def unit_twist(d: int) -> Twist:
    """Return the motion along direction d: linear x y z, then angular x y z."""
    return (UPRIGHT.rows[d], ZERO) if d < 3 else (ZERO, UPRIGHT.rows[d - 3])


def axis_of(S: Twist) -> int | None:
    """Return d where S is `unit_twist(d)`; None where it has other components."""
    six = (*S[0], *S[1])
    found = [d for d, x in enumerate(six) if not (type(x) is float and x == 0.0)]
    return found[0] if len(found) == 1 and type(six[found[0]]) is float and six[found[0]] == 1.0 else None


def plus(a: Twist, b: Twist) -> Twist:
    """Return the sum of two motions or wrenches."""
    return a[0] + b[0], a[1] + b[1]


def twice(a: Twist) -> Twist:
    """Return a + a."""
    return a[0] * 2.0, a[1] * 2.0


def along(motion: Twist, wrench: Twist) -> Scalar:
    """Return the power of a wrench along a motion."""
    return add(motion[0].dot(wrench[0]), motion[1].dot(wrench[1]))


def carried(V: Twist, S: Twist) -> Twist:
    """Return V x S of two motions: the rate of S moving with V."""
    return V[1].cross(S[0]) + V[0].cross(S[1]), V[1].cross(S[1])


def turned(S: Twist, wrench: Twist) -> Twist:
    """Return S x* f: the rate of a wrench moving with S."""
    return S[1].cross(wrench[0]), S[1].cross(wrench[1]) + S[0].cross(wrench[0])
