"""De Boor's recurrences for clamped knots, for many points at once.

A recurrence sees the knots only as lengths from the beginning of the span that a point lies in, in units of that span: the ends
of a curve are then exact. Of uniform knots (`EvenKnots`) all lengths are whole numbers; `GivenKnots` takes any.
De Boor, A Practical Guide to Splines (2001), chapters IX and X.

Symbols: p degree | n number of spans | j span of a point (...) | u its position in that span (...), 0 ... 1
    b the k + 1 functions of degree k that are not zero in span j, first axis
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

ROUNDING = 4 * np.finfo(float).eps  # in s: points this near to a knot lie on it


class Knots(Protocol):
    """The knots around each point, as lengths from the beginning of its span."""

    @property
    def scale(self) -> float | np.ndarray:
        """How many of these lengths are one unit of s."""

    def right(self, a: int) -> np.ndarray:
        """Return how far right knot a is, a = 0 for the end of the span."""

    def left(self, a: int) -> np.ndarray:
        """Return how far left knot a is, a = 0 for the beginning of the span."""


class EvenKnots(NamedTuple):
    """Clamped uniform knots t_i = clip(i - p, 0, n), around points of spans j."""

    spans: int
    j: np.ndarray

    @property
    def scale(self) -> float:
        """Lengths are spans."""
        return float(self.spans)

    def right(self, a: int) -> np.ndarray:
        """Return how far right knot a is."""
        return np.minimum(a + 1, self.spans - self.j)  # type: ignore[no-any-return]

    def left(self, a: int) -> np.ndarray:
        """Return how far left knot a is."""
        return np.minimum(a, self.j)  # type: ignore[no-any-return]


class GivenKnots:
    """Knots in s, repeated or not, around points; lengths are counted in the span that each point lies in.

    Args:
        knots: all of them.
        at: of each point, the number of the last knot at the beginning of its span.
    """

    def __init__(self, knots: np.ndarray, at: np.ndarray) -> None:
        self._knots, self._at, self._begin = knots, at, knots[at]
        self._length = knots[at + 1] - self._begin

    @property
    def scale(self) -> np.ndarray:
        """Lengths are spans, each of its own size."""
        return 1.0 / self._length  # type: ignore[no-any-return]

    def right(self, a: int) -> np.ndarray:
        """Return how far right knot a is."""
        return (self._knots[self._at + 1 + a] - self._begin) / self._length  # type: ignore[no-any-return]

    def left(self, a: int) -> np.ndarray:
        """Return how far left knot a is."""
        return (self._begin - self._knots[self._at - a]) / self._length  # type: ignore[no-any-return]


def place(s: np.ndarray, spans: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the span and the position in it for s in 0 ... 1; a knot begins a span, but s = 1 ends the last one."""
    # comparing with the knots as numbers, not flooring s n: a rounded product may fall short of a knot that s is equal to
    j = np.minimum(np.searchsorted(np.arange(spans + 1) / spans, s, side="right") - 1, spans - 1)
    return j, np.clip(s * spans - j, 0.0, 1.0)


def values(knots: Knots, degree: int, u: np.ndarray) -> list[np.ndarray]:
    """Return the functions of every degree 0 ... p, arrays (k + 1, ...), each from those of one degree less."""
    triangle = [np.ones((1, *u.shape))]
    for k in range(1, degree + 1):
        b = np.zeros((k + 1, *u.shape))
        for a, lower in enumerate(triangle[-1]):
            right, left = knots.right(a), knots.left(k - a - 1)  # of the support of this function of degree k - 1
            share = lower / (right + left)
            b[a] += share * (right - u)
            b[a + 1] += share * (left + u)
        triangle.append(b)
    return triangle


def differentiated(knots: Knots, k: int, lower: np.ndarray) -> np.ndarray:
    """Return derivatives (k + 1, ...) of functions of degree k, given those (k, ...) of degree k - 1, one order lower."""
    b = np.zeros((k + 1, *lower.shape[1:]))
    for a, x in enumerate(lower):
        slope = k * x / (knots.right(a) + knots.left(k - a - 1))
        b[a] -= slope
        b[a + 1] += slope
    return b


def combined(b: np.ndarray, first: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the sums over a of b_a times control point first + a, (..., n)."""
    total = b[0][..., None] * points[first]
    for a in range(1, len(b)):
        total += b[a][..., None] * points[first + a]
    return total  # type: ignore[no-any-return]


def lifted(knots: Knots, triangle: Sequence[np.ndarray], order: int) -> np.ndarray:
    """Return derivatives (p + 1, ...) of any order by s of the functions of degree p, zero where the order exceeds p."""
    p = len(triangle) - 1
    if order > p:
        return np.zeros_like(triangle[p])
    b = triangle[p - order]
    for k in range(p - order + 1, p + 1):
        b = differentiated(knots, k, b)
    return b * knots.scale**order
