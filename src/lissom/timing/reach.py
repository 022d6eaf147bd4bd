"""The fastest speeds along a path under limits of velocity, acceleration and torque, by reachability analysis.

Viscous friction grows with sdot = sqrt(x), which is not linear in x. It is replaced by its tangent at the last speeds, and the
analysis is repeated until the speeds converge: then every row is exact along the motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..errors import ConvergenceError, TimingError
from ..protocol import DrivenRobot
from ..spline import SplinePath
from .coefficients import Forces, forces
from .curve import check_moves
from .feasible import feasible
from .limits import Bounds
from .reason import Reasons
from .rows import Rows, linear, rows
from .sweep import controllable, fastest

REPEATS, SAME, LEAST = 60, 3e-9, 1e-9  # of friction: most; and of the largest x, the change that ends them, the least


@dataclass(frozen=True, eq=False)
class Reached:
    """Speeds found on a grid.

    Attributes:
        s: (N,).
        x: sdot^2 (N,).
        most: bounds of x by velocities (N,).
        rows: the other limits.
    """

    s: np.ndarray
    x: np.ndarray
    most: np.ndarray
    rows: Rows


def reach(robot: DrivenRobot, path: SplinePath, limits: Bounds, points: int, ends: tuple[float, float]) -> Reached:
    """Return the fastest speeds on a grid of evenly spaced points, with given sdot at both ends."""
    s = np.linspace(0.0, 1.0, points)
    p, p1, p2, _ = path.states(s)
    check_moves(s, p1)
    tau = forces(robot, p, p1, p2)
    most = velocity_bound(limits.velocity, p1)
    reasons = Reasons(robot, limits, s, tau)
    squares = (ends[0] ** 2, ends[1] ** 2)
    for end, speed in enumerate(ends):
        if squares[end] > most[-end] * (1 + 1e-12):
            raise reasons.too_fast(end, speed, p1[-end], float(np.sqrt(most[-end])))
    h = 1.0 / (points - 1)
    solve = partial(_solve, h, limits, s, p1, p2, most, squares, reasons)
    return solve(tau) if tau.d is None else _with_friction(solve, tau, squares)


def velocity_bound(velocity: np.ndarray, p1: np.ndarray) -> np.ndarray:
    """Return the largest x (N,) that velocities allow."""
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = np.where(p1 > 0.0, velocity[1], velocity[0]) / p1
    speed[p1 == 0.0] = np.inf
    return np.square(speed.min(axis=1))


def _solve(
    h: float,
    limits: Bounds,
    s: np.ndarray,
    p1: np.ndarray,
    p2: np.ndarray,
    most: np.ndarray,
    ends: tuple[float, float],
    reasons: Reasons,
    tau: Forces,
) -> Reached:
    made = rows(h, limits, p1, p2, tau)
    least, largest, pairs = feasible(made, most[:-1])
    shut = np.flatnonzero(least > largest)
    if shut.size:
        raise reasons.shut(made, int(shut[0]), pairs[shut[0]])
    low, high, empty = controllable(h, made, least, largest, ends[1], reasons.robot.backend.machine_code)
    if empty >= 0:
        raise reasons.empty(made, empty, float(ends[1]) ** 0.5)
    if not low[0] - 1e-9 * (1.0 + low[0]) <= ends[0] <= high[0] * (1 + 1e-9):
        raise reasons.start(float(ends[0]) ** 0.5, float(low[0]) ** 0.5, float(high[0]) ** 0.5)
    x = np.maximum(fastest(h, made, low, high, ends[0], reasons.robot.backend.machine_code), 0.0)
    stuck = (x[1:] + x[:-1]) <= 1e-30
    if stuck.any():
        raise reasons.stuck(made, int(np.argmax(stuck)))
    return Reached(s, x, most, made)


def _with_friction(solve: Callable[[Forces], Reached], tau: Forces, ends: tuple[float, float]) -> Reached:
    # without friction first, then with tangents there; too high a tangent overstates friction at low speeds, hence half of it
    x0 = solve(tau._replace(d=None)).x
    found = None
    for _ in range(REPEATS):
        x0 = np.maximum(x0, LEAST * x0.max())
        try:
            found = solve(linear(x0, ends, tau))
        except TimingError:
            if x0.max() < 1e-12:
                raise
            x0 = 0.5 * x0
            continue
        if np.abs(found.x - x0).max() <= SAME * x0.max():
            return found
        x0 = found.x
    raise ConvergenceError(
        f"speeds with viscous friction did not converge in {REPEATS} repeats; give more points, or a model without friction",
        found,
    )
