"""The vector pi of a model: ten inertial parameters per link, then those of drives and springs, as in the regressor."""

from __future__ import annotations

import numpy as np

from ..algorithms.derivatives.regressor import DRIVE, INERTIAL, SPRING
from ..algorithms.force_elements import refuse_elements
from ..model.check import inertia_about
from ..model.link import Inertia
from ..model.model import Model
from ..model.pose import IDENTITY, Pose
from ..tree import Body, Tree, lump
from ..tree.lump import still_part


def inertial_parameters(model: Model, drives: bool = True) -> np.ndarray:
    """Return pi: (10 n_links + 3 n_driven + 3 n_springs,), or its first part without the drives."""
    parts = [_of_link(model, link.name) for link in model.links]
    if drives:
        refuse_elements(model, "inertial_parameters with drives=True (drives=False leaves out friction and springs)")
        tree = lump(model)
        parts += [np.array([_spin(body), body.viscous, body.coulomb]) for body in _driven(tree)]
        parts += [np.array([s.stiffness, s.stiffness * s.rest, s.damping]) for s in tree.springs]
    return np.concatenate(parts)


def inertial_parameter_names(model: Model, drives: bool = True) -> tuple[str, ...]:
    """Return a name for each entry of pi: "forearm.mass", "elbow.viscous"."""
    names = [f"{link.name}.{name}" for link in model.links for name in INERTIAL]
    if drives:
        tree = lump(model)
        names += [f"{body.name}.{name}" for body in _driven(tree) for name in DRIVE]
        names += [f"{spring.name}.{name}" for spring in tree.springs for name in SPRING]
    return tuple(names)


def _driven(tree: Tree) -> list[Body]:
    return [tree.bodies[j] for j in tree.driven]


def _spin(body: Body) -> float:
    return body.rotor + (float(body.J[2, 2]) if body.spins else 0.0)


def _of_link(model: Model, name: str) -> np.ndarray:
    """Return the parameters of a link, including the parts of its motors that move with it."""
    total = _ten(model.link(name).inertia, IDENTITY)
    for motor in model.motors:
        if motor.link == name:
            total = total + _ten(still_part(motor), motor.origin)
    return total


def _ten(inertia: Inertia | None, pose: Pose) -> np.ndarray:
    if inertia is None:
        return np.zeros(len(INERTIAL))
    m, c = inertia.mass, pose.R @ np.array(inertia.com) + pose.p
    I = inertia_about(inertia, pose.R, pose.p)
    return np.array([m, *(m * c), I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])
