"""Basis with given breaks: knots at any places, where the curve may be less smooth than its degree allows.

A break where derivatives up to the order r are continuous is a knot that is repeated degree - r times (de Boor 2001, chapter IX).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import ArrayLike
from ..errors import StateError
from ..locks import lazy_property
from ..memory import check_size
from .basis import Basis
from .check import integer, numbers
from .recurrence import GivenKnots, Knots

SHORTEST = 1e-12  # span, in s: derivatives in shorter ones are lost in rounding
SAME = 1e-9  # share by which two speeds may differ that count as one


@dataclass(frozen=True, repr=False)
class GivenBasis(Basis):
    """A basis that `Basis.with_breaks` made, with all its methods.

    Attributes:
        breaks: the distinct knots, from 0 to 1.
        joins: at every inner break, the highest order of continuous derivatives.
    """

    breaks: tuple[float, ...] = ()
    joins: tuple[int, ...] = ()

    def __repr__(self) -> str:
        full = all(order == self.degree - 1 for order in self.joins)
        shown = ", ".join(f"{x:g}" for x in self.breaks)
        return f"Basis.with_breaks([{shown}], {self.degree}{'' if full else f', {list(self.joins)}'})"

    @property
    def spans(self) -> int:
        """Number of intervals between distinct knots."""
        return len(self.breaks) - 1

    @property
    def even(self) -> bool:
        """Whether the knots are uniform."""
        return False

    @property
    def smooth(self) -> tuple[int, ...]:
        """The highest order of continuous derivatives at every inner break (spans - 1)."""
        return self.joins

    @lazy_property
    def span_ends(self) -> np.ndarray:
        """The distinct knots (spans + 1,), from 0 to 1; read-only."""
        return _fixed(np.array(self.breaks))

    @lazy_property
    def knots(self) -> np.ndarray:
        """All knots (count + degree + 1,), breaks repeated as their smoothness says; read-only."""
        times = [self.degree + 1, *(self.degree - order for order in self.joins), self.degree + 1]
        return _fixed(np.repeat(self.span_ends, times))

    @lazy_property
    def starts(self) -> np.ndarray:
        """The first control point that has an influence in each span (spans,); read-only."""
        return _fixed(np.cumsum([0, *(self.degree - order for order in self.joins)]))

    def grid(self, points_per_span: int) -> np.ndarray:
        """Return s of all breaks, and between them so that every span has `points_per_span` equal parts."""
        parts = integer(points_per_span, "points_per_span", 1)
        check_size(self.spans * parts, f"a grid of {self.spans * parts:.3g} points", "take fewer points per span")
        ends = self.span_ends
        inside = ends[:-1, None] + np.diff(ends)[:, None] * (np.arange(parts) / parts)
        return np.append(inside.ravel(), 1.0)

    def refined(self) -> Basis:
        """Return the functions with every span halved; breaks stay as smooth as they are, new ones are as smooth as can be."""
        joins = [self.degree - 1] * (2 * self.spans - 1)
        joins[1::2] = self.joins
        return with_breaks(self.grid(2), self.degree, joins)

    def reversed(self) -> Basis:
        """Return the functions of 1 - s, in reverse order."""
        return with_breaks(1.0 - self.span_ends[::-1], self.degree, self.joins[::-1])

    def with_degree(self, degree: int) -> Basis:
        """Return functions of another degree with the same inner knots: breaks lose as many orders of smoothness."""
        degree = integer(degree, "degree", 1)
        return with_breaks(self.breaks, degree, [max(order - self.degree + degree, 0) for order in self.joins])

    def place(self, s: np.ndarray, left: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the span of every s in 0 ... 1, and its position there, 0 ... 1; `left` is as in `local`."""
        ends = self.span_ends
        j = np.minimum(np.searchsorted(ends, s, side="right") - 1, self.spans - 1)
        if left is not None:
            j = j - self.on_left(s, j, left)
        return j, np.clip((s - ends[j]) / (ends[j + 1] - ends[j]), 0.0, 1.0)

    def around(self, j: np.ndarray) -> Knots:
        """Return the knots around points of spans j, as the recurrences see them."""
        return GivenKnots(self.knots, self.starts[j] + self.degree)

    def first(self, j: np.ndarray) -> np.ndarray:
        """Return the first control point that has an influence in spans j."""
        return self.starts[j]  # type: ignore[no-any-return]

    def nearest_break(self, s: np.ndarray) -> np.ndarray:
        """Return the break that is nearest to each s."""
        middles = 0.5 * (self.span_ends[1:] + self.span_ends[:-1])
        return self.span_ends[np.searchsorted(middles, s)]  # type: ignore[no-any-return]


