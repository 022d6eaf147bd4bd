"""Columns of the unknown spline: the joints of the path first, then the entries of channels, in the order of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..quantities.quantity import Quantity


class Columns:
    """Where joints and channels are among the columns of a problem's control points.

    Args:
        joints: number of joints.
        channels: number of entries of each channel, by name.

    Attributes:
        total: number of columns.
        sizes: of the path and of each channel.
        places: columns of channels.
    """

    def __init__(self, joints: int, channels: Mapping[str, int] | None = None) -> None:
        self.joints, self.total = joints, joints
        self.sizes = (joints, *(channels or {}).values())
        self.places: dict[str, range] = {}
        for name, size in (channels or {}).items():
            self.places[name] = range(self.total, self.total + size)
            self.total += size

    def of(self, quantity: Quantity) -> np.ndarray:
        """Return the columns that a quantity sees, in its order: the joints, if it depends on them, then its channels."""
        own = list(range(self.joints)) if quantity.path else []
        return np.array([*own, *(k for name in quantity.channels for k in self.places[name])], dtype=int)

    def track(self, quantity: Quantity) -> int:
        """Return the number of the only spline that a quantity sees: 0 for the path, then the channels."""
        return 0 if quantity.path else 1 + list(self.places).index(quantity.channels[0])
