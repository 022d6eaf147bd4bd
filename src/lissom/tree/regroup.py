"""Regroup: base parameters. Move inertia that a joint cannot feel from a body to the one that carries it.

Exact for joint forces, not for joint wrenches: what is moved keeps pulling at the parent, but no longer through the joint.
    revolute    matter on the axis does not notice the turn: mass, first moment along z and second moment along z
    prismatic   the body turns as its parent does: the whole rotational inertia
    spherical   matter in the center: the mass
What a link hands to the fixed base is gone. Gautier and Khalil's base parameters (Khalil 2010, section 2) by mechanics
instead of by algebra: a thin rod along z, a gyroscope without mass, and a point.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..model.joint import TURNING, JointKind
from ..model.pose import Pose
from .tree import BASE, Body, Tree


def regroup(tree: Tree) -> Tree:
    """Return a tree with the same joint forces and fewer inertial parameters."""
    bodies = list(tree.bodies)
    for j in reversed(range(len(bodies))):
        body = bodies[j]
        given = _unfelt(body)
        if given is None:
            continue
        mass, ms, J = given
        bodies[j] = dataclasses.replace(body, mass=body.mass - mass, ms=_exact(body.ms - ms), J=_exact(body.J - J))
        if body.parent != BASE:
            parent = bodies[body.parent]
            mass, ms, J = _seen_from(body.pose, mass, ms, J)
            bodies[body.parent] = dataclasses.replace(parent, mass=parent.mass + mass, ms=parent.ms + ms, J=parent.J + J)
    return dataclasses.replace(tree, bodies=tuple(bodies))


def _unfelt(body: Body) -> tuple[float, np.ndarray, np.ndarray] | None:
    """Return mass, first moments and inertia that make no difference to the force of the body's own joint."""
    if body.spins:
        return None
    if body.kind in TURNING:
        # second moment along z: a rod of inertia k about x and y, and none about z
        k = (body.J[0, 0] + body.J[1, 1] - body.J[2, 2]) / 2
        return body.mass, np.array([0.0, 0.0, body.ms[2]]), np.diag([k, k, 0.0])
    if body.kind is JointKind.PRISMATIC:
        return 0.0, np.zeros(3), body.J
    if body.kind is JointKind.SPHERICAL:
        return body.mass, np.zeros(3), np.zeros((3, 3))
    return None


def _seen_from(pose: Pose, mass: float, ms: np.ndarray, J: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Express mass, first moments and inertia in a frame in which their own frame stands at `pose`."""
    R, p = pose.R, pose.p
    ms = R @ ms
    cross = np.outer(p, ms) + np.outer(ms, p)
    shift = mass * (p @ p * np.eye(3) - np.outer(p, p)) + 2 * (p @ ms) * np.eye(3) - cross
    return mass, ms + mass * p, R @ J @ R.T + shift


def _exact(values: np.ndarray) -> np.ndarray:
    """Give differences that are zero by construction the value zero."""
    values = values.copy()
    values[np.abs(values) < 1e-300] = 0.0
    return values
