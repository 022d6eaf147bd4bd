"""Prediction: the motion that was found, with its limits, goals and status."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...arrays import Times
from ...errors import StateError
from ...nlp.solution import Solution
from ...nlp.status import Status
from ...protocol import DrivenRobot
from ...spline import SplinePath
from ..problem.description import Description, bounds, describe
from ..problem.goals import Goal, goal_values
from ..problem.problem import MotionProblem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...robot import Robot
    from ...robot.elastic import DriveMotion
    from ...simulate import Trajectory

FOUND = (Status.SOLVED, Status.ACCEPTABLE)  # the solver's status where the motion is a solution
FINER = 10  # times finer is the grid on which limits are checked afterwards
MOST = 10_000_000  # instants of one result
POINTS = 201  # instants of plots and, at least, of exported motions
BETWEEN_KNOTS = 16  # instants of an exported motion from one knot to the next: the motion between them can be interpolated


@dataclass(frozen=True)
class LimitReport:
    """Check of one entry of a limit.

    Attributes:
        label, unit: of the limited entry.
        lower, upper: its bounds, in that unit.
        active: share of the instants at which it is at a bound.
        violation: largest distance beyond a bound, on a grid ten times finer, in that unit.
        at: its time [s].
        multiplier: the sum of its multipliers: gain in the objective per unit by which both bounds are relaxed.
        scale: magnitude of a notable change, in that unit.
        shares: fractions of the duration at which it holds; empty for all the time.
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
    shares: tuple[float, ...] = ()

    @property
    def bounds(self) -> str:
        """The bounds in words."""
        return bounds(self.lower, self.upper, self.unit)


@dataclass(frozen=True)
class Refinement:
    """One round of solving: control points, instants at which limits are enforced, objective, violation, iterations.

    The violation is the largest, also between instants, relative to the limit's scale.
    """

    control_points: int
    instants: int
    objective: float
    violation: float
    iterations: int
    seconds: float


