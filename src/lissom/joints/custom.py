"""Custom: translations and rotations that are functions of one coordinate, such as the knees of OpenSim.

The pose of the child is T(t1 a1 + t2 a2 + ...) R(b1, r1) R(b2, r2) ...: translations along axes of the joint frame, then
rotations about one axis after the other, each moved by those before. Every t and r is a function of q.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .kind import Kind
from .motion import Part

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits


Z = (0.0, 0.0, 1.0)  # the axis of a joint that is given none


class Custom(Kind):
    """A motion along a given curve of poses."""

    has_axis = False
    winds = slides = True
    own = ("motion",)
    in_urdf = False

    def units_of(self, joint: Joint) -> tuple[str, ...]:
        """Return the unit given by the joint's motion."""
        return (joint.motion.unit if joint.motion is not None else "rad",)

    def rate_units_of(self, joint: Joint) -> tuple[str, ...]:
        """Return the unit of its velocity: that of the coordinate."""
        return self.units_of(joint)

    def parts(self, joint: Joint) -> tuple[Part, ...]:
        """Return the translations, then the rotations."""
        assert joint.motion is not None
        slides = (Part(True, axis, law=law) for axis, law in joint.motion.translations)
        return *slides, *(Part(False, axis, law=law) for axis, law in joint.motion.rotations)

    def check(self, joint: Joint) -> str | None:
        """Check that it has a motion that depends on the coordinate, and no axis."""
        if joint.motion is None:
            return "a custom joint needs a motion: translations and rotations as functions of its coordinate"
        if joint.axis != Z:
            return f"a custom joint takes no axis, got {joint.axis}: the axes are those of its motion; leave it out"
        if all(part.law is not None and part.law.constant is not None for part in self.parts(joint)):
            return "no function of its motion depends on the coordinate; use a fixed joint"
        return None

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return zero if it only rotates."""
        return math.inf if joint.motion is None or joint.motion.translations else 0.0
