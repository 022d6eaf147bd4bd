"""Wraps around ellipsoids, over any scalar: along the plane that OpenSim's WrapEllipsoid chooses.

The path lies in a plane through both ends of the straight piece and a point c of the surface. c is the surface's point nearest
to where the piece crosses the ellipsoid's symmetry plane most square to it (the "axial" choice), or lies in the mean direction
from the piece inside the ellipsoid to the surface (the "fan"); "hybrid" goes from one to the other as the piece turns. In the
plane all is exact: scaled by the radii the section is a circle, which gives the tangent points; the arc is an integral by
Gauss' rule. OpenSim adds up the fan's 300 directions, here an integral, and measures the arc by chords of about 1 mm; unless
`exact` their shortfall is subtracted, in its smooth part. The path is not the geodesic: it is shortest within its plane only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..spatial.scalar import Scalar, less, select, sincos, sqrt
from ..spatial.vector import Vector
from .angle import turn_of
from .path import Surface
from .round_wrap import on_side
from .wrapped import Wrapped, either

FAN = 300  # directions of OpenSim's fan, of which it leaves out the first and the last
LOW, HIGH = 0.7073, 0.9  # of the largest component of the piece's direction: below the fan alone, above the axial point alone
FADE = 0.3  # of the piece inside, at whose ends the axial point fades
CHORD = 0.001  # [m] OpenSim's
MOST_CHORDS = 499
FLAT = 1e-4  # distance from a symmetry plane, below which a point counts as in it
NEWTON = 6  # steps of the search for a nearest point
FAN_NODES, ARC_NODES = 10, 12


def crosses(surface: Surface, start: Vector, end: Vector) -> Scalar:
    """Return whether a straight piece runs through an ellipsoid, from outside to outside: the condition of its wrap."""
    return _crossing_of(surface, start, end)[0]


def _crossing_of(surface: Surface, start: Vector, end: Vector) -> tuple[Scalar, Scalar, Scalar]:
    """Return whether a piece crosses the surface, and where, as shares of the way from its end to its start."""
    over = tuple(1.0 / x for x in surface.sizes)
    y1, y2 = _times(start, over), _times(end, over)
    along = y1 - y2
    a, b, c = along.dot(along), along.dot(y2), y2.dot(y2) - 1.0
    discriminant = b * b - a * c
    hits = less(0.0, discriminant)
    root = sqrt(select(hits, discriminant, 1.0))
    l1, l2 = (root - b) / a, (-b - root) / a
    outside = (1.0 - less(y1.dot(y1) - 1.0, -1e-4)) * (1.0 - less(y2.dot(y2) - 1.0, -1e-4))
    ahead = start.dot(end) / sqrt(start.dot(start) * end.dot(end)) - 1.0
    return hits * less(0.0, l2) * less(l1, 1.0) * outside * less(ahead, -1e-4), l1, l2


def ellipsoid(surface: Surface, start: Vector, end: Vector, exact: bool, method: str = "hybrid") -> Wrapped:
    """Return the wrap of a straight piece around an ellipsoid."""
    scale = 3.0 / sum(surface.sizes)  # OpenSim's: the radii are 1 in the mean
    radii = tuple(x * scale for x in surface.sizes)
    p1, p2 = start * scale, end * scale
    hits, l1, l2 = _crossing_of(surface, start, end)
    inside = (p2 + (p1 - p2) * l1, p2 + (p1 - p2) * l2)
    middle = _point_of_plane(surface, radii, p1 - p2, inside, method)
    return _in_plane(radii, scale, p1, p2, middle, hits, exact)


def _times(v: Vector, factors: Sequence[float]) -> Vector:
    return Vector(v.x * factors[0], v.y * factors[1], v.z * factors[2])


def _point_of_plane(
    surface: Surface, radii: Sequence[float], along: Vector, inside: tuple[Vector, Vector], method: str
) -> Vector:
    """Return the point of the surface that decides the plane."""
    first, between = inside[0], inside[1] - inside[0]
    length = sqrt(along.dot(along))
    share = [sqrt(x * x) / length for x in along]
    at = [-x / y for x, y in zip(first, between, strict=True)]
    axial = [_nearest(radii, first + between * t, k) for k, t in enumerate(at)]
    second = less(share[0], share[1])
    third = less(select(second, share[1], share[0]), share[2])

    def best(x: Sequence[Scalar]) -> Scalar:
        return select(third, x[2], select(second, x[1], x[0]))

    c = Vector(*(best([p_x, p_y, p_z]) for p_x, p_y, p_z in zip(*axial, strict=True)))
    mu, t = best(share), best(at)
    fan: Scalar = 0.0  # weight of the fan
    if method == "midpoint":
        c = _nearest(radii, first + between * 0.5)
        fan = 1.0 - (mu - LOW) * (1.0 / (HIGH - LOW))
    elif method == "hybrid":
        edge = select(less(t, 0.5), t, 1.0 - t) * (1.0 / FADE)
        edge = select(less(edge, 0.0), 0.0, select(less(1.0, edge), 1.0, edge))
        mu = select(less(LOW, mu), LOW + edge * (mu - LOW), mu)
        fan = (HIGH - mu) * (1.0 / (HIGH - LOW))
        fan = select(less(fan, 0.0), 0.0, select(less(1.0, fan), 1.0, fan))
        c = _nearest(radii, c * (1.0 - fan) + _fan(radii, first, between) * fan)
    if surface.constraint is None:
        return c
    axis, sign = surface.constraint
    weight = select(less(1.0, fan), 1.0, select(less(fan, 0.0), 0.0, fan))
    mirrored = [x * (weight - 1.0) if k == axis else x for k, x in enumerate(c)]
    return either(on_side(c, axis, sign), c, _nearest(radii, Vector(*mirrored)))


def _fan(radii: Sequence[float], first: Vector, between: Vector) -> Vector:
    """Return the point of the surface in the mean direction from the piece inside to the surface."""
    low, high = 0.5 / FAN, (FAN - 1.5) / FAN
    total = Vector(0.0, 0.0, 0.0)
    for x, weight in _gauss(FAN_NODES):
        p = first + between * (low + (high - low) * x)
        blade = _nearest(radii, p) - p
        total = total + blade * (weight / sqrt(blade.dot(blade)))
    unit = total * (1.0 / sqrt(total.dot(total)))
    return _nearest(radii, first + between * 0.5 + unit)


def _gauss(n: int) -> list[tuple[float, float]]:
    """Return points and weights of Gauss' rule on 0 to 1."""
    x, w = np.polynomial.legendre.leggauss(n)
    return [(float(a) * 0.5 + 0.5, float(b) * 0.5) for a, b in zip(x, w, strict=True)]


