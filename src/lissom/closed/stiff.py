"""Implicit steps of closed robots: rates and their derivatives along the velocities of a plan, for Radau's method.

A state is (q of the tree, x), x the velocities of `plan.independent`. The stages of a step close the loops only as well as the
method integrates q, so that derivatives are needed by all coordinates of the tree, not only along motions that keep the loops
closed: a stiff spring at a dependent joint feels every one of them. They are exact (`algorithms/closed/derivatives.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.closed import forward as closed_forward
from ..algorithms.closed import steps as closed_steps
from ..algorithms.closed.closure import Plan
from ..algorithms.closed.derivatives import derivatives
from ..errors import StateError
from ..manifold import integrate_configuration
from ..simulate.record import failure
from ..simulate.state_jacobian import EPS, NUDGE, kinematics, swing_weights

if TYPE_CHECKING:
    from ..simulate.radau import Radau
    from .record import ClosedProblem


class ClosedStages:
    """Rates of one state at several times.

    Attributes:
        given: torques at the last evaluation of the rates, (copies, n_active).
    """

    def __init__(self, problem: ClosedProblem, plan: Plan, copies: int) -> None:
        robot, self.problem, self.nq = problem.closed, problem, problem.sizes[0]
        self.rates = robot._quick(closed_steps.state_rates, (self.nq + len(plan.independent),), plan=plan, **problem.options)
        self.speeds = robot._quick(closed_steps.tree_velocities, (robot.model.nv,), plan=plan)
        self.given = np.zeros((copies, problem.sizes[2]))
        self.extra = [np.array(np.broadcast_to(x, (copies, x.shape[-1]))) for x in problem.extra]

    def __call__(self, times: Sequence[float] | np.ndarray, y: np.ndarray) -> np.ndarray | None:
        """Return the rates of the states y (copies, 1, nq + n) at `times` (copies,); None where they are not finite."""
        if not np.isfinite(y).all():
            return None
        q, x = (np.ascontiguousarray(part) for part in np.split(y[:, 0], [self.nq], axis=-1))
        given = self.problem.given
        try:
            if not given.asked:
                self.given[:] = given.value(float(times[0]), q[0], x[0])
            else:
                seen = self.problem.shown(q, self.speeds(q, x))
                for k, t in enumerate(times):
                    self.given[k] = given.value(float(t), seen[0][k], seen[1][k])
                    if not np.isfinite(self.given[k]).all():
                        raise failure(self.problem, float(t), seen[0][k], seen[1][k], self.given[k])
            return self.rates(q, x, self.given, *self.extra)[:, None]
        except StateError:  # a pose that has no rates
            return None


class ClosedSlopes:
    """Derivatives of the rates of one state.

    Attributes:
        by_q, by_qd: of the accelerations of x, (1, n, n).
        weights, noise, differences: as in `simulate/state_jacobian.py`.
    """

    def __init__(self, problem: ClosedProblem, plan: Plan) -> None:
        self.problem, self.differences = problem, False
        robot, self.nq, self.n = problem.closed, problem.sizes[0], len(plan.independent)
        shape = (self.nq + self.n, robot.model.nv + self.n + problem.sizes[2])
        self.table = robot._function(derivatives, shape, plan=plan, of=closed_steps.state_rates, whole=True, **problem.options)
        own = replace(plan, coordinates=plan.independent)
        self.mass = robot._function(closed_forward.mass_matrix, (self.n, self.n), plan=own)
        self.speeds = robot._quick(closed_steps.tree_velocities, (robot.model.nv,), plan=plan)
        self.by_q, self.by_qd, self.weights = np.zeros((3, 1, self.n, self.n))
        self.noise = np.zeros((1, self.n))
        self.J = np.zeros((self.nq + self.n,) * 2)  # of all rates by all of the state

    def update(self, t: float, q: np.ndarray, x: np.ndarray, xd: np.ndarray) -> bool:
        """Compute everything at a state q (1, nq), x and its accelerations (1, n); return whether it is finite."""
        n, problem, model = self.n, self.problem, self.problem.closed.model
        P = kinematics(model, q, np.zeros((1, model.nv)))[2][0]  # from rates of coordinates to velocities
        try:
            q, x = q[0].copy(), x[0].copy()
            G = self.speeds(np.tile(q, (n, 1)), np.eye(n)).T  # velocities of the tree along x
            tau = np.array(np.broadcast_to(problem.given.value(t, *problem.shown(q, self.speeds(q, x))), (problem.sizes[2],)))
            by_tree, by_x, by_tau = np.split(self.table([q, x, tau, *problem.extra]), [model.nv, model.nv + n], axis=1)
            M = self.mass([q])
            L = np.linalg.inv(np.linalg.cholesky(M))
        except (StateError, np.linalg.LinAlgError):
            return False
        along = by_tree @ G
        if self.differences:
            tau_q, tau_x = np.split(by_tau @ self._differences(t, q, x), 2, axis=1)
            by_tree, by_x, along = by_tree + tau_q @ np.linalg.pinv(G), by_x + tau_x, along + tau_q
        self.J = np.concatenate([by_tree @ P, by_x], axis=1)
        self.by_q, self.by_qd = along[None, self.nq :], by_x[None, self.nq :]
        self.weights = swing_weights(L[None], M[None] @ self.by_q)
        sizes = np.abs(q).max(initial=0.0), np.abs(x).max(initial=0.0)
        rounded = EPS * (np.abs(self.by_q).sum(axis=-1) * sizes[0] + np.abs(self.by_qd).sum(axis=-1) * sizes[1])
        self.noise = (np.abs(self.weights) @ rounded[..., None])[..., 0]
        return bool(np.isfinite(self.J).all())

    def inverses(self, method: Radau, h: float) -> np.ndarray:
        """Return (lambda / h - J)^-1 of all systems, (m, 1, nq + n, nq + n)."""
        return np.linalg.inv((method.eigenvalues / h)[:, None, None, None] * np.eye(len(self.J)) - self.J)

    def _differences(self, t: float, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the derivatives (n_active, 2 n) of what a controller gives, one-sided: each costs a call of it."""
        given, shown, model = self.problem.given, self.problem.shown, self.problem.closed.model

        def ask(q: np.ndarray, x: np.ndarray) -> np.ndarray:
            return np.broadcast_to(given.value(t, *shown(q, self.speeds(q, x))), (self.problem.sizes[2],))

        here, columns = ask(q, x), []
        for axis in np.eye(self.n):
            columns.append((ask(integrate_configuration(model, q, NUDGE * self.speeds(q, axis)), x) - here) / NUDGE)
        for k, axis in enumerate(np.eye(self.n)):
            step = NUDGE * max(1.0, abs(float(x[k])))
            columns.append((ask(q, x + step * axis) - here) / step)
        return np.stack(columns, axis=-1)
