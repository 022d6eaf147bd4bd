"""Recorded: a motion of samples, such as one that was measured, as something that can be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...wrench import Wrench, wrenches_at
from .build import SceneMotion

if TYPE_CHECKING:
    from ...protocol import DrivenRobot


class Recorded:
    """A motion of which only samples are known; between them it goes on at a constant rate.

    Args:
        robot: Robot or ClosedRobot.
        t: times of the samples (N,) [s], increasing.
        q: coordinates (N, nq).
        rates: velocities and accelerations (N, nv); None: unknown.
        tau: torques (N, n) that are drawn, in the order of `robot.torque_names`; None: unknown.
        external: wrenches on links at the samples.
        events: (time [s], text).
        name: title of the scene.
    """

    def __init__(
        self,
        robot: DrivenRobot,
        t: np.ndarray,
        q: np.ndarray,
        rates: tuple[np.ndarray | None, np.ndarray | None] = (None, None),
        tau: np.ndarray | None = None,
        external: Mapping[str, Wrench] | None = None,
        *,
        events: tuple[tuple[float, str], ...] = (),
        name: str = "",
    ) -> None:
        self.robot, self.t, self.q, self.rates, self.tau = robot, t, q, rates, tau
        self.external, self.events, self.name = external, events, name

    def _scene_span(self) -> tuple[float, float]:
        return float(self.t[0]), float(self.t[-1])

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        """Return the motion at times (K,)."""
        first = np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, max(len(self.t) - 2, 0))
        second = np.minimum(first + 1, len(self.t) - 1)
        step = self.t[second] - self.t[first]
        share = np.clip((t - self.t[first]) / np.where(step > 0, step, 1.0), 0.0, 1.0)[:, None]
        robot: Any = self.robot
        start, end = self.q[first], self.q[second]

        def between(values: np.ndarray | None) -> np.ndarray | None:
            return None if values is None else values[first] + share * (values[second] - values[first])

        if hasattr(robot, "integrate"):  # quaternions stay of length one
            q = robot.integrate(start, share * robot.difference(start, end))
        else:
            q = start + share * (end - start)
        qd, qdd, tau = (between(values) for values in (*self.rates, self.tau))
        loads = wrenches_at(self.external, self.t, t)
        return SceneMotion(robot, t, q, qd, qdd, tau, loads, events=self.events, name=self.name)
