"""Target: position of a point of a link, and orientation of the link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import StateError
from ..model.pose import Pose
from ..spatial.quaternion import quaternion_from_rotation, quaternion_log, rotation_from_quaternions

ORTHOGONAL = 1e-6  # largest deviation of a given rotation from an orthogonal matrix


@dataclass(frozen=True, eq=False)
class Target:
    """Target of a link; parts that are None are free.

    Attributes:
        link: its name.
        position: of the point, in the world (..., 3) [m].
        orientation: of the link's axes (columns), in the world (..., 3, 3).
        point: of the link, in its frame (..., 3) [m].
    """

    link: str
    position: np.ndarray | None
    orientation: np.ndarray | None
    point: np.ndarray

    @classmethod
    def of(cls, link: str, pose: Any, position: Any, orientation: Any, point: Any) -> Target:
        """Make a target from a pose, or from a position, an orientation or both."""
        if pose is not None:
            if position is not None or orientation is not None:
                raise StateError("give the target either as pose or as position and orientation, not both")
            matrix = _pose_matrix(pose)
            position, orientation = matrix[..., :3, 3], matrix[..., :3, :3]
        if position is None and orientation is None:
            raise StateError("no target given; expected pose (..., 4, 4), position (..., 3), or orientation")
        if position is None and point is not None:
            raise StateError(
                "point is given without a position; an orientation is the same for all points; give position too, or leave point "
                "out"
            )
        return cls(
            link,
            None if position is None else _numbers(position, "position", (3,)),
            None if orientation is None else _rotation(orientation),
            _numbers((0.0, 0.0, 0.0) if point is None else point, "point", (3,)),
        )

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Leading axes of the given arrays, by name."""
        found = {"point": self.point.shape[:-1]}
        if self.position is not None:
            found["position"] = self.position.shape[:-1]
        if self.orientation is not None:
            found["orientation"] = self.orientation.shape[:-2]
        return found

    def spread(self, lead: tuple[int, ...]) -> Target:
        """Return the same target with one leading axis, one row per sample of `lead`."""
        n = int(np.prod(lead, dtype=int))

        def rows(array: np.ndarray | None, axes: tuple[int, ...]) -> Any:
            return None if array is None else np.broadcast_to(array, (*lead, *axes)).reshape(n, *axes)

        return Target(self.link, rows(self.position, (3,)), rows(self.orientation, (3, 3)), rows(self.point, (3,)))

    def take(self, rows: np.ndarray) -> Target:
        """Return some rows of a target with one leading axis."""
        parts = (None if x is None else x[rows] for x in (self.position, self.orientation, self.point))
        return Target(self.link, *parts)  # type: ignore[arg-type]

    @property
    def equations(self) -> slice:
        """Rows of the Jacobian for the target."""
        return slice(0 if self.position is not None else 3, 6 if self.orientation is not None else 3)

    def error(self, poses: np.ndarray) -> np.ndarray:
        """Return the errors of link poses (N, 4, 4) from the target, along the world's axes (N, 6) [m, rad]."""
        missing = np.zeros((len(poses), 6))
        R = poses[:, :3, :3]
        if self.position is not None:
            missing[:, :3] = self.position - poses[:, :3, 3] - np.einsum("nij,nj->ni", R, self.point)
        if self.orientation is not None:
            missing[:, 3:] = quaternion_log(quaternion_from_rotation(self.orientation @ np.swapaxes(R, 1, 2)))
        return missing


def _numbers(value: Any, what: str, axes: tuple[int, ...]) -> np.ndarray:
    shape = "(..., " + ", ".join(map(str, axes)) + ")"
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what} must be numbers of shape {shape}, got {value!r}") from None
    if array.shape[-len(axes) :] != axes:
        raise StateError(f"{what} has shape {array.shape}, expected {shape}")
    if not np.isfinite(array).all():
        raise StateError(f"{what} is not finite")
    return array


def _pose_matrix(pose: Any) -> np.ndarray:
    if isinstance(pose, Pose):
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = pose.R, pose.p
        return matrix
    matrix = _numbers(pose, "pose", (4, 4))
    if np.abs(matrix[..., 3, :] - (0.0, 0.0, 0.0, 1.0)).max(initial=0.0) > ORTHOGONAL:
        raise StateError("pose is not a homogeneous matrix: its last row must be 0 0 0 1 (is it transposed?)")
    return matrix


def _rotation(orientation: Any) -> np.ndarray:
    if isinstance(orientation, (list, tuple, np.ndarray)):
        try:
            array = np.asarray(orientation)
        except ValueError:  # ragged: reported below
            array = np.zeros(0)
        if array.ndim and array.shape[-1] == 4:
            quaternions = _numbers(orientation, "orientation", (4,))
            if not (np.linalg.norm(quaternions, axis=-1) > 0).all():
                raise StateError("orientation is a zero quaternion (no rotation is x y z w = 0 0 0 1)")
            return rotation_from_quaternions(quaternions)
    R = _numbers(orientation, "orientation", (3, 3))
    off = float(np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0))
    if off > ORTHOGONAL or (np.linalg.det(R) < 0).any():
        raise StateError(f"orientation is not a rotation (R R' differs from the identity by {off:.1e}, or R is a mirror image)")
    return R
