"""Detection of Denavit-Hartenberg tables: models whose moving joints have the frames of its rows.

standard  A = Rz(theta) Tz(d) Tx(a) Rx(alpha): a screw about z before the motion, at most screws about z and x after it
modified  A = Rx(alpha) Tx(a) Rz(theta) Tz(d): both before the motion (Craig; Khalil's with gamma = b = 0)
A model does not store the format it was read from; its frames show the convention.
"""

from __future__ import annotations

import numpy as np

from ..errors import ModelError, is_choice, suggest
from .joint import Joint, JointKind
from .model import Model
from .pose import IDENTITY

CONVENTIONS = ("standard", "modified")
_CLOSE = 1e-10
_ROWS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
_GENERAL = "inverse_dynamics_geometry_derivatives takes any robot"


def dh_convention(model: Model, convention: str | None = None) -> str:
    """Return the convention of a model's table, or raise a ModelError that names the joint that does not fit."""
    if convention is not None and not is_choice(convention, CONVENTIONS):
        raise ModelError(f"no convention {convention!r}; {suggest(str(convention), CONVENTIONS)}")
    faults = {name: _fault(model, name) for name in CONVENTIONS}
    if convention is not None:
        if faults[convention] is not None:
            why = f"{faults[convention]}; {_GENERAL}"
            raise ModelError(f"robot {model.name!r} is not a {convention} Denavit-Hartenberg table: {why}")
        return convention
    fitting = [name for name in CONVENTIONS if faults[name] is None]
    if not fitting:
        why = "; ".join(f"not {name}, because {fault}" for name, fault in faults.items())
        raise ModelError(f"robot {model.name!r} is not a Denavit-Hartenberg table: {why}; {_GENERAL}")
    if len(fitting) == 2:
        raise ModelError(
            f"robot {model.name!r} is a table in both conventions, since every a and alpha is zero; "
            "give convention='standard' or convention='modified'"
        )
    return fitting[0]


def _fault(model: Model, convention: str) -> str | None:
    for joint in model.joints:
        if joint.kind is JointKind.FIXED:
            continue
        if joint.kind not in _ROWS:
            return f"joint {joint.name!r} is {joint.kind.value}"
        if np.abs(np.array(joint.axis) - (0, 0, 1)).max() > _CLOSE:
            return f"the axis of joint {joint.name!r} is not z"
        fault = _not_standard(joint) if convention == "standard" else _not_modified(joint)
        if fault:
            return f"joint {joint.name!r} {fault}"
    return None


def _not_standard(joint: Joint) -> str | None:
    R, p = joint.origin.R, joint.origin.p
    if max(abs(R[2, 0]), abs(R[2, 1]), abs(R[2, 2] - 1), abs(p[0]), abs(p[1])) > _CLOSE:
        return "is placed in the previous link by more than a screw about z"
    R, p = joint.tail.R, joint.tail.p
    if max(abs(R[0, 1]), abs(R[0, 2]), abs(R[0, 0] - 1), abs(p[1])) > _CLOSE:
        return "places its link's frame by more than screws about z and x"
    return None


def _not_modified(joint: Joint) -> str | None:
    if joint.tail != IDENTITY:
        return "does not have its link's frame at the joint"
    z, p = joint.origin.R[:, 2], joint.origin.p
    # the axis is normal to the previous x, and the origin lies on a screw along the two
    if max(abs(z[0]), abs(p[1] * z[2] - p[2] * z[1])) > _CLOSE:
        return "is placed in the previous link by more than screws about x and z"
    return None
