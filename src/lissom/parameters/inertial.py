"""The vector pi of a model: ten inertial parameters a link, then three of each drive, in the order of the regressor's columns."""

from __future__ import annotations

import numpy as np

from ..algorithms.regressor import DRIVE, INERTIAL
from ..model.check import inertia_about
from ..model.joint import SINGLE_DOF, Joint
from ..model.link import Link
from ..model.model import Model


def inertial_parameters(model: Model, drives: bool = True) -> np.ndarray:
    """Return pi: (10 n_links + 3 n_driven,), or its first part without the drives."""
    parts = [_of_link(link) for link in model.links]
    if drives:
        parts += [[j.rotor_inertia, j.friction.viscous, j.friction.coulomb] for j in driven_joints(model)]
    return np.array([x for part in parts for x in part])


def inertial_parameter_names(model: Model, drives: bool = True) -> tuple[str, ...]:
    """Return a name for each entry of pi: "forearm.mass", "elbow.viscous"."""
    names = [f"{link.name}.{name}" for link in model.links for name in INERTIAL]
    if drives:
        names += [f"{joint.name}.{name}" for joint in driven_joints(model) for name in DRIVE]
    return tuple(names)


def driven_joints(model: Model) -> list[Joint]:
    """Return the joints that can have friction and rotor inertia, coupled ones too."""
    return [joint for joint in model.joints if joint.kind in SINGLE_DOF]


def _of_link(link: Link) -> list[float]:
    if link.inertia is None:
        return [0.0] * len(INERTIAL)
    m, c = link.inertia.mass, link.inertia.com
    I = inertia_about(link.inertia, np.eye(3), np.zeros(3))
    return [m, *(m * x for x in c), *map(float, (I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]))]
