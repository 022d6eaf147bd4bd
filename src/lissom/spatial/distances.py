"""Squared distances of segments, over any scalar.

The closest points are found in closed form, by clamping, so that derivatives of a trace are exact where they exist. A squared
distance is continuous everywhere. Its gradient is, too, except where the closest points are not unique: of two parallel segments
next to each other it jumps, as that of the lesser of two functions does. It is zero where two segments meet.
"""

from __future__ import annotations

from typing import NamedTuple

from .scalar import Scalar, add, less, mul, select, sub
from .vector import Vector

PARALLEL = 1e-12  # squared sine of an angle below which segments count as parallel: ends are then off by a millionth of a length


class Segment(NamedTuple):
    """A segment.

    Attributes:
        start: one end.
        way: from there to the other end.
        square: of its length, a constant; 0.0 for a point.
    """

    start: Vector
    way: Vector
    square: float


def between_segments(one: Segment, two: Segment) -> Scalar:
    """Return the squared distance of two segments."""
    u, v, a, e = one.way, two.way, one.square, two.square
    w = one.start - two.start
    if a == 0.0 and e == 0.0:
        return w.dot(w)
    c, f = u.dot(w), v.dot(w)
    if a == 0.0:
        w = w - v * _clamp(mul(f, 1.0 / e))
    elif e == 0.0:
        w = w + u * _clamp(mul(c, -1.0 / a))
    else:
        b = u.dot(v)
        square = sub(a * e, mul(b, b))  # of the sine of the angle between them, times both lengths
        apart = less(PARALLEL * a * e, square)
        s = select(apart, _clamp(sub(mul(b, f), mul(c, e)) / select(apart, square, 1.0)), 0.0)
        t = mul(add(mul(b, s), f), 1.0 / e)
        at_start, at_end = _clamp(mul(c, -1.0 / a)), _clamp(mul(sub(b, c), 1.0 / a))
        s = select(less(t, 0.0), at_start, select(less(1.0, t), at_end, s))
        w = w + u * s - v * _clamp(t)
    return w.dot(w)


def _clamp(x: Scalar) -> Scalar:
    """Return the nearest number from 0 to 1."""
    return select(less(x, 0.0), 0.0, select(less(1.0, x), 1.0, x))
