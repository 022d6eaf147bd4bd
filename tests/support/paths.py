"""Analytic motions with all their derivatives, and derivatives of whatever is computed along them, by Chebyshev polynomials."""

import numpy as np
from numpy.polynomial import chebyshev

COUNT, SPAN = 26, 0.4  # nodes, and half the time that they lie in [s]


class Swing:
    """Each of n joints swings about a center of its own, as the sum of two sines."""

    def __init__(self, n, seed=0, size=0.5) -> None:
        rng = np.random.default_rng(seed)
        self.center = rng.uniform(-1.5, 1.5, n)
        self.size = rng.uniform(-size, size, (2, n))
        self.frequency = rng.uniform(0.5, 2.5, (2, n))
        self.phase = rng.uniform(-3.0, 3.0, (2, n))

    def at(self, t, order):
        """Return the motion and its derivatives (order + 1, ..., n), at one time or many."""
        angle = np.asarray(t, dtype=float)[..., None, None] * self.frequency + self.phase
        found = [np.sum(self.size * self.frequency**k * np.sin(angle + k * np.pi / 2), axis=-2) for k in range(order + 1)]
        found[0] = found[0] + self.center
        return np.array(found)


def times(t, span=SPAN, count=COUNT):
    """Return the nodes about time t."""
    return t + span * np.cos((np.arange(count) + 0.5) * np.pi / count)


def rate(values, order=1, span=SPAN):
    """Return a derivative, in the middle, of what has these values (count, ...) at the nodes."""
    count = len(values)
    waves = np.cos(np.outer(np.arange(count), np.arange(count) + 0.5) * np.pi / count) * 2 / count
    waves[0] /= 2
    return chebyshev.chebval(0.0, chebyshev.chebder(np.tensordot(waves, values, 1), order, axis=0)) / span**order
