"""Result of inverse kinematics: configuration, errors, status and advice."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..errors import StateError
from .target import Target

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion
    from ..view.scene.sweep import Sweep


class IKStatus(str, Enum):
    """Status of a search for a configuration."""

    REACHED = "reached"
    UNREACHABLE = "unreachable"
    HELD_BY_LIMITS = "held by limits"
    OUT_OF_ITERATIONS = "out of iterations"

    @property
    def advice(self) -> str:
        """Suggested fix."""
        return _ADVICE[self]


_ADVICE = {
    IKStatus.REACHED: "nothing to do",
    IKStatus.UNREACHABLE: "no start came closer: move the target, give only a position, or try more restarts",
    IKStatus.HELD_BY_LIMITS: "move the target, widen the limits, try more restarts, or check with limits=False",
    IKStatus.OUT_OF_ITERATIONS: "it was still converging: increase max_iterations, or start closer with q0",
}


@dataclass(frozen=True, eq=False)
class IKResult:
    """The configuration closest to a target; for many targets, arrays with their leading axes.

    Attributes:
        q: configuration (..., nq).
        position_error: distance from the target position (...,) [m]; zero if none was given.
        orientation_error: angle from the target orientation (...,) [rad]; zero if none was given.
        iterations: total of all starts (...,).
        reached: whether both errors are within the tolerance (...,).
        statuses: an IKStatus per target (...,).
        limits: per target (...,), the names of the joints whose limits block the link.
        beyond: distance of the target beyond the total length of the robot (...,) [m]; 0 within it.
        tree_q: for a closed robot, the configurations of its tree (..., nq of the tree), on any branch.
        robot: the robot.
        target: the targets.
    """

    q: np.ndarray
    position_error: np.ndarray
    orientation_error: np.ndarray
    iterations: np.ndarray
    reached: np.ndarray
    statuses: np.ndarray
    limits: np.ndarray
    beyond: np.ndarray
    tree_q: np.ndarray | None = None
    robot: Any = None
    target: Target | None = None

    def __repr__(self) -> str:
        if not self.reached.size:
            return "<IKResult: no targets>"
        at = self.worst if self.reached.ndim else ()
        near = f"{float(self.position_error[at]):.3g} m and {float(self.orientation_error[at]):.3g} rad"
        if not self.reached.ndim:
            return f"<IKResult: {self.status.value} within {near} after {int(self.iterations)} iterations>"
        return f"<IKResult of {self.reached.shape} targets: {int(self.reached.sum())} reached, the worst within {near}>"

    def _repr_html_(self) -> str:
        from ..view.summary_results import ik_html

        return ik_html(self)

    @property
    def worst(self) -> tuple[int, ...]:
        """Index of the target with the largest error."""
        if not self.reached.size:
            return ()
        missed = np.hypot(self.position_error, self.orientation_error)
        at = np.argmax(np.where(self.reached, -1.0, missed))
        return tuple(int(i) for i in np.unravel_index(at, self.reached.shape))

    @property
    def status(self) -> IKStatus:
        """Status of the only target, or of the one with the largest error."""
        return IKStatus.REACHED if self.reached.all() else self.statuses[self.worst]

    @property
    def limited_joints(self) -> tuple[str, ...]:
        """Joints whose limits block the only target, or the one with the largest error."""
        return () if self.reached.all() else self.limits[self.worst]

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the robot at the configuration, and the target; of several, one after the other. As `Robot.show`."""
        from ..view.show import show_motion

        if self.robot is None or not self.reached.size:
            raise StateError("this result has no robot or no target, so there is nothing to show; use robot.show(q)")
        return show_motion(self, save=save, **options)

    @property
    def _sweep(self) -> Sweep:
        """The configurations, one after the other; of a closed robot, those of its tree."""
        from ..view.scene.sweep import Sweep

        robot, q = (self.robot, self.q) if self.tree_q is None else (self.robot.tree, self.tree_q)
        return Sweep(robot, q.reshape(self.reached.size, -1))

    def _scene_span(self) -> tuple[float, float]:
        return self._sweep._scene_span()

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        """Return the robot, which moves from each configuration to the next; a closed one jumps, as its loops would open."""
        from ..view.scene.build import SceneMotion
        from ..view.scene.world import Target as Mark

        assert self.target is not None
        sweep, target = self._sweep, self.target.spread(self.reached.shape)
        marks = (
            []
            if target.position is None
            else [
                Mark(place, None if target.orientation is None else target.orientation[k], f"target of {target.link}")
                for k, place in enumerate(target.position)
            ]
        )  # an orientation alone has no place
        if self.tree_q is None:
            return replace(sweep._scene_motion(t), targets=marks)
        rows = np.clip(np.floor(t * sweep.rate + 1e-9).astype(int), 0, len(sweep.q) - 1)
        q = self.q.reshape(len(sweep.q), -1)
        return SceneMotion(self.robot, t, q[rows], targets=marks, tree_q=sweep.q[rows])

    def report(self) -> str:
        """Return a sentence with the errors, the blocking limits and a suggested fix."""
        if self.reached.all():
            return "reached"
        at = self.worst
        many = (
            f"{int((~self.reached).sum())} of {self.reached.size} targets are missed; the worst, {at}, " if at else "the target "
        )
        if self.beyond[at]:
            return (
                f"{many}is {self.status.value}: it lies {self.beyond[at]:.3g} m beyond the total length of the robot, "
                f"and is missed by {self.position_error[at]:.3g} m; move the target, or the base"
            )
        held = f", held by the limit of {', '.join(map(repr, self.limits[at]))}" if self.limits[at] else ""
        return (
            f"{many}is {self.status.value}: missed by {self.position_error[at]:.3g} m and {self.orientation_error[at]:.3g} rad "
            f"after {self.iterations[at]} iterations{held}; {self.status.advice}"
        )
