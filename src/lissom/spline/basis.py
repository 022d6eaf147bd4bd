"""Basis: the functions B_i(s) of a clamped B-spline, in normalized time; here with uniform knots.

Barman 2020, (4.13) and (4.14), with s = t / T: the functions do not depend on the duration T. Clamped means that the first and
the last knot are repeated degree + 1 times, so that the path begins at its first control point and ends at its last.
`given_breaks.py` has the functions with other knots, `Basis.with_breaks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import ArrayLike
from ..errors import StateError
from ..locks import lazy_property
from ..memory import check_size
from .check import integer, numbers, within
from .recurrence import ROUNDING, EvenKnots, Knots, lifted, place, values

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

HIGHEST = 100  # degree
MOST = 1_000_000  # control points: more are a mistake


@dataclass(frozen=True)
class Basis:
    """B-spline functions of `count` control points, of any degree from 1 on, over s = t / T in 0 ... 1.

    `Basis(count, degree)` has uniform knots, `Basis.with_breaks` any. At a knot, derivatives are those from the right, of the
    span that begins there, unless `left` asks for those of the span that ends there; at s = 1, those from the left. With
    uniform knots, only derivatives of order `degree` and higher differ between the sides.

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

    @classmethod
    def with_breaks(cls, breaks: ArrayLike, degree: int = 3, smooth: Sequence[int] | None = None) -> Basis:
        """Return the functions with given knots.

        Args:
            breaks: (S + 1,), all distinct knots, increasing from 0 to 1.
            degree: of the polynomials between them.
            smooth: (S - 1,), for every inner break the highest order of derivatives that are continuous there: 0 (a corner of
                the curve) to degree - 1; by default degree - 1 at all.

        Returns:
            A basis of degree + 1 + sum(degree - smooth) control points; `Basis(count, degree)` where it is just that.

        Example:
            >>> basis = Basis.with_breaks([0.0, 0.2, 1.0], 3, smooth=[0])
            >>> basis.count, basis.knots.tolist()
            (7, [0.0, 0.0, 0.0, 0.0, 0.2, 0.2, 0.2, 1.0, 1.0, 1.0, 1.0])
        """
        from .given_breaks import with_breaks

        return with_breaks(breaks, degree, smooth)

    @property
    def spans(self) -> int:
        """Number of intervals between distinct knots; count - degree where all are smooth."""
        return self.count - self.degree

    @property
    def even(self) -> bool:
        """Whether the knots are uniform: count and degree then say all."""
        return True

    @lazy_property
    def knots(self) -> np.ndarray:
        """All knots (count + degree + 1,), the ends repeated degree + 1 times; read-only."""
        knots = np.clip(np.arange(-self.degree, self.count + 1), 0, self.spans) / self.spans
        knots.setflags(write=False)
        return knots

    @lazy_property
    def span_ends(self) -> np.ndarray:
        """The distinct knots (spans + 1,), from 0 to 1; read-only."""
        ends = np.arange(self.spans + 1) / self.spans
        ends.setflags(write=False)
        return ends

    @property
    def smooth(self) -> tuple[int, ...]:
        """The highest order of continuous derivatives at every inner break (spans - 1)."""
        return (self.degree - 1,) * (self.spans - 1)

    @lazy_property
    def centers(self) -> np.ndarray:
        """Where each function has its weight (count,): the mean of its inner knots (Greville). As control points: q = s."""
        inner = [self.knots[a : a + self.count] for a in range(1, self.degree + 1)]
        return np.mean(inner, axis=0)  # type: ignore[no-any-return]

    def grid(self, points_per_span: int) -> np.ndarray:
        """Return s of both ends and all knots, and between them so that every span has `points_per_span` equal parts."""
        parts = self.spans * integer(points_per_span, "points_per_span", 1)
        check_size(parts, f"a grid of {parts:.3g} points", "take fewer points per span")
        return np.arange(parts + 1) / parts  # a quotient, rounded once, so that knots are met exactly

    def local(self, s: ArrayLike, orders: int = 3, left: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the functions that are not zero at s, and their derivatives by s.

        Args:
            s: normalized times (N,) in 0 ... 1, or of any other shape.
            orders: the highest order of derivatives.
            left: mask (N,) of times that are taken from the span on their left where they lie on a break; by default none.

        Returns:
            first (N,): the first control point that has an influence; the others follow it.
            values (orders + 1, N, degree + 1): values[r, k, a] is the r-th derivative of B_(first[k] + a) at s[k].

        Raises:
            StateError: s is not finite or lies outside 0 ... 1.
        """
        s = self.checked(s)
        orders = integer(orders, "orders", 0)
        check_size(s.size * (orders + 1.0) * (self.degree + 1), f"{orders} orders at {s.size} points", "evaluate them in parts")
        j, u = self.place(s, left)
        around = self.around(j)
        triangle = values(around, self.degree, u)
        table = np.stack([lifted(around, triangle, r) for r in range(orders + 1)])
        return self.first(j), np.moveaxis(table, 1, -1)

    def matrix(self, s: ArrayLike, order: int = 0, left: ArrayLike | None = None) -> csr_matrix:
        """Return the matrix (N, count) from control points (count, n) to their derivative of that order by s at s (N,).

        Every row stores degree + 1 entries, including zeros: the pattern depends only on the spans of s. `left` is as in `local`.
        """
        from scipy.sparse import csr_matrix

        order = integer(order, "order", 0)
        s = numbers(s, "s", 1, "normalized times of shape (N,)")
        first, table = self.local(s, order, left)
        columns = first[:, None] + np.arange(self.degree + 1)
        starts = np.arange(len(s) + 1) * (self.degree + 1)
        return csr_matrix((table[order].ravel(), columns.ravel(), starts), shape=(len(s), self.count))

    def refined(self) -> Basis:
        """Return the functions with every span halved; breaks stay as smooth as they are, new ones are as smooth as can be."""
        return Basis(2 * self.spans + self.degree, self.degree)

    def reversed(self) -> Basis:
        """Return the functions of 1 - s, in reverse order."""
        return self

    def with_degree(self, degree: int) -> Basis:
        """Return functions of another degree with the same inner knots: breaks lose as many orders of smoothness."""
        return Basis(self.spans + integer(degree, "degree", 1), degree)

    def stretched(self, old: ArrayLike, new: ArrayLike) -> Basis:
        """Return the functions with their breaks moved so that some land at new places, those between in proportion.

        The control points of a curve are those of the moved curve: each part is only faster or slower. This is so only where
        the curve is just continuous at a place where the speed changes.

        Args:
            old: breaks (k,), from 0 to 1, increasing.
            new: where they go (k,), from 0 to 1, increasing.

        Raises:
            StateError: the speed changes at a break where derivatives are continuous.
        """
        from .given_breaks import stretched

        return stretched(self, old, new)

    def place(self, s: np.ndarray, left: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the span of every s in 0 ... 1, and its position there, 0 ... 1; `left` is as in `local`."""
        j, u = place(s, self.spans)
        if left is None:
            return j, u
        back = self.on_left(s, j, left)
        return j - back, np.where(back, 1.0, u)

    def on_left(self, s: np.ndarray, j: np.ndarray, left: ArrayLike) -> np.ndarray:
        """Return which of s, in spans j, count to the span before: those of the mask `left` at the beginning of a span."""
        mask = np.asarray(left)
        if mask.dtype != bool or mask.shape not in ((), s.shape):
            got = f"{mask.dtype} of shape {mask.shape}"
            raise StateError(f"left must be True or False for each time, of shape {s.shape}, got {got}")
        return mask & (j > 0) & (s - self.span_ends[j] <= ROUNDING)  # type: ignore[no-any-return]

    def around(self, j: np.ndarray) -> Knots:
        """Return the knots around points of spans j, as the recurrences see them."""
        return EvenKnots(self.spans, j)

    def first(self, j: np.ndarray) -> np.ndarray:
        """Return the first control point that has an influence in spans j."""
        return j

    def nearest_break(self, s: np.ndarray) -> np.ndarray:
        """Return the break that is nearest to each s."""
        return np.rint(s * self.spans) / self.spans  # type: ignore[no-any-return]

    def checked(self, s: ArrayLike) -> np.ndarray:
        """Return s as an array; raise StateError unless every entry is within 0 ... 1."""
        s = numbers(s, "s")
        within(s, "s", "", 0.0, 1.0)
        return s
