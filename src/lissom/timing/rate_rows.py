"""The rows of the program of `rate.py`, local to the control points that act at each point, divided by their limits.

flat rows    matrix y + root sqrt(z) + constant        torques, accelerations, squared velocities
rate rows    sqrt(z) (inner y + inner_constant) + outer y
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..protocol import DrivenRobot
from .coefficients import Forces, forces, torque_rates
from .limits import Bounds
from .reach import velocity_bound


@dataclass(frozen=True, eq=False)
class RateRows:
    """Coefficients of rows at N points for w control points of z each.

    Attributes:
        matrix: (N, k, w).
        root, constant: (N, k).
        inner, outer: (N, r, w).
        inner_constant: (N, r).
        low, high: bounds of flat rows, then of rate rows (N, k + r).
        labels: kind of limit and joint of each row; the joint is None where it varies from point to point.
    """

    matrix: np.ndarray
    root: np.ndarray
    constant: np.ndarray
    inner: np.ndarray
    outer: np.ndarray
    inner_constant: np.ndarray
    low: np.ndarray
    high: np.ndarray
    labels: list[tuple[str, int | None]]


def rate_rows(robot: DrivenRobot, limits: Bounds, theta: np.ndarray, curve: list[np.ndarray], functions: np.ndarray) -> RateRows:
    """Return the rows at points theta (N,).

    Args:
        robot, limits: as in `time_optimal`.
        theta: points.
        curve: the path there, with its first three derivatives by theta, each (N, nv).
        functions: of the spline and their first two derivatives (3, N, w).
    """
    p, p1, p2, p3 = curve
    n0, n1, n2 = (order[:, None, :] for order in functions)
    tau, rate = forces(robot, p, p1, p2), torque_rates(robot, p, p1, p2, p3)
    none = np.zeros_like(tau.c)
    flat, low, high = [], [], []
    labels: list[tuple[str, int | None]] = []
    for kind, by_z, by_slope, root, constant in (
        ("torque", tau.b, tau.a, none if tau.d is None else tau.d, tau.c),
        ("acceleration", p2, p1, none, none),
    ):
        bound = getattr(limits, kind)
        used, size = _used(bound)
        by_z, by_slope, root, constant = (values[:, used] / size for values in (by_z, by_slope, root, constant))
        flat.append((by_z[..., None] * n0 + 0.5 * by_slope[..., None] * n1, root, constant))
        least, most = _both_ways(theta, tau) if kind == "torque" else (none, none)
        low.append((bound[0] - least)[:, used] / size)
        high.append((bound[1] - most)[:, used] / size)
        labels += [(kind, int(j)) for j in used]
    # of squared velocities only the tightest bounds z
    most = velocity_bound(limits.velocity, p1)
    tight = np.isfinite(most) & (most > 0.0)
    if tight.any():
        scale = np.where(tight, 1.0 / np.where(tight, most, 1.0), 0.0)[:, None]
        flat.append((scale[..., None] * n0, np.zeros_like(scale), np.zeros_like(scale)))
        low.append(np.full_like(scale, -np.inf))
        high.append(np.where(tight, 1.0, np.inf)[:, None])
        labels.append(("velocity", None))
    used, size = _used(limits.torque_rate)
    second, first, square, steady, friction, friction_slope = (values[:, used] / size for values in rate)
    inner = square[..., None] * n0 + first[..., None] * n1 + second[..., None] * n2
    outer = friction_slope[..., None] * n0 + 0.5 * friction[..., None] * n1
    for side, into in ((0, low), (1, high)):
        into.append(np.broadcast_to(limits.torque_rate[side, used] / size, (len(p), used.size)))
    labels += [("torque_rate", int(j)) for j in used]
    matrix, root, constant = (np.concatenate(group, axis=1) for group in zip(*flat, strict=True))
    bounds = np.concatenate(low, axis=1), np.concatenate(high, axis=1)
    return RateRows(matrix, root, constant, inner, outer, steady, *bounds, labels)


def _used(bound: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the joints that have a limit, and its magnitude."""
    finite = np.isfinite(bound)
    used = np.flatnonzero(finite.any(axis=0))
    size = np.abs(np.where(finite, bound, 0.0)).max(axis=0)[used]
    return used, np.where(size == 0.0, 1.0, size)


def _both_ways(theta: np.ndarray, tau: Forces) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and largest Coulomb friction at each point and its neighbors: a joint may reverse between them."""
    if tau.coulomb is None:
        return np.zeros_like(tau.c), np.zeros_like(tau.c)
    order = np.argsort(theta)
    wide = np.pad(tau.coulomb[order], ((1, 1), (0, 0)), mode="edge")
    three = np.stack([wide[:-2], wide[1:-1], wide[2:]])
    least, most = np.empty_like(tau.c), np.empty_like(tau.c)
    least[order], most[order] = three.min(axis=0), three.max(axis=0)
    return least, most
