"""Run: how one closed robot is advanced in time, by the loop that advances trees (`simulate/variable_steps.py`).

The configuration of the tree and as many velocities as degrees of freedom are integrated. No velocity can break the closure,
since all others follow from these; positions are corrected after every step, by the error of that step, which is as small as the
tolerances. Energy is therefore as accurate as the integrator, and no artificial forces act on the robot.
Where the velocities that were chosen come near to losing their independence, as those of a crank at a dead point of its slider,
others are chosen (`plans.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..algorithms.closed import kinematics as closed_kinematics
from ..algorithms.closed import steps as closed_steps
from ..algorithms.closed.closure import Plan
from ..errors import SimulationError, StateError
from ..model.names import velocity_names
from ..simulate.events import Watch
from ..simulate.progress import Update
from ..simulate.quaternions import unit_length
from ..simulate.radau_steps import Means, RadauSteps
from ..simulate.record import failure
from ..simulate.status import Status
from ..simulate.variable_steps import OwnSteps
from .plans import Plans
from .record import ClosedProblem, ClosedRecord
from .singular import Singularity, judge
from .stiff import ClosedSlopes, ClosedStages

State = tuple[np.ndarray, np.ndarray]
NEAR = 1e-5  # margin of the closure below which a run that fails has come to a pose where the loops lose an equation


class ClosedSteps(OwnSteps):
    """One run with steps chosen by the integrator; states are (nq of the tree + n)."""

    problem: ClosedProblem
    record: ClosedRecord

    def __init__(self, problem: ClosedProblem, record: ClosedRecord, watch: Watch) -> None:
        super().__init__(problem, record, watch)
        self.robot, self.choice, self.looked_at = problem.closed, Plans(problem.closed), problem.q0
        self.given = np.zeros(problem.sizes[2])
        if problem.given.constant:
            self.given[:] = problem.given.value(0.0, problem.q0, problem.qd0)
        self._take(self.choice.chosen(self.robot.plan, problem.q0), problem.q0, problem.qd0)

    def run(self, update: Update | None) -> Status:
        """Integrate to the end, or to a terminal event; where the loops lose an equation, the motion is not determined."""
        try:
            return super().run(update)
        except (SimulationError, StateError) as error:  # a StateError: velocities of a sample on the way that has none
            lost = self._lost(self.y[: self.nq]) or self._lost(self.looked_at)
            failed = error if isinstance(error, SimulationError) else self._failure(self.t, self.y)
            if lost is None or failed.status is Status.CONTROLLER_FAILED:  # a controller's error is reported unchanged
                raise failed from error.__cause__
            text = f"the motion cannot continue at t = {failed.time:.6g} s: {lost}, and the motion beyond is not determined. "
            text += "Fixed steps (method='rk4' with a step dt) may pass such a pose; the samples before are kept"
            raise SimulationError(text, failed.status, failed.time, failed.joint) from error

    def rescue(self) -> None:
        """Keep the samples, except those so close to a pose where the loops lose an equation that digits are lost."""
        super().rescue()
        while self.record.count and self._lost(self.record.q[self.record.count - 1]) is not None:
            self.record.count -= 1

    def _lost(self, q: np.ndarray) -> Singularity | None:
        """Return the singularity of a configuration, if it is one of the closure."""
        found = judge(self.robot.constraints, self.plan, q, NEAR) if np.isfinite(q).all() else None
        return found if found is not None and found.kind == "closure" else None

    def _take(self, plan: Plan, q: np.ndarray, qd: np.ndarray) -> None:
        """Continue along the velocities of a plan."""
        robot, nq, nv, options = self.robot, self.nq, self.robot.model.nv, self.problem.options
        self.rates = robot._quick(closed_steps.state_rates, (nq + len(plan.independent),), plan=plan, **options)
        self.speeds = robot._quick(closed_steps.tree_velocities, (nv,), plan=plan)
        self.settle = robot._quick(closed_kinematics.dependent_step, (nq + nv,), plan=plan)
        self.plan, self.record.states = plan, {plan: np.zeros(1, dtype=int)}
        self.y = np.concatenate([q, qd[list(plan.independent)]])

    def _rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Return the rates of a state; NaN where a trial step went too far: the integrator then shortens it."""
        given = self.problem.given
        try:
            if not given.constant:
                self.given[:] = given.value(t, *(self._state(y) if given.asked else (y, y)))
                if not np.isfinite(self.given).all():
                    raise self._failure(t, y)
            return self.rates(y[: self.nq], y[self.nq :], self.given, *self.problem.extra)
        except StateError:
            return np.full(len(y), math.nan)

    def _failed(self, solver: Any) -> SimulationError:
        return self._failure(solver.t, solver.y)

    def _failure(self, t: float, y: np.ndarray) -> SimulationError:
        """Return the error of a state from which the motion cannot continue, with the singularity of its pose."""
        problem = self.problem
        try:
            q, qd = self._kept(y)
            why = problem.why_of_tree(q, qd, self.given)
        except StateError as error:
            q, qd, why = y[: self.nq], np.zeros(self.robot.model.nv), str(error)
        return failure(problem, t, *problem.shown(q, qd), self.given, why)

    def _mended(self, y: np.ndarray) -> np.ndarray:
        """Bring a configuration back to closure, the independent coordinates as they are."""
        q = y[: self.nq]
        try:
            for _ in range(6):
                found = self.settle(np.ascontiguousarray(q))
                q = found[: self.nq]
                if np.abs(found[self.nq :] / self.robot.constraints.column_units).max() < 1e-9:
                    break
        except StateError:
            raise self._failure(self.t, y) from None
        return np.concatenate([q, y[self.nq :]])

    def _go_on(self, solver: Any, stop: float) -> Any:
        """Restart where other velocities suit better; otherwise continue from the configuration that closes the loops."""
        try:
            chosen = self.choice.chosen(self.plan, self.y[: self.nq])
        except StateError as error:
            text = f"the motion cannot continue at t = {solver.t:.6g} s, beyond a singular pose: {error}"
            raise SimulationError(text, Status.BLEW_UP, solver.t) from None
        if chosen is not self.plan:
            self._take(chosen, *self._kept(self.y))
            self.record.switches += 1
            return self._solver(solver.t, stop, None) if solver.status == "running" else solver
        self._set(solver)
        return solver

    def _set(self, solver: Any) -> None:
        """Replace the integrator's state by the one that closes the loops."""
        raise NotImplementedError

    def _state(self, y: np.ndarray) -> State:
        return self.problem.shown(*self._kept(y))

    def _kept(self, y: np.ndarray) -> State:
        self.looked_at = q = unit_length(y[: self.nq].copy(), self.quaternions)
        return q, self.speeds(q, np.ascontiguousarray(y[self.nq :]))

    def _integrated_names(self) -> Sequence[str]:
        names = velocity_names(self.robot.model)
        return [names[k] for k in self.plan.independent]


class ClosedAdaptive(ClosedSteps):
    """One run by the Dormand-Prince method of order 8."""

    def _solver(self, start: float, stop: float, step: float | None) -> Any:
        return self._explicit(start, stop, step)

    def _set(self, solver: Any) -> None:
        solver.y, solver.f = self.y, self._rates(solver.t, self.y)


class ClosedImplicit(ClosedSteps):
    """One run by Radau's method of order 13, for stiff springs in loops."""

    def _take(self, plan: Plan, q: np.ndarray, qd: np.ndarray) -> None:
        super()._take(plan, q, qd)
        problem = self.problem
        self.means = Means(partial(ClosedStages, problem, plan), ClosedSlopes(problem, plan))  # type: ignore[arg-type]

    def _solver(self, start: float, stop: float, step: float | None) -> RadauSteps:
        return self._implicit(self.means, start, stop, step)

    def _set(self, solver: RadauSteps) -> None:
        solver.go_on_from(self.y)
