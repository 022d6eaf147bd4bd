"""The parameter theta instead of s, in which a motion that begins or ends at rest is smooth.

w(theta) = ds/dtheta is proportional to theta^2 at a start at rest, (1 - theta)^2 at an end at rest, their product for both
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial

from ..spline import SplinePath


class Warp:
    """s as a polynomial of theta, both from 0 to 1."""

    def __init__(self, rest_start: bool, rest_end: bool) -> None:
        weight = Polynomial([1.0])
        if rest_start:
            weight = weight * Polynomial([0.0, 0.0, 1.0])
        if rest_end:
            weight = weight * Polynomial([1.0, -2.0, 1.0])
        whole = weight.integ()
        self.orders = [(whole / whole(1.0)).deriv(k) if k else whole / whole(1.0) for k in range(4)]

    def at(self, theta: np.ndarray) -> list[np.ndarray]:
        """Return s and its first three derivatives by theta."""
        s, *rates = (np.asarray(order(theta)) for order in self.orders)
        return [np.clip(s, 0.0, 1.0), *rates]

    def inverse(self, s: np.ndarray) -> np.ndarray:
        """Return theta for values of s, by bisection: s increases with theta."""
        low, high = np.zeros_like(s), np.ones_like(s)
        for _ in range(60):
            middle = 0.5 * (low + high)
            below = self.orders[0](middle) < s
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return 0.5 * (low + high)

    def curve(self, path: SplinePath, theta: np.ndarray) -> list[np.ndarray]:
        """Return q(s(theta)) and its first three derivatives by theta, each (N, n)."""
        s, w1, w2, w3 = self.at(theta)
        p, p1, p2, p3 = path.states(s)
        w1, w2, w3 = w1[:, None], w2[:, None], w3[:, None]
        return [p, p1 * w1, p2 * w1**2 + p1 * w2, p3 * w1**3 + 3.0 * p2 * w1 * w2 + p1 * w3]
