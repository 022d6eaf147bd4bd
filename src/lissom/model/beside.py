"""A robot beside another one in one model: two trees on the same base, with names that do not clash."""

from __future__ import annotations

from dataclasses import replace

from ..errors import ModelError
from .joint import Joint, JointKind
from .model import Model
from .pose import IDENTITY, Pose


def with_robot(model: Model, other: Model, name: str, place: Pose = IDENTITY) -> Model:
    """Return the model with another robot, whose base is fixed to its own.

    Args:
        model: the model; it is not changed, and its gravity stays.
        other: the other one: a tree of links and joints.
        name: put before the names of its links and joints, as "<name>_<link>"; the fixed joint is "<name>_mount".
        place: of its base in that of `model`.

    Raises:
        ModelError: the other one has loops, motors or force elements, or a name is taken.
    """
    more = [what for what, own in (("loops", other.loops), ("motors", other.motors), ("forces", other.force_elements)) if own]
    if more:
        raise ModelError(f"robot {other.name!r} has {more[0]}: only one of links and joints can stand beside another")

    def called(own: str) -> str:
        return f"{name}_{own}"

    def moved(joint: Joint) -> Joint:
        follows = joint.coupling and replace(joint.coupling, joint=called(joint.coupling.joint))
        parent, child = called(joint.parent), called(joint.child)
        return replace(joint, name=called(joint.name), parent=parent, child=child, coupling=follows)

    mount = Joint(f"{name}_mount", JointKind.FIXED, model.base, called(other.base), origin=place)
    return model.replace(
        links=(*model.links, *(replace(link, name=called(link.name)) for link in other.links)),
        joints=(*model.joints, mount, *(moved(joint) for joint in other.joints)),
        shapes=(*model.shapes, *(replace(shape, link=called(shape.link)) for shape in other.shapes)),
    )