def _nearest(radii: Sequence[float], p: Vector, flat: int | None = None) -> Vector:
    """Return the surface's point nearest to p; with `flat`, nearest among those of the symmetry plane across that axis, with p
    in it.

    x = a^2 u / (a^2 + t), where the sum of (a u / (a^2 + t))^2 is 1: the largest t, by Newton's steps on the inverse root of
    the sum, which is concave, from below. A point close to a symmetry plane stays in it.
    """
    axes = [k for k in range(3) if k != flat]
    u = [tuple(p)[k] for k in axes]
    a2 = [radii[k] ** 2 for k in axes]
    scaled = [x * radii[k] for x, k in zip(u, axes, strict=True)]
    off = [1.0 if flat is not None else 1.0 - less(x * x, FLAT**2) for x in u]
    squares = [select(free, x * x + 1e-24, 0.0) for free, x in zip(off, scaled, strict=True)]
    bounds = [select(free, sqrt(x + 1e-24), 0.0) - a * (2.0 - free) for free, x, a in zip(off, squares, a2, strict=True)]
    t = bounds[0]
    for bound in bounds[1:]:
        t = select(less(t, bound), bound, t)
    for _ in range(NEWTON):
        value: Scalar = 0.0
        slope: Scalar = 0.0
        for square, a in zip(squares, a2, strict=True):
            inverse = 1.0 / (a + t)
            term = square * inverse * inverse
            value, slope = value + term, slope + term * inverse
        t = t + value / slope * (sqrt(value) - 1.0)
    found = list(p)
    for k, x, a, free in zip(axes, u, a2, off, strict=True):
        found[k] = select(free, a * x / (a + t), x)
    return Vector(*found)


