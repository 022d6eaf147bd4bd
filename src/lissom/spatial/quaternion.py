"""Quaternions x y z w and functions of angles that are 0 / 0 at zero, in NumPy over leading axes.

Series replace quotients that would lose digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

SMALL = 0.3  # [rad] angles below which a series replaces a quotient
# (t - sin t) / t^3 and (1 - t/2 cot(t/2)) / t^2, in powers of t^2
_SINE_REST = tuple((-1) ** k / d for k, d in enumerate((6, 120, 5040, 362880, 39916800)))
_COTANGENT_REST = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000)


def unit(u: np.ndarray) -> np.ndarray:
    """Return normalized quaternions (..., 4)."""
    return u / np.linalg.norm(u, axis=-1, keepdims=True)


def conjugate(u: np.ndarray) -> np.ndarray:
    """Return the opposite rotation of unit quaternions x y z w (..., 4)."""
    return u * np.array([-1.0, -1.0, -1.0, 1.0])


def quaternion_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the rotation a . b, b first, as quaternions x y z w (..., 4)."""
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + np.cross(a[..., :3], b[..., :3])
    scalar = a[..., 3:] * b[..., 3:] - (a[..., :3] * b[..., :3]).sum(axis=-1, keepdims=True)
    return np.concatenate([vector, scalar], axis=-1)


def rotate(u: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return vectors x (..., 3) rotated by unit quaternions u (..., 4)."""
    once = 2.0 * np.cross(u[..., :3], x)
    return x + u[..., 3:] * once + np.cross(u[..., :3], once)


def rotation_from_quaternions(u: np.ndarray) -> np.ndarray:
    """Return rotation matrices (..., 3, 3) of quaternions x y z w (..., 4) of any length."""
    return np.stack([rotate(unit(u), axis) for axis in np.eye(3)], axis=-1)


def quaternion_from_rotation(R: np.ndarray) -> np.ndarray:
    """Return unit quaternions x y z w (..., 4) of rotation matrices (..., 3, 3)."""
    trace = R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2]
    # 4 u u' has the entries of R in sums and differences; its row with the largest diagonal gives u without loss of digits
    table = np.empty((*R.shape[:-2], 4, 4))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        table[..., i, i] = 1.0 + 2.0 * R[..., i, i] - trace
        table[..., i, j] = table[..., j, i] = R[..., i, j] + R[..., j, i]
        table[..., i, 3] = table[..., 3, i] = R[..., k, j] - R[..., j, k]
    table[..., 3, 3] = 1.0 + trace
    largest = np.argmax(np.diagonal(table, axis1=-2, axis2=-1), axis=-1)
    return unit(np.take_along_axis(table, largest[..., None, None], axis=-2)[..., 0, :])


def quaternion_exp(w: np.ndarray) -> np.ndarray:
    """Return the quaternion x y z w of a rotation by |w| [rad] about w (..., 3)."""
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    return np.concatenate([0.5 * sinc(angle / 2) * w, np.cos(angle / 2)], axis=-1)


def quaternion_log(u: np.ndarray) -> np.ndarray:
    """Return the rotation vector (..., 3) [rad], at most pi, of unit quaternions x y z w (..., 4)."""
    u = np.where(u[..., 3:] < 0, -u, u)  # a quaternion and its negative are one rotation
    sine = np.linalg.norm(u[..., :3], axis=-1, keepdims=True)
    turned = sine > 0
    return u[..., :3] * np.where(turned, 2 * np.arctan2(sine, u[..., 3:]) / np.where(turned, sine, 1.0), 2.0)


def sinc(x: np.ndarray) -> np.ndarray:
    """Return sin(x) / x."""
    zero = x == 0
    return np.where(zero, 1.0, np.sin(x) / np.where(zero, 1.0, x))


def sine_rest(t: np.ndarray) -> np.ndarray:
    """Return (t - sin t) / t^3."""
    return _series_below(t, _SINE_REST, lambda t: (t - np.sin(t)) / t**3)


def cotangent_rest(t: np.ndarray) -> np.ndarray:
    """Return (1 - t/2 cot(t/2)) / t^2, t at most pi."""
    return _series_below(t, _COTANGENT_REST, lambda t: (1 - np.cos(t / 2) / sinc(t / 2)) / t**2)


def _series_below(t: np.ndarray, coefficients: Sequence[float], quotient: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    small = np.abs(t) < SMALL
    return np.where(small, np.polynomial.polynomial.polyval(t * t, coefficients), quotient(np.where(small, 1.0, t)))
