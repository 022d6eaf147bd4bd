"""Rotations and poses as users give them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ModelError, StateError
from ...model.pose import Pose, rotation_from_quaternion


def rotation(value: Any, what: str) -> np.ndarray:
    """Return a rotation matrix (3, 3), given one, or a quaternion x y z w."""
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.full(1, np.nan)
    try:
        R = rotation_from_quaternion(found.tolist()) if found.shape == (4,) else found
    except ModelError as error:
        raise StateError(f"{what}: {error}") from error
    if R.shape != (3, 3) or not np.isfinite(R).all():
        raise StateError(f"{what} is {value!r}, expected a rotation matrix (3, 3) or a quaternion x y z w")
    if not np.allclose(R @ R.T, np.eye(3), atol=1e-6) or np.linalg.det(R) < 0:
        raise StateError(f"{what} is not a rotation matrix: its rows must be perpendicular, of length one and right-handed")
    return R


def pose_parts(pose: Any, what: str = "pose") -> tuple[np.ndarray, np.ndarray | None]:
    """Return position (3,) and rotation (3, 3) or None."""
    if isinstance(pose, Pose):
        return pose.p, pose.R
    try:
        found = np.asarray(pose, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what} is {pose!r}, expected a matrix (4, 4), a lissom.Pose, or a position (3,) [m]") from None
    if found.shape == (3,):
        if not np.isfinite(found).all():
            raise StateError(f"{what} is {pose!r}, expected three numbers [m]")
        return found, None
    if found.shape != (4, 4):
        raise StateError(f"{what} has shape {found.shape}, expected (4, 4), or (3,) for a position [m]")
    if not np.isfinite(found).all() or not np.allclose(found[3], (0.0, 0.0, 0.0, 1.0)):
        raise StateError(f"{what} is not a homogeneous matrix: its last row must be 0 0 0 1 (is it transposed?)")
    return found[:3, 3], rotation(found[:3, :3], f"rotation of the {what}")
