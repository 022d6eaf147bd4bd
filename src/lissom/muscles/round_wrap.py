"""Wraps around cylinders and spheres, exact: two tangents and a geodesic, over any scalar.

In the plane across a cylinder's axis a point at the distance d from it has two tangent points at the angles +-acos(R / d) from
its own direction. Unrolled, the path along both tangents and the arc between them is a straight line: its length is sqrt(s^2 +
(z2 - z1)^2), s the length in the plane, and it rises evenly along s. On a sphere all lies in the plane of the two points and
the center. Which of the tangents are taken, and whether a piece wraps at all, follows OpenSim's WrapCylinder and WrapSphere.
"""

from __future__ import annotations

import math
from typing import Any

from ..spatial.scalar import Scalar, less, select, sqrt
from ..spatial.vector import Vector
from .angle import angle_of
from .path import Surface
from .wrapped import NONE, Wrapped, either, positive, size

NEAR = 1e-5  # sine of the angle between the path and the direction of a sphere's center, below which no plane is defined


def cylinder(surface: Surface, start: Vector, end: Vector, exact: bool) -> Wrapped:
    """Return the wrap of a straight piece around a cylinder along z."""
    radius, length = surface.sizes
    return around_z(radius, length, surface.constraint, start, end, exact)


def around_z(radius: float, length: float, side: tuple[int, int] | None, start: Vector, end: Vector, exact: bool) -> Wrapped:
    """Return the wrap around a cylinder of a radius and a length along z, on one of its sides or on any.

    `exact`: a geodesic; otherwise the tangent points are where OpenSim puts them along the axis.
    """
    ends = (start, end)
    squares = [p.x * p.x + p.y * p.y for p in ends]
    beyond = [d - radius**2 for d in squares]
    if any(type(x) is float and x < 0 for x in beyond):
        return NONE  # a point that is always inside
    outside = (1.0 - less(beyond[0], 0.0)) * (1.0 - less(beyond[1], 0.0))
    tangents = [_root(x, radius) for x in beyond]  # lengths in the plane
    along, turned = Vector(end.x - start.x, end.y - start.y, 0.0), Vector(start.y - end.y, end.x - start.x, 0.0)
    run = along.dot(along)
    moves = less(0.0, run)
    run = select(moves, run, 1.0)
    t = -(start.x * along.x + start.y * along.y) / run
    across = start.x * turned.x + start.y * turned.y
    crosses = less(across * across, radius**2 * run) * less(0.0, t) * less(t, 1.0) * moves
    # tangent points: a to the left of a point seen from the axis, b to its right
    a, b = [], []
    for p, d, tangent in zip(ends, squares, tangents, strict=True):
        inward, aside = radius**2 / d, radius * tangent / d
        a.append(Vector(inward * p.x - aside * p.y, inward * p.y + aside * p.x, p.z))
        b.append(Vector(inward * p.x + aside * p.y, inward * p.y - aside * p.x, p.z))
    if side is None:
        left = less(0.0, start.x * end.y - start.y * end.x)
        must, may = crosses * outside, 0.0
        far: Scalar = 0.0
    else:
        axis, sign = side
        left, far = _left(a, b, axis, sign)
        at = Vector(start.x + t * along.x, start.y + t * along.y, 0.0)
        on = [on_side(p, axis, sign) for p in ends]
        any_on = 1.0 - (1.0 - on[0]) * (1.0 - on[1])
        opposite = on[0] + on[1] - 2.0 * on[0] * on[1]
        must = crosses * any_on * outside
        may = (any_on * (1.0 - crosses) * opposite * (1.0 - on_side(at, axis, sign)) + (1.0 - any_on)) * outside
    first, last = either(left, a[0], b[0]), either(left, b[1], a[1])
    c = (first.x * last.x + first.y * last.y) * (1.0 / radius**2)
    s = (first.x * last.y - first.y * last.x) * (1.0 / radius**2)
    theta = angle_of(c, select(less(s, 0.0), -s, s))
    if side is not None:
        whole = (first - start) + (last - end)
        long = less((first.x + last.x) * whole.x + (first.y + last.y) * whole.y, 0.0)
        theta = select(long, 2.0 * math.pi - theta, theta)
    if exact:
        slope = (end.z - start.z) / (tangents[0] + theta * radius + tangents[1])
        low, high = start.z + slope * tangents[0], end.z - slope * tangents[1]
    else:
        low, high = _in_plane(radius, start, end, first, last, [sqrt(d) for d in squares], far)
    missed = _beyond(low, length) * _beyond(high, length)
    rise = high - low
    arc = sqrt(theta * theta * radius**2 + rise * rise)
    first, last = Vector(first.x, first.y, low), Vector(last.x, last.y, high)
    return Wrapped(must * (1.0 - missed), may * (1.0 - missed), arc, first, last)


