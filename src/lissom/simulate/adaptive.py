"""Adaptive steps: one state, by the Dormand-Prince method of order 8 (Hairer, Norsett and Wanner 1993; SciPy's DOP853).

The integrator sees q and qd as plain numbers. Quaternions go along as four of them with rate u . (w, 0) / 2, which keeps their
length; the equations of motion look at their direction alone, and stored ones are brought to length one. Where what is given
jumps, the integrator is stopped and started anew: an error estimate means nothing across a jump.
"""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.integrate import state_rates
from ..errors import SimulationError
from .events import Watch
from .given import SAME
from .problem import unit_length
from .progress import Update
from .record import Record, failure, stuck
from .repeat import Repeat, address
from .status import Status

if TYPE_CHECKING:
    from .problem import Problem

LEAST_STEPS = 50  # in a run, so that no step passes over a short push of a torque function

PATIENCE, SLOWEST = 2000, 1e-4  # steps after which a run must have come on by this share of its duration


class Adaptive:
    """One run with steps of the integrator's own choice."""

    def __init__(self, problem: Problem, record: Record, watch: Watch) -> None:
        self.problem, self.record, self.watch = problem, record, watch
        robot = problem.robot
        self.nq, self.quaternions = robot.nq, problem.quaternions()
        self.rates = Repeat(robot._function(state_rates, (), **problem.options), (), 1)
        self.y, self.rate = np.concatenate([problem.q0, problem.qd0]), np.empty(robot.nq + robot.nv)
        self.state_in, self.given, self.tau = np.empty_like(self.rate), np.empty(robot.nv), np.empty(robot.nv)
        q, rate, behind = address(self.state_in), address(self.rate), 8 * robot.nq
        given, extra = address(self.given), [address(x) for x in problem.extra]
        self.addresses = [q, q + behind, given, *extra, rate, rate + behind, address(self.tau)]
        # the last state that was accepted: its time, itself, and what was given there; None before the first
        self.last: tuple[float, np.ndarray, np.ndarray] | None = None
        self.steps, self.mark = 0, 0.0

    @property
    def t(self) -> float:
        """Time that was reached [s]."""
        return 0.0 if self.last is None else self.last[0]

    def run(self, update: Update | None) -> Status:
        """Integrate to the end, or to a terminal event."""
        problem = self.problem
        edges = self._edges()
        step: float | None = None
        for start, stop in zip(edges[:-1], edges[1:], strict=True):
            problem.given.begin(start, *self._state(self.y))
            if start == 0.0:
                self._check_start()
                self.watch.begin(0.0, *self._state(self.y))
            self._store(start, self.y)
            solver = self._solver(start, stop, step)
            while solver.status == "running":
                solver.step()
                if solver.status == "failed":
                    raise failure(problem, solver.t, *self._state(solver.y), self.given)
                # the last place where the integrator looked is where it arrived
                if self._passed(solver, stop, self.given.copy()):
                    self._settle()
                    return Status.EVENT
                self._check_pace(solver)
                if update is not None:
                    update(solver.t)
            step = solver.h_abs
        self._store(problem.duration, self.y)
        self._settle()
        return Status.FINISHED

    def rescue(self) -> None:
        """After a failure, make the last accepted state the last sample, and compute qdd and tau of all that there are."""
        with contextlib.suppress(SimulationError):
            self._settle()

    def _settle(self) -> None:
        """Store the last accepted state, if it is not yet, and compute qdd and tau of all; raise what makes that impossible."""
        record = self.record
        if self.last is not None and (not record.count or self.t > record.t[record.count - 1]):
            t, y, given = self.last
            record.add(t, *self._state(y), given)
        error = record.finish()
        if error is not None:
            raise error

    def _edges(self) -> list[float]:
        """Return where the integrator starts anew: at the beginning, at jumps, and at the end."""
        duration, edges = self.problem.duration, [0.0]
        for jump in self.problem.given.jumps:
            if edges[-1] + SAME * duration < jump < duration * (1 - SAME):
                edges.append(float(jump))
        return [*edges, duration]

    def _solver(self, start: float, stop: float, step: float | None) -> Any:
        from scipy.integrate import DOP853

        problem = self.problem
        longest = problem.duration / LEAST_STEPS if not problem.given.constant else math.inf
        first = None if step is None else min(step, stop - start)
        return DOP853(self._rates, start, self.y, stop, rtol=problem.rtol, atol=problem.atol, max_step=longest, first_step=first)

    def _rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Return the rates of q and qd; not numbers where a trial step went too far, which the integrator then shortens."""
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

    def _check_pace(self, solver: Any) -> None:
        """Stop a run that would take far too many steps to end: PATIENCE of them have not brought it on."""
        self.steps += 1
        if self.steps % PATIENCE:
            return
        advanced, self.mark = solver.t - self.mark, solver.t
        if advanced < SLOWEST * self.problem.duration:
            rate = self._rates(solver.t, solver.y)
            _, qd = self._state(solver.y)
            raise stuck(self.problem, solver.t, advanced / PATIENCE, qd, rate[-len(qd) :])

    def _check_start(self) -> None:
        if not np.isfinite(self._rates(0.0, self.y)).all():
            raise failure(self.problem, 0.0, *self._state(self.y), self.given)
        self.last = 0.0, self.y, self.given.copy()

    def _passed(self, solver: Any, stop: float, given: np.ndarray) -> bool:
        """Store the samples of the step just made and look for events in it; tell whether one ended the run."""
        record, old = self.record, solver.t_old
        # the sample at the end of a stretch is stored when the next one begins, with what is given then
        last = solver.t if solver.t < stop else math.nextafter(solver.t, -math.inf) - SAME * self.problem.duration
        times = record.times[(record.times > old + SAME * self.problem.duration) & (record.times <= last)]
        dense = solver.dense_output() if len(times) or self.watch.events else None

        def state(t: float) -> tuple[np.ndarray, np.ndarray]:
            return self._state(solver.y if t == solver.t or dense is None else dense(t))

        for t in (*times, *(() if len(times) and times[-1] == solver.t else (solver.t,))):
            if self.watch.events:
                end = self.watch.look(float(t), state)
                if end is not None:
                    q, qd = state(end)
                    self.last = end, np.concatenate([q, qd]), self._given(end, q, qd)
                    return True
            if t in times:
                self._store(float(t), np.concatenate(state(float(t))))
        self.y = solver.y.copy()
        self.last = solver.t, self.y, given
        return False

    def _store(self, t: float, y: np.ndarray) -> None:
        """Store a state, if t is the time of a sample, with what is given there."""
        record = self.record
        due = record.times[record.count] if record.count < len(record.times) else math.inf
        if abs(t - due) <= SAME * self.problem.duration:
            q, qd = self._state(y)
            record.add(float(due), q, qd, self._given(t, q, qd))

    def _given(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return what is given in a state that is to be stored."""
        given = np.broadcast_to(self.problem.given.value(t, q, qd), qd.shape)
        if not np.isfinite(given).all():
            raise failure(self.problem, t, q, qd, given)
        return given

    def _state(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return q, with quaternions of length one, and qd."""
        return unit_length(y[: self.nq].copy(), self.quaternions), y[self.nq :]
