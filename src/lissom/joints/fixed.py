"""Fixed: no motion; both links are one body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kind import Kind

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits


class Fixed(Kind):
    """No motion."""

    coordinates = velocities = units = rate_units = ()
    has_axis = False

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return zero."""
        return 0.0
