"""Singular poses of closed robots, in words and numbers.

Two kinds (Gosselin and Angeles 1990 distinguish more, by the two matrices of the closure):
    drive     with the active joints locked, the robot can still move: no torques produce a force along that motion
    closure   the equations of the loops lose rank: more motions become possible, and forces inside the loops have no limit
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algorithms.closed.closure import Plan
from ..model.names import velocity_names
from ..one_thread import one_thread
from .constraints import Constraints
from .mobility import null_space

LOST = 1e-5  # where the dynamics refuse an answer (elimination.SINGULAR), this names what is lost


@dataclass(frozen=True, eq=False)
class Singularity:
    """Singularity of a pose.

    Attributes:
        kind: "closure", "drive", or "none".
        margin: smallest singular value behind it, without units; zero at a singular pose.
        direction: velocities of the tree (nv,) of the motion that is nearest to being free while drives stand still ("drive"), or
            that is nearest to becoming possible ("closure"); the largest is one, in lengths and radians.
        joints: names of the velocities that take part, the fastest first.
        velocities: names of all velocities of the tree.
    """

    kind: str
    margin: float
    direction: np.ndarray
    joints: tuple[str, ...]
    velocities: tuple[str, ...]

    def __str__(self) -> str:
        if self.kind == "none":
            return f"not singular (margin {self.margin:.3g})"
        what = {
            "drive": "the active joints do not hold the robot: with all of them locked, it can move along",
            "closure": "the loops lose an equation: another motion becomes possible, along",
        }[self.kind]
        parts = ", ".join(f"{name} {self.direction_of(name):+.3g}" for name in self.joints[:6])
        return f"{what} {parts}{', ...' if len(self.joints) > 6 else ''}"

    def direction_of(self, name: str) -> float:
        """Return the velocity of a joint in the direction that is lost."""
        return float(self.direction[self.velocities.index(name)])


def judge(constraints: Constraints, plan: Plan, q: np.ndarray, lost: float = LOST) -> Singularity:
    """Return how singular a closed configuration q (nq,) is; singular is what has a margin below `lost`."""
    kept = [constraints.rows.index(row) for row in plan.rows]
    K = constraints.scaled(q)
    with one_thread(max(K.shape)):
        U, s, Vt = np.linalg.svd(K[kept])
    if s[-1] < lost * s[0]:
        # the motion that the lost equation no longer forbids: the last right singular vector of the rows
        return _named(constraints, "closure", float(s[-1]), Vt[len(s) - 1])
    N = null_space(K[kept])
    held = N[list(plan.active)]
    with one_thread(max(held.shape)):
        _, s, Vt = np.linalg.svd(held)
    kind = "drive" if s[-1] < lost else "none"
    return _named(constraints, kind, float(s[-1]), N @ Vt[-1])


def _named(constraints: Constraints, kind: str, margin: float, direction: np.ndarray) -> Singularity:
    names = velocity_names(constraints.model)
    direction = direction / np.abs(direction).max()
    order = [k for k in np.argsort(-np.abs(direction), kind="stable") if abs(direction[k]) > 1e-6]
    direction = direction * np.sign(direction[order[0]])
    return Singularity(kind, margin, direction * constraints.column_units, tuple(names[k] for k in order), names)
