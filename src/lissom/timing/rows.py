"""Limits at the ends of each interval of the grid as two-sided rows in u = sddot and x = sdot^2 at its beginning.

    lower - slope x <= u <= upper - slope x           one row for each joint, limit and end of the interval

u is constant over an interval, so that x is x + 2 h u at its end: limits there are rows in the same two unknowns (the
interpolation scheme of Pham and Pham 2018; limits at the beginning alone would be collocation, with errors of first order).
Rows without u bound x itself. Where a joint reverses within an interval, its Coulomb friction has both signs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .coefficients import Forces
from .limits import Bounds

NOTHING = 1e-11  # of the largest coefficient of u in its row: below, it counts as zero


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of M intervals, k each, and bounds of x at their beginnings (M,).

    Attributes:
        slope, lower, upper: (M, k); infinite lower and upper where a row does not contain u.
        least, most: bounds of x by rows without u (M,).
        labels: what each row is, ("torque", joint, at the end or not).
    """

    slope: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    least: np.ndarray
    most: np.ndarray
    labels: list[tuple[str, int, bool]]


def linear(x0: np.ndarray, ends: tuple[float, float], forces: Forces) -> Forces:
    """Return torques with friction d sqrt(x) replaced by its tangent at x0 (N,), and by its value at both ends."""
    if forces.d is None:
        return forces
    root = np.sqrt(x0)[:, None]
    root[0], root[-1] = np.sqrt(ends)
    slope = np.zeros_like(root)
    slope[1:-1] = 0.5 / root[1:-1]
    b, c = forces.b + slope * forces.d, forces.c + (root - slope * root**2) * forces.d
    return Forces(forces.a, b, c, None, forces.coulomb)


def rows(h: float, limits: Bounds, p1: np.ndarray, p2: np.ndarray, tau: Forces) -> Rows:
    """Return the rows of a grid with steps h, from values at its N points (N, nv)."""
    a: list[np.ndarray] = []
    b: list[np.ndarray] = []
    low: list[np.ndarray] = []
    high: list[np.ndarray] = []
    labels: list[tuple[str, int, bool]] = []
    for name, (lowest, highest), values in (
        ("torque", limits.torque, (tau.a, tau.b, tau.c)),
        ("acceleration", limits.acceleration, (p1, p2, None)),
    ):
        joints = np.flatnonzero(np.isfinite(lowest) | np.isfinite(highest))
        if not joints.size:
            continue
        by_u, by_x = values[0][:, joints], values[1][:, joints]
        rest = 0.0 if values[2] is None else values[2][:, joints]
        beneath, above = (np.broadcast_to(bound[joints] - rest, by_u.shape) for bound in (lowest, highest))
        least = most = np.zeros(())
        if name == "torque" and tau.coulomb is not None:
            one, other = tau.coulomb[:-1, joints], tau.coulomb[1:, joints]
            least, most = np.minimum(one, other), np.maximum(one, other)
        a += [by_u[:-1], by_u[1:] + 2.0 * h * by_x[1:]]
        b += [by_x[:-1], by_x[1:]]
        low += [beneath[:-1] - least, beneath[1:] - least]
        high += [above[:-1] - most, above[1:] - most]
        labels += [(name, int(j), end) for end in (False, True) for j in joints]
    by_u, by_x, beneath, above = (np.concatenate(parts, axis=1) for parts in (a, b, low, high))
    size = np.abs(by_u)
    idle = size <= NOTHING * size.max(axis=0)
    smallest, largest = (
        _without_u(idle, by_x, beneath, above) if idle.any() else (np.zeros(len(by_u)), np.full(len(by_u), np.inf))
    )
    inverse = 1.0 / np.where(idle, np.inf, by_u)
    one, other = beneath * inverse, above * inverse
    if idle.any():
        one[idle], other[idle] = -np.inf, np.inf
    return Rows(by_x * inverse, np.minimum(one, other), np.maximum(one, other), smallest, largest, labels)


def _without_u(idle: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of x >= 0 (M,) by rows low <= b x <= high; least > most if none exists."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = low / b, high / b
    within = (low <= 0.0) & (high >= 0.0)
    flat = b == 0.0  # the row does not contain x either: it holds or not
    one, other = np.where(flat, np.where(within, -np.inf, np.inf), one), np.where(flat, np.where(within, np.inf, -np.inf), other)
    least, most = np.minimum(one, other), np.maximum(one, other)
    broken = flat & ~within
    least, most = np.where(broken, np.inf, least), np.where(broken, -np.inf, most)
    return np.max(least, axis=1, where=idle, initial=0.0), np.min(most, axis=1, where=idle, initial=np.inf)
