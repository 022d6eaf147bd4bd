"""Damped least squares: many small problems at once, along the velocities of a manifold, within bounds.

Minimizes 1/2 r'r (Levenberg 1944, Marquardt 1963; damping by Nielsen 1999). A step d solves (J'J + damping) d = -J'r. Unknowns at
a bound that would be pushed through it are left out, and those that the step takes to a bound stop there while the others are
solved again. Each of the N problems has its own damping, and stops by itself: it takes the same steps alone and among others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FIRST_DAMPING = 1e-2
STALLED_STEP = 1e-11  # with smaller steps the search has stalled
STALLED_GAIN = 1e-14  # share of the cost
STALLED_DAMPING = 1e12


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """N problems, as functions of positions (K, nx) and the numbers (K,) of the problems that these belong to.

    Attributes:
        residual: r (K, m).
        jacobian: J (K, m, n), the derivatives of r along velocities.
        move: positions reached from positions by steps (K, n), within the bounds.
        room: least and largest steps (K, n) that the bounds allow.
        done: whether residuals (K, m) are small enough.
    """

    residual: Callable[[np.ndarray, np.ndarray], np.ndarray]
    jacobian: Callable[[np.ndarray, np.ndarray], np.ndarray]
    move: Callable[[np.ndarray, np.ndarray], np.ndarray]
    room: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    done: Callable[[np.ndarray], np.ndarray]


@dataclass(eq=False)
class Descent:
    """Where the N problems are: positions (N, nx), residuals (N, m), steps tried (N,), whether they have stalled (N,)."""

    x: np.ndarray
    r: np.ndarray
    iterations: np.ndarray
    stalled: np.ndarray

    def cost(self) -> np.ndarray:
        """Half the squared residual (N,)."""
        return 0.5 * (self.r**2).sum(axis=1)


def descend(problem: LeastSquares, start: np.ndarray, iterations: int, enough: int | None = None) -> Descent:
    """Iterate from `start` (N, nx) until all problems, or `enough` of them, are done, or no step improves the others."""
    n, every = len(start), np.arange(len(start))
    now = Descent(start.copy(), problem.residual(start, every), np.zeros(n, dtype=int), np.zeros(n, dtype=bool))
    J = problem.jacobian(now.x, every)
    damping, growth = np.full(n, FIRST_DAMPING), np.full(n, 2.0)
    for _ in range(iterations):
        done = problem.done(now.r)
        live = np.flatnonzero(~done & ~now.stalled)
        if not len(live) or (enough is not None and done.sum() >= enough):
            break
        now.iterations[live] += 1
        slope = -np.einsum("nij,ni->nj", J[live], now.r[live])
        step = bounded_step(J[live], slope, damping[live], *problem.room(now.x[live]))
        x = problem.move(now.x[live], step)
        r = problem.residual(x, live)
        # Nielsen's rule: compare the gain with that of the linear model
        old, new = now.cost()[live], 0.5 * (r**2).sum(axis=1)
        promised = 0.5 * (step * (damping[live, None] * step + slope)).sum(axis=1)
        good = new < old
        quality = np.where(promised > 0, (old - new) / np.where(promised > 0, promised, 1.0), 0.0)
        damping[live] *= np.where(good, np.maximum(1 / 3, 1 - (2 * np.clip(quality, 0, 2) - 1) ** 3), growth[live])
        growth[live] = np.where(good, 2.0, 2 * growth[live])
        tiny = np.abs(step).max(axis=1, initial=0.0) < STALLED_STEP
        now.stalled[live] = tiny | (good & (old - new < STALLED_GAIN * old)) | (damping[live] > STALLED_DAMPING)
        moved = live[good]
        now.x[moved], now.r[moved] = x[good], r[good]
        if len(moved):
            J[moved] = problem.jacobian(now.x[moved], moved)
    return now


def bounded_step(J: np.ndarray, slope: np.ndarray, damping: np.ndarray, least: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return the damped step (N, n) between `least` and `most` (N, n); slope is -J'r (N, n)."""
    n = J.shape[2]
    A = np.einsum("nij,nik->njk", J, J) + damping[:, None, None] * np.eye(n)
    fixed = ((least >= 0) & (slope < 0)) | ((most <= 0) & (slope > 0))
    step = np.zeros_like(slope)
    for _ in range(n + 1):
        # unknowns that stopped keep their part of the step; the others are solved again
        right = np.where(fixed, step, slope - np.einsum("njk,nk->nj", A, np.where(fixed, step, 0.0)))
        free = ~fixed
        system = np.where(free[:, :, None] & free[:, None, :], A, 0.0) + np.where(fixed, 1.0, 0.0)[:, :, None] * np.eye(n)
        step = np.linalg.solve(system, right[..., None])[..., 0]
        beyond = free & ((step < least) | (step > most))
        step = np.clip(step, least, most)
        if not beyond.any():
            break
        fixed = fixed | beyond
    return step
