"""Curves of quintic Bezier segments, each between two lines, over any scalar (Millard 2013, appendix 1).

A segment goes from one point to another with given slopes and no curvature at its ends: of its six control points two lie on
each tangent, nearer to the corner where the tangents meet the larger the curviness. It gives x and y as polynomials of a
parameter u; at an x, u is found by Newton's steps, a fixed number of them, kept between 0 and 1. Beyond its ends the curve is
straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from ..spatial.scalar import Scalar, less, select

STEPS = 9  # Newton's; the tests take every x of a fine grid
Point = tuple[float, float, float]  # x, y, slope


@dataclass(frozen=True)
class Bezier:
    """A curve through points with slopes.

    Attributes:
        points: x, y and slope, in the order of x.
        curviness: of the segment after each point but the last, 0.1 to 0.9: how near to the corner of its tangents it comes.
    """

    points: tuple[Point, ...]
    curviness: tuple[float, ...]

    def segment(self, k: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the coefficients of x and of y, powers 0 to 5 of u."""
        (x0, y0, d0), (x1, y1, d1), c = self.points[k], self.points[k + 1], self.curviness[k]
        x = (y1 - y0 - x1 * d1 + x0 * d0) / (d0 - d1) if abs(d0 - d1) > 1.5e-8 else (x0 + x1) / 2
        y = (x - x1) * d1 + y1
        first, last = (x0 + c * (x - x0), y0 + c * (y - y0)), (x1 + c * (x - x1), y1 + c * (y - y1))
        controls = [(x0, y0), first, first, last, last, (x1, y1)]
        return _powers([p[0] for p in controls]), _powers([p[1] for p in controls])

    def value(self, x: Scalar) -> Scalar:
        """Return y at x."""
        (x0, y0, d0), (x1, y1, d1) = self.points[0], self.points[-1]
        pieces = [self.segment(k) for k in range(len(self.points) - 1)]
        X: list[Scalar] = list(pieces[-1][0])
        Y: list[Scalar] = list(pieces[-1][1])
        width: Scalar = self.points[-1][0] - self.points[-2][0]
        for k in range(len(pieces) - 2, -1, -1):
            before = less(x, self.points[k + 1][0])
            X = [select(before, a, b) for a, b in zip(pieces[k][0], X, strict=True)]
            Y = [select(before, a, b) for a, b in zip(pieces[k][1], Y, strict=True)]
            width = select(before, self.points[k + 1][0] - self.points[k][0], width)
        u = _within((x - X[0]) / width)
        slopes = [float(k) * a for k, a in enumerate(X)][1:]
        for _ in range(STEPS):
            u = _within(u - (_horner(X, u) - x) / _horner(slopes, u))
        inside = _horner(Y, u)
        inside = select(less(x, x0), y0 + (x - x0) * d0, inside)
        return select(less(x1, x), y1 + (x - x1) * d1, inside)


def _within(u: Scalar) -> Scalar:
    """Return u, at least 0 and at most 1."""
    u = select(less(u, 0.0), 0.0, u)
    return select(less(1.0, u), 1.0, u)


def _powers(p: Sequence[float]) -> tuple[float, ...]:
    """Return the coefficients of powers of u, given control points."""
    return tuple(comb(5, k) * sum((-1) ** (k - i) * comb(k, i) * p[i] for i in range(k + 1)) for k in range(6))


def _horner(c: Sequence[Scalar], u: Scalar) -> Scalar:
    total: Scalar = c[-1]
    for a in reversed(c[:-1]):
        total = total * u + a
    return total
