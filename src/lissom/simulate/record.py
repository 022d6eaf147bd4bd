"""Record: the stored states of a run in progress."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.dynamics.integrate import state_rates
from ..errors import SimulationError, StateError
from .memory_check import check_room
from .repeat import Repeat, address
from .status import Status
from .trajectory import Trajectory

if TYPE_CHECKING:
    from .events import Watch
    from .problem import Problem


class Record:
    """Arrays with room for every sample; `count` of them are filled.

    Inputs (a torque or an acceleration per velocity) wait in `tau` until `finish` computes qdd and tau; `done` rows have theirs.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.count, self.done = problem, 0, 0
        lead, (nq, nv, n_given) = problem.lead, problem.sizes
        check_room(problem.samples, problem.n * (nq + 2 * nv + n_given) + 1, f" of {problem.n} states" if lead else "")
        self.times = problem.times()
        room = len(self.times) + 1  # one more: a run may end between two samples
        try:
            self.t = np.empty(room)
            self.q, self.qd, self.qdd, self.tau = (np.empty((room, *lead, size)) for size in (nq, nv, nv, n_given))
        except MemoryError:
            raise StateError(f"not enough memory for {room - 1} samples; store fewer: a longer sample=") from None

    def add(self, t: float, q: np.ndarray, qd: np.ndarray, given: np.ndarray | float = math.nan) -> None:
        """Store a state and its input; NaN where that is not known."""
        k = self.count
        self.t[k], self.q[k], self.qd[k], self.tau[k] = t, q, qd, given
        self.count = k + 1

    def trajectory(self, status: Status, message: str, watch: Watch) -> Trajectory:
        """Return the stored samples as a trajectory."""
        n, problem = self.count, self.problem
        t, q, qd, qdd, tau = (x[:n] for x in (self.t, self.q, self.qd, self.qdd, self.tau))
        said = (tuple(watch.found), watch.unfired(), problem.method, problem.choice, problem.external)
        return Trajectory(problem.robot, t, q, qd, qdd, tau, status, message, *said)

    def finish(self) -> SimulationError | None:
        """Compute qdd and tau of the samples that are not done, at once.

        Samples from the first on whose qdd or tau is not finite are dropped; the error that explains it is returned.
        """
        problem, first, m = self.problem, self.done, self.count - self.done
        if m <= 0:
            return None
        rows = slice(first, self.count)
        n = m * problem.n
        inputs = [np.ascontiguousarray(x[rows]) for x in (self.q, self.qd, self.tau)]
        inputs += [np.array(np.broadcast_to(x, (m, *x.shape)), order="C") for x in problem.extra]
        rate, qdd, tau = (np.empty((m, *problem.lead, x.shape[-1])) for x in (self.q, self.qd, self.qd))
        function = problem.robot._function(state_rates, (), **problem.options)
        Repeat(function, (n,), n)([address(x) for x in (*inputs, rate, qdd, tau)])
        self.qdd[rows], self.tau[rows] = qdd, tau
        good = np.isfinite(qdd).reshape(m, -1).all(axis=1) & np.isfinite(tau).reshape(m, -1).all(axis=1)
        self.count = self.done = first + (m if good.all() else int(good.argmin()))
        if good.all():
            return None
        k = self.count
        return failure(problem, float(self.t[k]), self.q[k], self.qd[k], inputs[2][k - first])


def failure(
    problem: Problem, t: float, q: np.ndarray, qd: np.ndarray, given: np.ndarray, why: str | None = None
) -> SimulationError:
    """Return the error that explains why the motion cannot continue from the state q, qd (*lead, n) under the input.

    `why` is the reason found by the dynamics, if there is one already.
    """
    names, when = problem.velocity_names, f"at t = {t:.6g} s"

    def where(row: tuple[int, ...]) -> str:
        return f" of sample {row}" if row else ""

    # a controller returned values that are not finite
    bad = np.argwhere(~np.isfinite(given))
    if len(bad):
        *row, entry = (int(i) for i in bad[0])
        known, name = problem.options.get("torque_known"), problem.given_names[entry]
        what = "torque" if known is None or known[entry] else "acceleration"
        value = given[(*row, entry)]
        text = f"the {what} of joint {name!r}{where(tuple(row))} is {value} {when}; {what}s must be finite"
        return SimulationError(text, Status.CONTROLLER_FAILED, t, name)
    # otherwise the motion itself: the fastest joint shows it, and the dynamics may know more
    *row, entry = (int(i) for i in np.unravel_index(int(np.abs(qd).argmax()), qd.shape))
    at = tuple(row)
    text = f"the motion blew up {when}: joint {names[entry]!r}{where(at)} moves at {qd[(*at, entry)]:.3g}"
    text += f" (q = {_short(q[at])}, qd = {_short(qd[at])})"
    more = problem.why(q[at], qd[at], given[at]) if why is None else why
    text += f"; {more}" if more else ""
    return SimulationError(f"{text}. {Status.BLEW_UP.advice}", Status.BLEW_UP, t, names[entry])


def stuck(names: Sequence[str], t: float, step: float, qd: np.ndarray, qdd: np.ndarray) -> SimulationError:
    """Return the error of a run whose steps have become too short; `names` are those of the velocities."""
    *row, entry = (int(i) for i in np.unravel_index(int(np.abs(qdd).argmax()), qdd.shape))
    which = f" of sample {tuple(row)}" if row else ""
    text = f"the motion hardly advances at t = {t:.6g} s, by steps of {step:.1e} s: "
    text += f"joint {names[entry]!r}{which} moves at {qd[(*row, entry)]:.3g}"
    return SimulationError(f"{text}. {Status.STUCK.advice}", Status.STUCK, t, names[entry])


def _short(x: np.ndarray) -> str:
    shown = ", ".join(f"{v:.4g}" for v in x[:8])
    return f"[{shown}{', ...' if len(x) > 8 else ''}]"
