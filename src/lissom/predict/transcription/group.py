"""Groups: limits and integrals of a quantity at the instants of a grid, taken from the source of the quantity."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..problem.parts import Integral, Limit
from ..quantities.quantity import Quantity
from .grid import Grid
from .source import Source


@dataclass(eq=False)
class Group:
    """A quantity on a grid, with its limits and integrals: z = factor * y - offset, of the source's entries y.

    Attributes:
        quantity: that is limited and minimized; where it follows a target, the source has what it follows it with.
        rows: its instants among those of the source.
        factor: (K, E), or 1.
        offset: (K, E), or 0.
        limits: with their first rows.
    """

    quantity: Quantity
    grid: Grid
    source: Source
    rows: np.ndarray | slice
    factor: np.ndarray | float = 1.0
    offset: np.ndarray | float = 0.0
    limits: list[tuple[int, Limit]] = field(default_factory=list)
    integrals: list[Integral] = field(default_factory=list)

    @property
    def y(self) -> np.ndarray:
        """Entries of the quantity (K, E) at the x evaluated last."""
        own = self.source.y[self.rows]
        return own if isinstance(self.factor, float) else own * self.factor - self.offset

    def spread(self, value: np.ndarray | float) -> np.ndarray:
        """Return a factor or an offset (K, E)."""
        return np.broadcast_to(value, (len(self.grid), self.quantity.size))

    def add(self, weights: np.ndarray, to: np.ndarray, power: int = 1) -> None:
        """Add weights (K, E) of its entries to those of the entries of its source; with power 2, of their squares."""
        to[self.rows] += weights * self.factor**power  # its instants are distinct
