"""Run: one simulation of a mechanism with loops.

What is integrated is the configuration of the tree and as many velocities as there are degrees of freedom. No velocity can break
the closure, since all others follow from these; positions are brought back to it after every step, by the error of that step,
which is as small as the tolerances. Energy is therefore what the integrator makes of it, and nothing pulls at the mechanism.
Where the velocities that were chosen come near to losing their independence, as those of a crank at a dead point of its slider,
others are chosen (coordinate partitioning; Wehage and Haug 1982).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms import closed_forward, closed_kinematics, closed_steps
from ..algorithms.closure import Plan
from ..errors import SimulationError, StateError
from .base import _even_if_singular
from .mobility import null_space
from .trajectory import ClosedTrajectory

if TYPE_CHECKING:
    from .robot import ClosedRobot

POOR, BETTER = 0.1, 2.0  # independence below which others are looked for, and how many times better these have to be


class Run:
    """One simulation."""

    def __init__(self, robot: ClosedRobot, given: Any, duration: float, sample: float) -> None:
        self.robot, self.given, self.duration = robot, given, duration
        self.nq = robot.model.nq
        count = int(np.ceil(duration / sample - 1e-9))
        self.times = np.append(np.arange(count) * sample, duration)
        self.parts: list[tuple[Plan, np.ndarray, np.ndarray, np.ndarray]] = []  # plan, tree, x and tau of a sample

    def adaptive(self, q: np.ndarray, v: np.ndarray, rtol: float, atol: float) -> ClosedTrajectory:
        """Integrate one state with steps of the integrator's own choice."""
        from scipy.integrate import DOP853

        robot = self.robot
        plan, switches = self._chosen(robot.plan, q), 0
        edges = [0.0, *(t for t in self.given.jumps if 0 < t < self.duration), self.duration]
        y = np.concatenate([q, v[list(plan.independent)]])
        step: float | None = None
        for begin, end in zip(edges[:-1], edges[1:], strict=True):
            self.given.begin(begin, *self._coordinates(plan, y))
            if begin == 0.0:
                self._store(plan, 0.0, y)
            solver = DOP853(self._rates(plan), begin, y, end, rtol=rtol, atol=atol, first_step=step, max_step=self._longest())
            while solver.status == "running":
                try:
                    solver.step()
                except StateError as error:
                    raise SimulationError(f"at t = {solver.t:.6g} s: {error}", _blew_up(), solver.t) from error
                if solver.status == "failed":
                    raise SimulationError(
                        f"the motion cannot go on at t = {solver.t:.6g} s: {solver.message}", _blew_up(), solver.t
                    )
                self._between(plan, solver)
                y = np.concatenate([self._settled(plan, solver.y[: self.nq]), solver.y[self.nq :]])
                chosen = self._chosen(plan, y[: self.nq])
                if chosen is not plan:
                    speeds = self._speeds(plan, y)
                    plan, switches = chosen, switches + 1
                    y = np.concatenate([y[: self.nq], speeds[list(plan.independent)]])
                    if solver.status == "running":
                        solver = DOP853(self._rates(plan), solver.t, y, end, rtol=rtol, atol=atol, max_step=self._longest())
                    continue
                solver.y, solver.f = y, solver.fun(solver.t, y)
            step = min(solver.h_abs, edges[-1] - end) or None
        return self._finish((), switches)

    def _longest(self) -> float:
        return np.inf if self.given.constant else self.duration / 50

    def _between(self, plan: Plan, solver: Any) -> None:
        """Store the samples that a step has passed."""
        inside = self.times[(self.times > solver.t_old) & (self.times <= solver.t)]
        if len(inside):
            dense = solver.dense_output()
            for t in inside.tolist():
                y = dense(t)
                self._store(plan, t, np.concatenate([self._settled(plan, y[: self.nq]), y[self.nq :]]))

    def _store(self, plan: Plan, t: float, y: np.ndarray) -> None:
        tau = np.broadcast_to(self.given.value(t, *self._coordinates(plan, y)), (len(self.robot.active_names),))
        self.parts.append((plan, y[: self.nq].copy(), y[self.nq :].copy(), np.array(tau, dtype=float)))

    def _rates(self, plan: Plan) -> Callable[[float, np.ndarray], np.ndarray]:
        robot, nq = self.robot, self.nq
        quick = robot._quick(closed_steps.state_rates, (nq + len(plan.independent),), plan=plan)
        if self.given.constant or not self.given.asked:

            def held(t: float, y: np.ndarray) -> np.ndarray:
                return quick(y[:nq], y[nq:], np.asarray(self.given.value(t, y, y), dtype=float))

            return held

        def asked(t: float, y: np.ndarray) -> np.ndarray:
            tau = np.asarray(self.given.value(t, *self._coordinates(plan, y)), dtype=float)
            return quick(y[:nq], y[nq:], tau)

        return asked

    def _speeds(self, plan: Plan, y: np.ndarray) -> np.ndarray:
        quick = self.robot._quick(closed_steps.tree_velocities, (self.robot.model.nv,), plan=plan)
        return quick(np.ascontiguousarray(y[..., : self.nq]), np.ascontiguousarray(y[..., self.nq :]))

    def _coordinates(self, plan: Plan, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.robot.coordinates(y[..., : self.nq]), self._speeds(plan, y)[..., list(plan.coordinates)]

    def _settled(self, plan: Plan, q: np.ndarray) -> np.ndarray:
        """Bring a configuration back to closure, the independent coordinates as they are."""
        quick = self.robot._quick(closed_kinematics.dependent_step, (self.nq + self.robot.model.nv,), plan=plan)
        for _ in range(6):
            found = quick(np.ascontiguousarray(q))
            q = found[: self.nq]
            if np.abs(found[self.nq :] / self.robot.constraints.column_units).max() < 1e-9:
                break
        return q

    def _chosen(self, plan: Plan, q: np.ndarray) -> Plan:
        """Return the plan, or one along other velocities where its own are nearly dependent."""
        N = null_space(self.robot.constraints.scaled(q)[self._kept])
        own = np.linalg.svd(N[list(plan.independent)], compute_uv=False)[-1]
        if own > POOR:
            return plan
        best = _most_independent(N)
        if np.linalg.svd(N[list(best)], compute_uv=False)[-1] < BETTER * own:
            return plan
        return dataclasses.replace(plan, independent=best)

    @property
    def _kept(self) -> list[int]:
        rows = self.robot.constraints.rows
        return [rows.index(row) for row in self.robot.plan.rows]

    def fixed(self, q: np.ndarray, v: np.ndarray, dt: float, lead: tuple[int, ...]) -> ClosedTrajectory:
        """Advance many states side by side, by steps of one length."""
        robot, nq = self.robot, self.nq
        plan = robot.plan if lead else self._chosen(robot.plan, q)
        n = len(plan.independent)
        parts = (q, v[..., list(plan.independent)])
        y = np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])).reshape(-1, x.shape[-1]) for x in parts], axis=1)
        step = robot._function(closed_steps.rk4_step, (nq + n,), plan=plan)
        settle = robot._function(closed_kinematics.dependent_step, (nq + robot.model.nv,), plan=plan)
        steps = int(np.ceil(self.duration / dt - 1e-9))
        due = 0
        for k in range(steps + 1):
            t = min(k * dt, self.duration)
            coordinates = [x.reshape(*lead, -1) for x in self._coordinates(plan, y)]
            self.given.begin(t, *coordinates)
            tau = np.broadcast_to(self.given.value(t, *coordinates), (*lead, len(robot.active_names))).reshape(len(y), -1)
            if t >= self.times[due] - 1e-9 * dt:
                self.parts.append((plan, y[:, :nq].copy(), y[:, nq:].copy(), np.array(tau, dtype=float)))
                due += 1
            if k == steps:
                break
            h = np.array([min(dt, self.duration - t)])
            try:
                y = step([y[:, :nq], y[:, nq:], np.ascontiguousarray(tau, dtype=float), h])
            except StateError as error:
                raise SimulationError(f"at t = {t:.6g} s: {error}", _blew_up(), t) from error
            y[:, :nq] = _even_if_singular(settle, [np.ascontiguousarray(y[:, :nq])])[:, :nq]
        return self._finish(lead, 0)

    def _finish(self, lead: tuple[int, ...], switches: int) -> ClosedTrajectory:
        """Compute what belongs to the stored states."""
        robot, nv = self.robot, self.robot.model.nv
        tree, speeds, rates, forces = [], [], [], []
        for plan, q, x, tau in self.parts:
            v = self._speeds(plan, np.concatenate([q, x], axis=-1))
            along = np.zeros((*tau.shape[:-1], nv))
            along[..., list(plan.active)] = tau
            found = robot._function(closed_forward.tree_dynamics, (nv + len(plan.rows),), plan=plan)([q, v, along])
            tree.append(q)
            speeds.append(v)
            rates.append(found[..., :nv])
            forces.append(found[..., nv:])
        tables = [np.array(x) for x in (tree, speeds, rates, forces, [tau for _, _, _, tau in self.parts])]
        q, v, a, f, tau = (x.reshape(len(x), *lead, x.shape[-1]) for x in tables)
        c = list(robot.plan.coordinates)
        motion = (robot.coordinates(q), v[..., c], a[..., c], tau, q, v, a, f)
        return ClosedTrajectory(robot, self.times, *motion, switches)


def _most_independent(N: np.ndarray) -> tuple[int, ...]:
    """Return as many rows of N as it has columns, chosen one by one as the largest that is left (QR with pivoting)."""
    from scipy.linalg import qr

    order = qr(N.T, pivoting=True, mode="r")[1]
    return tuple(sorted(int(k) for k in order[: N.shape[1]]))


def _blew_up() -> Any:
    from ..simulate.status import Status

    return Status.BLEW_UP
