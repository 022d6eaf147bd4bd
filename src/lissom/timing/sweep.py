"""The two passes of reachability analysis over the grid. Pham and Pham 2018, algorithm 1.

    backward   K_i = {x : some u satisfies the rows of interval i, and x + 2 h u is in K_(i+1)}, an interval low_i ... high_i
    forward    x_(i+1) = the largest x_i + 2 h u in K_(i+1)

Eliminating u from the rows against x + 2 h u <= high_(i+1) and >= low_(i+1) leaves straight lines: with f_j = 1 - 2 h slope_j,
    f_j x + 2 h lower_j <= high_(i+1)   and   f_j x + 2 h upper_j >= low_(i+1),
so that each step of each pass is the minimum of a few lines, evaluated at one number; no linear program has to be solved.
"""

from __future__ import annotations

import numpy as np

from .descend import descend
from .rows import Rows

BIG = 1e200  # stands for infinity, which times zero is not a number


def controllable(
    h: float, rows: Rows, least: np.ndarray, most: np.ndarray, end: float, machine_code: bool = True
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return low and high (M + 1,) of the controllable sets, and the interval whose set is empty, or -1.

    Args:
        h: step of the grid.
        rows: of its M intervals.
        least, most: bounds of x at the beginning of each.
        end: x at the end of the path.
        machine_code: whether the recurrence runs as machine code; otherwise by NumPy.
    """
    f = 1.0 - 2.0 * h * rows.slope
    forth = f > 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / f
        stop, go = -2.0 * h * rows.lower * inverse, -2.0 * h * rows.upper * inverse
    cap = np.minimum(most, BIG)
    gain = np.where(forth, inverse, 0.0)
    stop_high, go_low = np.where(forth, stop, np.inf), np.where(forth, go, -np.inf)
    # rows with f < 0, near points where u drops out, bound from the other side
    back = ~forth
    crossed = bool(back.any())
    # low stays zero wherever the robot can also hold still: then only high has to be followed
    low = np.zeros(len(cap) + 1)
    low[-1] = end
    still = not least.any() and bool((go_low[:-1] <= 0.0).all()) and bool((gain[-1] * end + go_low[-1] <= 0.0).all())
    if still and crossed:
        across = np.where(back, stop, -np.inf)  # x >= (high - 2 h lower) / f, at its worst for high = 0
        still = bool((across <= 0.0).all())
        bound = np.where(back, go, np.inf)  # x <= (low - 2 h upper) / f
        bound[-1] += np.multiply(end, inverse[-1], out=np.zeros_like(f[-1]), where=f[-1] < 0.0)  # 1 / f is infinite at f = 0
        cap = np.minimum(cap, bound.min(axis=1))
    if still:
        high = descend(gain[::-1], stop_high[::-1], cap[::-1], np.full(len(cap), -np.inf), end, machine_code)[::-1]
        empty = np.flatnonzero(high < 0.0)
        return low, high, int(empty[-1]) if empty.size else -1
    return _both(rows, h, f, low, np.minimum(most, BIG), least)


def fastest(h: float, rows: Rows, low: np.ndarray, high: np.ndarray, start: float, machine_code: bool = True) -> np.ndarray:
    """Return the largest x (M + 1,) that can be reached from the start within the controllable sets."""
    gain, offset = 1.0 - 2.0 * h * rows.slope, np.minimum(2.0 * h * rows.upper, BIG)
    return descend(gain, offset, np.minimum(high[1:], BIG), low[1:], start, machine_code)


def _both(
    rows: Rows, h: float, f: np.ndarray, low: np.ndarray, cap: np.ndarray, least: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Follow both ends of the sets, where the robot may be unable to hold still."""
    high = low.copy()
    high[-1] = low[-1]
    for i in range(len(cap) - 1, -1, -1):
        with np.errstate(divide="ignore", invalid="ignore"):
            stop = (high[i + 1] - 2.0 * h * rows.lower[i]) / f[i]
            go = (low[i + 1] - 2.0 * h * rows.upper[i]) / f[i]
        forth, back = f[i] > 0.0, f[i] < 0.0
        high[i] = min(cap[i], np.min(stop, where=forth, initial=BIG), np.min(go, where=back, initial=BIG))
        low[i] = max(least[i], np.max(go, where=forth, initial=0.0), np.max(stop, where=back, initial=0.0))
        if low[i] > high[i]:
            if low[i] > high[i] + 1e-9 * (abs(high[i]) + abs(low[i])):
                return low, high, i
            low[i] = high[i]  # a single speed, but for rounding
    return low, high, -1
