"""Poses as numbers: quaternions of rotations, without jumps along a motion, and small helpers to build poses."""

from __future__ import annotations

import numpy as np

from ...model.pose import Pose, frame_with_z


def quaternions(R: np.ndarray) -> np.ndarray:
    """Return quaternions x y z w (..., 4) of rotations (..., 3, 3).

    Along the first of several axes neighbors have a positive scalar product, so that blending them takes the short way.
    """
    # each of the four products q q' has one column that is safe: the one of the largest entry
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack([1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz], axis=-1)
    a, b, c = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    d, e, f = R[..., 1, 0] + R[..., 0, 1], R[..., 0, 2] + R[..., 2, 0], R[..., 2, 1] + R[..., 1, 2]
    rows = np.stack(
        [
            np.stack([squares[..., 0], d, e, a], axis=-1),
            np.stack([d, squares[..., 1], f, b], axis=-1),
            np.stack([e, f, squares[..., 2], c], axis=-1),
            np.stack([a, b, c, squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    largest = np.argmax(squares, axis=-1)
    found = np.take_along_axis(rows, largest[..., None, None], axis=-2)[..., 0, :]
    found = found / np.linalg.norm(found, axis=-1, keepdims=True)
    if found.ndim > 1 and len(found) > 1:
        flips = np.where(np.sum(found[1:] * found[:-1], axis=-1) < 0.0, -1.0, 1.0)
        found[1:] *= np.cumprod(flips, axis=0)[..., None]
    return np.asarray(found)


def matrix(pose: Pose) -> np.ndarray:
    """Return a pose of the model as a matrix (4, 4)."""
    return placed(pose.p, pose.R)


def placed(point: np.ndarray, turn: np.ndarray | None = None) -> np.ndarray:
    """Return the pose (4, 4) of a frame at a point (3,), with axes `turn` (3, 3)."""
    found = np.eye(4)
    found[:3, 3] = point
    if turn is not None:
        found[:3, :3] = turn
    return found


def along(axis: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return the pose (4, 4) of a frame at a point (3,) whose z axis is along a vector (3,)."""
    axis = np.asarray(axis, dtype=float)
    return placed(point, frame_with_z(axis / np.linalg.norm(axis)))
