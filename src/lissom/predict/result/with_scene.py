"""A prediction in three dimensions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ...arrays import Times
from ...wrench import Wrench
from ..problem.description import Description

if TYPE_CHECKING:
    from ...view.scene.arrows import Force
    from ...view.scene.build import SceneMotion


class WithScene:
    """What `Prediction` shows of its motion and of the problem."""

    description: Description

    @property
    def duration(self) -> float:
        """Duration [s]."""
        raise NotImplementedError

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion in three dimensions, as `Trajectory.show`, with the obstacles and targets of the problem.

        Start and end stay visible, unless ghosts= says otherwise.
        """
        from ...view.show import show_motion

        return show_motion(self, save=save, **{"ghosts": 2, **options})  # type: ignore[arg-type]

    def _scene_span(self) -> tuple[float, float]:
        return 0.0, self.duration

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        from ...view.scene.build import SceneMotion

        around, (q, qd, qdd) = self.description, self.coordinates(t)
        ground, loads = self._ground_forces(t), self._external(t)
        given = (self._external(t, contacts=False) if ground else loads, around.obstacles, around.targets)
        tau, extra = self.torques(t), {"name": around.name, "ground_forces": ground, "loads": loads}
        return SceneMotion(around.robot, t, q, qd, qdd, tau, *given, **extra)  # type: ignore[arg-type]

    def coordinates(self, t: Times) -> tuple[np.ndarray, ...]:
        """Return q, qd and qdd (..., nv) of the whole robot at times."""
        raise NotImplementedError

    def torques(self, t: Times) -> np.ndarray:
        """Return joint torques (..., nv) at times."""
        raise NotImplementedError

    def _external(self, t: Times, contacts: bool = True) -> Mapping[str, Wrench] | None:
        """Return the external wrenches at times, those of channels too."""
        raise NotImplementedError

    def _ground_forces(self, t: np.ndarray) -> list[Force]:
        """Return the forces of contacts."""
        raise NotImplementedError
