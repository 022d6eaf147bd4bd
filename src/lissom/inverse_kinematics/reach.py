"""Reach: an upper bound of the distance of a point of a link from the first moving joint on its chain.

The lengths between joints add up, and so do the ranges of sliding joints. Within the bound a target may still be out of reach;
beyond it none can be reached, independent of the limits of rotating joints.
"""

from __future__ import annotations

import numpy as np

from ..model.joint import Joint, JointKind, Limits
from ..model.model import Model
from ..model.pose import IDENTITY
from .target import Target


def beyond_reach(model: Model, target: Target, limits: bool) -> np.ndarray:
    """Return the distance of each target (N,) beyond the total length of the robot [m]; 0 within it."""
    n = len(target.point)
    if target.position is None:
        return np.zeros(n)
    way = _way(model, target.link)
    stand = IDENTITY  # pose of the first moving joint in the world
    while way and way[0].kind is JointKind.FIXED:
        joint = way.pop(0)
        stand = stand @ joint.origin @ joint.tail
    if not way:
        return np.zeros(n)
    stand = stand @ way[0].origin
    span = sum(float(np.linalg.norm(joint.origin.p)) for joint in way[1:])
    span += sum(float(np.linalg.norm(joint.tail.p)) + _travel(joint, limits) for joint in way)
    distance = np.linalg.norm(target.position - stand.p, axis=1)
    return np.asarray(np.maximum(distance - span - np.linalg.norm(target.point, axis=1), 0.0))


def _way(model: Model, link: str) -> list[Joint]:
    """Return the joints from the base to a link."""
    above = {joint.child: joint for joint in model.joints}
    way: list[Joint] = []
    while link in above:
        way.insert(0, above[link])
        link = above[link].parent
    return way


def _travel(joint: Joint, limits: bool) -> float:
    """Return the largest translation by a joint [m]."""
    return joint.kind.traits.travel(joint, joint.limits if limits else Limits())
