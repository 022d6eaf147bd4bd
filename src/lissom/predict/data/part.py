"""Parts of the time: splines of channels that live in some phases only, and are zero outside; or that are constant there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import Times
from ...errors import StateError
from ...locks import lazy_property
from ...spline import SplinePath
from ...spline.basis import Basis
from ...spline.check import integer, numbers, positive, within

ROUNDING = 4 * np.finfo(float).eps  # of a place, within which it counts as an end


@dataclass(frozen=True)
class PartBasis:
    """Functions of s in 0 ... 1 that are zero outside of a part of it; `count`, `degree` and `local` are as of Basis.

    Args:
        breaks: of its spans, from the begin to the end of the part.
        degree: of the polynomials; 0 for one constant over the whole part.
        joins: at every inner break, the highest order of continuous derivatives.
    """

    breaks: tuple[float, ...]
    degree: int
    joins: tuple[int, ...] = ()

    @property
    def begin(self) -> float:
        """Where it begins."""
        return self.breaks[0]

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.breaks[-1]

    @property
    def count(self) -> int:
        """Number of control points."""
        return self.inner.count if self.inner is not None else 1

    @lazy_property
    def inner(self) -> Basis | None:
        """The same functions over 0 ... 1; None for a constant."""
        if not self.degree:
            return None
        own = (np.array(self.breaks) - self.begin) / (self.end - self.begin)
        return Basis.with_breaks(own, self.degree, self.joins)

    def inside(self, s: np.ndarray, left: np.ndarray | None = None) -> np.ndarray:
        """Return which places lie in the part: its begin does, from the right; its end, from the left, or where all ends."""
        before = np.zeros(s.shape, dtype=bool) if left is None else left
        begin, end = np.abs(s - self.begin) <= ROUNDING, np.abs(s - self.end) <= ROUNDING
        return np.where(begin, ~before, np.where(end, before | (self.end == 1.0), (s > self.begin) & (s < self.end)))

    def local(self, s: Any, orders: int = 3, left: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the functions that are not zero at s and their derivatives by s, as `Basis.local`; zeros outside."""
        s = np.asarray(s, dtype=float)
        on = self.inside(s, left)
        first, table = np.zeros(s.shape, dtype=int), np.zeros((orders + 1, *s.shape, self.degree + 1))
        if self.inner is None:
            table[0, on] = 1.0
            return first, table
        wide = self.end - self.begin
        first[on], values = self.inner.local(
            np.clip((s[on] - self.begin) / wide, 0.0, 1.0), orders, None if left is None else left[on]
        )
        table[:, on] = values / wide ** np.arange(orders + 1.0)[:, None, None]
        return first, table

    def stretched(self, old: Any, new: Any) -> PartBasis:
        """Return the functions with breaks moved so that some places land at new ones; see `Basis.stretched`."""
        before, after = np.asarray(old, dtype=float), np.asarray(new, dtype=float)
        own = np.array(self.breaks)
        moved = np.interp(own, before, after)
        for a, b in zip(before, after, strict=True):
            moved[np.abs(own - a) <= ROUNDING] = b
        return PartBasis(tuple(moved.tolist()), self.degree, self.joins)


@dataclass(frozen=True, eq=False, repr=False)
class PartPath:
    """A channel over a part of the time; zero outside. Immutable, with the methods of `SplinePath` that channels need.

    At the end of its part it is zero already, unless the motion ends there: values are those from the right.

    Attributes:
        points: control points (m, n).
        duration: of the whole motion [s].
        basis: its functions of s = t / T.
    """

    points: np.ndarray
    duration: float
    basis: PartBasis

    def __post_init__(self) -> None:
        points = numbers(self.points, "points", 2, "control points of shape (m, n)")
        if len(points) != self.basis.count:
            raise StateError(f"points has shape {points.shape}, expected {self.basis.count} control points")
        points.setflags(write=False)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "duration", positive(self.duration, "duration", "s"))

    def __repr__(self) -> str:
        m, n = self.points.shape
        begin, end = (round(x * self.duration, 6) for x in (self.basis.begin, self.basis.end))
        return f"<PartPath of {n} entries: {m} control points, degree {self.degree}, {begin:g} to {end:g} of {self.duration:g} s>"

    @property
    def degree(self) -> int:
        """Degree of the polynomials; 0 for a constant."""
        return self.basis.degree

    def at(self, t: Times) -> np.ndarray:
        """Return values (..., n) at times t (...) [s] in 0 ... T."""
        return self.rate(t, 0)

    def rate(self, t: Times, order: int = 1) -> np.ndarray:
        """Return the derivative by time of that order, (..., n); order 0 is the value."""
        return self.rates(t, integer(order, "order", 0) + 1)[-1]

    def rates(self, t: Times, count: int) -> list[np.ndarray]:
        """Return the derivatives by time of the orders 0 ... count - 1, each (..., n), at times t (...) [s]."""
        t = numbers(t, "t")
        within(t, "t", " s", 0.0, self.duration)
        s = t / self.duration
        breaks = np.array(self.basis.breaks)
        near = breaks[np.searchsorted(0.5 * (breaks[1:] + breaks[:-1]), s)]
        s = np.where(np.abs(s - near) <= ROUNDING, near, s)
        first, table = self.basis.local(s, count - 1)
        points = self.points[first[..., None] + np.arange(self.degree + 1)]
        return [(table[r][..., None] * points).sum(axis=-2) / self.duration**r for r in range(count)]

    def with_duration(self, duration: float) -> PartPath:
        """Return the same curve with another duration of the whole motion [s]."""
        return PartPath(self.points, duration, self.basis)

    def refined(self, breaks: np.ndarray) -> PartPath:
        """Return the same curve with every span halved; `breaks` are those of the path, halved too. A constant stays one."""
        own = tuple(breaks[(breaks >= self.basis.begin) & (breaks <= self.basis.end)].tolist())
        if self.basis.inner is None:
            return PartPath(self.points, self.duration, PartBasis(own, 0))
        fine = SplinePath(self.points, 1.0, basis=self.basis.inner).refined()
        return PartPath(fine.points, self.duration, PartBasis(own, self.degree, fine.basis.smooth))


AnyBasis = Basis | PartBasis
AnyPath = SplinePath | PartPath


def channel_basis(basis: Basis, degree: int, begin: float = 0.0, end: float = 1.0) -> AnyBasis:
    """Return the functions of a channel between two breaks of the path: as smooth as the path's derivative of that degree."""
    whole = basis.with_degree(max(degree, 1))
    if degree and (begin, end) == (0.0, 1.0):
        return whole
    breaks = basis.span_ends
    inner = np.flatnonzero((breaks > begin) & (breaks < end))
    joins = tuple(whole.smooth[k - 1] for k in inner) if degree else ()
    return PartBasis((begin, *breaks[inner].tolist(), end), degree, joins)


def on_basis(basis: AnyBasis, points: np.ndarray, duration: float) -> AnyPath:
    """Return the curve of control points."""
    if isinstance(basis, PartBasis):
        return PartPath(points, duration, basis)
    return SplinePath(points, duration, basis.degree, basis=basis)
