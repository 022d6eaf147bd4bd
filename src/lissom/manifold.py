"""Manifold: moving along a velocity from one configuration, and the velocity that leads from one to another.

A velocity v held for a time dt, in the axes of the moving child, is a screw: the configuration moves by the exponential map of
each joint's own group (Lynch and Park 2017, section 3.3; Barfoot 2017, section 7.1; the conventions of Pinocchio's `integrate`).
    revolute, continuous, prismatic   q + v dt                     angles are kept as they are, never wrapped
    spherical                         u . exp(w dt)                u: quaternion x y z w; any length in, length one out
    planar                            x + Rz(angle) V2 v dt        V2, V3: the mean of the rotation over the motion
    floating                          p + R(u) V3 v dt,  u . exp(w dt)
Plain NumPy over leading axes. Series take over where a quotient would lose its digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .model.joint import JointKind
from .model.model import Model

SMALL = 0.3  # [rad] angles below which a series replaces a quotient
# (t - sin t) / t^3 and (1 - t/2 cot(t/2)) / t^2, in powers of t^2
_SINE_REST = tuple((-1) ** k / d for k, d in enumerate((6, 120, 5040, 362880, 39916800)))
_COTANGENT_REST = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000)


def integrate_configuration(model: Model, q: np.ndarray, v: np.ndarray, dt: float | np.ndarray = 1.0) -> np.ndarray:
    """Return the configuration (..., nq) reached from q (..., nq) by holding the velocity v (..., nv) for the time dt [s]."""
    q, step = np.asarray(q, dtype=float), np.asarray(v, dtype=float) * np.asarray(dt, dtype=float)[..., None]
    lead = np.broadcast_shapes(q.shape[:-1], step.shape[:-1])
    result = np.empty((*lead, model.nq))
    for kind, iq, iv in _parts(model):
        result[..., iq] = _INTEGRATE[kind](q[..., iq], step[..., iv])
    return result


def configuration_difference(model: Model, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the velocity (..., nv) that leads from `start` to `end` (..., nq) in one second, by the shorter turn.

    It undoes `integrate_configuration`. Turns of spherical, planar and floating joints come back between -pi and pi.
    """
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    lead = np.broadcast_shapes(start.shape[:-1], end.shape[:-1])
    result = np.empty((*lead, model.nv))
    for kind, iq, iv in _parts(model):
        result[..., iv] = _DIFFERENCE[kind](start[..., iq], end[..., iq])
    return result


def _parts(model: Model) -> Iterator[tuple[JointKind, slice, slice]]:
    """Give for every joint with coordinates its kind, and where its coordinates and velocities are; plain ones come together."""
    plain_q = plain_v = 0
    for place in model.layout:
        if place.kind in _INTEGRATE and place.kind is not JointKind.PRISMATIC:
            if place.iq > plain_q:
                yield JointKind.PRISMATIC, slice(plain_q, place.iq), slice(plain_v, place.iv)
            yield place.kind, place.q, place.v
            plain_q, plain_v = place.q.stop, place.v.stop
    if model.nq > plain_q:
        yield JointKind.PRISMATIC, slice(plain_q, model.nq), slice(plain_v, model.nv)


def _integrate_spherical(u: np.ndarray, w: np.ndarray) -> np.ndarray:
    return quaternion_product(unit(u), quaternion_exp(w))


def _integrate_planar(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    angle, turn = x[..., 2], v[..., 2]
    # V2 v: the mean of the turned velocity
    a, b = _sinc(turn), np.sin(turn / 2) * _sinc(turn / 2)
    dx, dy = a * v[..., 0] - b * v[..., 1], b * v[..., 0] + a * v[..., 1]
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x[..., 0] + c * dx - s * dy, x[..., 1] + s * dx + c * dy, angle + turn], axis=-1)


