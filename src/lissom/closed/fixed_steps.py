"""Fixed steps of closed robots: one or many, by the loop that advances trees (`simulate/fixed_steps.py`).

States are what `run.py` says. Each is advanced along velocities that suit it; those that have the same go together, in one
pass of machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..algorithms.closed import kinematics as closed_kinematics
from ..algorithms.closed import steps as closed_steps
from ..algorithms.closed.closure import Plan
from ..errors import SimulationError, StateError
from ..simulate.fixed_steps import FixedStep
from ..simulate.record import failure
from .plans import Groups, Plans
from .record import ClosedProblem, ClosedRecord

State = tuple[np.ndarray, np.ndarray]
MENDS = 3  # steps of Newton's method that close the loops after a step
CALM = 1e-7  # [rad, or lengths of the mechanism] of such a step, after which the gap is about the square of it


class ClosedFixed(FixedStep):
    """One run by the classical Runge-Kutta method, or by semi-implicit Euler."""

    problem: ClosedProblem
    record: ClosedRecord

    def _prepare(self) -> None:
        self.robot = self.problem.closed
        self.groups = Groups(Plans(self.robot), self.problem.q0.reshape(self.problem.n, -1))
        self.made: dict[Plan, Callable[..., State]] = {}

    def _advance(self, after: tuple[int, int]) -> bool:
        """Make the step from the present place to another; return whether the result is finite and the loops close."""
        problem, record, n = self.problem, self.record, self.problem.n
        q, qd = self._state(self.now)
        try:
            self.groups.update(q.reshape(n, -1))
        except StateError:
            return False
        record.states, record.switches = self.groups.states, self.groups.switches
        (shelf, k), (shelf_next, k_next) = self.now, after
        inputs = [q, qd, self.given, self.dt.reshape(*problem.lead, 1), *problem.extra]
        to = [x[k_next] for x in self._arrays(shelf_next)[:2]]
        try:
            if len(record.states) == 1:
                to[0][...], to[1][...] = self._step(next(iter(record.states)))(*inputs)
            else:
                for plan, own in record.states.items():
                    found = self._step(plan)(*(x.reshape(n, -1)[own] for x in inputs))
                    for table, values in zip(to, found, strict=True):
                        table.reshape(n, -1)[own] = values
        except StateError:
            return False
        self._arrays(shelf)[3][k] = self.given
        if shelf == 0:
            record.plans[k] = record.states
        return True

    def _step(self, plan: Plan) -> Callable[..., State]:
        """Return a step along a plan: a function of q, qd, torques, dt and loads, to q and qd of the tree after it."""
        if plan in self.made:
            return self.made[plan]
        robot, nq, nv, independent = self.robot, self.robot.model.nq, self.robot.model.nv, list(plan.independent)
        maker = closed_steps.STEPS[self.problem.method]
        along = robot._quick(maker, (nq + len(independent),), plan=plan, **self.problem.options)
        settle = robot._quick(closed_kinematics.dependent_step, (nq + nv,), plan=plan)
        speeds, units = robot._quick(closed_steps.tree_velocities, (nv,), plan=plan), robot.constraints.column_units

        def step(q: np.ndarray, qd: np.ndarray, given: np.ndarray, dt: np.ndarray, *loads: np.ndarray) -> State:
            y = along(q, np.ascontiguousarray(qd[..., independent]), given, dt, *loads)
            settled = np.ascontiguousarray(y[..., :nq])
            for _ in range(MENDS):
                found = settle(settled)
                settled = np.ascontiguousarray(found[..., :nq])
                if np.abs(found[..., nq:] / units).max() < CALM:
                    break
            return settled, speeds(settled, np.ascontiguousarray(y[..., nq:]))

        return self.made.setdefault(plan, step)

    def _arrays(self, shelf: int) -> Sequence[np.ndarray]:
        record = self.record
        return self.scratch if shelf else (record.q, record.qd, record.qdd, record.tau)

    def _failure(self) -> SimulationError:
        q, qd = self._state(self.now)
        *row, _ = (int(i) for i in np.unravel_index(int(np.abs(qd).argmax()), qd.shape))
        at = tuple(row)
        why = self.problem.why_of_tree(q[at], qd[at], self.given[at]) if np.isfinite(self.given).all() else ""
        return failure(self.problem, self.t, *self.problem.shown(q, qd), self.given, why)

    def rescue(self) -> None:
        """After a failure, make the last completely known state the last sample."""
        super().rescue()
        self.record.finish()

    def _fill(self, count: int) -> None:
        pass  # accelerations are computed at the end

    def _shown(self, place: tuple[int, int]) -> State:
        return self.problem.shown(*self._state(place))
