"""Interpolated: joint torques between the rows of a table, by a curve where the rows are smooth, straight lines elsewhere.

Torques of a motion are smooth, except for kinks where its formula changes: at the knots of a spline. Tables of torques may also
jump, hold a few numbers or be noisy; one spline through all of them oscillates around every such place. So every interval
between two rows, and every joint, has its own polynomial (after Harten, Engquist, Osher and Chakravarthy,
Uniformly high order accurate essentially non-oscillatory schemes III, J. Comput. Phys. 71, 1987):

    degree 5 through six rows side by side, the two of the interval among them. Of the (up to) five choices the one is taken that
    differs least from its own cubic through the four rows around the interval: one that does not cross a kink or a jump
    degree 1 where even this difference is more than UNCLEAR of the steps from row to row beside the interval, or the curve is
    FARTHEST of these and its own step from the straight line, or three rows are alike: the rows do not define a curve

A smooth curve is followed with an error of h^6, kinks at rows included, h being the time between rows. A jump is a straight line
between the rows around it, and constants stay constant.
"""

from __future__ import annotations

import numpy as np

ROWS = 6  # of a polynomial
NEAR = 4  # of the cubic that it is compared with
UNCLEAR, FARTHEST = 0.02, 0.25
PLACES = (0.25, 0.5, 0.75)  # of an interval, where they are compared
SHARES = 1.0 / (1.0 + np.arange(ROWS))  # integrals of powers from 0 to 1
UNEVEN = 7.0  # logarithm of how many times longer or shorter than its neighbors an interval may be
EQUAL = 1e-9  # share of an interval by which times may be off where they count as equally far apart
PIECE = 10_000  # intervals computed together, to save memory


class Curve:
    """A polynomial for each interval and column.

    Args:
        times: (K,) [s], increasing.
        values: (K, n).

    Attributes:
        coefficients: (K - 1, degree + 1, n), of powers of the share of the interval, from 0 to 1.
    """

    def __init__(self, times: np.ndarray, values: np.ndarray) -> None:
        self.times, self.values, self.lengths = times, values, np.diff(times)
        count = len(times) - 1
        self.coefficients = np.zeros((count, ROWS, values.shape[1]))
        with np.errstate(
            all="ignore"
        ):  # numbers near the largest float: values that are not finite are noticed where they are used
            self.coefficients[:, 0], self.coefficients[:, 1] = values[:-1], np.diff(values, axis=0)
            if len(times) >= ROWS:
                self._bend()
            parts = np.einsum("kij,i->kj", self.coefficients, SHARES) * self.lengths[:, None]
            self.sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(parts, axis=0)])

    def _bend(self) -> None:
        """Replace straight lines by polynomials where the rows are smooth."""
        count, steps = len(self.lengths), np.abs(np.diff(self.values, axis=0))
        beside = np.zeros_like(steps)
        beside[0], beside[-1], beside[1:-1] = steps[1], steps[-2], np.maximum(steps[:-2], steps[2:])
        least, straight = UNCLEAR * beside, self.coefficients[:, :2].copy()
        most = FARTHEST * np.maximum(beside, steps)
        flat = (steps[1:] == 0.0) & (steps[:-1] == 0.0)  # three rows alike: held at a limit, whatever comes before and after
        most[1:][flat] = most[:-1][flat] = 0.0
        for k in range(0, count, PIECE):
            piece = np.arange(k, min(k + PIECE, count))
            for before in range(ROWS - 1):  # how many rows of the six lie before the interval
                self._try(piece, piece - before, before, straight, least, most)

    def _try(
        self, intervals: np.ndarray, first: np.ndarray, before: int, straight: np.ndarray, least: np.ndarray, most: np.ndarray
    ) -> None:
        """Take polynomials through six rows from `first` on where they are better than the present ones."""
        inside = (first >= 0) & (first + ROWS <= len(self.times))
        # rows much farther apart, or closer, than those of the interval say nothing about it
        around = self.lengths[np.clip(first[:, None] + np.arange(ROWS - 1), 0, len(self.lengths) - 1)]
        even = np.abs(np.log(around / self.lengths[intervals, None])).max(axis=1) < UNEVEN
        which, first = intervals[inside & even], first[inside & even]
        start = min(max(before - 1, 0), ROWS - NEAR)  # the four rows around the interval, or next to it
        whole, near = self._through(which, first, ROWS), self._through(which, first + start, NEAR)
        apart = _apart(whole, near)
        better = (apart < least[which]) & (_apart(whole, straight[which]) < most[which])
        least[which] = np.where(better, apart, least[which])
        self.coefficients[which] = np.where(better[:, None], whole, self.coefficients[which])

    def _through(self, which: np.ndarray, first: np.ndarray, count: int) -> np.ndarray:
        """Return the coefficients (m, count, n) of polynomials for some intervals, through `count` rows from `first` on."""
        rows = first[:, None] + np.arange(count)
        x = (self.times[rows] - self.times[which, None]) / self.lengths[which, None]
        base, places = self.values[which], np.round(x)
        right = self.values[rows] - base[:, None]
        # rows at equal times, which most tables have, share one matrix
        equal = len(which) > 0 and bool((places == places[0]).all()) and bool((np.abs(x - places) < EQUAL).all())
        if equal:
            found = np.matmul(np.linalg.inv(np.vander(places[0], increasing=True)), right)
        else:
            found = np.linalg.solve(x[..., None] ** np.arange(count), right)
        found[:, 0] = base
        return found

    def at(self, t: float) -> np.ndarray:
        """Return the value (n,) at a time; the first and the last row hold before and after."""
        if not self.times[0] < t < self.times[-1]:
            return self.values[0 if t <= self.times[0] else -1]  # type: ignore[no-any-return]
        k = int(np.searchsorted(self.times, t, side="right")) - 1
        return _horner(self.coefficients[k], (t - self.times[k]) / self.lengths[k])

    def mean(self, start: float, stop: float) -> np.ndarray:
        """Return the mean (n,) between two times, exactly."""
        return (self._sum(stop) - self._sum(start)) / (stop - start)

    def _sum(self, t: float) -> np.ndarray:
        """Return the integral from the first row on, (n,)."""
        if t <= self.times[0]:
            return (t - self.times[0]) * self.values[0]  # type: ignore[no-any-return]
        if t >= self.times[-1]:
            return self.sums[-1] + (t - self.times[-1]) * self.values[-1]  # type: ignore[no-any-return]
        k = int(np.searchsorted(self.times, t, side="right")) - 1
        x = (t - self.times[k]) / self.lengths[k]
        whole = self.coefficients[k] * SHARES[:, None]
        return self.sums[k] + self.lengths[k] * x * _horner(whole, x)  # type: ignore[no-any-return]


def _apart(long: np.ndarray, short: np.ndarray) -> np.ndarray:
    """Return the largest difference of polynomials of more and of fewer coefficients inside the interval."""
    difference = long.copy()
    difference[:, : short.shape[1]] -= short
    return np.max([np.abs(_horner(difference, x)) for x in PLACES], axis=0)  # type: ignore[no-any-return]


def _horner(coefficients: np.ndarray, x: float) -> np.ndarray:
    """Return the values (..., n) of polynomials (..., degree + 1, n) at x."""
    found = coefficients[..., -1, :]
    for k in range(coefficients.shape[-2] - 2, -1, -1):
        found = found * x + coefficients[..., k, :]
    return found
