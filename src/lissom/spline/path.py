"""SplinePath: a motion of joints as a B-spline, given by its control points and its duration.

    q(t) = sum_i B_i(t / T) P_i,   0 <= t <= T                      Barman 2020, (4.13) with uniform knots (4.14), or others

Symbols: P control points (m, n) | T duration [s] | s = t / T | D_r the r-th derivative by s; q^(r) = D_r / T^r
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..arrays import ArrayLike, Positions, Times
from ..errors import StateError, suggest
from ..locks import lazy_property
from ..memory import check_size
from .basis import Basis
from .check import integer, numbers, positive, within
from .continuity import smoothness
from .fitting import check_rest, check_samples, fitted_points
from .polygon import Hull, Polygon, bounds, derivatives, halved
from .recurrence import ROUNDING, combined, values
from .sensitivities import PathSensitivities, path_sensitivities

KEYS = ("points", "duration", "degree")
BREAKS = ("breaks", "smooth")  # of knots that are not uniform


@dataclass(frozen=True, eq=False, repr=False)
class SplinePath:
    """A motion of n joints: a clamped B-spline over the time 0 ... T, with uniform knots or those of a basis; immutable.

    The path begins at its first control point and ends at its last; derivatives are continuous up to the order degree - 1, or
    that of its basis. At knots, higher ones are those from the right, and at the end those from the left; a time within rounding
    of a knot counts as the knot. Joints are taken one by one, so coordinates must be numbers, not quaternions of spherical or
    floating joints.

    Attributes:
        points: control points (m, n) of n joints [rad or m], at least degree + 1; read-only.
        duration: T [s].
        degree: of the polynomials between knots.
        basis: the functions of s = t / T that the control points are multiplied with; by default `Basis(m, degree)`, with
            uniform knots. One that is given, as by `Basis.with_breaks`, brings its degree along.

    Example:
        >>> path = SplinePath.between([0.0, -2.0], [1.0, -1.0], duration=0.5, count=8)
        >>> path.at([0.0, 0.25, 0.5]).tolist()
        [[0.0, -2.0], [0.5, -1.5], [1.0, -1.0]]
    """

    points: np.ndarray
    duration: float
    degree: int = 3
    basis: Basis = field(default=None, kw_only=True)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        points = numbers(self.points, "points", 2, "control points of shape (m, n), n the number of joints")
        if points.shape[1] == 0:
            raise StateError(f"points has shape {points.shape}: a path needs one joint or more")
        points.setflags(write=False)
        object.__setattr__(self, "points", points)
        duration = positive(self.duration, "duration", "s")
        within(np.array(duration), "duration", " s", 1e-60, 1e60)  # beyond, its powers overflow
        object.__setattr__(self, "duration", duration)
        if isinstance(self.basis, Basis) and self.basis.count != len(points):
            raise StateError(f"points has {len(points)} rows, expected the {self.basis.count} control points of its basis")
        basis = _chosen(len(points), self.degree, self.basis)
        object.__setattr__(self, "degree", basis.degree)
        object.__setattr__(self, "basis", basis)

    def __repr__(self) -> str:
        m, n = self.points.shape
        joints = "joint" if n == 1 else "joints"
        breaks = "" if self.basis.even else f", {self.basis.spans} spans with given breaks"
        return f"<SplinePath of {n} {joints}: {m} control points, degree {self.degree}{breaks}, {self.duration:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _copied, (type(self), self.points, self.duration, self.basis)  # a copy is read-only too

    @classmethod
    def between(
        cls,
        q0: Positions,
        q1: Positions,
        duration: float,
        count: int | None = None,
        degree: int = 3,
        rest: int = 2,
        *,
        basis: Basis | None = None,
    ) -> SplinePath:
        """Return a straight line from q0 to q1 (n,) [rad or m] with `count` control points, or on a basis; no joint reverses.

        The first and the last rest + 1 control points are equal, so that derivatives up to the order `rest` vanish at both ends:
        1 for velocities, 2 for accelerations too.
        """
        basis = _chosen(count, degree, basis)
        rest = check_rest(rest, basis.degree, basis.count)
        start, end = numbers(q0, "q0", 1, "positions of shape (n,)"), numbers(q1, "q1", 1, "positions of shape (n,)")
        if start.shape != end.shape:
            raise StateError(f"q0 has {len(start)} joints and q1 has {len(end)}, expected the same number")
        check_size(8.0 * basis.count * len(start), f"{basis.count} control points", "take fewer")
        # a line through the centers of the functions has one speed, also where knots are not uniform
        x, last = (np.arange(basis.count) if basis.even else basis.centers), basis.count - 1 - rest
        share = np.clip((x - x[rest]) / (x[last] - x[rest]), 0.0, 1.0)[:, None]
        # rounding keeps the order of these sums, but may push them past the end
        points = np.clip(start + share * (end - start), np.minimum(start, end), np.maximum(start, end))
        return cls(np.where(share == 1.0, end, points), duration, basis.degree, basis=basis)

    @classmethod
    def fit(
        cls,
        times: Times,
        q: Positions,
        count: int | None = None,
        degree: int = 3,
        *,
        basis: Basis | None = None,
        start: Positions | None = None,
        end: Positions | None = None,
        rest: int = 0,
    ) -> SplinePath:
        """Return the path with `count` control points, or on a basis, that fits samples best (least squares).

        The path begins at the first time, which is its t = 0, and ends at the last.

        Args:
            times: (N,) [s], increasing.
            q: positions (N, n) [rad or m].
            count, degree: of the path; or
            basis: the path's functions.
            start, end: positions (n,) where the path begins and ends exactly; by default the first and the last sample.
            rest: how many derivatives vanish at both ends: 1 for velocities, 2 for accelerations too.

        Raises:
            StateError: the samples do not determine the control points, or an argument has the wrong shape.
        """
        basis = _chosen(count, degree, basis)
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
        return cls(points, float(duration), basis.degree, basis=basis)

    @lazy_property
    def smoothness(self) -> int:
        """The highest order of derivatives that are continuous all over: degree - 1, or less where they jump at a given break."""
        return smoothness(self.basis, self._polygons)

    def at(self, t: Times) -> np.ndarray:
        """Return positions (..., n) [rad or m] at times t (...) [s] in 0 ... T."""
        return self._rates(self._normalized(t), (0,))[0]

    def rate(self, t: Times, order: int = 1, *, left: ArrayLike | None = None) -> np.ndarray:
        """Return the derivative by time of that order, (..., n) [rad/s^order or m/s^order]; order 0 is the position.

        `left` is a mask (...) of times that are taken from the span on their left where they lie on a knot.
        """
        return self._rates(self._normalized(t), (integer(order, "order", 0),), left)[0]

    def rates(self, t: Times, count: int) -> list[np.ndarray]:
        """Return the derivatives by time of the orders 0 ... count - 1, each (..., n), at times t (...) [s]."""
        return self._rates(self._normalized(t), range(integer(count, "count", 0)))

    def states(self, t: Times, *, left: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd and qddd, each (..., n), at times t (...) [s]; `left` is as in `rate`."""
        q, qd, qdd, qddd = self._rates(self._normalized(t), range(4), left)
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
        q, qd, *higher = (bounds(points) / self.duration**r for r, (points, _) in enumerate(self._polygons[:3]))
        return Hull(q, qd, higher[0] if higher else np.zeros_like(q))

    def refined(self) -> SplinePath:
        """Return the same curve with twice as many spans, each divided by a new knot; exact to rounding."""
        return SplinePath(halved(self.points, self.basis), self.duration, self.degree, basis=self.basis.refined())

    def with_duration(self, duration: float) -> SplinePath:
        """Return the same curve with another duration [s]."""
        return SplinePath(self.points, duration, self.degree, basis=self.basis)

    def reversed(self) -> SplinePath:
        """Return the path from its end to its beginning."""
        return SplinePath(self.points[::-1], self.duration, self.degree, basis=self.basis.reversed())

    def to_dict(self) -> dict[str, np.ndarray]:
        """Return the path as arrays by name, for `numpy.savez`; breaks and their smoothness only where knots are not uniform."""
        found = {"points": self.points.copy(), "duration": np.array(self.duration), "degree": np.array(self.degree)}
        if not self.basis.even:
            found |= {"breaks": self.basis.span_ends.copy(), "smooth": np.array(self.basis.smooth, dtype=int)}
        return found

    @classmethod
    def from_dict(cls, arrays: Mapping[str, Any]) -> SplinePath:
        """Return the path that `to_dict` described, from a dict or what `numpy.load` returns; everything is checked."""
        if not isinstance(arrays, Mapping):
            raise StateError(f"expected arrays by name, as to_dict returns them, got {type(arrays).__name__}")
        names = [str(name) for name in arrays]
        for name in names:
            if name not in KEYS + BREAKS:
                raise StateError(f"a path has no entry {name!r}; {suggest(name, KEYS + BREAKS)}")
        if missing := [key for key in KEYS if key not in names]:
            raise StateError(f"the path lacks {' and '.join(map(repr, missing))}, expected points, duration and degree")
        degree: Any = np.asarray(arrays["degree"])[()]  # an array () as its number
        if not set(BREAKS) & set(names):
            return cls(arrays["points"], arrays["duration"], degree)
        if not set(BREAKS) <= set(names):
            raise StateError("the path has only one of 'breaks' and 'smooth', expected both, or none where knots are uniform")
        basis = Basis.with_breaks(arrays["breaks"], degree, np.atleast_1d(arrays["smooth"]).tolist())
        return cls(arrays["points"], arrays["duration"], degree, basis=basis)

    def _normalized(self, t: Any) -> np.ndarray:
        """Return s = t / T; raise StateError for times outside of the path."""
        t = numbers(t, "t")
        s = t / self.duration
        # a time within rounding of a knot becomes the knot, so that derivatives are not taken from the wrong side
        knot = self.basis.nearest_break(s)
        s = np.where(np.abs(s - knot) <= ROUNDING, knot, s)
        if ((s < 0.0) | (s > 1.0)).any():
            within(t, "t", " s", 0.0, self.duration)
        return s

    @lazy_property
    def _polygons(self) -> list[Polygon]:
        """Control points of the derivatives by s, of orders 0 ... degree."""
        return derivatives(self.points, self.basis, self.degree)

    @lazy_property
    def _starts(self) -> list[np.ndarray]:
        """Of each polygon, the first control point that has an influence in every span."""
        begins = self.basis.span_ends[:-1]
        return [np.searchsorted(knots, begins, side="right") - 1 - self.degree + r for r, (_, knots) in enumerate(self._polygons)]

    def _rates(self, s: np.ndarray, orders: Any, left: ArrayLike | None = None) -> list[np.ndarray]:
        """Return derivatives by time (..., n) at normalized times."""
        j, u = self.basis.place(s, left)
        triangle = values(self.basis.around(j), self.degree, u)
        found = []
        for r in orders:
            if r > self.degree:
                found.append(np.zeros((*s.shape, self.points.shape[1])))
                continue
            # D_r is a spline of degree p - r over the same spans, whose functions the recurrence has already computed
            first = j if self.basis.even else self._starts[r][j]
            found.append(combined(triangle[self.degree - r], first, self._polygons[r].points) / self.duration**r)
        return found


def _chosen(count: Any, degree: Any, basis: Basis | None) -> Basis:
    """Return the basis that was given, or the uniform one with `count` control points."""
    if basis is None:
        if count is None:
            raise StateError("neither count nor basis is given; expected a number of control points, or a Basis")
        return Basis(count, degree)
    if not isinstance(basis, Basis):
        raise StateError(f"basis is {basis!r}, expected a lissom.spline.Basis, as Basis.with_breaks returns it")
    if degree not in (3, basis.degree):
        raise StateError(f"degree is {degree!r} and that of the basis {basis.degree}; leave degree out where a basis is given")
    if count is not None and count != basis.count:
        raise StateError(f"count is {count!r} and the basis has {basis.count} control points; leave count out")
    return basis


def _copied(cls: type[SplinePath], points: np.ndarray, duration: float, basis: Basis) -> SplinePath:
    return cls(points, duration, basis.degree, basis=basis)
