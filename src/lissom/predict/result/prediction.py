"""Prediction: the motion that was found, with its limits, goals and status."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import Times
from ...errors import NameLookupError, StateError
from ...nlp.solution import Solution
from ...nlp.status import Status
from ...protocol import DrivenRobot
from ...simulate import Trajectory
from ...spline import SplinePath
from ..data.part import AnyPath
from ..problem.description import Description, describe
from ..problem.problem import MotionProblem
from .goal_values import Goal, goal_values
from .rounds import LimitReport as LimitReport
from .rounds import Refinement as Refinement
from .with_drives import WithDrives
from .with_loads import WithLoads
from .with_muscles import WithMuscleForces
from .with_scene import WithScene
from .with_times import POINTS as POINTS
from .with_times import WithTimes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


FOUND = (Status.SOLVED, Status.ACCEPTABLE)  # the solver's status where the motion is a solution
FINER = 10  # times finer than the grid of the solution: the grid on which limits are checked afterward
SHORTEST = 1000  # parts of the duration, of which the shortest span has one, at most
BETWEEN_KNOTS = 16  # instants of an exported motion from one knot to the next: the motion between them can be interpolated


@dataclass(eq=False)
class Prediction(WithMuscleForces, WithLoads, WithDrives, WithTimes, WithScene):
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
        channels: the channels of the problem by name, splines of the same times.
        goals: label, weight and value of every term of the objective.
        limit_tolerance: relative violation allowed at any time; infinite where only instants counted.
        ends: where clocks begin and end, as fractions of the duration; see `Phases`.
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
    channels: dict[str, AnyPath] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)
    limit_tolerance: float = math.inf
    ends: tuple[float, ...] = (0.0, 1.0)
    description: Description = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # a problem may be changed after it was solved: its description then is kept here
        if isinstance(self.problem, Description):
            self.description = self.problem
        else:
            self.description = describe(self.problem)
            self.goals = goal_values(self.problem, self.motion)

    @property
    def name(self) -> str:
        """Name of the problem."""
        return self.description.name

    @property
    def success(self) -> bool:
        """Whether the solver reached its tolerance, and limits hold at all times within theirs."""
        return self.status in FOUND

    @property
    def violation(self) -> float:
        """Largest limit violation between grid points, relative to the limit's scale."""
        return max((limit.violation / limit.scale for limit in self.limits), default=0.0)

    def channel(self, name: str, t: Times, order: int = 0) -> np.ndarray:
        """Return the entries of a channel (..., size) at times, or their derivatives by time of that order."""
        if name not in self.channels:
            raise NameLookupError("channel", str(name), self.channels)
        return self.channels[name].rate(t, order)

    def joint_wrenches(self, t: Times, *, axes: str = "joint") -> np.ndarray:
        """Return force [N] and moment [N m] through every joint (..., n_joints, 6) at times."""
        q, qd, qdd = self.coordinates(t)
        return self.robot.joint_wrenches(q, qd, qdd, external=self._external(t), axes=axes)

    def trajectory(self, points: int | None = None) -> Trajectory:
        """Return the motion of the whole robot as samples at equal times: t, q, qd, qdd and tau.

        Args:
            points: how many; None takes enough to interpolate the torques (`simulate.Interpolated`): 16 between
                knots, where the torques of a spline have kinks, and samples at the knots themselves.
        """
        t = self.times(self._samples if points is None else points)
        q, qd, qdd = self.coordinates(t)
        return self.robot.as_trajectory(t, q, qd, qdd, self.torques(t), external=self._external(t))

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
        """Write an HTML page that needs nothing else: a verdict, the motion in 3-D, interactive curves with limits, tables."""
        from ...view.page import check_ending
        from ...view.report.prediction import report_prediction
        from .curves import columns, limited

        path, t = check_ending(path), self.times(self._samples)
        curves = columns(self, t)
        return report_prediction(self, t, curves, limited(self, t, curves), path)

    def animate(self, path: str | os.PathLike[str], frames: int = 60, seconds: float | None = None) -> Path:
        """Write a GIF of the robot along the motion, with the paths of its tips.

        Args:
            path: file to write (.gif).
            frames: pictures from start to end.
            seconds: duration of the GIF [s]; None for that of the motion, slowed down to at least 3 s.
        """
        from ...view.animation import write_animation

        return write_animation(self, path, frames, seconds)

    @property
    def _samples(self) -> int:
        """Number of instants from which the motion can be interpolated, knots among them."""
        basis = self.path.basis
        spans = basis.spans if basis.even else min(SHORTEST, int(np.ceil(1.0 / np.diff(basis.span_ends).min())))
        return spans * max(BETWEEN_KNOTS, -(-(POINTS - 1) // spans)) + 1

    def _repr_html_(self) -> str:
        from ...view.summary_results import prediction_html

        return prediction_html(self)

    def __repr__(self) -> str:
        worst = f", violation {self.violation:.1e}" if self.limits else ""
        return (
            f"<Prediction of {self.name!r}: {self.duration:.6g} s, objective {self.objective:.8g}, "
            f"{self.status.name.lower()} after {self.iterations} iterations{worst}>"
        )
