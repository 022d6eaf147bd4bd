"""Wraps through tori, over any scalar: around a cylinder that replaces the torus where the path is closest to it (OpenSim's
WrapTorus).

The point of the straight piece that is closest to the torus' axis, a circle, is found by Newton's steps from either end; the
cylinder has the radius of the tube, lies along the circle there, and the path passes it on the side of the torus' middle.
"""

from __future__ import annotations

from ..spatial.scalar import Scalar, less, select, sqrt
from ..spatial.vector import Vector
from .path import Surface
from .round_wrap import around_z, on_side
from .wrapped import Wrapped, either, size

STEPS = 12
LENGTH = 10.0  # of the cylinder [m]


def torus(surface: Surface, start: Vector, end: Vector, exact: bool) -> Wrapped:
    """Return the wrap of a straight piece through a torus around z."""
    tube, circle = surface.sizes
    along = end - start
    unit = along * (1.0 / size(along))
    near = circle if exact else 2.0 * circle
    one, two = _closest(near, start, unit), _closest(near, end, unit * -1.0)
    nearer = less(_distance(circle, two), _distance(circle, one))
    allowed: Scalar = 1.0
    if surface.constraint is not None:
        axis, sign = surface.constraint
        on_one, on_two = on_side(one, axis, sign), on_side(two, axis, sign)
        nearer = select(on_one * on_two, nearer, on_two)
        allowed = 1.0 - (1.0 - on_one) * (1.0 - on_two)
    at = either(nearer, two, one)
    out = 1.0 / sqrt(at.x * at.x + at.y * at.y)
    e = Vector(at.x * out, at.y * out, 0.0)  # outward; the cylinder's axes are -e, -z and their product
    z = Vector(-e.y, e.x, 0.0)
    center = e * circle

    def within(p: Vector) -> Vector:
        d = p - center
        return Vector(-d.dot(e), -d.z, d.dot(z) * -1.0)

    def back(p: Vector) -> Vector:
        return center - e * p.x - z * p.z - Vector(0.0, 0.0, 1.0) * p.y

    found = around_z(tube, LENGTH, (0, 1), within(start), within(end), exact)
    wraps = select(allowed, 1.0 - (1.0 - found.must) * (1.0 - found.may), 0.0)
    return Wrapped(0.0, wraps, found.arc, back(found.start), back(found.end))


def _closest(circle: float, start: Vector, unit: Vector) -> Vector:
    """Return the point of a line that is closest to a circle about z; Newton's steps on the slope of its distance squared."""
    c1, c4 = start.dot(unit), unit.x * unit.x + unit.y * unit.y
    c3, c5 = start.x * unit.x + start.y * unit.y, start.x * start.x + start.y * start.y
    u: Scalar = 0.0
    for _ in range(STEPS):
        r = sqrt(u * u * c4 + u * c3 * 2.0 + c5)
        lean = u * c4 + c3
        slope = c1 + u - circle * lean / r
        curvature = 1.0 - circle * (c4 / r - lean * lean / (r * r * r))
        u = u - slope / select(less(0.1, curvature), curvature, 1.0)
    return start + unit * u


def _distance(circle: float, p: Vector) -> Scalar:
    return p.dot(p) - 2.0 * circle * sqrt(p.x * p.x + p.y * p.y)
