"""A trajectory in three dimensions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..errors import StateError
from ..wrench import Wrench, wrenches_at
from .events import Occurrence

if TYPE_CHECKING:
    from ..robot import Robot
    from ..view.scene.build import SceneMotion


class WithScene:
    """What `Trajectory` shows of its motion."""

    if TYPE_CHECKING:  # of Trajectory
        robot: Robot
        t: np.ndarray
        q: np.ndarray
        qd: np.ndarray
        qdd: np.ndarray
        tau: np.ndarray
        events: Sequence[Occurrence]
        external: Mapping[str, Wrench] | None

        def at(self, t: float) -> Any:
            """Return the state at a time."""

        def _need_samples(self) -> None: ...

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion in three dimensions: in a browser, in a notebook, or in a file.

        Args:
            save: file to write: .html, a page that needs no server; .png, a picture; .gif or .mp4, a film. None: below the cell
                of a notebook, otherwise in a browser, from a server for this machine alone.
            options: title=, layers=, paths=, ghosts=, beside= or over= another motion, fps=; of pictures and films size=, view=,
                time=, speed=. See `lissom.view.show.ShowOptions`.

        Returns:
            The path; or, without one, the live view.
        """
        from ..view.show import show_motion

        return show_motion(self, save=save, **options)

    def _scene_span(self) -> tuple[float, float]:
        """Return start and end [s], for pictures."""
        self._need_samples()
        if self.q.ndim != 2:
            raise StateError(
                f"the trajectory has {self.q.shape[1:-1]} motions side by side, and one is shown at a time; make a Trajectory of "
                "one: Trajectory(robot, t, q[:, 0], qd[:, 0], qdd[:, 0], tau[:, 0])"
            )
        return float(self.t[0]), float(self.t[-1])

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        """Return the motion at times (K,) within it, for pictures."""
        from ..view.scene.build import SceneMotion

        states = [self.at(float(x)) for x in t]
        q, qd = np.array([state.q for state in states]), np.array([state.qd for state in states])
        qdd, tau = (_between(t, self.t, values) for values in (self.qdd, self.tau))
        external = wrenches_at(self.external, self.t, t)
        if self._torques_move_it():
            # between samples only these accelerations go with the torques: joints without a drive then have no moment
            qdd = self.robot.forward_dynamics(q, qd, tau, external=external)
        events = tuple((float(event.t), event.name) for event in self.events)
        return SceneMotion(self.robot, t, q, qd, qdd, tau, external, events=events)

    def _torques_move_it(self) -> bool:
        """Return whether accelerations follow from torques and wrenches, as of a simulated tree; judged by three samples."""
        if self.robot.model.loops or not np.isfinite(self.tau).all():
            return False
        rows = [0, len(self.t) // 2, len(self.t) - 1]
        external = wrenches_at(self.external, self.t, self.t[rows])
        found = self.robot.forward_dynamics(self.q[rows], self.qd[rows], self.tau[rows], external=external)
        return bool(np.allclose(found, self.qdd[rows], rtol=1e-6, atol=1e-9))


def _between(t: np.ndarray, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return values (T, n) at other times (K,), linear between samples."""
    columns = [np.interp(t, times, column) for column in values.T]
    return np.stack(columns, axis=-1) if columns else np.zeros((len(t), 0))
