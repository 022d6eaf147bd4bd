"""Prismatic: a translation along z, Tz(q)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..spatial.rotation import NO_TURN
from ..spatial.scalar import Scalar
from ..spatial.twist import unit_twist
from .kind import Inertia, Kind
from .motion import Axis, JointMotion, along_z

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits


class Prismatic(Kind):
    """A translation along the axis."""

    units = rate_units = ("m",)
    slides = True
    marker = "box"
    directions = (unit_twist(2),)

    def motion(self, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0) -> JointMotion:
        """Return Tz(q) and its rates."""
        return JointMotion(NO_TURN, shift=along_z(q[0]), v=along_z(qd[0]), a=along_z(qdd[0]))

    def axes(self, joint: Joint) -> tuple[Axis, ...]:
        """One axis, along which it slides."""
        return (Axis(joint.axis, slides=True),)

    def unfelt(self, mass: float, ms: np.ndarray, J: np.ndarray) -> Inertia:
        """Return the whole rotational inertia: the body rotates with its parent."""
        return 0.0, np.zeros(3), J

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return the longer distance to a limit."""
        return max(abs(limits.lower), abs(limits.upper))
