"""MomentumObserver: torques from outside along a motion, without accelerations; wrenches on links and collisions from them.

The functions are those of the robot's catalogue, `momentum_observer` and `felt_wrench`, which a controller can have compiled or
exported; here is their use from sample to sample. See `algorithms/dynamics/generalized_momentum.py`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

import lissom

from ..arrays import Gains, Positions, Times, Torques, Velocities
from ..errors import StateError
from ..robot import Robot
from ..wrench import Wrench

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion
    from ..view.scene.recorded import Recorded


class MomentumObserver:
    """The observer of a robot's torques from outside, sample by sample.

    Args:
        robot: a Robot.
        gain: 1 over the time constant, one or one per torque [1/s]: larger follows faster and passes more noise. With equal steps
            dt it has to be well below 1/dt.
        dt: time between samples [s].

    Example:
        >>> import lissom
        >>> robot = lissom.robots.planar_two_link()
        >>> observer = lissom.identify.MomentumObserver(robot, gain=50.0, dt=0.001)
        >>> residual = observer.step([0.1, 0.2], [0.0, 0.0], robot.gravity_torques([0.1, 0.2]))
        >>> bool((abs(residual) < 1e-12).all())
        True
    """

    def __init__(self, robot: Robot, gain: Gains, dt: float) -> None:
        if not isinstance(robot, Robot):
            raise StateError(f"a momentum observer needs a Robot, got {type(robot).__name__}")
        self.robot, self.dt = robot, float(dt)
        if not (np.isfinite(self.dt) and self.dt > 0):
            raise StateError(f"dt must be a positive time [s], got {dt!r}")
        self.gain = np.broadcast_to(np.asarray(gain, dtype=float), (robot.nv,)).copy()
        if not (self.gain > 0).all() or not (self.gain * self.dt < 1.0).all():
            raise StateError(f"gain must be positive and below 1/dt = {1.0 / self.dt:.4g} 1/s, got {gain!r}")
        self.reset()

    def reset(self) -> None:
        """Forget the past: the next sample is the first."""
        self.integral: np.ndarray | None = None
        self._rate: np.ndarray | None = None

    def step(self, q: Positions, qd: Velocities, tau: Torques) -> np.ndarray:
        """Return the torques from outside (nv,) [N m or N] at this sample, given measured state and torques of the drives.

        The integral is taken by the trapezoidal rule; the residual of the sample itself counts in it, so that the equation
        r = gain (p - integral) is solved for r.
        """
        robot, h = self.robot, self.dt
        if self.integral is None or self._rate is None:
            self.integral = robot.generalized_momentum(q, qd)
            residual, rate = robot.momentum_observer(q, qd, tau, self.integral, self.gain)
            self._rate = rate
            return residual
        ahead = self.integral + h / 2.0 * self._rate
        guess, rate = robot.momentum_observer(q, qd, tau, ahead, self.gain)
        # r = gain (p - ahead - h/2 (f + r)) with guess = gain (p - ahead) and rate = f + guess
        f = rate - guess
        residual = (guess - self.gain * h / 2.0 * f) / (1.0 + self.gain * h / 2.0)
        self._rate = f + residual
        self.integral = ahead + h / 2.0 * self._rate
        return np.asarray(residual)


class Collision(NamedTuple):
    """A time in which torques from outside were beyond a threshold.

    Attributes:
        start, end: [s].
        joint: where they were largest beside their threshold.
        torque: there, the largest [N m or N].
    """

    start: float
    end: float
    joint: str
    torque: float


@dataclass(frozen=True, eq=False)
class Observation:
    """Torques from outside along a motion.

    Attributes:
        robot: the robot.
        t: times (N,) [s].
        q: coordinates (N, nq).
        residual: torques from outside (N, nv) [N m or N].
    """

    robot: Robot
    t: np.ndarray
    q: np.ndarray
    residual: np.ndarray

    def __repr__(self) -> str:
        return f"<Observation of {self.robot.name!r}: {len(self.t)} samples, {self.t[-1] - self.t[0]:.4g} s>"

    def show(
        self, *, link: str | None = None, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]
    ) -> Any:
        """Show the motion in three dimensions, with the torques from outside as arrows about the joints.

        Args:
            link: instead, the wrench on this link that explains them, at its origin.
            save, options: as of `Trajectory.show`.
        """
        from ..view.show import show_motion

        layers: Any = {"torques": link is None}
        return show_motion(self._recorded(link), save=save, **{"layers": layers, **options})

    def _scene_span(self) -> tuple[float, float]:
        return float(self.t[0]), float(self.t[-1])

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        return self._recorded()._scene_motion(t)

    def _recorded(self, link: str | None = None) -> Recorded:
        from ..view.scene.recorded import Recorded

        name = f"{self.robot.name}: felt from outside"
        if link is None:
            return Recorded(self.robot, self.t, self.q, tau=self.residual, name=name)
        felt = self.wrench(link, axes="world")
        loads = {link: Wrench(felt[:, :3], felt[:, 3:], axes="world")}
        return Recorded(self.robot, self.t, self.q, external=loads, name=name)

    def report(self, path: str | os.PathLike[str], threshold: float | Sequence[float] | None = None) -> Path:
        """Write a page (.html): the motion in 3-D, torques from outside over time, and the collisions beyond a threshold.

        Args:
            path: file to write.
            threshold: as of `collisions`; None: none are looked for.
        """
        from ..view.report.observation import report_observation

        return report_observation(self, path, threshold)

    def _repr_html_(self) -> str:
        from ..view.summary_identified import observation_html

        return observation_html(self)

    def wrench(self, link: str, **options: Any) -> np.ndarray:
        """Return the wrench on a link that explains the residual (N, 6); `axes` and `point` as in `Robot.felt_wrench`."""
        return self.robot.felt_wrench(self.q, self.residual, link, **options)

    def collisions(self, threshold: float | Sequence[float]) -> list[Collision]:
        """Return the times in which a residual was beyond its threshold: one for all joints, or one each [N m or N]."""
        limit = np.broadcast_to(np.asarray(threshold, dtype=float), self.residual.shape[1:])
        if not (limit > 0).all():
            raise StateError(f"threshold must be positive, got {threshold!r}")
        share = np.abs(self.residual) / limit
        hit = (share > 1.0).any(axis=1)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], hit, [False]]).astype(int)))
        found = []
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            row, k = np.unravel_index(int(np.argmax(share[a:b])), (b - a, share.shape[1]))
            found.append(
                Collision(float(self.t[a]), float(self.t[b - 1]), self.robot.velocity_names[k], float(self.residual[a + row, k]))
            )
        return found


def observe(robot: Robot, t: Times, q: Positions, qd: Velocities, tau: Torques, gain: Gains) -> Observation:
    """Return the torques from outside along a recorded motion with equal steps.

    Args:
        robot: the robot; its parameters count: identify them before.
        t: times (N,) [s].
        q, qd: measured coordinates (N, nq) and velocities (N, nv).
        tau: measured torques of the drives (N, nv).
        gain: as in `MomentumObserver`.
    """
    t, q, qd, tau = (np.asarray(x, dtype=float) for x in (t, q, qd, tau))
    if t.ndim != 1 or len(t) < 2 or any(x.ndim != 2 or len(x) != len(t) for x in (q, qd, tau)):
        raise StateError(
            f"expected t (N,) and q, qd, tau (N, ...) of as many rows, got {t.shape}, {q.shape}, {qd.shape}, {tau.shape}"
        )
    steps = np.diff(t)
    if not (steps > 0).all() or steps.max() > 1.5 * np.median(steps):
        raise StateError("a momentum observer needs times that increase in equal steps")
    observer = MomentumObserver(robot, gain, float(np.median(steps)))
    return Observation(robot, t, q, np.stack([observer.step(*row) for row in zip(q, qd, tau, strict=True)]))
