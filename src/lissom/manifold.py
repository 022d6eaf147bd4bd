"""Manifold: the configuration reached along a velocity, and the velocity between two configurations.

A velocity v held for a time dt, in the axes of the moving child, is a screw: the configuration moves by the exponential map of
each joint's own group (Lynch and Park 2017, section 3.3; Barfoot 2017, section 7.1; the conventions of Pinocchio's `integrate`).
    one axis, universal   q + v dt                     angles are kept as they are, never wrapped
    spherical             u . exp(w dt)                u: quaternion x y z w; any length in, length one out
    planar                x + Rz(angle) V2 v dt        V2, V3: the mean of the rotation over the motion
    floating              p + R(u) V3 v dt,  u . exp(w dt)
Plain NumPy over leading axes; the map of each kind is in its file of `joints/`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .joints.kind import Kind
from .model.model import Model

_PLAIN = Kind()


def integrate_configuration(model: Model, q: np.ndarray, v: np.ndarray, dt: float | np.ndarray = 1.0) -> np.ndarray:
    """Return the configuration (..., nq) reached from q (..., nq) by holding the velocity v (..., nv) for the time dt [s]."""
    q, step = np.asarray(q, dtype=float), np.asarray(v, dtype=float) * np.asarray(dt, dtype=float)[..., None]
    lead = np.broadcast_shapes(q.shape[:-1], step.shape[:-1])
    result = np.empty((*lead, model.nq))
    for kind, iq, iv in _parts(model):
        result[..., iq] = kind.integrate(q[..., iq], step[..., iv])
    return result


def configuration_difference(model: Model, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the velocity (..., nv) that leads from `start` to `end` (..., nq) in one second, along the shorter rotation.

    It inverts `integrate_configuration`. Rotations of spherical, planar and floating joints are between -pi and pi.
    """
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    lead = np.broadcast_shapes(start.shape[:-1], end.shape[:-1])
    result = np.empty((*lead, model.nv))
    for kind, iq, iv in _parts(model):
        result[..., iv] = kind.difference(start[..., iq], end[..., iq])
    return result


def _parts(model: Model) -> Iterator[tuple[Kind, slice, slice]]:
    """Yield kinds with the slices of their coordinates and velocities; joints with additive coordinates come together."""
    plain_q = plain_v = 0
    for place in model.layout:
        if place.kind.traits.adds_up:
            continue
        if place.iq > plain_q:
            yield _PLAIN, slice(plain_q, place.iq), slice(plain_v, place.iv)
        yield place.kind.traits, place.q, place.v
        plain_q, plain_v = place.q.stop, place.v.stop
    if model.nq > plain_q:
        yield _PLAIN, slice(plain_q, model.nq), slice(plain_v, model.nv)
