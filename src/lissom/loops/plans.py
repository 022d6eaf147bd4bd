"""Plans: which velocities of a mechanism with loops are integrated where it is, so that all others follow from them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.closure import Plan
from .mobility import null_space

if TYPE_CHECKING:
    from .robot import ClosedRobot

POOR, BETTER = 0.1, 2.0  # independence below which others are looked for, and how many times better these have to be
MOVED = 0.02  # [rad, or lengths of the mechanism] from the last place that was looked at, after which it is done again


class Plans:
    """Chooses velocities of a mechanism (coordinate partitioning; Wehage and Haug 1982)."""

    def __init__(self, robot: ClosedRobot) -> None:
        self.constraints, self.first = robot.constraints, robot.plan
        self._kept = [robot.constraints.rows.index(row) for row in robot.plan.rows]
        self._near = MOVED * min(1.0, robot.constraints.length)
        self._last: tuple[Plan, np.ndarray] | None = None  # what was chosen last, and where

    def chosen(self, plan: Plan, q: np.ndarray) -> Plan:
        """Return the plan, or one along other velocities where its own are nearly dependent at the configuration q."""
        if self._last is not None and self._last[0] is plan and np.abs(q - self._last[1]).max() < self._near:
            return plan
        found = self._looked_for(plan, q)
        self._last = found, np.array(q)
        return found

    def _looked_for(self, plan: Plan, q: np.ndarray) -> Plan:
        N = null_space(self.constraints.scaled(q)[self._kept])
        own = np.linalg.svd(N[list(plan.independent)], compute_uv=False)[-1]
        if own > POOR:
            return plan
        best = _most_independent(N)
        if np.linalg.svd(N[list(best)], compute_uv=False)[-1] < BETTER * own:
            return plan
        return dataclasses.replace(plan, independent=best)


def _most_independent(N: np.ndarray) -> tuple[int, ...]:
    """Return as many rows of N as it has columns, chosen one by one as the largest that is left (QR with pivoting)."""
    from scipy.linalg import qr

    order = qr(N.T, pivoting=True, mode="r")[1]
    return tuple(sorted(int(k) for k in order[: N.shape[1]]))
