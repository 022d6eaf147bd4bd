"""Reach: how far a point of a link can be from where the first joint on its way stands, whatever the joints do.

The lengths between joints add up, and so do the ranges of sliding ones. Within the bound a target may still be out of reach;
beyond it none can be reached, and no limit of a turning joint is to blame.
"""

from __future__ import annotations

import numpy as np

from ..model.joint import Joint, JointKind, Limits
from ..model.model import Model
from ..model.pose import IDENTITY
from .target import Target


def beyond_reach(model: Model, target: Target, limits: bool) -> np.ndarray:
    """Return by how much each target (N,) lies beyond what the lengths of the robot can span [m]; 0 where it does not."""
    n = len(target.point)
    if target.position is None:
        return np.zeros(n)
    way = _way(model, target.link)
    stand = IDENTITY  # of the first joint that moves, in the world
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
    """Return how far a joint can carry what lies beyond it [m]."""
    return joint.kind.traits.travel(joint, joint.limits if limits else Limits())
