"""Prediction: the motion that was found, and what is to be known about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..nlp.solution import Solution
from ..nlp.status import Status
from ..robot import Robot
from ..spline import SplinePath
from .problem import MotionProblem

FINER = 10  # times finer is the grid on which limits are checked afterwards


@dataclass(frozen=True)
class LimitReport:
    """What became of one entry of a limit.

    Attributes:
        label, unit: what is limited.
        lower, upper: its bounds, in that unit.
        active: share of the instants at which it is at a bound.
        violation: how far it is beyond a bound at worst, on a grid ten times finer, in that unit.
        at: when that is [s].
        multiplier: the largest of its multipliers: what a unit more of the bound would gain.
    """

    label: str
    unit: str
    lower: float
    upper: float
    active: float
    violation: float
    at: float
    multiplier: float
    scale: float


@dataclass(frozen=True)
class Refinement:
    """One round of solving: control points, objective, worst violation between instants as a share of its scale, iterations."""

    control_points: int
    objective: float
    violation: float
    iterations: int
    seconds: float


@dataclass(eq=False)
class Prediction:
    """A motion found for a problem.

    Attributes:
        problem: what was asked.
        path: the motion.
        objective: its cost.
        status, message: how the solver ended, and advice where that is not well.
        iterations, seconds: of the solver, all rounds together.
        setup_seconds: compiling and preparing, apart.
        limits: what became of every limit.
        rounds: solutions on coarser splines before, and this one.
        solution: of the nonlinear program: multipliers, history; a start for another solve.
    """

    problem: MotionProblem
    path: SplinePath
    objective: float
    status: Status
    message: str
    iterations: int
    seconds: float
    setup_seconds: float
    limits: list[LimitReport]
    rounds: list[Refinement]
    solution: Solution = field(repr=False)

    @property
    def robot(self) -> Robot:
        """Whose motion it is."""
        return self.problem.robot

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.path.duration

    @property
    def success(self) -> bool:
        """Whether the solver reached its tolerance."""
        return self.status in (Status.SOLVED, Status.ACCEPTABLE)

    @property
    def violation(self) -> float:
        """The worst violation of a limit between the instants at which they are enforced, as a share of its scale."""
        return max((limit.violation / limit.scale for limit in self.limits), default=0.0)

    def times(self, points: int = 201) -> np.ndarray:
        """Return instants from the start to the end [s]."""
        return np.linspace(0.0, self.duration, points)

    def states(self, t: Any) -> tuple[np.ndarray, ...]:
        """Return q, qd, qdd and qddd (..., nv) at times."""
        return self.path.states(t)

    def torques(self, t: Any) -> np.ndarray:
        """Return joint forces (..., nv) [N m or N] at times."""
        q, qd, qdd, _ = self.states(t)
        return self.robot.inverse_dynamics(q, qd, qdd, self.problem.external)

    def torque_rates(self, t: Any) -> np.ndarray:
        """Return rates of the joint forces (..., nv) [N m/s or N/s] at times."""
        q, qd, qdd, qddd = self.states(t)
        return self.robot.force_rates(q, qd, qdd, qddd, self.problem.external)

    def joint_wrenches(self, t: Any, frame: str = "joint") -> np.ndarray:
        """Return force [N] and moment [N m] through every joint (..., n_joints, 6) at times."""
        q, qd, qdd, _ = self.states(t)
        return self.robot.joint_wrenches(q, qd, qdd, self.problem.external, frame=frame)

    def __repr__(self) -> str:
        worst = f", violation {self.violation:.1e}" if self.limits else ""
        return (
            f"<Prediction of {self.problem.name!r}: {self.duration:.6g} s, objective {self.objective:.8g}, "
            f"{self.status.name.lower()} after {self.iterations} iterations{worst}>"
        )
