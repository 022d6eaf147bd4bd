"""Plans: the velocities of a closed robot that are integrated at a pose, so that all others follow from them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.closed import steps as closed_steps
from ..algorithms.closed.closure import Plan
from ..errors import StateError
from ..one_thread import one_thread
from .mobility import null_space

if TYPE_CHECKING:
    from .robot import ClosedRobot

POOR, BETTER = 0.1, 2.0  # independence below which others are looked for, and how many times better these have to be
MOVED = 0.02  # [rad, or lengths of the mechanism] from the last place that was looked at, after which it is done again


class Plans:
    """Chooses velocities of a mechanism (coordinate partitioning; Wehage and Haug 1982)."""

    def __init__(self, robot: ClosedRobot) -> None:
        self.robot, self.constraints, self.first = robot, robot.constraints, robot.plan
        self._kept = [robot.constraints.rows.index(row) for row in robot.plan.rows]
        self.near = MOVED * min(1.0, robot.constraints.length)
        self.check = robot._check_redundant if robot.mobility().redundant else _nothing
        self._last: tuple[Plan, np.ndarray] | None = None  # what was chosen last, and where

    def chosen(self, plan: Plan, q: np.ndarray) -> Plan:
        """Return the plan, or one along other velocities where they are nearly dependent at the configuration q.

        Raises:
            StateError: equations that were left out as redundant no longer hold: the motion went through a singular pose.
        """
        if self._last is not None and self._last[0] is plan and np.abs(q - self._last[1]).max() < self.near:
            return plan
        self.check(q[None])
        found = self.looked_for(plan, q)
        self._last = found, np.array(q)
        return found

    def independence(self, plan: Plan, q: np.ndarray) -> np.ndarray:
        """Return how independent the velocities of a plan are (m,) at configurations (m, nq): 1 at best, 0 at a dead point.

        All velocities are G x, measured in their natural units. Along an orthonormal basis N of the motions that the loops allow,
        x = N_x y, and the least singular value of N_x is one over the largest of G.
        """
        nv, units, own = self.robot.model.nv, self.constraints.column_units, list(plan.independent)
        speeds = self.robot._quick(closed_steps.tree_velocities, (nv,), plan=plan)
        G = np.empty((len(q), nv, len(own)))
        try:
            for j, k in enumerate(own):
                x = np.zeros((len(q), len(own)))
                x[:, j] = units[k]
                G[:, :, j] = speeds(q, x) / units
        except StateError:  # one of them is at a dead point; each is looked at closely
            return np.zeros(len(q))
        with one_thread(len(own)):
            return 1.0 / np.sqrt(np.linalg.eigvalsh(np.einsum("kij,kil->kjl", G, G))[:, -1])

    def looked_for(self, plan: Plan, q: np.ndarray) -> Plan:
        """Return the plan, or a better one, whatever was chosen before."""
        if self.independence(plan, q[None])[0] > POOR:
            return plan
        N = null_space(self.constraints.scaled(q)[self._kept])
        with one_thread(max(N.shape)):
            best = _most_independent(N)
            own, better = (np.linalg.svd(N[list(x)], compute_uv=False)[-1] for x in (plan.independent, best))
        if better < BETTER * own:
            return plan
        return dataclasses.replace(plan, independent=best)


class Groups:
    """Plans of many states side by side, each with its own.

    Attributes:
        states: indices of the states that have a plan.
        switches: how often a state has changed it.
    """

    def __init__(self, choice: Plans, q: np.ndarray) -> None:
        self.choice, self._plans = choice, [choice.first] * len(q)
        self._at, self._reach = np.full(q.shape, np.inf), np.full(len(q), choice.near)
        self.states: dict[Plan, np.ndarray] = {choice.first: np.arange(len(q))}
        self.switches = 0
        self.update(q)
        self.switches = 0  # the choice at the start of a run does not count

    def update(self, q: np.ndarray) -> None:
        """Choose anew for the states (n, nq) that have moved, where their velocities are nearly dependent; see `Plans.chosen`."""
        moved = np.flatnonzero(np.abs(q - self._at).max(axis=1) >= self._reach)
        if not len(moved):
            return
        self.choice.check(q[moved])
        self._at[moved] = q[moved]
        changed = 0
        for plan, own in list(self.states.items()):
            mine = moved if len(self.states) == 1 else own[np.isin(own, moved, assume_unique=True)]
            independence = self.choice.independence(plan, q[mine])
            # far from dependence, it is a longer way until they could be dependent
            self._reach[mine] = self.choice.near * np.maximum(1.0, (independence - POOR) / POOR)
            for k in mine[~(independence > POOR)].tolist():
                self._plans[k] = self.choice.looked_for(plan, q[k])
                changed += self._plans[k] != plan
        if changed:
            self.switches += changed
            found: dict[Plan, list[int]] = {}
            for k, plan in enumerate(self._plans):
                found.setdefault(plan, []).append(k)
            self.states = {plan: np.array(own) for plan, own in found.items()}


def _nothing(q: np.ndarray) -> None:
    """Check nothing: no equation was left out."""


def _most_independent(N: np.ndarray) -> tuple[int, ...]:
    """Return as many rows of N as it has columns, chosen one by one as the largest that is left (QR with pivoting)."""
    from scipy.linalg import qr

    order = qr(N.T, pivoting=True, mode="r")[1]
    return tuple(sorted(int(k) for k in order[: N.shape[1]]))
