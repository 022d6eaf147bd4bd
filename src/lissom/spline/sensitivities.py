"""Sensitivities of a path: exact derivatives of q, qd, qdd and qddd by control points and duration.

With D_r = sum_i B_i^(r)(s) P_i, the r-th derivative by s = t / T, the path is q^(r) = D_r / T^r (Barman 2020, 4.13). Then

    by control point P_i               B_i^(r)(s) / T^r, the factor in (4.15), the same for all joints
    by T at fixed s                    - r q^(r) / T
    by T at fixed t, where s = t / T   - (r q^(r) + t q^(r+1)) / T

(4.15) lacks the derivative by T, though T is a variable of (4.16).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model.show import by_shape


@dataclass(frozen=True, eq=False)
class PathSensitivities:
    """Derivatives of q, qd, qdd, qddd (r = 0 ... 3) at times of shape (N,).

    Attributes:
        first: (N,), the first control point that has an influence.
        by_points: (4, N, degree + 1): by_points[r, k, a] is the derivative of derivative r of any joint at time k by that
            joint's value in control point first[k] + a. Other control points and other joints have no influence.
        by_duration_fixed_s: (4, N, n), by T at fixed s = t / T: for a grid that scales with the motion, as in motion prediction.
        by_duration_fixed_t: (4, N, n), by T at fixed t: for measurements at given times. At knots where derivative r + 1 jumps,
            it is one-sided.
    """

    first: np.ndarray
    by_points: np.ndarray
    by_duration_fixed_s: np.ndarray
    by_duration_fixed_t: np.ndarray
    __repr__ = by_shape


def path_sensitivities(
    s: np.ndarray, duration: float, first: np.ndarray, functions: np.ndarray, rates: np.ndarray
) -> PathSensitivities:
    """Compute them from derivatives by s of the functions (4, ..., degree + 1), and rates of the path (5, ..., n)."""
    r = np.arange(4.0).reshape(4, *[1] * s.ndim, 1)
    at_s = -r * rates[:4] / duration
    at_t = at_s - s[..., None] * rates[1:]
    return PathSensitivities(first, functions / duration**r, at_s, at_t)
