"""Adaptive steps: one state, by the Dormand-Prince method of order 8 (Hairer, Norsett and Wanner 1993; SciPy's DOP853).

The integrator sees q and qd as plain numbers. Quaternions go along as four of them with rate u . (w, 0) / 2, which keeps their
length; the equations of motion look at their direction alone, and stored ones are brought to length one.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.dynamics.integrate import state_rates
from ..errors import SimulationError, SimulationWarning
from .events import Watch
from .problem import IMPLICIT, TOLERANCES
from .record import Record, failure
from .repeat import Repeat, address
from .variable_steps import PATIENCE, OwnSteps

if TYPE_CHECKING:
    from .problem import Problem

MORE = 20_000  # remaining steps (some seconds) above which a warning names a faster method, if there is one


class Adaptive(OwnSteps):
    """One run of the explicit method."""

    def __init__(self, problem: Problem, record: Record, watch: Watch) -> None:
        super().__init__(problem, record, watch)
        robot = problem.robot
        self.rates = Repeat(robot._function(state_rates, (), **problem.options), (), 1)
        self.rate, self.hinted = np.empty(robot.nq + robot.nv), False
        self.state_in, self.given, self.tau = np.empty_like(self.rate), np.empty(robot.nv), np.empty(robot.nv)
        q, rate, behind = address(self.state_in), address(self.rate), 8 * robot.nq
        given, extra = address(self.given), [address(x) for x in problem.extra]
        self.addresses = [q, q + behind, given, *extra, rate, rate + behind, address(self.tau)]

    def _solver(self, start: float, stop: float, step: float | None) -> Any:
        return self._explicit(start, stop, step)

    def _check_pace(self, solver: Any) -> None:
        since = self.mark
        super()._check_pace(solver)
        if self.steps % PATIENCE or self.hinted:
            return
        more = PATIENCE * (self.problem.duration - solver.t) / (solver.t - since)
        if more > MORE:
            self._hint(solver, more)

    def _hint(self, solver: Any, more: float) -> None:
        """Warn of a long run that the implicit method would shorten."""
        from .choose import choose

        self.hinted = True
        choice = choose(self.problem, solver.t, *self._state(solver.y), sum(TOLERANCES[IMPLICIT]))
        if choice.method == IMPLICIT:
            text = f"the adaptive method needs about {more:.1g} more steps from t = {solver.t:.3g} s: {choice.why}. "
            text += "method='implicit' skips such motions and takes far fewer steps; 'auto' chooses it where it helps"
            warnings.warn(text, SimulationWarning, stacklevel=6)  # the caller of Robot.simulate

    def _failed(self, solver: Any) -> SimulationError:
        return self._failure(solver.t, solver.y)

    def _rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Return the rates of q and qd; NaN where a trial step went too far: the integrator then shortens it."""
        if not np.isfinite(y).all():
            return np.full(len(y), math.nan)
        given = self.problem.given
        self.state_in[:] = y
        self.given[:] = given.value(t, *self._state(y)) if not given.constant else given.value(t, y, y)
        if not self.rates(self.addresses):
            if not np.isfinite(self.given).all():
                raise failure(self.problem, t, *self._state(y), self.given)
            return np.full(len(y), math.nan)
        return self.rate.copy()
