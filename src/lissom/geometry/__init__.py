"""Triangles of shapes, mesh files, and forms for links without shapes."""

from .capsules import LinkCapsule as LinkCapsule
from .capsules import link_capsules as link_capsules
from .load import load_mesh as load_mesh
from .load import surface as surface
from .simplify import simplified as simplified
from .stand_in import StandIn as StandIn
from .stand_in import stand_ins as stand_ins
from .surface import Surface as Surface

__all__ = [
    "LinkCapsule",
    "StandIn",
    "Surface",
    "link_capsules",
    "load_mesh",
    "simplified",
    "stand_ins",
    "surface",
]


def __dir__() -> list[str]:
    return __all__
