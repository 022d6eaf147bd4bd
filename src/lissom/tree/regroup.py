"""Regroup: base parameters. Move inertia that a joint cannot feel from a body to the one that carries it.

Exact for joint forces, not for joint wrenches: what is moved keeps pulling at the parent, but no longer through the joint.
That inertia is said in the file of each kind of joint (`unfelt` in `joints/`): of a revolute joint matter on its axis.
What a link hands to the fixed base is gone. Gautier and Khalil's base parameters (Khalil 2010, section 2) by mechanics
instead of by algebra: a thin rod along z, a gyroscope without mass, and a point.
"""

from __future__ import annotations

import dataclasses

import numpy as np

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
    return body.kind.traits.unfelt(body.mass, body.ms, body.J)


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
