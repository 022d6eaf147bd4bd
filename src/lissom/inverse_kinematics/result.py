"""What inverse kinematics found, and what to do where it is not enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np


class IKStatus(str, Enum):
    """How a search for a configuration ended."""

    REACHED = "reached"
    UNREACHABLE = "unreachable"
    HELD_BY_LIMITS = "held by limits"
    OUT_OF_ITERATIONS = "out of iterations"

    @property
    def advice(self) -> str:
        """What a user can do about it."""
        return _ADVICE[self]


_ADVICE = {
    IKStatus.REACHED: "nothing is left to do",
    IKStatus.UNREACHABLE: "no start came nearer: move the target, ask for the position alone, or try more restarts",
    IKStatus.HELD_BY_LIMITS: "move the target, widen the limits, try more restarts, or see with limits=False what is missing",
    IKStatus.OUT_OF_ITERATIONS: "it was still coming nearer: allow a larger max_iterations, or start nearer with q0",
}


@dataclass(frozen=True, eq=False)
class IKResult:
    """The configuration that came nearest to a target; for many targets, arrays with their leading axes.

    Attributes:
        q: configuration (..., nq).
        position_error: distance from the wanted position (...,) [m]; zero where none was wanted.
        orientation_error: angle from the wanted orientation (...,) [rad]; zero where none was wanted.
        iterations: steps taken over all starts (...,).
        reached: whether both errors are within the tolerance (...,).
        statuses: an IKStatus for each target (...,).
        limits: for each target (...,) the names of the joints whose limits keep the link from coming nearer.
        beyond: by how much the target lies beyond what the lengths of the robot can span (...,) [m]; 0 where it does not.
        tree_q: of a closed robot, the configurations of its tree that were found (..., nq of the tree), on whichever branch.
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
        """Index of the target that was missed by most."""
        if not self.reached.size:
            return ()
        missed = np.hypot(self.position_error, self.orientation_error)
        at = np.argmax(np.where(self.reached, -1.0, missed))
        return tuple(int(i) for i in np.unravel_index(at, self.reached.shape))

    @property
    def status(self) -> IKStatus:
        """Status of the only target, or of the one that was missed by most."""
        return IKStatus.REACHED if self.reached.all() else self.statuses[self.worst]

    @property
    def limited_joints(self) -> tuple[str, ...]:
        """Joints whose limits hold back the only target, or the one that was missed by most."""
        return () if self.reached.all() else self.limits[self.worst]

    def report(self) -> str:
        """Say in a sentence how near the link came, what holds it, and what to do."""
        if self.reached.all():
            return "reached"
        at = self.worst
        many = (
            f"{int((~self.reached).sum())} of {self.reached.size} targets are missed; the worst, {at}, " if at else "the target "
        )
        if self.beyond[at]:
            return (
                f"{many}is {self.status.value}: it lies {self.beyond[at]:.3g} m beyond what the lengths of the robot can span, "
                f"and is missed by {self.position_error[at]:.3g} m; move the target, or the base"
            )
        held = f", held by the limit of {', '.join(map(repr, self.limits[at]))}" if self.limits[at] else ""
        return (
            f"{many}is {self.status.value}: missed by {self.position_error[at]:.3g} m and {self.orientation_error[at]:.3g} rad "
            f"after {self.iterations[at]} iterations{held}; {self.status.advice}"
        )
