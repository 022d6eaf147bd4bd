"""Lock: hold joints of a model still, so that what they join becomes one body."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ModelError, ModelWarning, NameLookupError
from .joint import SINGLE_DOF, Joint, JointKind
from .pose import Pose, as_number, rotation_about

if TYPE_CHECKING:
    from .model import Model


def locked(model: Model, positions: Mapping[str, float]) -> Model:
    """Return the model with joints held at positions [rad or m]; joints that follow one of them are held as well.

    Args:
        model: what to change.
        positions: by the names of joints of one axis that have coordinates of their own.
    """
    own = {joint.name for joint in model.independent_joints}
    for name in positions:
        if name not in own:
            raise NameLookupError("joint", str(name), own, f" with coordinates of its own in {model.name!r}")
        if model.joint(name).kind not in SINGLE_DOF:
            raise ModelError(f"joint {name!r} is {model.joint(name).kind.value}; only joints of one axis can be locked")

    def held(joint: Joint) -> Joint:
        leader = model.resolve_coupling(joint) if joint.kind is not JointKind.FIXED else None
        if leader is None or leader.joint not in positions:
            return joint
        q = leader.ratio * as_number(positions[leader.joint], f"position of joint {leader.joint!r}") + leader.offset
        origin = joint.origin @ _moved(joint, q)
        return Joint(joint.name, JointKind.FIXED, joint.parent, joint.child, origin, joint.axis, joint.tail)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # of what is doubtful in the model, the model has warned already
        return model.with_joints(held)


def _moved(joint: Joint, q: float) -> Pose:
    """Return the motion of a joint of one axis."""
    if joint.kind is JointKind.PRISMATIC:
        return Pose(translation=q * np.array(joint.axis))
    return Pose(rotation_about(joint.axis, q))
