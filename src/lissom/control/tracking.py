"""Tracking: a motion compared with its reference, with motor torques and spring deflections."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..errors import StateError
from ..simulate import Controller, Trajectory
from .reference import ReferenceLike, as_reference

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..view.scene.build import SceneMotion

MOST = 1001  # samples at which a Lyapunov function is evaluated: enough for plots of long runs


@dataclass(frozen=True, eq=False)
class Tracking:
    """A motion of n joints beside its reference, T samples.

    Attributes:
        name: of the reference.
        t: (T,) [s].
        joints, units, torque_units: names of the joints and units of their coordinates and torques, n each.
        q, reference: actual and desired positions of the joints (T, n) [rad or m].
        torques: of the motors (T, n), of an elastic drive at its joint's place [N m or N].
        limits: largest permitted magnitudes of torques (n,); infinity where there is none.
        drives: for each of the e elastic drives the place of the joint that it drives.
        theta, deflections: of elastic drives: coordinates of motors, and deflections of springs (T, e) [rad or m].
        trajectory: the motion.
        lyapunov: V (L,) at the times `lyapunov_t` (L,), at most 1001 of the samples, those where it is a number; None where the
            controller has none, or none that covers the external wrenches.
    """

    name: str
    t: np.ndarray
    joints: tuple[str, ...]
    units: tuple[str, ...]
    torque_units: tuple[str, ...]
    q: np.ndarray
    reference: np.ndarray
    torques: np.ndarray
    limits: np.ndarray
    drives: tuple[int, ...]
    theta: np.ndarray
    deflections: np.ndarray
    trajectory: Trajectory
    lyapunov_t: np.ndarray
    lyapunov: np.ndarray | None

    def __repr__(self) -> str:
        return f"<Tracking of {self.name!r}: {len(self.joints)} joints, {len(self.t)} samples>"

    def _repr_html_(self) -> str:
        from ..view.summary_results import tracking_html

        return tracking_html(self)

    @property
    def errors(self) -> np.ndarray:
        """Reference - q (T, n) [rad or m]."""
        return self.reference - self.q

    @property
    def rms(self) -> np.ndarray:
        """Root of the mean square of the errors over all samples (n,)."""
        with np.errstate(over="ignore"):  # of a motion that blew up it is infinite
            return np.asarray(np.sqrt(np.mean(self.errors**2, axis=0)))

    @property
    def largest(self) -> np.ndarray:
        """Largest magnitude of the errors (n,)."""
        return np.abs(self.errors).max(axis=0)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure | Path:
        """Plot positions of links and motors, errors, torques and springs; return the path, or the Figure without one."""
        from ..view.control import plot_control

        return plot_control(self, path)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write an HTML page: a verdict, the motion in 3-D, interactive curves beside the reference, tables."""
        from ..view.report.tracking import report_tracking

        return report_tracking(self, path)

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion, and in another color the reference that it should follow, as `Trajectory.show`."""
        from ..view.show import show_motion

        if options.get("beside") is None and options.get("over") is None:
            options = {"title": self.name, "over": Wanted(self), **options}
        return show_motion(self, save=save, **options)

    def _scene_span(self) -> tuple[float, float]:
        return self.trajectory._scene_span()

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        return replace(self.trajectory._scene_motion(t), name="motion")


class Wanted:
    """The reference of a tracking, as a motion that can be shown."""

    def __init__(self, tracking: Tracking) -> None:
        self._tracking, self._robot = tracking, tracking.trajectory.robot

    def _scene_span(self) -> tuple[float, float]:
        return float(self._tracking.t[0]), float(self._tracking.t[-1])

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        """Return the reference; links stand where the joints are, wherever motors behind springs may be."""
        from ..view.scene.build import SceneMotion

        columns = [np.interp(t, self._tracking.t, column) for column in self._tracking.reference.T]
        motors = [columns[joint] for joint in self._tracking.drives]
        return SceneMotion(self._robot, t, np.stack([*columns, *motors], axis=-1), name="reference")


def track(trajectory: Trajectory, reference: ReferenceLike, controller: Controller | None = None, name: str = "") -> Tracking:
    """Compare a motion with a reference.

    Args:
        trajectory: the motion of one robot without spherical and floating joints.
        reference: as for a controller: a Reference, a SplinePath, an array (a constant posture), or a function of time.
        controller: its Lyapunov function is evaluated along the motion.
        name: for titles; by default the robot's.
    """
    robot = trajectory.robot
    n, e = robot.link_nv, robot.n_elastic
    if trajectory.q.ndim != 2:
        raise StateError(f"tracking needs one motion, and this trajectory has {trajectory.q.shape[1:-1]} of them")
    if robot.nq - e != n:
        raise StateError(f"tracking needs one coordinate per velocity, and {robot.name!r} has quaternions")
    follow = as_reference(reference, n, 0)
    wanted = np.array([follow.derivatives(float(t), 0)[0] for t in trajectory.t]).reshape(-1, n)
    torques, limits = trajectory.tau[:, :n].copy(), np.array(robot._effort_limits)
    drives = tuple(drive.joint for drive in robot._elastic_drives)
    for k, joint in enumerate(drives):
        torques[:, joint] += trajectory.tau[:, n + k]
        # motors that share a joint have no common limit that could be compared with their sum
        limits[joint] = limits[n + k] if drives.count(joint) == 1 else np.inf
    times, values = _lyapunov(trajectory, controller)
    return Tracking(
        name or robot.name,
        trajectory.t,
        robot.velocity_names[:n],
        robot.coordinate_units[:n],
        robot.torque_units[:n],
        trajectory.q[:, :n],
        wanted,
        torques,
        limits[:n],
        drives,
        trajectory.theta,
        trajectory.deflections,
        trajectory,
        times,
        values,
    )


def _lyapunov(trajectory: Trajectory, controller: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Return times and V there; None for V where the controller has none."""
    rows = np.unique(np.linspace(0, len(trajectory) - 1, MOST).round().astype(int)) if len(trajectory) else np.empty(0, int)
    t = trajectory.t[rows]
    function = getattr(controller, "lyapunov", None)
    if function is None:
        return t, None
    found = np.full(len(rows), np.nan)
    for i, k in enumerate(rows):
        with contextlib.suppress(StateError):  # it does not hold, or the motion diverges
            found[i] = function(float(t[i]), trajectory.q[k], trajectory.qd[k])
    good = np.isfinite(found)
    return (t[good], found[good]) if good.any() else (t, None)
