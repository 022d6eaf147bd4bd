"""Drawn power: the power that drives take from their supply, without recuperation.

Mechanical work is not a useful goal: without friction, the integral of tau qd is the difference of energies at the two ends, the
same for all motions between them. A supply has to deliver the integral of max(tau qd, 0), whose corner is rounded here:

    f(P) = (P + r - w) / 2,   r = sqrt(P^2 + w^2),   f' = (1 + P / r) / 2,   f'' = w^2 / (2 r^3)

f lies between max(P, 0) - w / 2 and max(P, 0), and f(0) = 0: rest costs nothing.
Symbols: P power of a drive [W] | w width of the rounded corner [W].
"""

from __future__ import annotations

import numpy as np

from .quantity import Quantity
from .state import State


class Drawn(Quantity):
    """Power drawn by every drive [W], from its power.

    Args:
        power: tau qd of the joints.
        width: of the rounded corner [W].
    """

    _joined_by = " of "

    def __init__(self, power: Quantity, width: float) -> None:
        self.name, self.labels, self.unit = "drawn_power", power.labels, power.unit
        self.orders, self.depends = power.orders, power.depends
        self.power, self.width = power, width

    def values(self, state: State) -> np.ndarray:
        """Return f(P)."""
        P = self.power.values(state)
        return 0.5 * (P + np.hypot(P, self.width) - self.width)

    def derivatives(self, state: State) -> np.ndarray:
        """Return f' dP."""
        P = self.power.values(state)
        return self._slope(P)[..., None] * self.power.derivatives(state)

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Return f' d2P + f'' dP dP."""
        P, D = self.power.values(state), self.power.derivatives(state)
        bend = weights * self.width**2 / (2.0 * np.hypot(P, self.width) ** 3)
        found = np.einsum("rkei,skej->krisj", bend[..., None] * D, D, optimize=True)
        own = self.power.curvature(state, weights * self._slope(P))
        return found if own is None else found + own

    def _slope(self, P: np.ndarray) -> np.ndarray:
        return 0.5 * (1.0 + P / np.hypot(P, self.width))
