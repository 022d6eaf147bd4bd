"""Links: coordinates and velocities of joints alone, without the motors behind springs, which come last; and paths of them."""

from __future__ import annotations

from ...model.layout import Place
from ...model.model import Model

PATH = ("q", "qd", "qdd", "qddd", "qdddd", "qddddd")  # a path of the links and its derivatives, inputs by name


def link_nv(model: Model) -> int:
    """Return the number of velocities of joints: all but those of elastic drives, which come last."""
    return model.nv - len(model.elastic_motors)


def link_nq(model: Model) -> int:
    """Return the number of coordinates of joints, likewise."""
    return model.nq - len(model.elastic_motors)


def link_places(model: Model) -> tuple[Place, ...]:
    """Return the places of joints, likewise."""
    return model.layout[: len(model.layout) - len(model.elastic_motors)]


def path_ports(model: Model, orders: int) -> dict[str, int]:
    """Return the sizes of a path's first inputs by name: coordinates of joints, then derivatives of their velocities."""
    return {name: link_nv(model) if k else link_nq(model) for k, name in enumerate(PATH[:orders])}
