"""OpenSim's filter of coordinates: a Butterworth low-pass of third order, forward and then backward.

    H(z) = b (1 + z^-1)^3 / (1 + a1 z^-1 + a2 z^-2 + a3 z^-3), the bilinear transform of 1 / ((s + 1)(s^2 + s + 1)) with the
    cutoff prewarped: w = tan(pi fc dt).

Before, half as many rows are put on either side, point reflections of the signal at its ends, so that value and slope go on. Rows
at uneven times are first moved to even ones, by the smallest step, along splines of degree 5. The first three rows of each pass
stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline
from scipy.linalg import solve_banded
from scipy.signal import lfilter

from ..errors import StateError
from .table import Table

DEGREE = 5
NOTHING = 1e-18
FAR = 64  # even rows from which on a value changes a spline of degree 5 by less than rounding: 0.43^64
ROUNDING = 1e-9  # share of a step by which times that are even may be off


def natural_spline(times: np.ndarray, values: np.ndarray, degree: int = DEGREE) -> BSpline:
    """Return the spline of odd degree 2 m - 1 through values (N, n), with derivatives m to 2 m - 2 zero at both ends.

    This is the interpolating limit of Woltring's GCVSPL, which OpenSim uses.
    """
    least = degree + 1
    if len(times) < least:
        raise StateError(f"a spline of degree {degree} needs {least} rows, got {len(times)}")
    zero = np.zeros(values.shape[1:])
    ends = [(order, zero) for order in range((degree + 1) // 2, degree)]
    return make_interp_spline(times, values, k=degree, bc_type=(ends, ends), axis=0)


def rates(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return values (N, n) at times (N,), and their first two derivatives along the natural spline of degree 5.

    At even times these are combinations of the coefficients c of five B-splines about each row,

        (1, 26, 66, 26, 1) / 120,   (-1, -10, 0, 10, 1) / (24 h),   (1, 2, -6, 2, 1) / (6 h^2),

    and zero third and fourth derivatives at an end give the two c beyond it: 3 c0 - 3 c1 + c2 and 6 c0 - 8 c1 + 3 c2.
    """
    n = len(times)
    if n <= DEGREE:
        raise StateError(f"a spline of degree {DEGREE} needs {DEGREE + 1} rows, got {n}")
    if not is_even(times):
        spline = natural_spline(times, values)
        return values, spline(times, 1), spline(times, 2)
    h = (times[-1] - times[0]) / (n - 1)
    bands = np.repeat(np.array([[1.0], [26.0], [66.0], [26.0], [1.0]]), n, axis=1)
    bands[2, [0, -1]], bands[1, 1], bands[0, 2], bands[3, -2], bands[4, -3] = 150.0, -60.0, 30.0, -60.0, 30.0
    bands[3, 0], bands[2, [1, -2]], bands[1, 2], bands[3, -3], bands[1, -1] = 29.0, 63.0, 27.0, 27.0, 29.0
    c = solve_banded((2, 2), bands, 120.0 * values, overwrite_ab=True, check_finite=False)
    before = 6 * c[0] - 8 * c[1] + 3 * c[2], 3 * c[0] - 3 * c[1] + c[2]
    after = 3 * c[-1] - 3 * c[-2] + c[-3], 6 * c[-1] - 8 * c[-2] + 3 * c[-3]
    c = np.vstack([*before, c, *after])
    a2, a1, b0, b1, b2 = c[:-4], c[1:-3], c[2:-2], c[3:-1], c[4:]
    return values, (b2 - a2 + 10 * (b1 - a1)) / (24 * h), (a2 + b2 + 2 * (a1 + b1) - 6 * b0) / (6 * h * h)


def is_even(times: np.ndarray) -> bool:
    """Return whether times are even but for rounding."""
    even = np.linspace(times[0], times[-1], len(times))
    return bool(np.abs(times - even).max() <= ROUNDING * (times[-1] - times[0]) / (len(times) - 1))


def lowpass(table: Table, cutoff: float, shortest: bool = False) -> Table:
    """Return a table filtered with a cutoff frequency [Hz], its rows and those put before and after them.

    `shortest`: put on only as many rows as reach into those of the table by more than rounding.

    Raises:
        StateError: the cutoff is not positive, or there are too few rows.
    """
    if not 0.0 < cutoff < np.inf:
        raise StateError(f"the cutoff frequency must be positive, got {cutoff:g} Hz")
    count = len(table) // 2
    if shortest and len(table) > 1:
        count = min(count, _settled(float(np.diff(table.times).min()), cutoff) + FAR)
    times, values = _padded(table.times, table.values, count)
    dt = float(np.diff(times).min())
    if not is_even(times):
        spline = natural_spline(times, values)
        count = int(np.floor((times[-1] - times[0]) / dt + 1e-9)) + 1
        times = times[0] + dt * np.arange(count)
        values = spline(times)
    rate = 1.0 / dt
    fc = cutoff if cutoff < 0.5 * rate else 0.49 * rate
    once = _pass(values, dt, fc)
    return replace(table, times=times, values=_pass(once[::-1], dt, fc)[::-1], lines=())


def _settled(dt: float, cutoff: float) -> int:
    """Return the rows in which the filter forgets all but a share NOTHING of what was before, by its slowest pole."""
    w = np.tan(np.pi * min(cutoff * dt, 0.49))
    poles = w * np.array([-1.0, -0.5 + 0.5j * np.sqrt(3.0)])
    return int(np.ceil(np.log(NOTHING) / np.log(np.abs((1.0 + poles) / (1.0 - poles)).max())))


def _padded(times: np.ndarray, values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    def grown(x: np.ndarray) -> np.ndarray:
        return np.concatenate([2.0 * x[0] - x[count:0:-1], x, 2.0 * x[-1] - x[-2 : -count - 2 : -1]])

    return grown(times), grown(values)


def _pass(values: np.ndarray, dt: float, cutoff: float) -> np.ndarray:
    w = np.tan(np.pi * cutoff * dt)
    scale = (w + 1.0) * (w * w + w + 1.0)
    b = np.array([1.0, 3.0, 3.0, 1.0]) * w**3 / scale
    a1, a2 = 3 * w**3 + 2 * w * w - 2 * w - 3, 3 * w**3 - 2 * w * w - 2 * w + 3
    a = np.array([1.0, a1 / scale, a2 / scale, (w - 1.0) * (w * w - w + 1.0) / scale])
    drop = (b - a)[1:]
    before = values[2::-1]  # the three rows that stay, the latest first
    state = np.stack([drop[m:] @ before[: 3 - m] for m in range(3)])
    return np.concatenate([values[:3], lfilter(b, a, values[3:], axis=0, zi=state)[0]])
