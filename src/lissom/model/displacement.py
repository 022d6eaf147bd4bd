"""Displacement of a joint of one coordinate."""

from __future__ import annotations

import numpy as np

from ..joints.motion import Part
from .joint import Joint
from .pose import IDENTITY, Pose, as_matrix3, as_vector3, rotation_about


def displacement(joint: Joint, q: float) -> Pose:
    """Return the pose of the moved joint frame in the joint frame, at the coordinate q [rad or m]."""
    pose = IDENTITY
    for part in joint.kind.traits.parts(joint) or (Part(joint.kind.traits.slides, joint.axis),):
        pose = pose @ moved(part, part.at(q))
    return pose


def moved(part: Part, x: float) -> Pose:
    """Return a translation by x [m] or a rotation by x [rad]."""
    if part.slides:
        return Pose(translation=as_vector3(x * np.array(part.axis), "translation"))
    return Pose(as_matrix3(rotation_about(part.axis, x), "rotation"))
