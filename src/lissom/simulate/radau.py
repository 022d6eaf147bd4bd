"""Radau IIA: the coefficients of collocation at Radau's points, for any number of stages, computed from their definition.

Hairer and Wanner 1996, sections IV.5 and IV.8; 1999. A step h from y0 with s stages y0 + Z_i at t0 + c_i h solves
    Z = h A F(y0 + Z)          order 2s - 1, stage order s, L-stable; the last stage, c_s = 1, is the end of the step
by Newton's method. A^-1 = T diag(lambda) T^-1 takes the stages apart: one real system and pairs of conjugate ones, of which one
each is solved. The estimate of the error is the difference to a quadrature of order s that also looks at the start of the step,
with the weight 1 / lambda_0: then one more solution with the matrix of the real system keeps stiff parts from blowing it up.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre

STAGES = 7  # of the method in use; see docs/why/implicit.md


@dataclass(frozen=True, eq=False)
class Radau:
    """Coefficients of one method, with m = (s + 1) / 2 systems to solve.

    Attributes:
        stages: s, odd.
        c: (s,) where the stages are, as shares of the step.
        inverse: A^-1 (s, s).
        eigenvalues: (m,) of A^-1, complex: the real one, then one of each pair.
        into: (2 m, s), stages to systems: real, then imaginary parts of rows of T^-1.
        back: (s, 2 m), systems to stages, of which again the real parts come first.
        error: (s,) weights of Z in the estimate of the error.
        nodes, barycentric: (s + 1,) start and stages, and the weights of interpolation through them.
    """

    stages: int
    c: np.ndarray
    inverse: np.ndarray
    eigenvalues: np.ndarray
    into: np.ndarray
    back: np.ndarray
    error: np.ndarray
    nodes: np.ndarray
    barycentric: np.ndarray

    def between(self, share: np.ndarray | float) -> np.ndarray:
        """Return the weights (..., s) of Z in the polynomial through all stages and the start, at shares (...) of the step."""
        away = np.asarray(share, dtype=float)[..., None] - self.nodes
        away = np.where(away == 0.0, 1e-300, away)  # on a node, whose weight is then one
        return (away.prod(axis=-1, keepdims=True) * self.barycentric / away)[..., 1:]  # type: ignore[no-any-return]


@functools.cache
def radau(stages: int = STAGES) -> Radau:
    """Return the method with this many stages, an odd number: 3, 5 and 7 have the orders 5, 9 and 13."""
    from scipy.special import roots_jacobi

    c = np.append((1 + roots_jacobi(stages - 1, 1, 0)[0]) / 2, 1.0)
    # Legendre polynomials on (0, 1) and their integrals from 0, at the points: a well-conditioned way to A
    values = legendre.legvander(2 * c - 1, stages)
    before = np.column_stack([-np.ones(stages), values[:, : stages - 1]])
    integrals = (values[:, 1:] - before) / (2 * (2 * np.arange(stages) + 1))
    A = np.linalg.solve(values[:, :stages].T, integrals.T).T
    inverse = np.linalg.inv(A)
    eigenvalues, T = np.linalg.eig(inverse)
    real = int(np.argmin(np.abs(eigenvalues.imag)))
    chosen = [real, *(k for k in np.argsort(eigenvalues.imag) if eigenvalues[k].imag > 0 and k != real)]
    eigenvalues[real] = eigenvalues[real].real
    twice = np.where(np.arange(len(chosen)) == 0, 1.0, 2.0)  # each pair counts through one of its two
    # sum_i d_i c_i^(k - 1) = - [k = 1] / lambda_0, k = 1 .. s: the weights of the quadrature less those of the method
    first = np.zeros(stages)
    first[0] = -1 / eigenvalues[real].real
    powers = np.vander(c, stages, increasing=True)
    error = inverse.T @ np.linalg.solve(powers.T, first)
    nodes = np.append(0.0, c)
    apart = nodes[:, None] - nodes + np.eye(stages + 1)
    rows, columns = np.linalg.inv(T)[chosen], T[:, chosen] * twice
    # real numbers: products of thin complex matrices would be spread over threads, which takes longer than the product
    into, back = np.concatenate([rows.real, rows.imag]), np.concatenate([columns.real, -columns.imag], axis=1)
    return Radau(stages, c, inverse, eigenvalues[chosen], into, back, error, nodes, 1 / apart.prod(axis=1))
