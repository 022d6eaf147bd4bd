"""Universal: a rotation about an axis of the parent, then one about a perpendicular axis of the child (Cardan, Hooke)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kind import Kind
from .motion import Axis, Part

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits

SQUARE = 1e-9  # largest cosine of the angle between the two axes


class Universal(Kind):
    """Two rotations, about `axis` and then about `second_axis`, which the first moves."""

    coordinates = velocities = ("_1", "_2")
    units = rate_units = ("rad", "rad")
    own = ("second_axis",)
    in_urdf = False

    def parts(self, joint: Joint) -> tuple[Part, ...]:
        """Two turns."""
        assert joint.second_axis is not None
        return Part(False, joint.axis), Part(False, joint.second_axis, coordinate=1)

    def axes(self, joint: Joint) -> tuple[Axis, ...]:
        """One axis on the parent, one on the child."""
        assert joint.second_axis is not None
        return Axis(joint.axis, turns=True), Axis(joint.second_axis, turns=True, moved=True)

    def check(self, joint: Joint) -> str | None:
        """Check that the axes are perpendicular."""
        if joint.second_axis is None:
            return "a universal joint needs two axes; give the second one too (second_axis)"
        cosine = sum(a * b for a, b in zip(joint.axis, joint.second_axis, strict=True))
        if abs(cosine) > SQUARE:
            return f"the two axes of a universal joint must be perpendicular; the cosine of their angle is {cosine:.3g}"
        return None

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return zero: it only rotates."""
        return 0.0
