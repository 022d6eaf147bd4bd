"""What a model becomes with something more in its hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .check import inertia_about
from .link import Inertia, Link
from .model import Model
from .pose import Pose, as_matrix3, as_vector3


def with_payload(model: Model, link: str, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0), inertia: Any = None) -> Model:
    """Return the model with a body fixed to one of its links.

    Args:
        model: is left as it is.
        link: name of the link that carries the body.
        mass: of the body [kg].
        com: its center of mass in the link's frame [m].
        inertia: its inertia (3, 3) about its own center of mass, along the axes of the link's frame [kg m^2]; None for a point.
    """
    body = Inertia(mass, com, np.zeros((3, 3)) if inertia is None else inertia)  # type: ignore[arg-type]
    loaded = with_body(model.link(link), body)
    return model.replace(links=tuple(loaded if one.name == link else one for one in model.links))


def with_body(link: Link, body: Inertia) -> Link:
    """Return the link with a body fixed to it, whose inertia is given in the link's frame."""
    return Link(link.name, body if link.inertia is None else _together(link.inertia, body))


def placed(inertia: Inertia, pose: Pose) -> Inertia:
    """Return the same body in a frame in which its own frame stands at `pose`."""
    R = pose.R
    tensor = R @ np.array(inertia.tensor) @ R.T
    return Inertia(
        inertia.mass, as_vector3(R @ np.array(inertia.com) + pose.p, "com"), as_matrix3((tensor + tensor.T) / 2, "inertia")
    )


def _together(one: Inertia, two: Inertia) -> Inertia:
    mass = one.mass + two.mass
    c = (one.mass * np.array(one.com) + two.mass * np.array(two.com)) / mass
    about = inertia_about(one, np.eye(3), -c) + inertia_about(two, np.eye(3), -c)
    return Inertia(mass, tuple(c), (about + about.T) / 2)  # type: ignore[arg-type]
