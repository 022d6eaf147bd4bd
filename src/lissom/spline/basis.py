"""Basis: the functions B_i(s) of a clamped B-spline with uniform knots, in normalized time.

Barman 2020, (4.13) and (4.14), with s = t / T: the functions do not depend on the duration T. Clamped means that the first and
the last knot are repeated degree + 1 times, so that the path begins at its first control point and ends at its last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import StateError
from ..locks import lazy_property
from ..memory import check_size
from .check import integer, numbers, within
from .recurrence import lifted, place, values

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

HIGHEST = 100  # degree
MOST = 1_000_000  # control points: more are a mistake


@dataclass(frozen=True)
class Basis:
    """B-spline functions of `count` control points, of any degree from 1 on, over s = t / T in 0 ... 1.

    At a knot, derivatives are those from the right, of the span that begins there; at s = 1, those from the left. Only
    derivatives of order `degree` and higher differ between the sides.

    Attributes:
        count: number of control points, at least degree + 1, a million at most.
        degree: of the polynomials between knots, 100 at most; derivatives are continuous up to the order degree - 1.

    Example:
        >>> basis = Basis(6)
        >>> basis.spans, basis.knots.round(3).tolist()
        (3, [0.0, 0.0, 0.0, 0.0, 0.333, 0.667, 1.0, 1.0, 1.0, 1.0])
    """

    count: int
    degree: int = 3

    def __post_init__(self) -> None:
        degree = integer(self.degree, "degree", 1)
        if degree > HIGHEST:
            raise StateError(f"degree is {degree}, expected {HIGHEST} at most: derivatives are lost in rounding long before")
        advice = f"a spline of degree {degree} needs degree + 1 control points or more: give more, or a lower degree"
        object.__setattr__(self, "degree", degree)
        object.__setattr__(self, "count", integer(self.count, "count", degree + 1, advice, MOST))

    @property
    def spans(self) -> int:
        """Number of intervals between knots, count - degree."""
        return self.count - self.degree

    @lazy_property
    def knots(self) -> np.ndarray:
        """All knots (count + degree + 1,), the ends repeated degree + 1 times; read-only."""
        knots = np.clip(np.arange(-self.degree, self.count + 1), 0, self.spans) / self.spans
        knots.setflags(write=False)
        return knots

    def grid(self, points_per_span: int) -> np.ndarray:
        """Return s of both ends and all knots, and between them so that every span has `points_per_span` equal parts."""
        parts = self.spans * integer(points_per_span, "points_per_span", 1)
        check_size(parts, f"a grid of {parts:.3g} points", "take fewer points per span")
        return np.arange(parts + 1) / parts  # a quotient, rounded once, so that knots are met exactly

    def local(self, s: Any, orders: int = 3) -> tuple[np.ndarray, np.ndarray]:
        """Return the functions that are not zero at s, and their derivatives by s.

        Args:
            s: normalized times (N,) in 0 ... 1, or of any other shape.
            orders: the highest order of derivatives.

        Returns:
            first (N,): the first control point that has an influence; the others follow it.
            values (orders + 1, N, degree + 1): values[r, k, a] is the r-th derivative of B_(first[k] + a) at s[k].

        Raises:
            StateError: s is not finite or lies outside 0 ... 1.
        """
        s = self.checked(s)
        orders = integer(orders, "orders", 0)
        check_size(s.size * (orders + 1.0) * (self.degree + 1), f"{orders} orders at {s.size} points", "evaluate them in parts")
        j, u = place(s, self.spans)
        triangle = values(self.spans, self.degree, j, u)
        return j, np.moveaxis(np.stack([lifted(self.spans, triangle, r, j) for r in range(orders + 1)]), 1, -1)

    def matrix(self, s: Any, order: int = 0) -> csr_matrix:
        """Return the matrix (N, count) from control points (count, n) to their derivative of that order by s at s (N,).

        Every row stores degree + 1 entries, including zeros: the pattern depends only on the spans of s.
        """
        from scipy.sparse import csr_matrix

        order = integer(order, "order", 0)
        s = numbers(s, "s", 1, "normalized times of shape (N,)")
        first, table = self.local(s, order)
        columns = first[:, None] + np.arange(self.degree + 1)
        starts = np.arange(len(s) + 1) * (self.degree + 1)
        return csr_matrix((table[order].ravel(), columns.ravel(), starts), shape=(len(s), self.count))

    def checked(self, s: Any) -> np.ndarray:
        """Return s as an array; raise StateError unless every entry is within 0 ... 1."""
        s = numbers(s, "s")
        within(s, "s", "", 0.0, 1.0)
        return s
