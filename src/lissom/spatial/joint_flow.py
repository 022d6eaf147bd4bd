"""How the coordinates of each kind of joint follow its velocities: their rates, and a whole step along a constant velocity.

The other switch over joint kinds, beside `joint_motion.py`: that one goes from coordinates to motion, this one back. Steps are
exponential maps (u: quaternion x y z w; w, v: velocity times the length of the step, in the child's axes):
    single axis   q + v                              planar     x + Rz(angle) V v,  angle + w
    spherical     u . exp(w)                         floating   p + R(u) V v,       u . exp(w)
with V the mean of the rotation over the step. They are series in |w|^2, smooth where the quotients of sines are 0 / 0, and exact
to rounding for turns of up to one radian a step; beyond, they still give a rotation, if not the exact one.
`lissom.manifold` has the same maps for turns of any size, in NumPy alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..model.joint import SINGLE_DOF, JointKind
from .rotation import TurnInSpace, TurnZ
from .scalar import Scalar, add, mul, sub
from .vector import Vector

TERMS = 9  # of each series: what is left out is below 1e-17 at one radian

# in powers of t^2: sin(t/2)/t, cos(t/2), sin(t)/t, (1 - cos t)/t^2 and (t - sin t)/t^3
_HALF_SINE = tuple((-1) ** k / (2 * 4**k * math.factorial(2 * k + 1)) for k in range(TERMS))
_HALF_COSINE = tuple((-1) ** k / (4**k * math.factorial(2 * k)) for k in range(TERMS))
_SINE = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(TERMS))
_COSINE_REST = tuple((-1) ** k / math.factorial(2 * k + 2) for k in range(TERMS))
_SINE_REST = tuple((-1) ** k / math.factorial(2 * k + 3) for k in range(TERMS))


def coordinate_rates(kind: JointKind, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return the time derivatives of a joint's coordinates; those of a quaternion u are u . (w, 0) / 2."""
    if kind in SINGLE_DOF:
        return list(v)
    if kind is JointKind.SPHERICAL:
        return _product(q, [*(mul(0.5, w) for w in v), 0.0])
    if kind is JointKind.PLANAR:
        x, y, _ = TurnZ.by(q[2]).to_parent(Vector(v[0], v[1], 0.0))
        return [x, y, v[2]]
    if kind is JointKind.FLOATING:
        linear = TurnInSpace.by(q[3:]).to_parent(Vector(*v[:3]))
        return [*linear, *coordinate_rates(JointKind.SPHERICAL, q[3:], v[3:])]
    raise AssertionError(f"joint kind {kind} has no rates")


def step_along(kind: JointKind, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return the coordinates reached from q along v, a velocity times the length of the step."""
    if kind in SINGLE_DOF:
        return [add(q[0], v[0])]
    if kind is JointKind.SPHERICAL:
        t2 = Vector(*v).dot(Vector(*v))
        half = _series(_HALF_SINE, t2)
        return unit_coordinates(kind, _product(q, [*(mul(half, w) for w in v), _series(_HALF_COSINE, t2)]))
    if kind is JointKind.PLANAR:
        t2 = mul(v[2], v[2])
        a, b = _series(_SINE, t2), mul(v[2], _series(_COSINE_REST, t2))
        mean = Vector(sub(mul(a, v[0]), mul(b, v[1])), add(mul(b, v[0]), mul(a, v[1])), 0.0)
        x, y, _ = TurnZ.by(q[2]).to_parent(mean)
        return [add(q[0], x), add(q[1], y), add(q[2], v[2])]
    if kind is JointKind.FLOATING:
        linear, w = Vector(*v[:3]), Vector(*v[3:])
        t2 = w.dot(w)
        once = w.cross(linear)
        mean = linear + once * _series(_COSINE_REST, t2) + w.cross(once) * _series(_SINE_REST, t2)
        p = Vector(*q[:3]) + TurnInSpace.by(q[3:]).to_parent(mean)
        return [*p, *step_along(JointKind.SPHERICAL, q[3:], v[3:])]
    raise AssertionError(f"joint kind {kind} has no steps")


def unit_coordinates(kind: JointKind, q: Sequence[Scalar]) -> list[Scalar]:
    """Return coordinates with the quaternion brought back to length one, from near it.

    The factor 2 / (1 + n^2) needs no square root: of a length 1 + e it leaves an error of e^2 / 2, and none grows.
    """
    if kind.nq == kind.nv:
        return list(q)
    u = q[-4:]
    n2 = add(add(add(mul(u[0], u[0]), mul(u[1], u[1])), mul(u[2], u[2])), mul(u[3], u[3]))
    factor = 2.0 / add(1.0, n2)
    return [*q[:-4], *(mul(factor, x) for x in u)]


def _product(a: Sequence[Scalar], b: Sequence[Scalar]) -> list[Scalar]:
    """Return the quaternion a . b, x y z w."""
    p, r = Vector(*a[:3]), Vector(*b[:3])
    vector = r * a[3] + p * b[3] + p.cross(r)
    return [*vector, sub(mul(a[3], b[3]), p.dot(r))]


def _series(coefficients: Sequence[float], x: Scalar) -> Scalar:
    """Return the polynomial with these coefficients, lowest first (Horner)."""
    total: Scalar = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = add(c, mul(total, x))
    return total
