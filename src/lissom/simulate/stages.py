"""Stages: rates of several copies of the states of a run, each copy at its own time, in one call of machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.dynamics.integrate import state_rates
from .quaternions import unit_length
from .record import failure
from .repeat import Repeat, address

if TYPE_CHECKING:
    from .problem import Problem


class Stages:
    """Rates of the n states of a problem at several times.

    Attributes:
        given: the input at the last evaluation of the rates, (copies, *lead, nv).
    """

    def __init__(self, problem: Problem, copies: int) -> None:
        robot, lead, n = problem.robot, problem.lead, problem.n
        self.problem, self.copies = problem, copies
        self.places = problem.quaternions()
        self.q, self.qd, self.given = (np.zeros((copies, *lead, size)) for size in (robot.nq, robot.nv, robot.nv))
        self.rate, self.qdd, tau = (np.empty((copies, n, size)) for size in (robot.nq, robot.nv, robot.nv))
        self.shown = [x.view() for x in (self.q, self.qd)]
        for view in self.shown:
            view.flags.writeable = False  # a controller may read, not write
        extra = [np.array(np.broadcast_to(x, (copies, *x.shape)), order="C") for x in problem.extra]
        self.run = Repeat(robot._function(state_rates, (), **problem.options), (copies * n,), copies * n)
        self.kept = (*extra, tau)  # keeps them alive
        self.addresses = [address(x) for x in (self.q, self.qd, self.given, *extra, self.rate, self.qdd, tau)]

    def __call__(self, times: Sequence[float] | np.ndarray, y: np.ndarray) -> np.ndarray | None:
        """Return the rates of the states y (copies, n, nq + nv) at `times` (copies,); None where they are not finite."""
        if not np.isfinite(y).all():
            return None
        nq, shape = self.problem.robot.nq, self.q.shape[:-1]
        self.q[:], self.qd[:] = y[..., :nq].reshape(*shape, nq), y[..., nq:].reshape(self.qd.shape)
        self._ask(times)
        if not self.run(self.addresses):
            bad = np.argwhere(~np.isfinite(self.given))
            if len(bad):
                k = int(bad[0][0])
                raise failure(self.problem, float(times[k]), self.q[k], self.qd[k], self.given[k])
            return None
        return np.concatenate([self.rate, self.qdd], axis=-1)

    def _ask(self, times: Sequence[float] | np.ndarray) -> None:
        given = self.problem.given
        q, qd = self.shown
        if not given.asked:
            self.given[:] = given.value(float(times[0]), q[0], qd[0])
            return
        for k, t in enumerate(times):
            seen = unit_length(q[k].copy(), self.places) if self.places else q[k]
            self.given[k] = given.value(float(t), seen, qd[k])
