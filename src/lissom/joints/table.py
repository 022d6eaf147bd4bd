"""The joint kinds by name."""

from __future__ import annotations

from enum import Enum

from ..errors import ModelError, suggest
from .continuous import Continuous
from .custom import Custom
from .fixed import Fixed
from .floating import Floating
from .helical import Helical
from .kind import Kind
from .planar import Planar
from .prismatic import Prismatic
from .revolute import Revolute
from .spherical import Spherical
from .universal import Universal


class JointKind(str, Enum):
    """The motion of a joint's child link relative to its parent.

    A planar joint moves in the plane normal to its axis and rotates about it; its velocity, like that of a floating joint, is
    that of the child, in the child's frame.
    """

    FIXED = "fixed"
    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    SPHERICAL = "spherical"
    PLANAR = "planar"
    FLOATING = "floating"
    HELICAL = "helical"
    UNIVERSAL = "universal"
    CUSTOM = "custom"

    @property
    def traits(self) -> Kind:
        """The Kind with the properties and functions of this kind."""
        return _TRAITS[self]

    @property
    def nq(self) -> int:
        """Number of coordinates (a rotation in space is a quaternion x y z w: four)."""
        return len(_TRAITS[self].coordinates)

    @property
    def nv(self) -> int:
        """Number of velocities, and of torques."""
        return len(_TRAITS[self].velocities)

    @classmethod
    def parse(cls, text: object) -> JointKind:
        """Return the kind named `text`, or raise a ModelError that lists the kinds."""
        try:
            return cls(text)
        except ValueError:
            choices = [k.value for k in cls]
            raise ModelError(f"unknown joint kind {text!r}; {suggest(str(text), choices)}") from None


_TRAITS: dict[JointKind, Kind] = {
    JointKind.FIXED: Fixed(),
    JointKind.REVOLUTE: Revolute(),
    JointKind.CONTINUOUS: Continuous(),
    JointKind.PRISMATIC: Prismatic(),
    JointKind.SPHERICAL: Spherical(),
    JointKind.PLANAR: Planar(),
    JointKind.FLOATING: Floating(),
    JointKind.HELICAL: Helical(),
    JointKind.UNIVERSAL: Universal(),
    JointKind.CUSTOM: Custom(),
}

SINGLE_DOF = frozenset(kind for kind in JointKind if kind.nv == 1)
# rotations about z alone: the passes of a tree may rotate their frames
TURNING = frozenset({JointKind.REVOLUTE, JointKind.CONTINUOUS})
