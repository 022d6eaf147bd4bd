"""Implicit steps for stiff robots: one state or many, by Radau's method of order 13.

All states of a batch take the same steps, those of the state that needs the shortest. Quaternions go along as four numbers, as
in `adaptive.py`, and are brought to length one after every step.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SimulationError
from ..memory import check_size
from .events import Watch
from .radau_steps import Means, RadauSteps
from .record import Record, stuck
from .variable_steps import OwnSteps

if TYPE_CHECKING:
    from .problem import Problem

FEWER = "simulate fewer states at once, or use method='rk4' with a step dt"


class Implicit(OwnSteps):
    """One run of the implicit method."""

    def __init__(self, problem: Problem, record: Record, watch: Watch) -> None:
        super().__init__(problem, record, watch)
        size = self.y.shape[-1]
        # four complex matrices, and the same again while they are computed
        check_size(16.0 * problem.n * size**2, f"the matrices of {problem.n} states", FEWER)
        self.means = Means(problem.stages, problem.slopes())
        self.given = self.means.here.given[0]

    def _solver(self, start: float, stop: float, step: float | None) -> RadauSteps:
        return self._implicit(self.means, start, stop, step)

    def _failed(self, solver: RadauSteps) -> SimulationError:
        if not solver.finite:
            return self._failure(solver.t, solver.y)
        qd, qdd = solver.y[..., self.nq :], self._rates(solver.t, solver.y)[..., self.nq :]
        return stuck(self.problem.velocity_names, solver.t, solver.h_abs, qd, qdd)

    def _rates(self, t: float, y: np.ndarray) -> Any:
        rates = self.means.here([t], y.reshape(1, self.problem.n, -1))
        return np.full(y.shape, math.nan) if rates is None else rates.reshape(y.shape)
