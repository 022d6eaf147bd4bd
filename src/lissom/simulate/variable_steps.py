"""Variable steps: a run by any integrator that chooses its steps.

Where the input jumps, the integrator is restarted: an error estimate means nothing across a jump.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SimulationError
from .events import Watch
from .inputs import SAME
from .progress import Update
from .quaternions import unit_length
from .radau_steps import Means, RadauSteps
from .record import Record, failure, stuck
from .status import Status

if TYPE_CHECKING:
    from .problem import Problem

LEAST_STEPS = 50  # in a run, so that no step skips a short push of a torque function

# After PATIENCE steps, a run must have advanced by SLOWEST of its duration and by SHORTEST [s] per step: no robot needs steps
# shorter than a nanosecond, however short the run is.
PATIENCE, SLOWEST, SHORTEST = 2000, 1e-4, 1e-9


class OwnSteps:
    """One run with steps chosen by the integrator; states are (*lead, nq + nv), coordinates and then velocities.

    Attributes:
        given: the input at the last evaluation of the rates, (*lead, nv); after a step, that is its end.
    """

    given: np.ndarray

    def __init__(self, problem: Problem, record: Record, watch: Watch) -> None:
        self.problem, self.record, self.watch = problem, record, watch
        self.nq, self.quaternions = problem.sizes[0], problem.quaternions()
        self.given_shape = (*problem.lead, problem.sizes[2])
        self.y = np.concatenate([problem.q0, problem.qd0], axis=-1)
        # the last accepted state: its time, the state as stored, and its input; None before the first
        self.last: tuple[float, tuple[np.ndarray, np.ndarray], np.ndarray] | None = None
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
                    raise self._failed(solver)
                if self._passed(solver, stop, self.given.copy()):
                    self._settle()
                    return Status.EVENT
                self._check_pace(solver)
                if update is not None:
                    update(solver.t)
                solver = self._go_on(solver, stop)
            step = solver.h_abs
        self._store(problem.duration, self.y)
        self._settle()
        return Status.FINISHED

    def rescue(self) -> None:
        """After a failure, make the last accepted state the last sample, and compute qdd and tau of all samples."""
        with contextlib.suppress(SimulationError):
            self._settle()

    def _solver(self, start: float, stop: float, step: float | None) -> Any:
        """Return an integrator with SciPy's interface from one time to another; `step` is the last one's proposal."""
        raise NotImplementedError

    def _explicit(self, start: float, stop: float, step: float | None) -> Any:
        """Return an integrator by the Dormand-Prince method of order 8."""
        from scipy.integrate import DOP853

        problem = self.problem
        longest = problem.duration / LEAST_STEPS if not problem.given.constant else math.inf
        first = None if step is None else min(step, stop - start)
        return DOP853(self._rates, start, self.y, stop, rtol=problem.rtol, atol=problem.atol, max_step=longest, first_step=first)

    def _implicit(self, means: Means, start: float, stop: float, step: float | None) -> RadauSteps:
        """Return an integrator by Radau's method."""
        problem = self.problem
        # no step may skip a short push, or an event that comes and goes
        longest = problem.duration / LEAST_STEPS if problem.given.asked or problem.events else math.inf
        return RadauSteps(problem, means, start, stop, self.y, step, longest)

    def _rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Return the rates of a state; not finite where they cannot be computed."""
        raise NotImplementedError

    def _failed(self, solver: Any) -> SimulationError:
        """Return the error of an integrator that found no step."""
        raise NotImplementedError

    def _settle(self) -> None:
        """Store the last accepted state, if it is not yet, and compute qdd and tau of all samples."""
        record = self.record
        if self.last is not None and (not record.count or self.t > record.t[record.count - 1]):
            t, kept, given = self.last
            record.add(t, *kept, given)
        error = record.finish()
        if error is not None:
            raise error

    def _edges(self) -> list[float]:
        """Return the times at which the integrator restarts: the beginning, jumps, and the end."""
        duration, edges = self.problem.duration, [0.0]
        for jump in self.problem.given.jumps:
            if edges[-1] + SAME * duration < jump < duration * (1 - SAME):
                edges.append(float(jump))
        return [*edges, duration]

    def _check_pace(self, solver: Any) -> None:
        """Stop a run that would take far too many steps: it has hardly advanced in PATIENCE of them."""
        self.steps += 1
        if self.steps % PATIENCE:
            return
        advanced, self.mark = solver.t - self.mark, solver.t
        if advanced < max(SLOWEST * self.problem.duration, SHORTEST * PATIENCE):
            rate = self._rates(solver.t, solver.y)
            speeds = solver.y[..., self.nq :], rate[..., self.nq :]
            raise stuck(self._integrated_names(), solver.t, advanced / PATIENCE, *speeds)

    def _integrated_names(self) -> Sequence[str]:
        """Return the names of the velocities that are integrated."""
        return self.problem.velocity_names

    def _check_start(self) -> None:
        if not np.isfinite(self._rates(0.0, self.y)).all():
            raise self._failure(0.0, self.y)
        self.last = 0.0, self._kept(self.y), self.given.copy()

    def _failure(self, t: float, y: np.ndarray) -> SimulationError:
        """Return the error of a state from which the motion cannot continue."""
        return failure(self.problem, t, *self._state(y), self.given)

    def _passed(self, solver: Any, stop: float, given: np.ndarray) -> bool:
        """Store the samples of the step just made and look for events in it; return whether one ended the run."""
        times, same = self.record.times, SAME * self.problem.duration
        # samples within rounding of the step's end belong to it; at the end of an interval, they are stored when the next one
        # begins, with the input there
        reached = times - solver.t <= same if solver.t < stop else solver.t - times > same
        due = np.minimum(times[(times - solver.t_old > same) & reached], solver.t)
        dense = solver.dense_output() if len(due) or self.watch.events else None

        def at(t: float) -> np.ndarray:
            return self._mended(solver.y if t == solver.t or dense is None else dense(t))

        def state(t: float) -> tuple[np.ndarray, np.ndarray]:
            return self._state(at(t))

        for t in due if len(due) and due[-1] == solver.t else (*due, solver.t):
            if self.watch.events:
                end = self.watch.look(float(t), state)
                if end is not None:
                    y = at(end)
                    self.last = end, self._kept(y), self._given(end, *self._state(y))
                    return True
            if t in due:
                self._store(float(t), at(float(t)))
        self.y = self._mended(solver.y.copy())
        self.last = solver.t, self._kept(self.y), given
        return False

    def _mended(self, y: np.ndarray) -> np.ndarray:
        """Return a state of the integrator, with the errors that the system can correct removed."""
        return y

    def _go_on(self, solver: Any, stop: float) -> Any:
        """Return the integrator for the steps after the one that was accepted."""
        return solver

    def _store(self, t: float, y: np.ndarray) -> None:
        """Store a state with its input, if t is the time of a sample."""
        record = self.record
        due = record.times[record.count] if record.count < len(record.times) else math.inf
        if abs(t - due) <= SAME * self.problem.duration:
            record.add(float(due), *self._kept(y), self._given(t, *self._state(y)))

    def _given(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the input of a state to be stored."""
        given = np.broadcast_to(self.problem.given.value(t, q, qd), self.given_shape)
        if not np.isfinite(given).all():
            raise failure(self.problem, t, q, qd, given)
        return given

    def _state(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return q, with quaternions of length one, and qd, as controllers and events see them."""
        return unit_length(y[..., : self.nq].copy(), self.quaternions), y[..., self.nq :]

    def _kept(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return coordinates and velocities as they are stored."""
        return self._state(y)
