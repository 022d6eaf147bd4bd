"""Roots: how entries that are squares are shown to people, as distances and speeds."""

from __future__ import annotations

import math
from typing import NamedTuple


class Root(NamedTuple):
    """What an entry is shown as: its root, less a constant.

    Attributes:
        label, unit: of what is shown.
        less: in that unit, such as the radii of capsules whose axes are measured.
    """

    label: str
    unit: str
    less: float = 0.0

    def bounds(self, lower: float, upper: float) -> tuple[float, float] | None:
        """Return bounds of the root from those of the entry; None where the entry has both, or one that is no square."""
        if 0.0 < lower < math.inf == upper:
            return math.sqrt(lower) - self.less, math.inf
        if lower <= 0.0 < upper < math.inf:
            return -math.inf, math.sqrt(upper) - self.less
        return None


ROOTS = {"distance_squared": ("distance", "m"), "speed_squared": ("speed", "m/s")}  # by the name of the quantity
