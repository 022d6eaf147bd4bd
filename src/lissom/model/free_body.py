"""A free body beside a robot: a box on a floating joint of its own, to be carried, pushed or stood upon."""

from __future__ import annotations

from collections.abc import Sequence

from .joint import Joint, JointKind
from .link import Inertia, Link
from .model import Model
from .shape import Box, Shape


def with_box(model: Model, name: str, mass: float, size: Sequence[float]) -> Model:
    """Return the model with a uniform box that moves freely, its frame in its middle.

    Args:
        model: the model; it is not changed.
        name: of the box's link; its floating joint is "<name>_joint", from the base of the model.
        mass: of the box [kg].
        size: lengths of its edges along x, y and z [m].

    Raises:
        ModelError: the name is taken, or the mass or a length is not positive.
    """
    box = Box(size)  # type: ignore[arg-type]
    xx, yy, zz = (mass / 12 * (sum(edge**2 for edge in box.size) - edge**2) for edge in box.size)
    link = Link(name, Inertia(mass, (0.0, 0.0, 0.0), ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))))
    joint = Joint(f"{name}_joint", JointKind.FLOATING, model.base, name)
    return model.replace(
        links=(*model.links, link), joints=(*model.joints, joint), shapes=(*model.shapes, Shape(name, box, role="both"))
    )
