"""Card steps: fixed steps on an NVIDIA card. States stay there from step to step; the samples that are stored come back.

Inputs that depend on time alone, and the numbers of control laws, go to the card for many steps at once. A function of the state
is called between two steps, with arrays on the card if the run began with such, otherwise with NumPy arrays. Whether all numbers
are finite is looked at where a sample is stored.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.dynamics.integrate import STEPS
from ..compiler.cuda.arrays import DeviceArray, on_card
from ..compiler.cuda.backend import CUDA, Prepared
from ..compiler.cuda.device import Device, Flag, Stream
from ..compiler.cuda.layout import COLUMNS
from ..compiler.cuda.module import Launch
from ..compiler.cuda.views import view
from ..errors import SimulationError, StateError
from ..locks import once
from .card_memory import CardMemory, Port, port_of
from .events import Watch
from .inputs import SAME, Asked, Mixed
from .law import alone, law_of, under
from .progress import Update
from .record import Record, failure
from .status import Status

if TYPE_CHECKING:
    from .problem import Problem

AHEAD = 256  # steps whose inputs go to the card at once
ROOM = 1 << 23  # bytes of these
HALVES = 1 << 15  # states from which two halves go on a stream each: one fills the card while the last blocks of the other end


@once
def streams(card: Device) -> tuple[Stream, Stream]:
    """Return two streams of a card, which live as long as the process: memory is given back in their order."""
    return Stream(card), Stream(card)


class CardSteps:
    """One run of a fixed-step method on a card."""

    def __init__(self, problem: Problem, record: Record, watch: Watch) -> None:
        self.problem, self.record, self.t = problem, record, 0.0
        robot, given = problem.robot, problem.given
        backend = robot.backend
        assert isinstance(backend, CUDA)
        self.law = law_of(given, robot.model)
        parts = (given.forces, given.accelerations) if isinstance(given, Mixed) else (given,)
        self.calls = self.law is None and any(isinstance(x, Asked) for x in parts)  # a function of the state
        self.there = self.calls and problem.stream is not None and not isinstance(given, Mixed)  # with arrays on the card
        self.single = backend.precision == "single"
        self.card, (nq, nv, _) = backend.card(), problem.sizes
        own = streams(self.card)[: 2 if problem.n >= HALVES and not self.calls else 1]
        self.streams = [problem.stream or 0] if self.there else [x.handle for x in own]
        maker = STEPS[problem.method] if self.law is None else under(STEPS[problem.method], self.law)
        self.full: Any = robot._function(maker, (), **problem.options).prepared
        self.plain: Any = robot._function(alone(maker), (), **problem.options).prepared
        self.flag = Flag(self.card)
        self.memory = CardMemory(backend, problem.lead, problem.n, self.streams[0], max(nq, nv))
        self.states = [
            [self.memory.put(x) for x in (problem.q0, problem.qd0)],
            [self.memory.room(nq), self.memory.room(nv)],
        ]
        self.rates = [self.memory.room(nv), self.memory.room(nv)]
        self.extra = [self.memory.put(x) for x in problem.extra]
        self.steps = math.ceil(problem.duration / problem.dt - 1e-9)
        self.made: dict[Any, list[tuple[Launch, int]]] = {}
        self.tables: list[DeviceArray] = []
        self.rows = range(0)  # steps that the tables have
        self.value: Any = None  # of a function, at the present state

    def run(self, update: Update | None) -> Status:
        """Advance to the end."""
        try:
            return self._run(update)
        finally:
            self._wait()  # before memory in use is given back

    def _run(self, update: Update | None) -> Status:
        problem, record = self.problem, self.record
        every, report_every = math.ceil(problem.sample / problem.dt - 1e-6), max(1, self.steps // 200)
        record.add(0.0, problem.q0, problem.qd0)
        stored = True  # whether the present state is a sample
        for k in range(self.steps):
            now, after = self.states[k % 2], self.states[(k + 1) % 2]
            inputs = self._inputs(k, now, stored)
            self._launch(self.full if stored else self.plain, [*now, *after, *(self.rates if stored else ())], inputs)
            if stored:
                self._rates()
            self.t = self._time(k + 1)
            stored = (k + 1) % every == 0 or k + 1 == self.steps
            if stored:
                self._store(after)
            if update is not None and k % report_every == 0:
                update(self.t)
        # once more from the end, for accelerations and torques there
        now, after = self.states[self.steps % 2], self.states[(self.steps + 1) % 2]
        self._launch(self.full, [*now, *after, *self.rates], self._inputs(self.steps, now, True))
        self._rates()
        return Status.FINISHED

    def rescue(self) -> None:
        """After a failure, keep the samples whose accelerations and torques are known."""
        self.record.count = self.record.done

    def _time(self, k: int) -> float:
        return self.problem.duration if k >= self.steps else k * self.problem.dt

    # -- samples
    def _store(self, state: Sequence[DeviceArray]) -> None:
        """Store the present state, or raise the error that says when the motion blew up."""
        self.record.add(self.t, *self._fetched(state))

    def _fetched(self, state: Sequence[DeviceArray]) -> tuple[np.ndarray, np.ndarray]:
        """Return the present state on the host, or raise the error that says when the motion blew up."""
        self._wait()
        q, qd = map(self.memory.fetch, state)
        if self.flag.take():
            raise self._failure()
        return q, qd

    def _rates(self) -> None:
        """Complete the last sample."""
        record = self.record
        self._wait()
        qdd, tau = map(self.memory.fetch, self.rates)
        k = record.count - 1
        if not (np.isfinite(qdd).all() and np.isfinite(tau).all()):
            raise failure(self.problem, float(record.t[k]), record.q[k], record.qd[k], tau)
        record.qdd[k], record.tau[k], record.done = qdd, tau, record.count

    def _failure(self) -> SimulationError:
        k = self.record.done - 1
        before = float(self.record.t[k]) if k >= 0 else 0.0
        words = f"the motion blew up between t = {before:.6g} s and t = {self.t:.6g} s, two samples"
        return SimulationError(f"{words}. {Status.BLEW_UP.advice}", Status.BLEW_UP, before)

    def _wait(self) -> None:
        with self.card:
            for stream in self.streams:
                self.card.driver("cuStreamSynchronize", ctypes.c_void_p(stream))

    # -- steps
    def _launch(self, prepared: Prepared, arrays: Sequence[DeviceArray], inputs: Sequence[Port]) -> None:
        """Make a step: q and qd before, then the results; `inputs` stand between them."""
        key = (prepared, arrays[0], *[layout for _, _, layout in inputs])
        launches = self.made.get(key)
        if launches is None:
            launches = self.made[key] = self._launches(prepared, arrays, inputs)
        with self.card:
            for launch, moved in launches:
                for k, (address, step, layout) in enumerate(inputs, 2):
                    launch.values[2 * k] = address + moved if layout == COLUMNS else address
                    launch.values[2 * k + 1] = step
                launch()

    def _launches(self, prepared: Prepared, arrays: Sequence[DeviceArray], inputs: Sequence[Port]) -> list[tuple[Launch, int]]:
        """Return a launch for each stream, and how far its first sample is from that of the whole [bytes]."""
        ports = [self.memory.port(x) for x in arrays]
        ports = [*ports[:2], *inputs, *ports[2:]]
        module = prepared.module([layout for _, _, layout in ports])
        n, parts, item, found = self.problem.n, len(self.streams), self.memory.kind.itemsize, []
        for k, stream in enumerate(self.streams):
            first, end = n * k // parts, n * (k + 1) // parts
            launch = Launch(module, len(ports))
            places = [(at + first * item if layout == COLUMNS else at, step) for at, step, layout in ports]
            launch.set(places, end - first, self.flag.pointer, stream)
            found.append((launch, first * item))
        return found

    def _inputs(self, k: int, state: Sequence[DeviceArray], stored: bool) -> list[Port]:
        """Return what a step takes after q and qd: what drives it, dt, and loads."""
        if k not in self.rows:
            self._look_ahead(k)
        numbers = [self.memory.row(table, k - self.rows.start) for table in self.tables]
        if self.calls:
            numbers.insert(0, self._asked(k, state, stored))
        return [*numbers, *map(self.memory.port, self.extra)]

    def _look_ahead(self, k: int) -> None:
        """Bring inputs that depend on time alone to the card, for step k and some after it."""
        first, room = self._at(k), len(range(k, self.steps + 1))
        size = sum(x.size * (self.problem.n if x.ndim > 1 else 1) for x in first) * self.memory.kind.itemsize
        count = max(1, min(room, AHEAD, ROOM // size))
        rows = [first, *(self._at(i) for i in range(k + 1, k + count))]
        self._wait()  # the tables in use are given back
        self.tables = [self.memory.table(column) for column in zip(*rows, strict=True)]
        self.rows = range(k, k + count)

    def _at(self, k: int) -> list[np.ndarray]:
        """Return the inputs of a step that depend on time alone, each (size,) or (*lead, size): what drives it, and dt."""
        problem, t, none = self.problem, self._time(k), np.empty(0)
        dt = self._time(k + 1) - t if k + 1 == self.steps else problem.dt
        if self.calls:
            return [np.array([dt])]
        if self.law is not None:
            return [*(self._spread(x) for x in self.law.numbers(t)), np.array([dt])]
        problem.given.begin(t, none, none)
        return [self._spread(problem.given.over(t, self._length(k), none, none)), np.array([dt])]

    def _length(self, k: int) -> float:
        """Return the length of a step over which an input is held, 0 at the end."""
        left = self.problem.duration - self._time(k)
        return 0.0 if left <= SAME * self.problem.duration else min(self.problem.dt, left)

    def _spread(self, x: np.ndarray) -> np.ndarray:
        return (
            np.asarray(x) if np.ndim(x) == 1 and self.problem.lead else np.broadcast_to(x, (*self.problem.lead, np.shape(x)[-1]))
        )

    def _asked(self, k: int, state: Sequence[DeviceArray], stored: bool) -> Port:
        """Return the value of a function at the present state."""
        problem, record = self.problem, self.record
        q: Any
        qd: Any
        if self.there:
            q, qd = state
        elif stored:
            q, qd = record.q[record.count - 1], record.qd[record.count - 1]
        else:
            q, qd = self._fetched(state)
        problem.given.begin(self.t, q, qd)
        value: Any = problem.given.over(self.t, self._length(k), q, qd)
        if on_card(value):
            return self._of_function(value)
        if not np.isfinite(value).all():
            q, qd = (self.memory.fetch(x) for x in state) if self.there else (q, qd)
            raise failure(problem, self.t, q, qd, np.broadcast_to(value, qd.shape))
        self.value = self.memory.put(self._spread(value))
        return self.memory.port(self.value)

    def _of_function(self, value: Any) -> Port:
        """Return an array on a card that a function returned."""
        try:
            found = view(value, "the value of the function", (value.shape[-1],), self.single)
        except StateError as error:
            raise SimulationError(f"at t = {self.t:.6g} s {error}", Status.CONTROLLER_FAILED, self.t) from error
        if found.stream not in (None, *self.streams):
            with self.card:
                self.card.driver("cuStreamSynchronize", ctypes.c_void_p(found.stream))
        self.value = value  # lives until the next one
        return port_of(found)
