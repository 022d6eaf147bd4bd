"""Timing: the result, a motion along a path, with the limits it reaches and their violation between grid points."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..arrays import Times
from ..errors import StateError
from ..locks import lazy_property
from ..nlp import Solution
from ..protocol import DrivenRobot
from ..simulate import Trajectory
from ..spline import SplinePath
from ..spline.check import numbers, positive, within
from .audit import Active, Violation, active_limits, violations
from .limits import Bounds
from .profile import Profile, Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..view.scene.build import SceneMotion


@dataclass(frozen=True, eq=False, repr=False)
class Timing:
    """The fastest motion along a path.

    Attributes:
        robot: the robot.
        path: the curve, with s as its time (its duration is 1).
        limits: of the motion, (2, nv) each.
        profile: s over time, on a grid of points `profile.s` at times `profile.times`.
        solution: of the nonlinear program, where rates of torques are limited; otherwise None.
    """

    robot: DrivenRobot
    path: SplinePath
    limits: Bounds
    profile: Profile
    solution: Solution | None = None

    def __repr__(self) -> str:
        return f"<Timing of {self.robot.name!r}: {self.duration:.6g} s, {len(self.profile.s)} points>"

    def _repr_html_(self) -> str:
        from ..view.summary_results import timing_html

        return timing_html(self)

    @property
    def duration(self) -> float:
        """Travel time [s]."""
        return float(self.profile.times[-1])

    def progress(self, t: Times) -> Progress:
        """Return s, sdot, sddot and sdddot at times t (...) [s] in 0 ... duration."""
        t = numbers(t, "t")
        end = self.duration
        within(t, "t", " s", -1e-12 * end, end * (1 + 1e-12))
        return self.profile.at(np.clip(t, 0.0, end))

    def s(self, t: Times) -> np.ndarray:
        """Return the position on the path, 0 ... 1, at times t (...) [s]."""
        return self.progress(t).s

    def states(self, t: Times) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd and qddd, each (..., nv), at times t (...) [s]."""
        return self._moved(self.progress(t))

    def torques(self, t: Times) -> np.ndarray:
        """Return joint torques (..., nv) [N m or N] at times t (...) [s]; Coulomb friction at rest is that of starting."""
        return self.robot.inverse_dynamics(*self._moved(_moving(self.progress(t)))[:3])

    def torque_rates(self, t: Times) -> np.ndarray:
        """Return torque rates (..., nv) [N m/s or N/s] at times t (...) [s], without jumps."""
        return self.robot.torque_rates(*self.states(t))

    def trajectory(self, dt: float | None = None) -> Trajectory:
        """Return the motion as samples: t, q, qd, qdd and tau at equal steps of about dt [s], by default 500 of them."""
        step = self.duration / 500 if dt is None else positive(dt, "dt", "s")
        count = max(1, round(self.duration / step))
        if count > 10_000_000:
            raise StateError(f"dt is {step:g} s, which makes {count} samples of {self.duration:g} s; take a longer one")
        t = np.linspace(0.0, self.duration, count + 1)
        q, qd, qdd, _ = self.states(t)
        return self.robot.as_trajectory(t, q, qd, qdd, self.torques(t))

    @lazy_property
    def violation(self) -> dict[str, Violation]:
        """Largest violation of each limit on a grid ten times finer, by the names of the limits.

        Torques and their rates are evaluated anew, by `robot.inverse_dynamics` and `robot.torque_rates`.
        """
        times, progress = self.profile.within(10)
        return violations(self.robot, self.limits, progress, self._moved(_moving(progress)))

    @lazy_property
    def active(self) -> tuple[Active, ...]:
        """Limits that are reached, with their times, in order of time."""
        times, progress = self.profile.within(2)
        return active_limits(self.robot, self.limits, times, progress, self._moved(_moving(progress)))

    def plot(self, path: str | os.PathLike[str] | None = None, what: str = "tau") -> Figure | Path:
        """Plot "tau", "torque_rate", "qd", "qdd" with their limits, or "s"; return the path, or else the Figure."""
        from ..view.timing import plot_timing

        return plot_timing(self, path, what)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write an HTML page that needs nothing else: a verdict, the motion in 3-D, interactive curves with limits, tables."""
        from ..view.report.timing import report_timing

        return report_timing(self, path)

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion in three dimensions, as `Trajectory.show`."""
        from ..view.show import show_motion

        return show_motion(self, save=save, **options)

    def _scene_span(self) -> tuple[float, float]:
        return 0.0, self.duration

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        from ..view.scene.build import SceneMotion

        q, qd, qdd, _ = self.states(t)
        return SceneMotion(self.robot, t, q, qd, qdd, self.torques(t))

    def _moved(self, progress: Progress) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        p, p1, p2, p3 = self.path.states(progress.s)
        sd, sdd, sddd = (rate[..., None] for rate in progress[1:])
        return p, p1 * sd, p2 * sd**2 + p1 * sdd, p3 * sd**3 + 3.0 * p2 * sd * sdd + p1 * sddd


def _moving(progress: Progress) -> Progress:
    """Return the progress with a tiny speed at rest, so that Coulomb friction has the sign of the motion next to it."""
    return progress._replace(sd=np.maximum(progress.sd, 1e-12 * progress.sd.max(initial=1e-100)))
