"""Smooth paths near to samples that repeat as a problem asks: what searches for walks and runs begin with.

    minimize  sum |B P - q|^2 + w |B'' P / T^2|^2   subject to  A P = b
Symbols: B basis at the samples (K, m) | P control points (m, n) | q samples (K, n) | A, b what is the same at both ends
"""

from __future__ import annotations

import numpy as np

from ..predict import MotionProblem
from ..spline import SplinePath

SMOOTH = 1e-5  # [s^4] weight of squared accelerations: rates above some 3 Hz count less than accelerations


def periodic(problem: MotionProblem, u: np.ndarray, q: np.ndarray) -> SplinePath:
    """Return a path near to samples q (K, n) at shares u (K,) of the time, with what the problem has the same at both ends.

    Rough walks miss that by much, and searches then wander before they come near to a walk.
    """
    basis, T = problem.basis, problem.duration[0]
    m, n = basis.count, q.shape[1]
    at, bends = basis.matrix(u).toarray(), basis.matrix(u, 2).toarray() / T**2
    inverse = np.linalg.inv(at.T @ at + SMOOTH * bends.T @ bends)  # the same for every joint
    points = inverse @ (at.T @ q)
    equations = problem.parts.equations
    A = np.zeros((len(equations), m * n))
    for row, equation in zip(A, equations, strict=True):
        np.add.at(row, equation.columns, equation.coefficients)
    off = np.array([equation.lower for equation in equations]) - A @ points.ravel()
    # the smallest correction that keeps the equations; where some follow from others, of those
    moved = np.einsum("ij,ejn->ein", inverse, A.reshape(-1, m, n)).reshape(-1, m * n)
    points += (np.linalg.lstsq(A @ moved.T, off, rcond=1e-12)[0] @ moved).reshape(m, n)
    return SplinePath(points, T, basis=basis)
