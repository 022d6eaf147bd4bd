"""Poses from MuJoCo's positions and quaternions."""

from __future__ import annotations

import numpy as np

from ...model import Pose
from ...model.pose import as_matrix3, as_vector3, rotation_from_quaternion, tidy


def xyzw(quaternion: np.ndarray) -> list[float]:
    """Return a quaternion w x y z as x y z w."""
    return [float(x) for x in np.roll(quaternion, -1)]


def pose_of(position: np.ndarray, quaternion: np.ndarray) -> Pose:
    """Return the pose of a position [m] and a quaternion w x y z."""
    return Pose(as_matrix3(tidy(rotation_from_quaternion(xyzw(quaternion))), "rotation"), as_vector3(position, "translation"))
