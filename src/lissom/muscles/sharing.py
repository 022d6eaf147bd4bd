"""Quadratic sharing of loads: many small problems at once, min 1/2 x'x with A x = b and low <= x <= high.

By duality x = clip(A' y, low, high), and y maximizes the concave b'y - sum of (s c - c^2 / 2), s = A' y, c = clip(s). Its
gradient is b - A c, its curvature A D A' with D one where s is within the bounds: Newton's steps with a line search, all
problems at once, each of the size of b. They end in finitely many steps, since the function is quadratic between the kinks.
Other powers than two are a sequence of such problems: Newton's steps on the sum of powers, each with a line search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import lsq_linear

STEPS = 60
HALVINGS = 30
BEYOND = 1e-3  # curvature that counts for what is at a bound, so that there is always a step
TOLERANCE = 1e-10  # of A x = b, relative to the largest row of A and b
NOISE = 1e-12  # of the largest entry, below which a row is zero
MISSED = 1e-8  # of A x = b, from which there is no solution
CLOSING, RIDGE = 6, 1e-14  # steps that close what is missing, and share of its trace that a singular system is given
LIGHT = 1e-6  # weight of x beside what is missing
ROUNDS, SETTLED = 100, 1e-9  # of other powers than two: steps, and size of the last
SMALL, FLATTEST = 1e-4, 1e-6  # least size that counts in their curvature, and least curvature over that at one


def share(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, power: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Return x (N, n) of the least sum of |x|^power, and what is missing of A x = b (N, m), zero where there is a solution.

    Where there is none, what is missing is least in the sum of its squares, each over the size of its row of A.

    Args:
        A: (N, m, n).
        b: (N, m).
        low, high: (n,) or (N, n).
        power: above one.
    """
    n = len(b)
    low, high = (np.array(np.broadcast_to(x, (n, A.shape[2]))) for x in (low, high))
    rows = np.abs(A).max(axis=2)
    A = np.where((rows > NOISE * rows.max(axis=1, keepdims=True))[..., None], A, 0.0)  # nothing acts on the others
    x, missing = _quadratic(A, b, low, high)
    size = _sizes(A)
    short = np.abs(missing / size).max(axis=1, initial=0.0) > MISSED * (1.0 + np.abs(b / size).max(axis=1, initial=0.0))
    if short.any():
        x[short], missing[short] = _nearest(A[short], b[short], low[short], high[short], size[short])
    rest = np.flatnonzero(~short)
    if power == 2.0 or not len(rest):
        return x, missing
    least = SMALL if power <= 2.0 else max(SMALL, FLATTEST ** (1.0 / (power - 2.0)))
    for _ in range(ROUNDS):
        at = x[rest]
        near = np.maximum(np.abs(at), least)
        weight = (power - 1.0) * near ** (power - 2.0)
        slope = np.sign(at) * np.abs(at) ** (power - 1.0)
        step = _weighted(A[rest], b[rest], low[rest], high[rest], weight, at - slope / weight) - at
        x[rest] = np.clip(at + _length(at, step, slope, power)[:, None] * step, low[rest], high[rest])
        rest = rest[np.abs(x[rest] - at).max(axis=1) > SETTLED]
        if not len(rest):
            break
    return _closed(A, b, low, high, x)


