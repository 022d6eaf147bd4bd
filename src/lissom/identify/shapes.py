"""Shapes of exciting motions: control points of a spline as linear functions of the numbers that are sought.

waves     x(t) = x0 + sum_k a_k sin(k w t) + b_k (cos(k w t) - 1), w = 2 pi / T (Swevers et al. 1997), with a_1 and b_1 such that
          velocity and acceleration are zero at t = 0 and T: sum k a_k = 0, sum k^2 b_k = 0. x0 is where the motion begins and
          ends. The prediction engine sees its spline, with SPANS spans per shortest wave.
splines   control points themselves
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spline.basis import Basis

SPANS = 8  # of a quintic spline per shortest wave: the spline is off by 1e-5 of the wave, its acceleration by 1e-3
DEGREE = 5
FIT = 6  # samples per control point


@dataclass(frozen=True, eq=False)
class Waves:
    """A Fourier series that begins and ends at rest.

    Attributes:
        harmonics: K, two or more.
        duration: T [s].
    """

    harmonics: int
    duration: float

    @property
    def count(self) -> int:
        """Number of coefficients of a joint: x0, then a_2 .. a_K, then b_2 .. b_K."""
        return 2 * self.harmonics - 1

    def matrices(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the matrices (N, count) from coefficients to position, velocity and acceleration at times t (N,)."""
        k = np.arange(1, self.harmonics + 1)
        w = 2.0 * np.pi / self.duration * k
        s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        of_a = [s, c * w, -s * w**2]
        of_b = [c - 1.0, -s * w, -c * w**2]
        one = [np.ones((len(t), 1)), np.zeros((len(t), 1)), np.zeros((len(t), 1))]
        parts = zip(one, of_a, of_b, strict=True)
        x, v, a = (np.hstack([o, A[:, 1:] - A[:, :1] * k[1:], B[:, 1:] - B[:, :1] * k[1:] ** 2]) for o, A, B in parts)
        return x, v, a

    def series(self, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return x0 (n,), a and b (K, n) of coefficients (count, n)."""
        K = self.harmonics
        k = np.arange(2, K + 1)[:, None]
        a, b = coefficients[1:K], coefficients[K:]
        return coefficients[0], np.vstack([-(k * a).sum(axis=0), a]), np.vstack([-(k**2 * b).sum(axis=0), b])

    def control_points(self) -> tuple[Basis, np.ndarray]:
        """Return a basis, and the matrix (m, count) from coefficients to control points that follow the waves."""
        basis = Basis(SPANS * self.harmonics + DEGREE, DEGREE)
        s = np.linspace(0.0, 1.0, FIT * basis.count)
        B = basis.matrix(s).toarray()
        B[[0, -1]] *= 1e3  # the ends count: there the motion rests
        wanted = self.matrices(s * self.duration)[0]
        wanted[[0, -1]] *= 1e3
        return basis, np.linalg.lstsq(B, wanted, rcond=None)[0]


@dataclass(frozen=True, eq=False)
class Splines:
    """A spline by its control points."""

    basis: Basis
    duration: float

    @property
    def count(self) -> int:
        """Number of control points."""
        return self.basis.count

    def matrices(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the matrices (N, count) from control points to position, velocity and acceleration at times t (N,)."""
        s = np.clip(t / self.duration, 0.0, 1.0)
        x, v, a = (self.basis.matrix(s, order).toarray() / self.duration**order for order in range(3))
        return x, v, a

    def control_points(self) -> tuple[Basis, np.ndarray]:
        """Return the basis, and the identity."""
        return self.basis, np.eye(self.count)