def _in_plane(radii: Sequence[float], scale: float, p1: Vector, p2: Vector, c: Vector, hits: Scalar, exact: bool) -> Wrapped:
    """Return the wrap in the plane through both ends and a point of the surface, on the side of that point."""
    over = tuple(1.0 / x for x in radii)
    y1, y2, yc = _times(p1, over), _times(p2, over), _times(c, over)
    n = (y2 - y1).cross(yc - y1)
    n = n * (1.0 / sqrt(n.dot(n)))
    k = n * n.dot(y1)  # middle of the section, a circle
    # the path passes the middle on the side of c, which may be nearer to the middle than the piece is
    n = either(less((y2 - y1).cross(yc - k).dot(n), 0.0), n * -1.0, n)
    square = 1.0 - k.dot(k)
    touching = []
    for y, sign in ((y1, -1.0), (y2, 1.0)):
        d = y - k
        distance = d.dot(d)
        tangent = distance - square
        tangent = sqrt(select(less(0.0, tangent), tangent, 0.0) + 1e-30)
        touching.append(d * (square / distance) + n.cross(d) * (sign * sqrt(square) * tangent / distance))
    e, f = touching
    w = n.cross(e) * -1.0  # the path goes on around -n
    turn = turn_of(e.dot(f) / square, w.dot(f) / square)
    turn = select(less(turn, 0.0), turn + 2.0 * np.pi, turn)
    turn = select(less(6.0, turn), 0.0, turn)  # touching points that meet, up to rounding
    plane = (p1 - p2).cross(p1 - c)

    def at(angle: Scalar) -> tuple[Vector, Vector, Vector]:
        s, cosine = sincos(angle)
        y = e * cosine + w * s
        return _times(k + y, radii), _times(w * cosine - e * s, radii), _times(y * -1.0, radii)

    arc = _arc(at, turn, plane, c, _times(e - f, radii), scale, exact)
    back = 1.0 / scale
    return Wrapped(hits, 0.0, arc * back, _times(k + e, radii) * back, _times(k + f, radii) * back)


def _arc(
    at: Callable[[Scalar], tuple[Vector, Vector, Vector]],
    turn: Scalar,
    plane: Vector,
    c: Vector,
    straight: Vector,
    scale: float,
    exact: bool,
) -> Scalar:
    """Return the length of an arc, given by its place and first two derivatives at an angle; less the shortfall of OpenSim's
    chords.

    Chords are equal in the angle phi about the point where an axis of the ellipsoid, the one most square to the plane, crosses
    it. A chord of an arc s with curvature K is short of it by K^2 s^3 / 24.
    """
    middle = _crossing(plane, c)
    unit = plane * (1.0 / sqrt(plane.dot(plane)))
    total: Scalar = 0.0
    whole: Scalar = 0.0  # angle phi of the arc
    short: Scalar = 0.0
    for x, weight in _gauss(ARC_NODES):
        p, d, dd = at(turn * x)
        speed = sqrt(d.dot(d))
        total = total + speed * weight
        if not exact:
            arm, bend = p - middle, d.cross(dd)
            rate = arm.cross(d).dot(unit) / arm.dot(arm)
            whole = whole + rate * weight
            short = short + bend.dot(bend) / (speed * d.dot(d) * rate * rate) * weight
    length = total * turn
    if exact:
        return length
    chords = sqrt(straight.dot(straight)) * (1.0 / (scale * CHORD)) - 0.5
    chords = select(less(chords, 1.0), 1.0, select(less(MOST_CHORDS, chords), MOST_CHORDS, chords))
    step = whole * turn / chords
    return length - short * turn * step * step * (1.0 / 24.0)


def _crossing(plane: Vector, c: Vector) -> Vector:
    """Return where the axis that is most square to a plane through c crosses it."""
    height = plane.dot(c)
    sizes = [x * x for x in plane]
    second = less(sizes[0], sizes[1])
    third = less(select(second, sizes[1], sizes[0]), sizes[2])
    on = [(1.0 - second) * (1.0 - third), second * (1.0 - third), third]
    at = height / select(third, plane.z, select(second, plane.y, plane.x))
    return Vector(*(at * x for x in on))
