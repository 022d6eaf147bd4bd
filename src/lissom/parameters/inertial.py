"""The vector pi of a model: ten inertial parameters a link, then those of drives and springs, in the order of the regressor."""

from __future__ import annotations

import numpy as np

from ..algorithms.regressor import DRIVE, INERTIAL, SPRING
from ..model.check import inertia_about
from ..model.joint import SINGLE_DOF, Joint
from ..model.link import Link
from ..model.model import Model


def inertial_parameters(model: Model, drives: bool = True) -> np.ndarray:
    """Return pi: (10 n_links + 3 n_driven + 2 n_springs,), or its first part without the drives."""
    parts = [_of_link(link) for link in model.links]
    if drives:
        parts += [_of_drive(joint) for joint in driven_joints(model)]
    return np.array([x for part in parts for x in part])


def inertial_parameter_names(model: Model, drives: bool = True) -> tuple[str, ...]:
    """Return a name for each entry of pi: "forearm.mass", "elbow.viscous"."""
    names = [f"{link.name}.{name}" for link in model.links for name in INERTIAL]
    if drives:
        for joint in driven_joints(model):
            names += [f"{joint.name}.{name}" for name in (DRIVE if joint.spring is None else DRIVE + SPRING)]
    return tuple(names)


def driven_joints(model: Model) -> list[Joint]:
    """Return the joints that can have friction and rotor inertia, coupled ones too."""
    return [joint for joint in model.joints if joint.kind in SINGLE_DOF]


def _of_drive(joint: Joint) -> list[float]:
    rotor, friction, spring = joint.rotor_inertia, joint.friction, joint.spring
    if spring is None:
        return [rotor, friction.viscous, friction.coulomb]
    return [rotor, friction.viscous + spring.damping, friction.coulomb, spring.stiffness, spring.stiffness * spring.rest]


def _of_link(link: Link) -> list[float]:
    if link.inertia is None:
        return [0.0] * len(INERTIAL)
    m, c = link.inertia.mass, link.inertia.com
    I = inertia_about(link.inertia, np.eye(3), np.zeros(3))
    return [m, *(m * x for x in c), *map(float, (I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]))]
