"""Result of inverse kinematics: configuration, errors, status and advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np


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

    def __repr__(self) -> str:
        if not self.reached.size:
            return "<IKResult: no targets>"
        at = self.worst if self.reached.ndim else ()
        near = f"{float(self.position_error[at]):.3g} m and {float(self.orientation_error[at]):.3g} rad"
        if not self.reached.ndim:
            return f"<IKResult: {self.status.value} within {near} after {int(self.iterations)} iterations>"
        return f"<IKResult of {self.reached.shape} targets: {int(self.reached.sum())} reached, the worst within {near}>"

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
