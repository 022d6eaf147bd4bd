"""What a model becomes with something more in its hand, and with joints that are held."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ModelError
from .check import inertia_about
from .joint import SINGLE_DOF, TURNING, Friction, Joint, JointKind
from .link import Inertia, Link
from .model import Model
from .pose import Pose, rotation_about


def with_payload(model: Model, link: str, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0), inertia: Any = None) -> Model:
    """Return the model with a body fixed to one of its links.

    Args:
        model: is left as it is.
        link: name of the link that carries the body.
        mass: of the body [kg].
        com: its centre of mass in the link's frame [m].
        inertia: its inertia (3, 3) about its own centre of mass, along the axes of the link's frame [kg m^2]; None for a point.
    """
    body = Inertia(mass, com, np.zeros((3, 3)) if inertia is None else inertia)  # type: ignore[arg-type]
    own = model.link(link).inertia
    loaded = Link(link, body if own is None else _together(own, body))
    return model.replace(links=tuple(loaded if one.name == link else one for one in model.links))


def _together(one: Inertia, two: Inertia) -> Inertia:
    mass = one.mass + two.mass
    c = (one.mass * np.array(one.com) + two.mass * np.array(two.com)) / mass
    about = inertia_about(one, np.eye(3), -c) + inertia_about(two, np.eye(3), -c)
    return Inertia(mass, tuple(c), (about + about.T) / 2)  # type: ignore[arg-type]


def with_locked_joints(model: Model, values: Mapping[str, float]) -> Model:
    """Return the model with some joints fixed at values, and so those that are coupled to them.

    Args:
        model: is left as it is.
        values: by names of joints of one axis with a coordinate of their own [rad or m].
    """
    for name in values:
        joint = model.joint(name)
        if joint.coupling is not None:
            raise ModelError(f"joint {name!r} follows joint {joint.coupling.joint!r}; lock that one instead")
        if joint.kind not in SINGLE_DOF:
            raise ModelError(f"joint {name!r} is {joint.kind.value}; only joints of one axis can be locked")

    def change(joint: Joint) -> Joint:
        if joint.kind is JointKind.FIXED:
            return joint
        coupling = model.resolve_coupling(joint)
        if coupling.joint not in values:
            return joint
        q = coupling.ratio * float(values[coupling.joint]) + coupling.offset
        axis = np.array(joint.axis)
        motion = Pose(rotation_about(joint.axis, q)) if joint.kind in TURNING else Pose(translation=tuple(q * axis))
        held = {"kind": JointKind.FIXED, "origin": joint.origin @ motion, "coupling": None, "rotor_inertia": 0.0}
        return dataclasses.replace(joint, friction=Friction(), **held)  # type: ignore[arg-type]

    return model.with_joints(change)
