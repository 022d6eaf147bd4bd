"""Radau's steps: an implicit integrator that chooses its steps, with the interface of SciPy's solvers.

After Hairer and Wanner 1996, section IV.8, with two differences. The derivatives are new, and exact, in every step. And the
error of a velocity counts as the amplitude of its oscillation (`Slopes.weights`): oscillations below the tolerance do not limit
the steps, whatever their frequency, and as the method is L-stable they die away; larger ones are followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .newton import Solution, solve
from .quaternions import unit_length
from .radau import radau

if TYPE_CHECKING:
    from .problem import Problem
    from .stages import Stages
    from .state_jacobian import Slopes

FIRST = 0.01  # [s] the first step, or less
LONGER, SHORTER = 8.0, 0.1  # factors by which a step may change
FAR = 2.0  # ratio of steps above which the polynomial of the last one is not used as a first guess
SLOW = 0.2  # convergence rate of Newton's method above which feedback is differentiated too
LEAST = 1e-10  # error that counts as zero
NOISE = 4.0  # times the uncertainty by rounding that no tolerance can go below


class Means:
    """Parts of a step: coefficients, rates of all stages and of one state, and derivatives.

    Args:
        stages: makes the rates of so many copies of the states.
        slopes: derivatives of the rates.
    """

    def __init__(self, stages: Callable[[int], Stages], slopes: Slopes) -> None:
        self.method = radau()
        self.stages, self.here, self.slopes = stages(self.method.stages), stages(1), slopes


class RadauSteps:
    """Steps from one time to another.

    Attributes:
        t, t_old: where the last step ended and began [s].
        y: states at t, (*lead, nq + nv).
        h_abs: proposed for the next step [s].
        status: "running", "finished" or "failed".
        finite: whether rates were finite in the last trial of a step.
    """

    def __init__(
        self, problem: Problem, means: Means, start: float, stop: float, y: np.ndarray, step: float | None, longest: float
    ) -> None:
        self.problem, self.stop, self.longest = problem, stop, longest
        self.method, self.stages, self.here, self.slopes = means.method, means.stages, means.here, means.slopes
        self.nq, self.shape = problem.sizes[0], y.shape
        self.t = self.t_old = start
        self.h_abs = min(FIRST, problem.duration / 50) if step is None else step
        self.status, self.finite = "running", True
        self._y = self._y_old = y.reshape(problem.n, -1)
        self._rates = self._rates_here()
        self._Z: np.ndarray | None = None  # of the last step, and its length and error
        self._h = self._error = 0.0

    @property
    def y(self) -> np.ndarray:
        """States that were reached."""
        return self._y.reshape(self.shape)

    def step(self) -> None:
        """Make a step, by trials of shorter and shorter ones until the error is small enough."""
        problem, y = self.problem, self._y
        if self._rates is None or not self._update():
            self.status, self.finite = "failed", False
            return
        scale = problem.atol + problem.rtol * np.abs(y)
        scale[:, self.nq :] += NOISE * self.slopes.noise
        limit = LONGER
        while True:
            left = self.stop - self.t
            h = min(self.h_abs, self.longest)
            last = h >= left * (1 - 1e-9)
            h = left if last else h
            if self.t + h <= self.t + 4 * np.spacing(self.t):
                self.status = "failed"
                return
            try:
                matrices = self.slopes.inverses(self.method, h)
            except np.linalg.LinAlgError:  # singular for just this length of step: the motion grows
                self.h_abs, limit = 0.9 * h, 1.0
                continue
            found = solve(self.method, self.stages, self.t, h, y, self._guess(h), matrices, scale, problem.rtol)
            self.finite = found.finite
            if problem.given.asked and not self.slopes.differences and (not found.converged or found.share > SLOW):
                self.slopes.differences = True
                if not found.converged and self._update():
                    continue
            if not found.converged:
                self.h_abs, self._Z, limit = h / 2, None, 1.0
                continue
            error = self._estimate(h, found.Z, matrices, scale)
            factor = self._factor(h, error, found)
            if error <= 1:
                break
            self.h_abs, limit = h * max(SHORTER, min(factor, 0.9)), 1.0
        self._accept(h, error, found.Z, last)
        # a step cut short by the end says nothing against the one proposed
        proposed = h * min(factor, limit)
        self.h_abs = max(proposed, self.h_abs) if last else proposed

    def go_on_from(self, y: np.ndarray) -> None:
        """Continue from a corrected state, changed by about the error of the last step."""
        self._y = y.reshape(self._y.shape)
        self._rates = self._rates_here()

    def dense_output(self) -> Callable[[float], np.ndarray]:
        """Return the states (*lead, nq + nv) within the last step, as a function of time."""
        y, Z, t, h = self._y_old, self._Z, self.t_old, self._h
        assert Z is not None
        flat = Z.reshape(len(Z), -1)
        return lambda time: y.reshape(self.shape) + (self.method.between((time - t) / h) @ flat).reshape(self.shape)

    def _update(self) -> bool:
        assert self._rates is not None
        return self.slopes.update(self.t, self._y[:, : self.nq], self._y[:, self.nq :], self._rates[:, self.nq :])

    def _rates_here(self) -> np.ndarray | None:
        rates = self.here([self.t], self._y[None])
        return None if rates is None else rates[0]

    def _guess(self, h: float) -> np.ndarray:
        """Return where to start Newton's method: the polynomial of the last step, continued."""
        if self._Z is None or h > FAR * self._h:
            return np.zeros((self.method.stages, *self._y.shape))
        flat = self._Z.reshape(len(self._Z), -1)
        ahead = self.method.between(1 + self.method.c * (h / self._h)) @ flat - flat[-1]
        return ahead.reshape(self._Z.shape)

    def _estimate(self, h: float, Z: np.ndarray, matrices: np.ndarray, scale: np.ndarray) -> float:
        """Return the largest error of the step over all entries and states, relative to the tolerance."""
        problem, shift = self.problem, self.method.eigenvalues[0].real / h
        residual = self._rates + shift * np.tensordot(self.method.error, Z, 1)
        error = (matrices[0].real @ residual[..., None])[..., 0]
        error[:, self.nq :] = (self.slopes.weights @ error[:, self.nq :, None])[..., 0]
        scale = np.maximum(scale, problem.atol + problem.rtol * np.abs(self._y + Z[-1]))
        return max(float((np.abs(error) / scale).max()), LEAST)

    def _factor(self, h: float, error: float, found: Solution) -> float:
        """Return the factor for the next step, from the error and its change (Gustafsson)."""
        safety, power = 0.9 * 40 / (40 + found.iterations), -1 / (self.method.stages + 1)
        factor = safety * error**power
        if self._Z is not None and error <= 1:
            factor = min(factor, factor * h / self._h * (error / self._error) ** power)
        return max(SHORTER, min(LONGER, factor))

    def _accept(self, h: float, error: float, Z: np.ndarray, last: bool) -> None:
        self.t_old, self._y_old = self.t, self._y
        self.t = self.stop if last else self.t + h
        self._y = self._y + Z[-1]
        unit_length(self._y[:, : self.nq], self.problem.quaternions())
        self._Z, self._h, self._error = Z, h, max(error, 1e-2)
        self._rates = self._rates_here()
        if last:
            self.status = "finished"
