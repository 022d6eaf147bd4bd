"""Constant vectors, rotations and poses of a description: frozen tuples of floats, compared exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError

Vector3 = tuple[float, float, float]
Matrix3 = tuple[Vector3, Vector3, Vector3]

ZERO3: Vector3 = (0.0, 0.0, 0.0)
EYE3: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def expect(value: object, kind: type, what: str, form: str) -> None:
    """Raise a ModelError that names `what` and the `form` it should have, unless `value` is of type `kind`."""
    if not isinstance(value, kind):
        got = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else f"{value!r:.80}"
        raise ModelError(f"{what} must be {form}, got {got}")


def as_number(value: object, what: str) -> float:
    """Return `value` as a float, or raise a ModelError that names `what`."""
    try:
        return float(value) + 0.0  # type: ignore[arg-type]
    except OverflowError:
        raise ModelError(f"{what} is too large") from None
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be a number, got {value!r}") from None


def as_vector3(value: object, what: str) -> Vector3:
    """Return `value` as three finite floats, or raise a ModelError that names `what`."""
    try:
        array = np.asarray(value, dtype=float)
    except OverflowError:
        raise ModelError(f"{what} is too large") from None
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be three numbers, got {value!r}") from None
    if array.shape != (3,):
        raise ModelError(f"{what} must be three numbers, got {array.size}")
    if not np.isfinite(array).all():
        raise ModelError(f"{what} must be finite, got {array.tolist()}")
    x, y, z = (float(v) + 0.0 for v in array)  # + 0.0 turns -0.0 into 0.0
    return (x, y, z)


def as_matrix3(value: object, what: str) -> Matrix3:
    """Return `value` as a 3x3 tuple of finite floats, or raise a ModelError that names `what`."""
    try:
        array = np.asarray(value, dtype=float)
    except OverflowError:
        raise ModelError(f"{what} is too large") from None
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be a 3x3 matrix, got {value!r}") from None
    if array.shape != (3, 3):
        raise ModelError(f"{what} must be a 3x3 matrix, got shape {array.shape}")
    return (as_vector3(array[0], what), as_vector3(array[1], what), as_vector3(array[2], what))


@dataclass(frozen=True)
class Pose:
    """Pose of a frame B in a frame A: columns of `rotation` are B's axes in A, `translation` [m] is B's origin in A."""

    rotation: Any = EYE3  # arrays and lists are accepted; stored as Matrix3 and Vector3
    translation: Any = ZERO3

    def __post_init__(self) -> None:
        rotation = as_matrix3(self.rotation, "rotation")
        with np.errstate(over="ignore", invalid="ignore"):
            error = np.abs(np.array(rotation) @ np.array(rotation).T - np.eye(3)).max()
        if not error <= 1e-9 or np.linalg.det(rotation) < 0:
            raise ModelError(f"rotation is not a proper orthogonal matrix (R R' differs from the identity by {error:.1e})")
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "translation", as_vector3(self.translation, "translation"))

    @property
    def R(self) -> np.ndarray:
        """The rotation as an array (3, 3)."""
        return np.array(self.rotation)

    @property
    def p(self) -> np.ndarray:
        """The translation as an array (3,) [m]."""
        return np.array(self.translation)

    def __matmul__(self, other: Pose) -> Pose:
        """Chain two poses: A_B @ B_C is A_C."""
        if self == IDENTITY:
            return other
        if other == IDENTITY:
            return self
        return Pose(tidy(self.R @ other.R), tuple(self.R @ other.p + self.p))  # type: ignore[arg-type]

    def inverse(self) -> Pose:
        """Return the pose of A in B."""
        return Pose(self.R.T, tuple(-self.R.T @ self.p))  # type: ignore[arg-type]


def tidy(R: np.ndarray) -> np.ndarray:
    """Round entries of a rotation within 1e-15 of 0, 1 or -1: they are products of exact quarter turns."""
    R = np.array(R, dtype=float)
    for exact in (0.0, 1.0, -1.0):
        R[np.abs(R - exact) < 1e-15] = exact
    return R


def frame_with_z(axis: Vector3 | np.ndarray) -> np.ndarray:
    """Return axes x, y, z (columns) with z along `axis`; exact quarter turns where the axis is one of the frame's."""
    z = np.array(axis)
    k = int(np.argmax(np.abs(z)))
    # the next axis in cyclic order becomes x: for +x, +y and +z this is a cyclic exchange of the axes
    x = np.eye(3)[(k + 1) % 3]
    x = x - z * (x @ z)
    x /= np.linalg.norm(x)
    return tidy(np.column_stack([x, np.cross(z, x), z]))


def rotation_about(axis: Sequence[float], angle: float) -> np.ndarray:
    """Return the rotation by `angle` [rad] about the unit vector `axis` (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=float)
    return tidy(np.eye(3) + s * K + (1 - c) * (K @ K))


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Return Rz(yaw) Ry(pitch) Rx(roll), URDF's fixed-axis angles [rad]."""
    return tidy(rotation_about((0, 0, 1), yaw) @ rotation_about((0, 1, 0), pitch) @ rotation_about((1, 0, 0), roll))


def rotation_from_quaternion(quaternion: Sequence[float]) -> np.ndarray:
    """Return the rotation of a quaternion x y z w of any length but zero."""
    x, y, z, w = np.asarray(quaternion, dtype=float)
    n = x * x + y * y + z * z + w * w
    if not n > 0:
        raise ModelError("a quaternion must not be zero")
    s = 2.0 / n
    return tidy(
        np.array(
            [
                [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
                [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
                [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
            ]
        )
    )


IDENTITY = Pose()
