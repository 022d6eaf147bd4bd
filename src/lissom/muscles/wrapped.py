"""Wrapped: what a surface makes of a straight piece of a path between two points, in the frame of the surface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..spatial.scalar import Scalar, less, select, sqrt
from ..spatial.vector import ZERO, Vector


class Wrapped(NamedTuple):
    """The wrap of a piece of a path; conditions are 1 or 0.

    Attributes:
        must: the piece runs through the surface, so that it has to wrap.
        may: it wraps, if no other piece of the path has to, or wraps with a smaller change of length.
        arc: length on the surface [m].
        start, end: where it touches the surface.
    """

    must: Scalar
    may: Scalar
    arc: Scalar
    start: Vector
    end: Vector


NONE = Wrapped(0.0, 0.0, 0.0, ZERO, ZERO)


def size(v: Vector) -> Scalar:
    """Return the length of a vector."""
    return sqrt(v.dot(v))


def positive(x: Scalar) -> Scalar:
    """Return the condition that x is not negative: the side of a point, as OpenSim counts it."""
    return 1.0 - less(x, 0.0)


def either(condition: Scalar, a: Vector, b: Vector) -> Vector:
    """Return one of two vectors."""
    return Vector(*(select(condition, x, y) for x, y in zip(a, b, strict=True)))


def constant(*points: Vector) -> bool:
    """Return whether all points are plain numbers."""
    return all(type(x) is float for p in points for x in p)


def of_constants(function: Callable[[Vector, Vector], Wrapped], start: Vector, end: Vector) -> Wrapped:
    """Return the wrap of two points, plain numbers or not: where both are, it is computed now, without errors of branches."""
    if not constant(start, end):
        return function(start, end)
    with np.errstate(all="ignore"):
        arrays = [Vector(*(np.array([x]) for x in p)) for p in (start, end)]
        found = function(*arrays)

    def plain(x: Any) -> float:
        return float(np.asarray(x).reshape(-1)[0])

    if not (plain(found.must) > 0 or plain(found.may) > 0):
        return NONE
    ends = [Vector(*(plain(x) for x in p)) for p in (found.start, found.end)]
    return Wrapped(plain(found.must), plain(found.may), plain(found.arc), *ends)
