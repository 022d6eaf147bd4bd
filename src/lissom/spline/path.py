"""SplinePath: a motion of joints as a B-spline, given by its control points and its duration.

    q(t) = sum_i B_i(t / T) P_i,   0 <= t <= T                      Barman 2020, (4.13) with uniform knots (4.14)

Symbols: P control points (m, n) | T duration [s] | s = t / T | D_r the r-th derivative by s; q^(r) = D_r / T^r
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import ArrayLike, Positions, Times
from ..errors import StateError, suggest
from ..locks import lazy_property
from ..memory import check_size
from .basis import Basis
from .check import integer, numbers, positive, within
from .fitting import check_rest, check_samples, fitted_points
from .polygon import Hull, bounds, derivative_points, halved
from .recurrence import combined, place, values
from .sensitivities import PathSensitivities, path_sensitivities

ROUNDING = 4 * np.finfo(float).eps
KEYS = ("points", "duration", "degree")


@dataclass(frozen=True, eq=False, repr=False)
class SplinePath:
    """A motion of n joints: a clamped B-spline with uniform knots over the time 0 ... T; immutable.

    The path begins at its first control point and ends at its last; derivatives are continuous up to the order degree - 1. At
    knots, higher ones are those from the right, and at the end those from the left; a time within rounding of a knot counts as
    the knot. Joints are taken one by one, so coordinates must be numbers, not quaternions of spherical or floating joints.

    Attributes:
        points: control points (m, n) of n joints [rad or m], at least degree + 1; read-only.
        duration: T [s].
        degree: of the polynomials between knots.

    Example:
        >>> path = SplinePath.between([0.0, -2.0], [1.0, -1.0], duration=0.5, count=8)
        >>> path.at([0.0, 0.25, 0.5]).tolist()
        [[0.0, -2.0], [0.5, -1.5], [1.0, -1.0]]
    """

    points: np.ndarray
    duration: float
    degree: int = 3

    def __post_init__(self) -> None:
        points = numbers(self.points, "points", 2, "control points of shape (m, n), n the number of joints")
        if points.shape[1] == 0:
            raise StateError(f"points has shape {points.shape}: a path needs one joint or more")
        points.setflags(write=False)
        object.__setattr__(self, "points", points)
        duration = positive(self.duration, "duration", "s")
        within(np.array(duration), "duration", " s", 1e-60, 1e60)  # beyond, its powers overflow
        object.__setattr__(self, "duration", duration)
        object.__setattr__(self, "degree", Basis(len(points), self.degree).degree)

    def __repr__(self) -> str:
        m, n = self.points.shape
        joints = "joint" if n == 1 else "joints"
        return f"<SplinePath of {n} {joints}: {m} control points, degree {self.degree}, {self.duration:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.points, self.duration, self.degree)  # a copy is read-only too

    @classmethod
    def between(cls, q0: Positions, q1: Positions, duration: float, count: int, degree: int = 3, rest: int = 2) -> SplinePath:
        """Return a straight line from q0 to q1 (n,) [rad or m]; no joint reverses.

        The first and the last rest + 1 control points are equal, so that derivatives up to the order `rest` vanish at both ends:
        1 for velocities, 2 for accelerations too.
        """
        basis = Basis(count, degree)
        rest = check_rest(rest, basis.degree, basis.count)
        start, end = numbers(q0, "q0", 1, "positions of shape (n,)"), numbers(q1, "q1", 1, "positions of shape (n,)")
        if start.shape != end.shape:
            raise StateError(f"q0 has {len(start)} joints and q1 has {len(end)}, expected the same number")
        check_size(8.0 * basis.count * len(start), f"{basis.count} control points", "take fewer")
        share = np.clip((np.arange(basis.count) - rest) / (basis.count - 1 - 2 * rest), 0.0, 1.0)[:, None]
        # rounding keeps the order of these sums, but may push them past the end
        points = np.clip(start + share * (end - start), np.minimum(start, end), np.maximum(start, end))
        return cls(np.where(share == 1.0, end, points), duration, basis.degree)

    @classmethod
    def fit(
        cls,
        times: Times,
        q: Positions,
        count: int,
        degree: int = 3,
        *,
        start: Positions | None = None,
        end: Positions | None = None,
        rest: int = 0,
    ) -> SplinePath:
        """Return the path with `count` control points that fits samples best (least squares).

        The path begins at the first time, which is its t = 0, and ends at the last.

        Args:
            times: (N,) [s], increasing.
            q: positions (N, n) [rad or m].
            count, degree: of the path.
            start, end: positions (n,) where the path begins and ends exactly; by default the first and the last sample.
            rest: how many derivatives vanish at both ends: 1 for velocities, 2 for accelerations too.

        Raises:
            StateError: the samples do not determine the control points, or an argument has the wrong shape.
        """
        basis = Basis(count, degree)
        rest = check_rest(rest, basis.degree, basis.count)
        times, q = check_samples(times, q)
        ends = []
        for name, value, row in (("start", start, q[0]), ("end", end, q[-1])):
            position = row if value is None else numbers(value, name, 1, "positions of shape (n,)")
            if position.shape != row.shape:
                raise StateError(f"{name} has {len(position)} joints and q has {len(row)}, expected the same number")
            ends.append(position)
        duration = times[-1] - times[0]
        points = fitted_points(basis, (times - times[0]) / duration, q, ends[0], ends[1], rest)
        return cls(points, float(duration), basis.degree)

    @lazy_property
    def basis(self) -> Basis:
        """The functions of s = t / T that the control points are multiplied with."""
        return Basis(len(self.points), self.degree)

    def at(self, t: Times) -> np.ndarray:
        """Return positions (..., n) [rad or m] at times t (...) [s] in 0 ... T."""
        return self._rates(self._normalized(t), (0,))[0]

    def rate(self, t: Times, order: int = 1) -> np.ndarray:
        """Return the derivative by time of that order, (..., n) [rad/s^order or m/s^order]; order 0 is the position."""
        return self._rates(self._normalized(t), (integer(order, "order", 0),))[0]

    def states(self, t: Times) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd and qddd, each (..., n), at times t (...) [s]."""
        q, qd, qdd, qddd = self._rates(self._normalized(t), range(4))
        return q, qd, qdd, qddd

    def sensitivities(self, t: Times | None = None, *, s: ArrayLike | None = None) -> PathSensitivities:
        """Return the derivatives of q, qd, qdd and qddd by the control points and by the duration.

        Args:
            t: times (N,) [s] in 0 ... T; or
            s: normalized times t / T (N,) in 0 ... 1.

        Returns:
            Exact derivatives by control points, local to degree + 1 of them, and by T, both at fixed s and at fixed t.
        """
        if (t is None) == (s is None):
            raise StateError("sensitivities needs either times t [s] or normalized times s=, one of the two")
        s = self._normalized(t) if s is None else self.basis.checked(s)
        first, functions = self.basis.local(s, 3)
        return path_sensitivities(s, self.duration, first, functions, np.stack(self._rates(s, range(5))))

    def hull(self) -> Hull:
        """Return bounds of q, qd and qdd over the whole path, from the control points of each."""
        q, qd, *higher = (bounds(points) / self.duration**r for r, points in enumerate(self._polygons[:3]))
        return Hull(q, qd, higher[0] if higher else np.zeros_like(q))

    def refined(self) -> SplinePath:
        """Return the same curve with twice as many spans, each divided by a new knot; exact to rounding."""
        return SplinePath(halved(self.points, self.degree), self.duration, self.degree)

    def with_duration(self, duration: float) -> SplinePath:
        """Return the same curve with another duration [s]."""
        return SplinePath(self.points, duration, self.degree)

    def reversed(self) -> SplinePath:
        """Return the path from its end to its beginning."""
        return SplinePath(self.points[::-1], self.duration, self.degree)

    def to_dict(self) -> dict[str, np.ndarray]:
        """Return the path as arrays by name, for `numpy.savez`."""
        return {"points": self.points.copy(), "duration": np.array(self.duration), "degree": np.array(self.degree)}

    @classmethod
    def from_dict(cls, arrays: Mapping[str, Any]) -> SplinePath:
        """Return the path that `to_dict` described, from a dict or what `numpy.load` returns; everything is checked."""
        if not isinstance(arrays, Mapping):
            raise StateError(f"expected arrays by name, as to_dict returns them, got {type(arrays).__name__}")
        names = [str(name) for name in arrays]
        for name in names:
            if name not in KEYS:
                raise StateError(f"a path has no entry {name!r}; {suggest(name, KEYS)}")
        if missing := [key for key in KEYS if key not in names]:
            raise StateError(f"the path lacks {' and '.join(map(repr, missing))}, expected points, duration and degree")
        degree: Any = np.asarray(arrays["degree"])[()]  # an array () as its number
        return cls(arrays["points"], arrays["duration"], degree)

    def _normalized(self, t: Any) -> np.ndarray:
        """Return s = t / T; raise StateError for times outside of the path."""
        t = numbers(t, "t")
        s = t / self.duration
        # a time within rounding of a knot becomes the knot, so that derivatives are not taken from the wrong side
        knot = np.rint(s * self.basis.spans) / self.basis.spans
        s = np.where(np.abs(s - knot) <= ROUNDING, knot, s)
        if ((s < 0.0) | (s > 1.0)).any():
            within(t, "t", " s", 0.0, self.duration)
        return s

    @lazy_property
    def _polygons(self) -> list[np.ndarray]:
        """Control points of the derivatives by s, of orders 0 ... degree."""
        polygons = [self.points]
        for degree in range(self.degree, 0, -1):
            polygons.append(derivative_points(polygons[-1], degree))
        return polygons

    def _rates(self, s: np.ndarray, orders: Any) -> list[np.ndarray]:
        """Return derivatives by time (..., n) at normalized times."""
        j, u = place(s, self.basis.spans)
        triangle = values(self.basis.spans, self.degree, j, u)
        # D_r is a spline of degree p - r over the same spans, whose functions the recurrence has already computed
        return [
            combined(triangle[self.degree - r], j, self._polygons[r]) / self.duration**r
            if r <= self.degree
            else np.zeros((*s.shape, self.points.shape[1]))
            for r in orders
        ]