def _integrate_floating(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    u, linear, w = unit(x[..., 3:]), v[..., :3], v[..., 3:]
    # V3 v = v + (1 - cos t)/t^2 w x v + (t - sin t)/t^3 w x (w x v)
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    once = np.cross(w, linear)
    moved = linear + 0.5 * _sinc(angle / 2) ** 2 * once + _sine_rest(angle) * np.cross(w, once)
    p, u_new = x[..., :3] + rotate(u, moved), quaternion_product(u, quaternion_exp(w))
    lead = np.broadcast_shapes(p.shape[:-1], u_new.shape[:-1])
    return np.concatenate([np.broadcast_to(p, (*lead, 3)), np.broadcast_to(u_new, (*lead, 4))], axis=-1)


def _spherical_difference(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    return quaternion_log(quaternion_product(conjugate(unit(start)), unit(end)))


def _planar_difference(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    turn = end[..., 2] - start[..., 2]
    turn = turn - 2 * np.pi * np.round(turn / (2 * np.pi))
    x, y = end[..., 0] - start[..., 0], end[..., 1] - start[..., 1]
    c, s = np.cos(start[..., 2]), np.sin(start[..., 2])
    x, y = c * x + s * y, c * y - s * x
    # V2 inverted
    a, b = np.cos(turn / 2) / _sinc(turn / 2), turn / 2
    return np.stack([a * x + b * y, a * y - b * x, turn], axis=-1)


def _floating_difference(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    u = unit(start[..., 3:])
    w = quaternion_log(quaternion_product(conjugate(u), unit(end[..., 3:])))
    p = rotate(conjugate(u), end[..., :3] - start[..., :3])
    # V3 inverted: p - w x p / 2 + (1 - t/2 cot(t/2))/t^2 w x (w x p)
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    once = np.cross(w, p)
    return np.concatenate([p - 0.5 * once + _cotangent_rest(angle) * np.cross(w, once), w], axis=-1)


def unit(u: np.ndarray) -> np.ndarray:
    """Return quaternions (..., 4) at length one."""
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
    """Return vectors x (..., 3) turned by unit quaternions u (..., 4)."""
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
    """Return the quaternion x y z w of a turn by |w| [rad] about w (..., 3)."""
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    return np.concatenate([0.5 * _sinc(angle / 2) * w, np.cos(angle / 2)], axis=-1)


def quaternion_log(u: np.ndarray) -> np.ndarray:
    """Return the turn (..., 3) [rad], at most pi, of unit quaternions x y z w (..., 4)."""
    u = np.where(u[..., 3:] < 0, -u, u)  # a quaternion and its negative are one rotation
    sine = np.linalg.norm(u[..., :3], axis=-1, keepdims=True)
    turned = sine > 0
    return u[..., :3] * np.where(turned, 2 * np.arctan2(sine, u[..., 3:]) / np.where(turned, sine, 1.0), 2.0)


def _sinc(x: np.ndarray) -> np.ndarray:
    """Return sin(x) / x."""
    zero = x == 0
    return np.where(zero, 1.0, np.sin(x) / np.where(zero, 1.0, x))


def _sine_rest(t: np.ndarray) -> np.ndarray:
    """Return (t - sin t) / t^3."""
    return _series_below(t, _SINE_REST, lambda t: (t - np.sin(t)) / t**3)


def _cotangent_rest(t: np.ndarray) -> np.ndarray:
    """Return (1 - t/2 cot(t/2)) / t^2, t at most pi."""
    return _series_below(t, _COTANGENT_REST, lambda t: (1 - np.cos(t / 2) / _sinc(t / 2)) / t**2)


def _series_below(t: np.ndarray, coefficients: Sequence[float], quotient: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    small = np.abs(t) < SMALL
    return np.where(small, np.polynomial.polynomial.polyval(t * t, coefficients), quotient(np.where(small, 1.0, t)))


_INTEGRATE = {
    JointKind.PRISMATIC: lambda q, step: q + step,
    JointKind.SPHERICAL: _integrate_spherical,
    JointKind.PLANAR: _integrate_planar,
    JointKind.FLOATING: _integrate_floating,
}
_DIFFERENCE = {
    JointKind.PRISMATIC: lambda start, end: end - start,
    JointKind.SPHERICAL: _spherical_difference,
    JointKind.PLANAR: _planar_difference,
    JointKind.FLOATING: _floating_difference,
}
