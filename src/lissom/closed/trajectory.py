"""ClosedTrajectory: a motion of a closed robot, its tree included."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

import lissom

from ..locks import lazy_property
from ..simulate.trajectory import State, Trajectory

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClosedTrajectory(Trajectory):
    """A motion: T samples of one closed robot or, with more axes after the first, of many in parallel.

    A `Trajectory` of the robot's coordinates, with its events, status, files and pictures, and beside them what all joints of
    the tree do.

    Attributes:
        robot: the robot.
        t: (T,) [s].
        q: coordinates (T, ..., nq).
        qd, qdd: velocities and accelerations (T, ..., nv).
        tau: torques of the active joints (T, ..., n_active).
        tree_q, tree_qd, tree_qdd: configurations, velocities and accelerations of all joints of the tree.
        forces: loop-closure forces, in the order of `robot.equation_names` [N or N m].
        switches: number of changes of the integrated velocities.
    """

    counts: ClassVar[tuple[str, ...]] = ("switches",)

    robot: lissom.ClosedRobot = field(kw_only=False)  # type: ignore[assignment]
    tree_q: np.ndarray
    tree_qd: np.ndarray
    tree_qdd: np.ndarray
    forces: np.ndarray
    switches: int = 0

    @lazy_property
    def _of_tree(self) -> Trajectory:
        """The motion of all joints of the tree, without torques."""
        return Trajectory(self.robot.tree, self.t, self.tree_q, self.tree_qd, self.tree_qdd, np.zeros_like(self.tree_qd))

    @lazy_property
    def kinetic_energy(self) -> np.ndarray:
        """Kinetic energy (T, ...) [J]."""
        return self._of_tree.kinetic_energy

    @lazy_property
    def potential_energy(self) -> np.ndarray:
        """Potential energy of gravity (T, ...) [J]."""
        return self._of_tree.potential_energy

    @lazy_property
    def spring_energy(self) -> np.ndarray:
        """Energy (T, ...) [J] in springs."""
        return self._of_tree.spring_energy

    @lazy_property
    def closure_error(self) -> np.ndarray:
        """Closure residual (T, ...) [m; angles times a length]."""
        return self.robot.closure_error(self.tree_q)

    def at(self, t: float) -> State:
        """Return the state at a time between the samples, by cubic Hermite interpolation of all joints of the tree."""
        self._need_samples()
        found = self._of_tree.at(t)
        return State(found.t, self.robot.coordinates(found.q), found.qd[..., list(self.robot.plan.coordinates)])

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        """Return the motion at times (K,) within it, for pictures: all joints of the tree, on whatever branch it is."""
        tree = self._of_tree._scene_motion(t)
        return replace(super()._scene_motion(t), tree_q=tree.q)

    @classmethod
    def load(cls, path: str | os.PathLike[str], robot: lissom.ClosedRobot) -> ClosedTrajectory:  # type: ignore[override]
        """Read a motion of `robot` that `save` wrote, with its tree, events and status."""
        from ..errors import StateError

        if not robot.model.loops:
            raise StateError(f"{robot.name!r} has no loops; lissom.Trajectory.load reads motions of trees")
        return super().load(path, robot)  # type: ignore[arg-type, return-value]
