"""Payload: a body fixed to a link of a model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import ArrayLike, InertiaTensor
from ..doubts import collected_doubts, doubt
from ..errors import ModelError
from .check import find_problems, inertia_about
from .joint import JointKind
from .link import Inertia, Link
from .model import Model
from .pose import Pose, as_matrix3, as_vector3


def with_payload(
    model: Model,
    mass: float,
    com: Sequence[float] = (0.0, 0.0, 0.0),
    inertia: InertiaTensor | None = None,
    link: str | None = None,
) -> Model:
    """Return the model with a body fixed to one of its links.

    Args:
        model: the model; it is not changed.
        mass: of the body [kg].
        com: its center of mass in the link's frame [m].
        inertia: its inertia about its own center of mass, along the axes of the link's frame [kg m^2]: (3, 3), or six numbers
            ixx, iyy, izz, ixy, ixz, iyz as in files; None for a point.
        link: name of the link that carries the body; None for the last link of a robot with one end.

    Raises:
        ModelError: the robot has several ends and `link` is not given, or the body is impossible.
    """
    link = last_link(model) if link is None else link
    body = Inertia(mass, com, np.zeros((3, 3)) if inertia is None else _tensor(inertia))  # type: ignore[arg-type]
    loaded = with_body(model.link(link), body)
    known = {problem.text for problem in find_problems(model)}
    with collected_doubts() as found:
        made = model.replace(links=tuple(loaded if one.name == link else one for one in model.links))
    for text in found:
        if text.removeprefix(f"model {model.name!r}: ") not in known:
            doubt(text, stacklevel=3)
    if not moves(model, link):
        doubt(f"model {model.name!r}: link {link!r} cannot move, so that a payload on it changes no torque", stacklevel=3)
    return made


def moves(model: Model, link: str) -> bool:
    """Return whether a link can move against the base."""
    above = {joint.child: joint for joint in model.joints}
    while link in above:
        if above[link].kind is not JointKind.FIXED:
            return True
        link = above[link].parent
    return False


def _tensor(inertia: InertiaTensor) -> ArrayLike:
    if np.shape(inertia) != (6,):
        return inertia
    xx, yy, zz, xy, xz, yz = np.asarray(inertia)
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def last_link(model: Model) -> str:
    """Return the only moving link without child links, or raise a ModelError that names the candidates."""
    parents = {joint.parent for joint in model.joints}
    ends = [link.name for link in model.links if link.name not in parents and moves(model, link.name)]
    if len(ends) == 1:
        return ends[0]
    many = ", ".join(map(repr, ends[:12])) + (f" and {len(ends) - 12} more" if len(ends) > 12 else "")
    found = f"has {len(ends)} ends: {many}" if ends else "has no link that moves"
    raise ModelError(f"{model.name!r} {found}; give the link that carries the payload with link=")


def with_body(link: Link, body: Inertia) -> Link:
    """Return the link with a body fixed to it, whose inertia is given in the link's frame."""
    return Link(link.name, body if link.inertia is None else _together(link.inertia, body))


def placed(inertia: Inertia, pose: Pose) -> Inertia:
    """Return the same body in a frame in which its own frame is at `pose`."""
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
