"""s over time where z = (dtheta/dt)^2 is a spline of theta: times by quadrature, and theta(t) by Newton's method."""

from __future__ import annotations

import numpy as np

from ..spline import Basis
from .profile import Progress
from .rate_curve import Warp

NODES, WEIGHTS = (0.5 + 0.5 * np.polynomial.legendre.leggauss(6)[0], 0.5 * np.polynomial.legendre.leggauss(6)[1])
FINE = 4  # parts of a span


class SplineSpeed:
    """A motion whose squared speed is a spline of theta."""

    def __init__(self, warp: Warp, basis: Basis, z: np.ndarray) -> None:
        self.warp, self.basis, self.z = warp, basis, z
        self.theta = basis.grid(FINE)
        steps = np.diff(self.theta)
        inside = self.theta[:-1, None] + steps[:, None] * NODES
        spans = steps * (WEIGHTS / np.sqrt(self._speeds(inside)[0])).sum(axis=1)
        self.times = np.concatenate([[0.0], np.cumsum(spans)])
        self.s = warp.at(self.theta)[0]

    def at(self, t: np.ndarray) -> Progress:
        """Return s and its rates."""
        t = np.asarray(t, float)
        k = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        begin, width = self.theta[k], self.theta[k + 1] - self.theta[k]
        share = (t - self.times[k]) / (self.times[k + 1] - self.times[k])
        # time within the interval is smooth and nearly straight: Newton's steps double the digits each
        for _ in range(4):
            inside = (begin + width * share)[..., None] - (width * share)[..., None] * (1.0 - NODES)
            passed = width * share * (WEIGHTS / np.sqrt(self._speeds(inside)[0])).sum(axis=-1)
            speed = np.sqrt(self._speeds(begin + width * share)[0])
            share = np.clip(share + (t - self.times[k] - passed) * speed / width, 0.0, 1.0)
        return self._at(begin + width * share)

    def within(self, parts: int) -> tuple[np.ndarray, Progress]:
        """Return points in every interval, evenly spaced in theta."""
        share = np.linspace(0.0, 1.0, parts + 1)
        theta = self.theta[:-1, None] + np.diff(self.theta)[:, None] * share
        # values at the end of an interval are those from the left, also where the third derivative of the path jumps
        theta[:, -1] = np.nextafter(theta[:, -1], 0.0)
        inside = self.theta[:-1, None, None] + (theta - self.theta[:-1, None])[..., None] * NODES
        spans = (theta - self.theta[:-1, None]) * (WEIGHTS / np.sqrt(self._speeds(inside)[0])).sum(axis=-1)
        return self.times[:-1, None] + spans, self._at(theta)

    def _speeds(self, theta: np.ndarray) -> list[np.ndarray]:
        """Return z, z' and z''."""
        first, values = self.basis.local(np.clip(theta, 0.0, 1.0), 2)
        near = self.z[first[..., None] + np.arange(self.basis.degree + 1)]
        return [(order * near).sum(axis=-1) for order in values]

    def _at(self, theta: np.ndarray) -> Progress:
        z, z1, z2 = self._speeds(theta)
        v, a, j = np.sqrt(z), 0.5 * z1, 0.5 * z2 * np.sqrt(z)  # rates of theta by time
        s, w1, w2, w3 = self.warp.at(theta)
        return Progress(s, w1 * v, w2 * z + w1 * a, w3 * z * v + 3.0 * w2 * v * a + w1 * j)