@dataclass(eq=False)
class Prediction:
    """A motion found for a problem.

    Attributes:
        problem: the problem; of a prediction from a file, its description.
        path: the motion.
        objective: its cost.
        status, message: how the solver ended, and advice where it did not succeed.
        iterations, seconds: of the solver, all rounds together.
        setup_seconds: of compiling and preparing, in addition.
        limits: the check of every limit.
        rounds: solutions on coarser splines before, and this one.
        solution: of the nonlinear program: multipliers, history; a start for another solve.
        goals: label, weight and value of every term of the objective.
        limit_tolerance: relative violation allowed at any time; infinite where only instants counted.
        description: the problem in words, as it was when it was solved.
    """

    problem: MotionProblem | Description
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
    goals: list[Goal] = field(default_factory=list)
    limit_tolerance: float = math.inf
    description: Description = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # a problem may be changed after it was solved: its description then is kept here
        if isinstance(self.problem, Description):
            self.description = self.problem
        else:
            self.description = describe(self.problem)
            self.goals = goal_values(self.problem, self.path)

    @property
    def name(self) -> str:
        """Name of the problem."""
        return self.description.name

    @property
    def robot(self) -> DrivenRobot:
        """The robot."""
        return self.description.robot

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.path.duration

    @property
    def success(self) -> bool:
        """Whether the solver reached its tolerance, and limits hold at all times within theirs."""
        return self.status in FOUND

    @property
    def violation(self) -> float:
        """Largest limit violation between grid points, relative to the limit's scale."""
        return max((limit.violation / limit.scale for limit in self.limits), default=0.0)

    def times(self, points: int = POINTS) -> np.ndarray:
        """Return instants from the start to the end [s]."""
        if not isinstance(points, int) or not 2 <= points <= MOST:
            raise StateError(f"points is {points!r}, expected a number of instants from 2, the start and the end, to {MOST}")
        return np.linspace(0.0, self.duration, points)

    def states(self, t: Times) -> tuple[np.ndarray, ...]:
        """Return q, qd, qdd and qddd (..., n) of the joints at times."""
        return self.path.states(t)

    def coordinates(self, t: Times) -> tuple[np.ndarray, ...]:
        """Return q, qd and qdd (..., nv) of the whole robot at times: joints, then motors behind springs."""
        return self.robot.path_state(self._rates(t), self.description.external)

    def drives(self, t: Times) -> DriveMotion:
        """Return theta of motors behind springs at times, its rates, and tau, as in `elastic_inverse_dynamics`."""
        robot, (q, qd, qdd, qddd, qdddd) = self._elastic, self._rates(t)
        return robot.elastic_inverse_dynamics(q, qd, qdd, qddd, qdddd, external=self.description.external)

    def deflections(self, t: Times) -> np.ndarray:
        """Return theta - q - rest of elastic drives (..., n_elastic) [rad or m] at times."""
        q, qd, qdd, _ = self.states(t)
        return self._elastic.drive_deflections(q, qd, qdd, external=self.description.external)

    def torques(self, t: Times) -> np.ndarray:
        """Return joint torques (..., nv) [N m or N] at times, as `simulate` takes them; zero at joints behind springs."""
        return self.robot.path_torques(self._rates(t), self.description.external)

    def torque_rates(self, t: Times) -> np.ndarray:
        """Return rates of the joint torques (..., nv) [N m/s or N/s] at times."""
        return self.robot.path_torque_rates(self._rates(t, 1), self.description.external)

    def joint_wrenches(self, t: Times, *, axes: str = "joint") -> np.ndarray:
        """Return force [N] and moment [N m] through every joint (..., n_joints, 6) at times."""
        q, qd, qdd = self.coordinates(t)
        return self.robot.joint_wrenches(q, qd, qdd, external=self.description.external, axes=axes)

    def trajectory(self, points: int | None = None) -> Trajectory:
        """Return the motion of the whole robot as samples at equal times: t, q, qd, qdd and tau.

        Args:
            points: how many; None takes enough to interpolate the torques (`simulate.Interpolated`): 16 between
                knots, where the torques of a spline have kinks, and samples at the knots themselves.
        """
        spans = len(self.path.points) - self.path.degree
        t = self.times(spans * max(BETWEEN_KNOTS, -(-(POINTS - 1) // spans)) + 1 if points is None else points)
        q, qd, qdd = self.coordinates(t)
        return self.robot.as_trajectory(t, q, qd, qdd, self.torques(t), external=self.description.external)

    def save(self, path: str | os.PathLike[str], points: int | None = None) -> Path:
        """Write the prediction to a file.

        Args:
            path: .npz for everything, which `load` reads; .csv for the motion alone, with the columns t, q_*, qd_*, qdd_* and
                tau_*, which `lissom.Trajectory.load`, `lissom torque` and `lissom simulate --state --torque` read.
            points: lines of a CSV; None is as many as `trajectory` has, from which `lissom simulate` makes the motion again.
        """
        from .files import save

        return save(self, path, points)

    @classmethod
    def load(cls, path: str | os.PathLike[str], robot: DrivenRobot) -> Prediction:
        """Read a prediction of `robot` that `save` wrote; its `problem` is a description, and it can be a start of solve.

        Files of another robot and damaged files raise a FileError.
        """
        from .files import load

        return load(path, robot)

    def plot(
        self, path: str | os.PathLike[str] | None = None, joints: Sequence[str] | None = None, points: int = POINTS
    ) -> Figure | Path:
        """Plot joint torques, positions and velocities with limits, joint reaction forces, and a strobe picture.

        Motors behind springs are shown with their joints: torques, positions and velocities, and the spring's deflection.

        Args:
            path: file to write (.png, .svg or .pdf).
            joints: names of those to show; None for all.
            points: instants of the curves.

        Returns:
            The path, or the matplotlib Figure where no path was given.
        """
        from ...view.prediction import MOST, plot_prediction
        from .curves import columns

        if isinstance(points, int) and points > MOST:
            raise StateError(f"points is {points}, expected {MOST} at most")
        t = self.times(points)
        return plot_prediction(self, t, columns(self, t), path, joints)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write a self-contained HTML page: plots, limits, goals, rounds, timing, the problem and the status."""
        from ...view.prediction_report import write_report

        return write_report(self, path)

    def animate(self, path: str | os.PathLike[str], frames: int = 60, seconds: float | None = None) -> Path:
        """Write a GIF of the robot as a stick figure along the motion.

        Args:
            path: file to write (.gif).
            frames: pictures from start to end.
            seconds: duration of the GIF [s]; None for that of the motion, slowed down to at least 3 s.
        """
        from ...view.animation import write_animation

        return write_animation(self, path, frames, seconds)

    def _rates(self, t: Any, more: int = 0) -> list[np.ndarray]:
        """Return the path and the derivatives that torques depend on, and some more of them."""
        return [self.path.rate(t, order) for order in range(self.robot.path_order + 1 + more)]

    @property
    def _elastic(self) -> Robot:
        """The robot, if it has motors behind springs."""
        if not self.robot.n_elastic:
            raise StateError(
                f"robot {self.robot.name!r} has no motors behind springs, so no drives or deflections; use states and torques"
            )
        return cast("Robot", self.robot)

    def _repr_html_(self) -> str:
        from ...view.summary import prediction_html

        return prediction_html(self)

    def __repr__(self) -> str:
        worst = f", violation {self.violation:.1e}" if self.limits else ""
        return (
            f"<Prediction of {self.name!r}: {self.duration:.6g} s, objective {self.objective:.8g}, "
            f"{self.status.name.lower()} after {self.iterations} iterations{worst}>"
        )
