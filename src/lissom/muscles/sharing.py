"""Quadratic sharing of loads: many small problems at once, min 1/2 x'x with A x = b and low <= x <= high.

By duality x = clip(A' y, low, high), and y maximizes the concave b'y - sum of (s c - c^2 / 2), s = A' y, c = clip(s). Its
gradient is b - A c, its curvature A D A' with D one where s is within the bounds: Newton's steps with a line search, all
problems at once, each of the size of b. They end in finitely many steps, since the function is quadratic between the kinks.
"""

from __future__ import annotations

import numpy as np

STEPS = 60
HALVINGS = 30
BEYOND = 1e-3  # curvature that counts for what is at a bound, so that there is always a step
TOLERANCE = 1e-10  # of A x = b, relative to the largest row of A and b


def share(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x (N, n), and what is missing of A x = b (N, m), zero where there is a solution.

    Args:
        A: (N, m, n).
        b: (N, m).
        low, high: (n,) or (N, n).
    """
    size = np.abs(A).max(axis=2) + 1e-300  # rows of one size
    A, b = A / size[..., None], b / size
    n = len(b)
    whole = np.einsum("kmn,kpn->kmp", A, A) + 1e-12 * np.eye(A.shape[1])
    y = np.linalg.solve(whole, b[..., None])[..., 0]  # the answer without bounds
    low, high = np.broadcast_to(low, (n, A.shape[2])), np.broadcast_to(high, (n, A.shape[2]))
    limit = TOLERANCE * (1.0 + np.abs(b).max(axis=1, initial=0.0))
    rest = np.arange(n)
    for _ in range(STEPS):
        c, gradient = _at(A, b, low, high, y, rest)
        rest = rest[np.abs(gradient).max(axis=1, initial=0.0) > limit[rest]]
        if not len(rest):
            break
        c, gradient = _at(A, b, low, high, y, rest)
        s = np.einsum("kmn,km->kn", A[rest], y[rest])
        inside = ((s > low[rest]) & (s < high[rest])).astype(float)
        inside += BEYOND * (1.0 - inside)
        curvature = np.einsum("kmn,kn,kpn->kmp", A[rest], inside, A[rest]) + 1e-12 * np.eye(A.shape[1])
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        y[rest] = _along(A, b, low, high, y, step, gradient, rest)
    x, gradient = _at(A, b, low, high, y, np.arange(n))
    return x, gradient * size


def _at(
    A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, y: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    c = np.clip(np.einsum("kmn,km->kn", A[rows], y[rows]), low[rows], high[rows])
    return c, b[rows] - np.einsum("kmn,kn->km", A[rows], c)


def _along(
    A: np.ndarray,
    b: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    y: np.ndarray,
    step: np.ndarray,
    gradient: np.ndarray,
    rows: np.ndarray,
) -> np.ndarray:
    """Return the multipliers after a line search along the steps."""

    def value(z: np.ndarray) -> np.ndarray:
        s = np.einsum("kmn,km->kn", A[rows], z)
        c = np.clip(s, low[rows], high[rows])
        return np.sum(b[rows] * z, axis=1) - np.sum(s * c - 0.5 * c * c, axis=1)  # type: ignore[no-any-return]

    start, rise = value(y[rows]), np.sum(gradient * step, axis=1)
    length = np.ones(len(rows))
    for _ in range(HALVINGS):
        low_ones = value(y[rows] + length[:, None] * step) < start + 1e-4 * length * rise - 1e-12 * np.abs(start)
        if not low_ones.any():
            break
        length = np.where(low_ones, 0.5 * length, length)
    return y[rows] + length[:, None] * step  # type: ignore[no-any-return]