def with_breaks(breaks: ArrayLike, degree: int, smooth: Sequence[int] | None) -> Basis:
    """Return the basis with given breaks; that of uniform knots where it is one."""
    ends = _increasing(breaks, "breaks")
    degree = Basis(integer(degree, "degree", 1) + 1, degree).degree  # checked there
    inner = len(ends) - 2
    given = [degree - 1] * inner if smooth is None else smooth
    try:
        joins = tuple(integer(order, f"smooth[{k}]", 0) for k, order in enumerate(given))
    except TypeError:
        raise StateError(f"smooth is {smooth!r}, expected an order of derivatives for each of the {inner} inner breaks") from None
    if len(joins) != inner:
        raise StateError(f"smooth has {len(joins)} entries, expected one for each of the {inner} inner breaks")
    for k, order in enumerate(joins):
        if order > degree - 1:
            raise StateError(f"smooth[{k}] is {order}, expected {degree - 1} at most with degree {degree}; take a higher degree")
    even = Basis(inner + 1 + degree, degree)
    if all(order == degree - 1 for order in joins) and np.array_equal(ends, even.span_ends):
        return even
    return GivenBasis(degree + 1 + sum(degree - order for order in joins), degree, tuple(ends.tolist()), joins)


def stretched(basis: Basis, old: ArrayLike, new: ArrayLike) -> Basis:
    """Return the basis with breaks moved piecewise linearly; StateError where that bends a smooth curve."""
    before, after = _increasing(old, "old"), _increasing(new, "new")
    if len(before) != len(after):
        raise StateError(f"old has {len(before)} places and new has {len(after)}, expected the same number")
    ends = basis.span_ends
    which = np.abs(ends[:, None] - before).argmin(axis=0)
    for k, place in enumerate(before):
        if abs(ends[which[k]] - place) > SHORTEST:
            raise StateError(f"old[{k}] is {place:.12g}, not a break; the nearest break is {ends[which[k]]:.12g}")
    speeds = np.diff(after) / np.diff(ends[which])
    smooth = basis.smooth
    for k in range(1, len(before) - 1):
        order = smooth[which[k] - 1]
        if order > 0 and abs(speeds[k] - speeds[k - 1]) > SAME * speeds[k]:
            raise StateError(
                f"the speed changes at the break {before[k]:.12g}, where derivatives up to the order {order} are continuous: "
                "with the same control points they would not be; make it smooth=0 there"
            )
    moved = np.interp(ends, ends[which], after)
    moved[which] = after
    return with_breaks(moved, basis.degree, smooth)


def _increasing(values: Any, what: str) -> np.ndarray:
    """Return numbers that increase from 0 to 1."""
    found = numbers(values, what, 1, "numbers that increase from 0 to 1")
    if len(found) < 2 or found[0] != 0.0 or found[-1] != 1.0:
        ends = f" from {found[0]:.17g} to {found[-1]:.17g}" if len(found) else ""
        raise StateError(f"{what} has {len(found)} numbers{ends}, expected two or more, the first 0 and the last 1")
    steps = np.diff(found)
    if (steps < SHORTEST).any():
        k = int(np.argmax(steps < SHORTEST)) + 1
        raise StateError(
            f"{what}[{k}] is {found[k]:.12g} after {found[k - 1]:.12g}, expected numbers that increase by {SHORTEST:g} or more"
        )
    return found


def _fixed(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
