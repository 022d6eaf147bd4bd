"""Starts: a straight line between the ends, at a duration that keeps the limits, and random paths around it."""

from __future__ import annotations

import numpy as np

from ...spline import SplinePath
from ..problem.problem import MotionProblem
from .grid import Grid, limit_grid

TRIES = 25  # durations that are tried


def straight(problem: MotionProblem) -> SplinePath:
    """Return the straight line from start to end at the shortest tried duration that keeps all limits, or breaks them least."""
    ends = [problem.ends.get(side, {}).get("position") for side in ("start", "end")]
    middle = np.zeros(problem.n)
    q0 = ends[0] if ends[0] is not None else ends[1] if ends[1] is not None else middle
    q1 = ends[1] if ends[1] is not None else q0
    low, high = problem.duration
    rest = min(problem.robot.path_order - 1, problem.basis.degree - 1)  # motors behind springs rest where the jerk is zero
    path = SplinePath.between(q0, q1, low, problem.basis.count, problem.basis.degree, rest=rest)
    durations = np.geomspace(low, high, TRIES) if high > low else np.array([low])
    broken = violations(problem, path, durations)
    kept = np.flatnonzero(np.array(broken) <= 0.0)
    best = int(kept[0]) if len(kept) else int(np.argmin(broken))
    return path.with_duration(float(durations[best]))


def violations(problem: MotionProblem, path: SplinePath, durations: np.ndarray) -> list[float]:
    """Return for each duration the largest limit violation at the problem's instants (relative)."""
    orders = problem.parts.orders
    grid = Grid(problem.basis, problem.n, problem.basis.grid(problem.points_per_span), orders)
    grids = [limit_grid(limit, grid) for limit in problem.parts.limits]
    found = []
    for T in durations:
        worst = 0.0
        for limit, own in zip(problem.parts.limits, grids, strict=True):
            if limit.peak is None:
                y = limit.quantity.values(own.state(path.points, float(T)))
                worst = max(worst, float((limit.beyond(y) / limit.scale).max()))
        found.append(worst)
    return found


def perturbed(problem: MotionProblem, path: SplinePath, count: int, seed: int) -> list[SplinePath]:
    """Return random paths around one: other control points between the ends, durations up to a factor of two."""
    rng = np.random.default_rng(seed)
    lower, upper = problem.bounds(path.basis)
    size = np.maximum(np.ptp(path.points, axis=0), 0.5)
    found = []
    for _ in range(count):
        bend = rng.normal(size=(2, problem.n)) * size * 0.5
        s = np.linspace(0.0, 1.0, len(path.points))[:, None]
        points = path.points + bend[0] * np.sin(np.pi * s) + bend[1] * np.sin(2 * np.pi * s)
        duration = float(np.clip(path.duration * rng.uniform(0.7, 2.0), *problem.duration))
        found.append(SplinePath(np.clip(points, lower, upper), duration, path.degree))
    return found
