"""Helical: a screw, Rz(q) Tz(pitch q)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .kind import Kind
from .motion import Axis, Part

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits


class Helical(Kind):
    """A rotation about the axis by q [rad], with a translation along it by `pitch` [m/rad] times q."""

    winds = slides = True
    marker = "cylinder"
    own = ("pitch",)
    in_urdf = False

    def parts(self, joint: Joint) -> tuple[Part, ...]:
        """Return a translation and a rotation along one axis."""
        assert joint.pitch is not None
        return Part(True, joint.axis, factor=joint.pitch), Part(False, joint.axis)

    def axes(self, joint: Joint) -> tuple[Axis, ...]:
        """One axis, about which it turns while it slides along it."""
        return (Axis(joint.axis, turns=True, slides=True, left_handed=(joint.pitch or 0.0) < 0.0),)

    def check(self, joint: Joint) -> str | None:
        """Check that the pitch is finite; it may have either sign, or be zero."""
        if joint.pitch is None:
            return "a helical joint needs its pitch [m/rad]"
        return None if math.isfinite(joint.pitch) else f"its pitch must be finite, got {joint.pitch:g}"

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return the pitch times the larger angle."""
        return abs(joint.pitch) * max(abs(limits.lower), abs(limits.upper)) if joint.pitch else 0.0