def _in_plane(
    radius: float, start: Vector, end: Vector, first: Vector, last: Vector, distances: list[Scalar], far: Scalar
) -> tuple[Scalar, Scalar]:
    """Return z of the tangent points, in the plane through both points and an apex on the cylinder, as OpenSim chooses it.

    The apex lies across the point that divides the piece by the distances from the axis, on the far side if `far`.
    """
    share = distances[0] / (distances[0] + distances[1])
    middle = start + (end - start) * share
    on_axis = Vector(0.0, 0.0, middle.z)
    n = (start - on_axis).cross(end - on_axis)
    scale = radius / sqrt(n.x * n.x + n.y * n.y)
    across = Vector(-n.y * scale, n.x * scale, 0.0)
    # the nearer of two apexes is the one on the side of the middle
    nearer = less(0.0, across.x * middle.x + across.y * middle.y)
    across = either(nearer - 2.0 * nearer * far + far, across, across * -1.0)
    apex = on_axis + across
    plane = (start - apex).cross(end - apex)
    found = []
    for p, other, r in ((start, end, first), (end, start, last)):
        z = start.z - (plane.x * (r.x - start.x) + plane.y * (r.y - start.y)) / plane.z
        off, span = z - other.z, p.z - other.z
        found.append(select(less(off * off, span * span), z, p.z))
    return found[0], found[1]


def _root(square: Scalar, radius: float) -> Scalar:
    """Return the length of a tangent; any number inside, where nothing wraps, so that conditions stay numbers."""
    return sqrt(select(less(0.0, square), square, radius**2))


def _beyond(z: Scalar, length: float) -> Scalar:
    return less(0.25 * length * length, z * z)


def _component(p: Vector, axis: int) -> Scalar:
    return (p.x, p.y, p.z)[axis]


def on_side(p: Vector, axis: int, sign: int) -> Scalar:
    """Return whether a point is on the active side."""
    side = positive(_component(p, axis))
    return side if sign > 0 else 1.0 - side


def _left(a: list[Vector], b: list[Vector], axis: int, sign: int) -> tuple[Scalar, Scalar]:
    """Return whether the path leaves the first point to the left, and whether it goes around the far side of the cylinder.

    Tangent points on the active side decide; where there are none, the pair with the larger angle between them.
    """
    a1, b1, a2, b2 = (on_side(p, axis, sign) for p in (a[0], b[0], a[1], b[1]))
    wider = less(a[0].x * b[1].x + a[0].y * b[1].y, b[0].x * a[1].x + b[0].y * a[1].y)
    none = (1.0 - a1) * (1.0 - b1) * (1.0 - a2) * (1.0 - b2)
    neither = select(a2, 0.0, select(b2, 1.0, wider))
    left = select(a1, select(b1, 1.0 - a2, 1.0), select(b1, 0.0, neither))
    far = select(none, 1.0, select(left, wider, 1.0 - wider))
    return left, far


def sphere(surface: Surface, start: Vector, end: Vector, exact: bool) -> Wrapped:
    """Return the wrap of a straight piece around a sphere."""
    radius = surface.sizes[0]
    ends = (start, end)
    squares = [p.dot(p) for p in ends]
    beyond = [d - radius**2 for d in squares]
    if any(type(x) is float and x < 0 for x in beyond):
        return NONE
    outside = (1.0 - less(beyond[0], 0.0)) * (1.0 - less(beyond[1], 0.0))
    along = end - start
    run = along.dot(along)
    t = start.dot(along) * -1.0 / run
    normal = start.cross(end)
    area = normal.dot(normal)
    crosses = less(area, radius**2 * run) * less(0.0, t) * less(t, 1.0) * less(NEAR**2 * squares[1] * run, area) * outside
    tangents = [_root(x, radius) for x in beyond]
    unit = normal * (1.0 / sqrt(area))
    plus, minus = [], []  # tangent points to both sides of a point, in the plane
    for p, d, tangent in zip(ends, squares, tangents, strict=True):
        aside = unit.cross(p) * (radius * tangent / d)
        inward = p * (radius**2 / d)
        plus.append(inward + aside)
        minus.append(inward - aside)
    long: Scalar = 0.0
    must: Scalar = 0.0
    may = crosses
    first, last = plus[0], minus[1]  # the shorter way, between the two points
    if surface.constraint is not None:
        axis, sign = surface.constraint
        on = [on_side(p, axis, sign) for p in ends]
        any_on = 1.0 - (1.0 - on[0]) * (1.0 - on[1])
        must, may = crosses * any_on, crosses * (1.0 - any_on)
        chosen_first, chosen_last, chosen_long = _tangents_on_side(plus, minus, start, end, axis, sign)
        both = on[0] * on[1]
        first, last = either(both, first, chosen_first), either(both, last, chosen_last)
        long = (1.0 - both) * chosen_long
    c = first.dot(last) * (1.0 / radius**2)
    s = size(first.cross(last)) * (1.0 / radius**2)
    theta = angle_of(c, s)
    theta = select(long, 2.0 * math.pi - theta, theta) if surface.constraint is not None else theta
    return Wrapped(must, may, theta * radius, first, last)


def _tangents_on_side(
    plus: list[Vector], minus: list[Vector], start: Vector, end: Vector, axis: int, sign: int
) -> tuple[Vector, Vector, Scalar]:
    """Return the tangent points on the active side of a sphere, and whether the way between them is the long one."""
    away: Any = (start + end) * -1.0
    first_plus, last_plus = less(minus[0].dot(away), plus[0].dot(away)), less(minus[1].dot(away), plus[1].dot(away))
    first, other_first = either(first_plus, plus[0], minus[0]), either(first_plus, minus[0], plus[0])
    last, other_last = either(last_plus, plus[1], minus[1]), either(last_plus, minus[1], plus[1])
    lean = (first - start) + (last - end)
    flips = less(_component(lean, axis) * float(sign), 0.0)
    first, last = either(flips, other_first, first), either(flips, other_last, last)
    lean = (first - start) + (last - end)
    return first, last, less((first + last).dot(lean), 0.0)
