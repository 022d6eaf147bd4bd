"""Feasible speeds at a point of the path: x = sdot^2 for which some u = sddot satisfies every row.

The range of u, min_j(upper_j - slope_j x) - max_j(lower_j - slope_j x), is a concave, piecewise linear function of x. Its largest
root is found by Newton's method from the right, for all intervals at once: each step solves for the two rows in conflict, and
ends exactly, after at most as many steps as there are pieces.
"""

from __future__ import annotations

import numpy as np

from .rows import Rows

FAR = 1e30  # where x has no bound yet
SLACK = 1e-12  # relative: rounding of the rows


def feasible(rows: Rows, most: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the least and largest x of each interval (M,), and the rows in conflict (M, 2); least > largest if none.

    Args:
        rows: of the intervals.
        most: bounds of x by velocities (M,); infinite where there is none.
    """
    low, high = rows.least.copy(), np.minimum(rows.most, most)
    pairs = np.full((len(low), 2), -1)
    _narrow(rows, low, high, pairs, right=True)
    _narrow(rows, low, high, pairs, right=False)
    return low, np.where(high >= FAR, np.inf, high), pairs


def _narrow(rows: Rows, low: np.ndarray, high: np.ndarray, pairs: np.ndarray, right: bool) -> None:
    """Move one end of low ... high, in place, until u has a range; past the other end if there is none."""
    todo = np.flatnonzero(low <= high)
    slope, lower, upper = rows.slope, rows.lower, rows.upper
    while todo.size:
        if todo.size < len(low):
            slope, lower, upper = rows.slope[todo], rows.lower[todo], rows.upper[todo]
        x = np.minimum(high[todo], FAR) if right else low[todo]
        bent = slope * x[:, None]
        above, below = upper - bent, lower - bent
        p, q = above.argmin(axis=1), below.argmax(axis=1)
        k = np.arange(todo.size)
        top, bottom = above[k, p], below[k, q]
        tight = top < bottom - SLACK * (np.abs(top) + np.abs(bottom) + np.abs(bent[k, p]) + np.abs(bent[k, q]))
        todo, k, p, q, x = todo[tight], k[tight], p[tight], q[tight], x[tight]
        # upper_p - slope_p x = lower_q - slope_q x
        turn, gap = slope[k, p] - slope[k, q], upper[k, p] - lower[k, q]
        with np.errstate(divide="ignore", invalid="ignore"):
            root = gap / turn
        # a range that also shrinks toward the other end is not found there; a root behind x is x up to rounding
        turn, ahead = (turn, root < x) if right else (-turn, root > x)
        pairs[todo, 0], pairs[todo, 1] = p, q
        end = high if right else low
        end[todo] = np.where(turn <= 0.0, -np.inf if right else np.inf, np.where(ahead, root, x))
        todo = todo[(turn > 0.0) & ahead & (low[todo] <= high[todo])]
