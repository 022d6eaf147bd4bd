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
from scipy.signal import lfilter, lfiltic

from ..errors import StateError
from .table import Table

DEGREE = 5
EVEN = 2.220446049250313e-16  # smallest difference of mean and smallest step that counts as uneven [s]


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


def lowpass(table: Table, cutoff: float) -> Table:
    """Return a table filtered with a cutoff frequency [Hz], its rows and those put before and after them.

    Raises:
        StateError: the cutoff is not positive, or there are too few rows.
    """
    if not 0.0 < cutoff < np.inf:
        raise StateError(f"the cutoff frequency must be positive, got {cutoff:g} Hz")
    times, values = _padded(table.times, table.values, len(table) // 2)
    steps = np.diff(times)
    dt = float(steps.min())
    if (times[-1] - times[0]) / (len(times) - 1) - dt > EVEN:
        spline = natural_spline(times, values)
        count = int(np.floor((times[-1] - times[0]) / dt + 1e-9)) + 1
        times = times[0] + dt * np.arange(count)
        values = spline(times)
    rate = 1.0 / dt
    fc = cutoff if cutoff < 0.5 * rate else 0.49 * rate
    once = _pass(values, dt, fc)
    return replace(table, times=times, values=_pass(once[::-1], dt, fc)[::-1], lines=())


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
    found = values.copy()
    for k in range(values.shape[1]):
        before = values[2::-1, k]
        state = lfiltic(b, a, before, before)
        found[3:, k] = lfilter(b, a, values[3:, k], zi=state)[0]
    return found
