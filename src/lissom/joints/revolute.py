"""Revolute: a rotation about z, Rz(q)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..spatial.rotation import TurnZ
from ..spatial.scalar import Scalar
from ..spatial.twist import unit_twist
from .kind import Inertia, Kind
from .motion import Axis, JointMotion, along_z

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits


class Revolute(Kind):
    """A rotation about the axis, by an angle with optional limits."""

    marker = "cylinder"
    directions = (unit_twist(5),)

    def motion(self, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0) -> JointMotion:
        """Return Rz(q + zero) and its rates."""
        return JointMotion(TurnZ.by(q[0], zero), w=along_z(qd[0]), dw=along_z(qdd[0]))

    def axes(self, joint: Joint) -> tuple[Axis, ...]:
        """One axis, about which it turns."""
        return (Axis(joint.axis, turns=True),)

    def unfelt(self, mass: float, ms: np.ndarray, J: np.ndarray) -> Inertia:
        """Return mass, first moment and second moment along z: mass on the axis does not move."""
        # second moment along z: a rod of inertia k about x and y, and none about z
        k = (J[0, 0] + J[1, 1] - J[2, 2]) / 2
        return mass, np.array([0.0, 0.0, ms[2]]), np.diag([k, k, 0.0])

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return zero: it only rotates."""
        return 0.0
