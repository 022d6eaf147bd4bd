"""Regroup: base parameters. Move inertia without effect on a joint's torque from a body to the one that carries it.

Exact for joint torques, not for joint wrenches: moved inertia still acts on the parent, but no longer through the joint.
That inertia is defined in the file of each kind of joint (`unfelt` in `joints/`): for a revolute joint, mass on its axis.
Inertia moved to the fixed base is dropped. These are Gautier and Khalil's base parameters (Khalil 2010, section 2) by mechanics
instead of by algebra: a thin rod along z, a gyroscope without mass, and a point.

Sums that would be zero in exact arithmetic leave 1e-16 to 1e-19, each of which costs operations in every program. They are set
to zero if they are below the rounding of their terms; smaller numbers of a file are data, and kept.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..model.pose import Pose
from .tree import BASE, Body, Tree, rounded


def regroup(tree: Tree) -> Tree:
    """Return a tree with the same joint torques and fewer inertial parameters."""
    bodies = list(tree.bodies)
    sizes = [(_size(body.ms), _size(body.J)) for body in bodies]  # magnitudes of the terms of first and second moments
    for j in reversed(range(len(bodies))):
        body, (of_ms, of_J) = bodies[j], sizes[j]
        given = _unfelt(body)
        if given is None:
            bodies[j] = dataclasses.replace(body, ms=rounded(body.ms, of_ms), J=_rounded_inertia(body.J, of_J))
            continue
        mass, ms, J = given
        left = rounded(body.ms - ms, of_ms), _rounded_inertia(body.J - J, of_J)
        bodies[j] = dataclasses.replace(body, mass=body.mass - mass, ms=left[0], J=left[1])
        if body.parent != BASE:
            parent, length = bodies[body.parent], _size(body.pose.p)
            more = of_ms + abs(mass) * length, of_J + 2 * length * of_ms + abs(mass) * length * length
            sizes[body.parent] = sizes[body.parent][0] + more[0], sizes[body.parent][1] + more[1]
            mass, ms, J = _seen_from(body.pose, mass, ms, J)
            bodies[body.parent] = dataclasses.replace(parent, mass=parent.mass + mass, ms=parent.ms + ms, J=parent.J + J)
    return dataclasses.replace(tree, bodies=tuple(bodies))


def _unfelt(body: Body) -> tuple[float, np.ndarray, np.ndarray] | None:
    """Return mass, first moments and inertia without effect on the torque of the body's own joint."""
    if body.spins:
        return None
    return body.kind.traits.unfelt(body.mass, body.ms, body.J)


def _seen_from(pose: Pose, mass: float, ms: np.ndarray, J: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, first moments and inertia in a frame in which their own frame is at `pose`."""
    R, p = pose.R, pose.p
    ms = R @ ms
    cross = np.outer(p, ms) + np.outer(ms, p)
    shift = mass * (p @ p * np.eye(3) - np.outer(p, p)) + 2 * (p @ ms) * np.eye(3) - cross
    return mass, ms + mass * p, R @ J @ R.T + shift


def _size(values: np.ndarray) -> float:
    return float(np.abs(values).max())


def _rounded_inertia(J: np.ndarray, size: float) -> np.ndarray:
    """Round the second moments trace(J)/2 - J, one of which may vanish by regrouping, then the inertia."""
    K = rounded(np.trace(J) / 2 * np.eye(3) - J, size)
    return rounded(np.trace(K) * np.eye(3) - K, size)
