"""Fixed steps: all states of a batch advanced together by machine code, one call per step.

States go straight from one stored sample to the next; between samples they take three scratch places in turn.
"""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.dynamics.integrate import STEPS
from ..errors import SimulationError
from .events import Watch
from .inputs import SAME
from .progress import Update
from .record import Record, failure
from .repeat import Repeat, address
from .status import Status

if TYPE_CHECKING:
    from .problem import Problem

LOOK = 3  # scratch place for looking ahead; those below it take turns


class Shelf:
    """States of one quantity in a row: read-only arrays, and their addresses."""

    def __init__(self, arrays: np.ndarray) -> None:
        self.shown = arrays.view()
        self.shown.flags.writeable = False  # a controller may read, not write
        self.start, self.stride = address(arrays), arrays.strides[0]

    def at(self, k: int) -> int:
        """Return the address of place k."""
        return self.start + k * self.stride


class FixedStep:
    """One run of a fixed-step method."""

    def __init__(self, problem: Problem, record: Record, watch: Watch) -> None:
        self.problem, self.record, self.watch = problem, record, watch
        lead, (nq, nv, n_given) = problem.lead, problem.sizes
        self.given, self.dt = np.zeros((*lead, n_given)), np.full((problem.n, 1), problem.dt)
        # stored samples, and four scratch places: three to take in turn, so that the state before stays, one to look ahead
        self.scratch = [np.empty((LOOK + 1, *lead, size)) for size in (nq, nv, nv, n_given)]
        self.places = [[Shelf(x) for x in (record.q, record.qd, record.qdd, record.tau)], [Shelf(x) for x in self.scratch]]
        self.fixed = [address(self.given), address(self.dt), *(address(x) for x in problem.extra)]
        self.now, self.t = (0, 0), 0.0  # present place: (0, sample) or (1, scratch place)
        self.before: tuple[tuple[int, int], float] | None = None  # place and time of the state before
        self.asked = False  # whether `given` belongs to the present state
        self._prepare()

    def _prepare(self) -> None:
        """Compile a step."""
        problem = self.problem
        function = problem.robot._function(STEPS[problem.method], (), **problem.options)
        self.step = Repeat(function, problem.lead, problem.n)

    def run(self, update: Update | None) -> Status:
        """Advance to the end, or to a terminal event."""
        problem, record = self.problem, self.record
        steps, every = math.ceil(problem.duration / problem.dt - 1e-9), math.ceil(problem.sample / problem.dt - 1e-6)
        record.add(0.0, problem.q0, problem.qd0)
        self._ask()
        self.watch.begin(0.0, *self._shown(self.now))
        report_every = max(1, steps // 200)
        for k in range(steps):
            last = k + 1 == steps
            t_next = problem.duration if last else (k + 1) * problem.dt
            if last:
                self.dt[:] = t_next - self.t
            self._ask()
            sample, rest = divmod(k + 1, every)
            stored = rest == 0 or last
            after = (0, sample + (rest > 0)) if stored else (1, (k + 1) % LOOK)
            if not self._advance(after):
                raise self._failure()
            if self.watch.events and self._look(t_next, after):
                self._settle()
                return Status.EVENT
            self.before = self.now, self.t
            self.now, self.t, self.asked = after, t_next, problem.given.constant
            if stored:
                record.t[after[1]], record.count = t_next, after[1] + 1
            if update is not None and k % report_every == 0:
                update(t_next)
        self._ask()
        self._settle()
        return Status.FINISHED

    def _failure(self) -> SimulationError:
        return failure(self.problem, self.t, *self._shown(self.now), self.given)

    def rescue(self) -> None:
        """After a failure, make the last completely known state the last sample: the present one, or the one before."""
        record = self.record
        if self.asked:
            with contextlib.suppress(SimulationError):
                self._settle()
                return
        if record.count and record.t[record.count - 1] >= self.t:
            record.count -= 1
        if self.before is not None:
            (shelf, k), t = self.before
            if not record.count or t > record.t[record.count - 1]:
                q, qd, qdd, tau = (x.shown[k] for x in self.places[shelf])
                record.add(t, q, qd, tau)
                record.qdd[record.count - 1] = qdd
        self._fill(record.count)

    def _settle(self) -> None:
        """Make the present state the last sample, with qdd and tau, or raise the error that explains why not."""
        record = self.record
        if not record.count or self.t > record.t[record.count - 1]:
            record.add(self.t, *self._state(self.now), self.given)
        else:
            record.tau[record.count - 1] = self.given
        self._fill(record.count - 1)
        error = record.finish()
        if error is not None:
            raise error

    def _fill(self, count: int) -> None:
        """Record that steps have filled in qdd and tau of so many samples."""
        self.record.done = count

    def _ask(self) -> None:
        """Evaluate the input at the present state."""
        if not self.asked:
            q, qd = self._shown(self.now)
            self.problem.given.begin(self.t, q, qd)
            left = self.problem.duration - self.t
            step = 0.0 if left <= SAME * self.problem.duration else min(float(self.dt[0, 0]), left)
            self.given[...] = self.problem.given.over(self.t, step, q, qd)
            self.asked = True

    def _advance(self, after: tuple[int, int]) -> bool:
        """Make the step from the present place to another; qdd and tau go with the sample that it starts from, if it is one."""
        (shelf, k), (shelf_next, k_next) = self.now, after
        q, qd, *_ = self.places[shelf]
        q_next, qd_next, *_ = self.places[shelf_next]
        _, _, qdd, tau = self.places[shelf]
        given, dt, *extra = self.fixed
        return self.step((q.at(k), qd.at(k), given, dt, *extra, q_next.at(k_next), qd_next.at(k_next), qdd.at(k), tau.at(k)))

    def _state(self, place: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        q, qd, *_ = self.places[place[0]]
        return q.shown[place[1]], qd.shown[place[1]]

    def _shown(self, place: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Return q and qd as controllers and events see them."""
        return self._state(place)

    def _look(self, t_next: float, after: tuple[int, int]) -> bool:
        """Look for events on the way to the next state, by shorter steps; at a terminal one, such a step ends the run."""
        whole = float(self.dt[0, 0])

        def at(s: float) -> tuple[int, int]:
            if s == t_next:
                return after
            self.dt[:] = s - self.t
            self._advance((1, LOOK))
            self.dt[:] = whole
            return 1, LOOK

        end = self.watch.look(t_next, lambda s: self._shown(at(s)))
        if end is None:
            return False
        q, qd = self._state(at(end))
        self.scratch[0][LOOK], self.scratch[1][LOOK] = q, qd
        self.before = self.now, self.t
        self.now, self.t = (1, LOOK), end
        return True
