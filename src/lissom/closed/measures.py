"""Measures of parallel robots: distance from singular poses, and reachable poses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Poses, Positions, TreePositions
from ..compiler.run import as_array
from ..errors import StateError
from ..model.show import by_shape
from ..one_thread import one_thread
from .robot import ClosedRobot


@dataclass(frozen=True, eq=False)
class Workspace:
    """Poses of a platform that were tried.

    Attributes:
        poses: (N, nx).
        reachable: whether the legs reach them within their limits, away from singular poses (N,).
        margin: smallest singular value of the drives' effect on the platform, without units (N,); NaN where out of reach.
        tree_q: configurations of the tree (N, nq of the tree).
    """

    poses: np.ndarray
    reachable: np.ndarray
    margin: np.ndarray
    tree_q: np.ndarray
    __repr__ = by_shape

    @property
    def share(self) -> float:
        """Share of the poses that can be reached."""
        return float(self.reachable.mean()) if len(self.reachable) else 0.0


class Measures(ClosedRobot):
    """Quality measures of poses. Velocities are measured in radians and in lengths of the robot."""

    def _scaled(self, q: Any, near: Any, tree_q: Any) -> np.ndarray:
        units = self.constraints.column_units
        J = self.platform_jacobian(q, near=near, tree_q=tree_q)  # type: ignore[attr-defined]
        return J / units[list(self.plan.independent)][:, None] * units[list(self.plan.coordinates)]  # type: ignore[no-any-return]

    def _sizes(self, q: Any, near: Any, tree_q: Any) -> np.ndarray:
        """Return the singular values of that, the largest first."""
        J = self._scaled(q, near, tree_q)
        with one_thread(J.shape[-1]):
            return np.linalg.svd(J, compute_uv=False)

    def dexterity(
        self, q: Positions | None = None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the inverse of the condition number of J_p (...,): one if isotropic, zero if singular."""
        s = self._sizes(q, near, tree_q)
        return s[..., -1] / s[..., 0]  # type: ignore[no-any-return]

    def manipulability(
        self, q: Positions | None = None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return |det J_p| (...,): volume of platform velocities over that of the drives; infinite at singular poses."""
        return np.abs(np.linalg.det(self._scaled(q, near, tree_q)))

    def margin(
        self, q: Positions | None = None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the smallest speed of the drives while the platform moves at speed one (...,): zero if they do not hold it."""
        return 1.0 / self._sizes(q, near, tree_q)[..., 0]  # type: ignore[no-any-return]

    def workspace(self, poses: Poses, margin: float = 1e-3) -> Workspace:
        """Return which poses of the platform can be reached, within the limits of all joints and away from singular poses.

        Args:
            poses: (N, nx).
            margin: least margin accepted.
        """
        x = as_array(poses, "poses", len(self.home_pose()), self.name)  # type: ignore[attr-defined]
        if x.ndim != 2:
            raise StateError(f"poses have shape (N, {x.shape[-1]}), got {x.shape}")
        tree_q, good = self._legs(x, self._assembled)  # type: ignore[attr-defined]
        tree_q[~good] = np.nan
        for place in self.model.layout:
            if place.kind.nv == 1:
                q, limits = tree_q[:, place.iq], place.joint.limits
                with np.errstate(invalid="ignore"):
                    good &= (q >= limits.lower) & (q <= limits.upper)
        margins = np.full(len(x), np.nan)
        for k in np.flatnonzero(good).tolist():
            try:
                margins[k] = self.margin(tree_q=tree_q[k])
            except StateError:
                margins[k] = 0.0
        return Workspace(x, good & (np.nan_to_num(margins) >= margin), margins, tree_q)
