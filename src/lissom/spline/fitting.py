"""Least-squares fit of control points to samples, with both ends held.

Each sample touches degree + 1 neighboring control points, so the matrix of the fit is a band. It is brought to triangular form
by orthogonal steps, one span after the other (Lawson and Hanson 1974, chapter 27): the cost grows linearly with samples and
spans, and no normal equations square the condition.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import StateError
from ..one_thread import one_thread
from .basis import Basis
from .check import first_place, integer, numbers
from .recurrence import combined


def check_rest(rest: Any, degree: int, count: int) -> int:
    """Return how many derivatives vanish at both ends; raise StateError where the control points do not suffice."""
    rest = integer(rest, "rest", 0)
    if rest >= degree:
        raise StateError(
            f"rest is {rest}, expected less than the degree, which is {degree}: a path that rests up to that order does not move "
            f"for a whole span; take rest={degree - 1} or degree={rest + 1}"
        )
    if count < 2 * (rest + 1):
        raise StateError(f"count is {count}, expected at least {2 * (rest + 1)}: rest={rest} holds {rest + 1} points at each end")
    return rest


def check_samples(times: Any, q: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return times (N,) that increase and positions (N, n)."""
    times = numbers(times, "times", 1, "times of shape (N,) [s]")
    q = numbers(q, "q", 2, "positions of shape (N, n), a row for each time")
    if len(times) < 2 or len(q) != len(times):
        raise StateError(f"there are {len(times)} times and {len(q)} rows of q, expected the same number of both, two or more")
    still = np.concatenate([[False], np.diff(times) <= 0])
    if still.any():
        k = int(np.argmax(still))
        raise StateError(f"times{first_place(still)} is {times[k]:g} s after {times[k - 1]:g} s, expected times that increase")
    return times, q


def fitted_points(basis: Basis, s: np.ndarray, q: np.ndarray, start: np.ndarray, end: np.ndarray, rest: int) -> np.ndarray:
    """Return control points (count, n): the first and last rest + 1 at `start` and `end`, the others by least squares."""
    held = np.zeros(basis.count, dtype=bool)
    held[: rest + 1] = held[-rest - 1 :] = True
    points = np.zeros((basis.count, q.shape[1]))
    points[: rest + 1], points[-rest - 1 :] = start, end
    _check_determined(basis, s, held)
    first, table = basis.local(s, 0)
    # columns of fixed points go to the right-hand side
    columns = first[:, None] + np.arange(basis.degree + 1)
    rows = np.where(held[columns], 0.0, table[0])
    right = q - combined(np.moveaxis(table[0], -1, 0), first, points)  # free points are zero here
    found = _solve(basis, first, rows, right, held)
    return np.where(held[:, None], points, found)


def _check_determined(basis: Basis, s: np.ndarray, held: np.ndarray) -> None:
    """Raise StateError unless each free control point has its own sample (Schoenberg and Whitney's condition)."""
    knots, used = basis.knots, 0
    free = np.flatnonzero(~held)
    for i in free:
        low, high = knots[i], knots[i + basis.degree + 1]
        used = max(used, int(np.searchsorted(s, low, side="right")))
        if used == len(s) or s[used] >= high:
            raise StateError(
                f"{len(s)} samples do not determine {len(free)} free control points: none is left for control point {i}, which "
                f"acts from {low:.4g} to {high:.4g} of the duration; give more samples there, or less than count={basis.count}"
            )
        used += 1


def _solve(basis: Basis, first: np.ndarray, rows: np.ndarray, right: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Return the least-squares solution (count, n) of a band; held columns are empty, and come out as zero."""
    width, joints = basis.degree + 1, right.shape[1]
    band = np.zeros((basis.count, width))  # row i: entries of the triangle in columns i ... i + degree
    goal = np.zeros((basis.count, joints))
    starts = basis.first(np.arange(basis.spans))
    cuts = np.append(np.searchsorted(first, starts), len(first))
    steps = np.append(np.diff(starts), width)  # columns that end with each span
    carried = np.zeros((0, width + joints))
    for j in range(basis.spans):
        # the samples of a span below the remaining rows of earlier ones for its columns
        here = slice(cuts[j], cuts[j + 1])
        block = np.concatenate([carried, np.concatenate([rows[here], right[here]], axis=1), np.zeros((width, width + joints))])
        unit = np.flatnonzero(held[starts[j] : starts[j] + width])
        block[unit - width, unit] = 1.0  # a held column is x = 0, beside all others
        with one_thread(len(block)):
            triangle: np.ndarray = np.linalg.qr(block, mode="r")[:width]  # type: ignore[assignment]
        done = int(steps[j])
        for a in range(done):
            band[starts[j] + a, : width - a] = triangle[a, a:width]
            goal[starts[j] + a] = triangle[a, width:]
        # the next span begins that many columns later
        later = triangle[done:, done:width]
        carried = np.concatenate([later, np.zeros((width - done, done)), triangle[done:, width:]], axis=1)
    pivots = np.abs(band[:, 0])
    if pivots.min() < 1e-13 * pivots.max():
        i = int(np.argmin(pivots))
        raise StateError(f"the samples hardly determine control point {i}: give more of them, or less than count={basis.count}")
    x = np.zeros((basis.count + basis.degree, joints))
    for i in range(basis.count - 1, -1, -1):
        x[i] = (goal[i] - band[i, 1:] @ x[i + 1 : i + width]) / band[i, 0]
    return x[: basis.count]
