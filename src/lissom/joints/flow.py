"""Coordinates and velocities by the kind of their joint, over any scalar: see the methods of `Kind`."""

from __future__ import annotations

from collections.abc import Sequence

from ..spatial.scalar import Scalar
from .table import JointKind


def coordinate_rates(kind: JointKind, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return the time derivatives of a joint's coordinates."""
    return kind.traits.rates(q, v)


def step_along(kind: JointKind, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return the coordinates reached from q along v, a velocity times the length of the step."""
    return kind.traits.step(q, v)


def unit_coordinates(kind: JointKind, q: Sequence[Scalar]) -> list[Scalar]:
    """Return coordinates with the quaternion normalized, from a length near one."""
    return kind.traits.unit(q)