def _closed(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x moved by the little that is missing, within the bounds, and what still is."""
    for _ in range(CLOSING):
        missing = b - np.einsum("kmn,kn->km", A, x)
        free = A * ((x > low) & (x < high))[:, None, :]
        moved = np.einsum("kmn,km->kn", free, _solved(free @ A.swapaxes(1, 2), missing))
        x = np.clip(x + moved, low, high)
    return x, b - np.einsum("kmn,kn->km", A, x)


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return solutions of symmetric systems, which may be singular up to rounding."""
    size = np.maximum(np.trace(matrix, axis1=1, axis2=2), 1e-300)[:, None, None]
    return np.linalg.solve(matrix + RIDGE * size * np.eye(matrix.shape[1]), right[..., None])[..., 0]


def _weighted(
    A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, weight: np.ndarray, center: np.ndarray
) -> np.ndarray:
    """Return x with the least sum of weight (x - center)^2."""
    root = np.sqrt(weight)
    at = b - np.einsum("kmn,kn->km", A, center)
    return center + _quadratic(A / root[:, None, :], at, (low - center) * root, (high - center) * root)[0] / root  # type: ignore[no-any-return]


def _length(x: np.ndarray, step: np.ndarray, slope: np.ndarray, power: float) -> np.ndarray:
    """Return the lengths (N,) of steps after which the sums of |x|^power / power are smaller."""

    def value(x: np.ndarray) -> np.ndarray:
        return np.sum(np.abs(x) ** power, axis=1) / power  # type: ignore[no-any-return]

    start, rise = value(x), np.minimum(np.sum(slope * step, axis=1), 0.0)
    length = np.ones(len(x))
    for _ in range(HALVINGS):
        bad = value(x + length[:, None] * step) > start + 1e-4 * length * rise + 1e-15 * np.abs(start)
        if not bad.any():
            break
        length = np.where(bad, 0.5 * length, length)
    return length


def _nearest(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x of problems without a solution, and what is missing: least squares with bounds, one after the other."""
    n = A.shape[2]
    x = np.empty((len(b), n))
    for k in range(len(b)):
        rows = np.concatenate([A[k] / size[k][:, None], LIGHT * np.eye(n)])
        right = np.concatenate([b[k] / size[k], np.zeros(n)])
        x[k] = lsq_linear(rows, right, (low[k], high[k]), method="bvls", max_iter=100 * n).x
    return x, b - np.einsum("kmn,kn->km", A, x)


def _quadratic(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x with the least sum of squares, and what is missing."""
    size = _sizes(A)  # rows of one size
    whole = _Duals(A / size[..., None], b / size, low, high)
    y = np.linalg.solve(whole.curvature(np.ones(low.shape)), whole.b[..., None])[..., 0]  # the answer without bounds
    limit = TOLERANCE * (1.0 + np.abs(whole.b).max(axis=1, initial=0.0))
    rest, left = np.arange(len(b)), whole
    for _ in range(STEPS):
        s, gradient = left.at(y[rest])
        more = np.abs(gradient).max(axis=1, initial=0.0) > limit[rest]
        if not more.all():
            rest, left, s, gradient = rest[more], left.some(more), s[more], gradient[more]
        if not len(rest):
            break
        inside = ((s > left.low) & (s < left.high)).astype(float)
        inside += BEYOND * (1.0 - inside) * _evened(left.A, inside)
        step = np.linalg.solve(left.curvature(inside), gradient[..., None])[..., 0]
        y[rest] = left.along(y[rest], step, s, gradient)
    s, gradient = whole.at(y)
    return np.clip(s, low, high), gradient * size


@dataclass(frozen=True)
class _Duals:
    """Problems that the multipliers y solve: A (N, m, n), b (N, m) and bounds (N, n)."""

    A: np.ndarray
    b: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def some(self, rows: np.ndarray) -> _Duals:
        return _Duals(self.A[rows], self.b[rows], self.low[rows], self.high[rows])

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return A W A', with something on the diagonal."""
        found = (self.A * weights[:, None, :]) @ self.A.swapaxes(1, 2)
        return found + 1e-12 * np.eye(self.A.shape[1])  # type: ignore[no-any-return]

    def at(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return s = A' y and the gradient b - A clip(s)."""
        s = (y[:, None, :] @ self.A)[:, 0]
        return s, self.b - (self.A @ np.clip(s, self.low, self.high)[..., None])[..., 0]

    def value(self, y: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Return what y maximizes."""
        c = np.clip(s, self.low, self.high)
        return np.sum(self.b * y, axis=1) - np.sum(c * (s - 0.5 * c), axis=1)  # type: ignore[no-any-return]

    def along(self, y: np.ndarray, step: np.ndarray, s: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Return the multipliers after a line search along the steps."""
        change = (step[:, None, :] @ self.A)[:, 0]
        start, rise = self.value(y, s), np.sum(gradient * step, axis=1)
        length = np.ones((len(y), 1))
        for _ in range(HALVINGS):
            value = self.value(y + length * step, s + length * change)
            low_ones = value < start + 1e-4 * length[:, 0] * rise - 1e-12 * np.abs(start)
            if not low_ones.any():
                break
            length[low_ones] *= 0.5
        return y + length * step


def _sizes(A: np.ndarray) -> np.ndarray:
    """Return the largest entry of each row; of a row that is zero that of all rows, or one."""
    size = np.abs(A).max(axis=2)
    largest = size.max(axis=1, keepdims=True)
    return np.where(size > 0.0, size, np.where(largest > 0.0, largest, 1.0))  # type: ignore[no-any-return]


def _evened(A: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Return for each column a factor that makes its square no larger than the mean of those within the bounds."""
    squares = np.sum(A * A, axis=1)
    count = inside.sum(axis=1, keepdims=True)
    mean = np.sum(squares * inside, axis=1, keepdims=True) / np.maximum(count, 1.0)
    return np.where((squares > mean) & (count > 0), mean / np.maximum(squares, 1e-300), 1.0)  # type: ignore[no-any-return]
