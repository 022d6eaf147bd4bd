"""Least squares of markers, all frames at once: damped Gauss-Newton steps, each one call of a compiled program (`fit_task.py`).

The cost of a frame is sum(w_i |m_i(q) - d_i|^2) / (2 sum(w_i)) + sum(c_k (q_k - r_k)^2) / 2, as OpenSim's, over the markers that
were seen.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

import numpy as np

from ..compiler.run import Function
from ..locks import once_property
from ..robot import Robot
from .fit_task import Place, marker_step

STEPS = 200
FIRST, LEAST, MOST = 1e-7, 1e-14, 1e12  # damping, relative to the diagonal
ROUNDING = 1e-13  # share of the cost by which it may grow in a step


@dataclass(frozen=True, eq=False)
class Problem:
    """Markers of a robot's links and what they are compared with.

    Attributes:
        robot: of coordinates that add up.
        places: the M markers, each a link and a point in its frame [m].
        seen: (N, 3 M) measured places [m], zero where not seen.
        weights: (N, M) weights, zero where not seen, of sum one in each frame.
        pull: (n,) weights of coordinates; `target`: their values, (n,) or (N, n).
        lower, upper: (n,) bounds.
        kept: functions made before, by what they are for: loading one takes milliseconds.
    """

    robot: Robot
    places: tuple[Place, ...]
    seen: np.ndarray
    weights: np.ndarray
    pull: np.ndarray
    target: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    kept: dict[Hashable, Function] = field(default_factory=dict)

    @once_property
    def _function(self) -> Function:
        bounds = tuple(zip(self.lower.tolist(), self.upper.tolist(), strict=True))
        key = (self.places, tuple(self.pull.tolist()), bounds)
        if key not in self.kept:
            task = marker_step(self.robot.model, *key)
            self.kept[key] = Function(self.robot.model, task, (), self.robot.backend, self.robot._describe)
        return self.kept[key]

    def frames(self, rows: np.ndarray) -> Problem:
        """Return the problem of some frames."""
        target = self.target[rows] if self.target.ndim == 2 else self.target
        part = replace(self, seen=self.seen[rows], weights=self.weights[rows], target=target)
        part.__dict__["_function"] = self._function
        return part

    def step(self, q: np.ndarray, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the cost (N,), squared distances (N, M) [m^2] and the step (N, n) at coordinates (N, n) with dampings (N,)."""
        cost, squared, step = self._function((q, self.seen, self.weights, self.target, damping[:, None]))
        return cost[:, 0], squared, step

    def cost(self, q: np.ndarray) -> np.ndarray:
        """Return the cost (N,) of each frame."""
        return self.step(q, np.ones(len(q)))[0]


def solve(problem: Problem, q: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates (N, n) from first ones, and whether each frame has come to rest.

    A step after which the cost is larger is taken back, and made again with more damping (Levenberg and Marquardt).
    """
    q = np.clip(q, problem.lower, problem.upper)
    rest = np.zeros(len(q), bool)
    todo = np.arange(len(q))
    part, x, damping = problem, q.copy(), np.full(len(q), FIRST)
    cost, _, step = part.step(x, damping)
    for _ in range(STEPS):
        to = np.clip(x + step, part.lower, part.upper)
        moved = np.abs(to - x).max(axis=1)
        found, _, ahead = part.step(to, np.maximum(damping / 10.0, LEAST))
        better = found <= cost * (1.0 + ROUNDING) + 1e-300
        x, cost, step = np.where(better[:, None], to, x), np.where(better, found, cost), np.where(better[:, None], ahead, step)
        damping = np.where(better, np.maximum(damping / 10.0, LEAST), damping * 100.0)
        done = (better & (moved <= tolerance)) | (damping > MOST)
        if done.any():
            q[todo[done]], rest[todo[done]] = x[done], damping[done] <= MOST
            keep = ~done
            todo, x, cost, step, damping, better = todo[keep], x[keep], cost[keep], step[keep], damping[keep], better[keep]
            part = part.frames(keep)
        if not len(todo):
            return q, rest
        if not better.all():
            again = ~better
            step[again] = part.frames(again).step(x[again], damping[again])[2]
    q[todo] = x
    return q, rest
