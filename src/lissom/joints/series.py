"""Series in the square of an angle, smooth where quotients of sines are 0 / 0, and products of quaternions, over any scalar."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..spatial.scalar import Scalar, add, mul, sub
from ..spatial.vector import Vector

TERMS = 9  # of each series: what is left out is below 1e-17 at one radian

# in powers of t^2: sin(t/2)/t, cos(t/2), sin(t)/t, (1 - cos t)/t^2 and (t - sin t)/t^3
HALF_SINE = tuple((-1) ** k / (2 * 4**k * math.factorial(2 * k + 1)) for k in range(TERMS))
HALF_COSINE = tuple((-1) ** k / (4**k * math.factorial(2 * k)) for k in range(TERMS))
SINE = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(TERMS))
COSINE_REST = tuple((-1) ** k / math.factorial(2 * k + 2) for k in range(TERMS))
SINE_REST = tuple((-1) ** k / math.factorial(2 * k + 3) for k in range(TERMS))


def series(coefficients: Sequence[float], x: Scalar) -> Scalar:
    """Return the polynomial with these coefficients, lowest first (Horner)."""
    total: Scalar = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = add(c, mul(total, x))
    return total


def product(a: Sequence[Scalar], b: Sequence[Scalar]) -> list[Scalar]:
    """Return the quaternion a . b, x y z w."""
    p, r = Vector(*a[:3]), Vector(*b[:3])
    vector = r * a[3] + p * b[3] + p.cross(r)
    return [*vector, sub(mul(a[3], b[3]), p.dot(r))]


def crossed(e: Vector) -> list[list[Scalar]]:
    """Return the matrix of w -> w x e, by rows."""
    x, y, z = e
    return [[0.0, z, sub(0.0, y)], [sub(0.0, z), 0.0, x], [y, sub(0.0, x), 0.0]]
