"""Roots: squared entries shown as distances and speeds in reports."""

from __future__ import annotations

import math
from typing import NamedTuple


class Root(NamedTuple):
    """The root of an entry, less a constant, for reports.

    Attributes:
        label, unit: of the root.
        less: in that unit, such as the radii of capsules whose axes are measured.
    """

    label: str
    unit: str
    less: float = 0.0

    def bounds(self, lower: float, upper: float) -> tuple[float, float] | None:
        """Return bounds of the root from one bound of the entry; None for two bounds, or for a bound that cannot be a square."""
        if 0.0 < lower < math.inf == upper:
            return math.sqrt(lower) - self.less, math.inf
        if lower <= 0.0 < upper < math.inf:
            return -math.inf, math.sqrt(upper) - self.less
        return None


ROOTS = {"distance_squared": ("distance", "m"), "speed_squared": ("speed", "m/s")}  # by the name of the quantity
