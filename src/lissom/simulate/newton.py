"""Newton: the stages of an implicit step by Newton's method, for all states at once, with NumPy's batched inverses.

One matrix (lambda / h - J)^-1 for each system and state, J = d rates / d (q, qd). Coordinates are eliminated by hand, so that
matrices of nv by nv are inverted:
    X = (lambda / h - N)^-1       G = (lambda / h - A_v - A_q P X Q)^-1
with N, Q the derivatives of the rates of coordinates by q and qd, P the inverse of Q, and A_q, A_v those of accelerations.
For joints of one axis N = 0, Q = P = 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .radau import Radau
from .stages import Stages

MOST = 15  # iterations; a step that needs more is too long
EPS = float(np.finfo(float).eps)

Kinematics = tuple[np.ndarray, np.ndarray, np.ndarray]


def inverses(method: Radau, h: float, A_q: np.ndarray, A_v: np.ndarray, kinematics: Kinematics | None) -> np.ndarray:
    """Return (lambda / h - J)^-1 of all systems and states, (m, n, nq + nv, nq + nv)."""
    nv = A_q.shape[-1]
    shift = (method.eigenvalues / h)[:, None, None, None]
    corner: np.ndarray
    side: np.ndarray
    GB: np.ndarray
    if kinematics is None:
        nq, x = nv, 1 / shift
        G = np.linalg.inv(shift * np.eye(nv) - A_v - x * A_q)
        GB = x * (G @ A_q)
        corner, side = x * GB + x * np.eye(nv), x * G
    else:
        N, Q, P = kinematics
        nq = N.shape[-1]
        X = np.linalg.inv(shift * np.eye(nq) - N)
        B, XQ = A_q @ P @ X, X @ Q
        G = np.linalg.inv(shift * np.eye(nv) - A_v - B @ Q)
        GB = G @ B
        corner, side = X + XQ @ GB, XQ @ G
    whole = np.empty((*G.shape[:2], nq + nv, nq + nv), dtype=complex)
    whole[..., :nq, :nq], whole[..., :nq, nq:], whole[..., nq:, :nq], whole[..., nq:, nq:] = corner, side, GB, G
    return whole


@dataclass
class Solution:
    """Result of Newton's method: Z (s, n, nq + nv), the number of iterations, and the share of the error each leaves."""

    Z: np.ndarray
    iterations: int = 0
    share: float = 0.0
    converged: bool = False
    finite: bool = True


def solve(
    method: Radau,
    stages: Stages,
    t: float,
    h: float,
    y: np.ndarray,
    Z: np.ndarray,
    matrices: np.ndarray,
    scale: np.ndarray,
    rtol: float,
) -> Solution:
    """Solve Z = h A F(y + Z), from a guess.

    Args:
        method: coefficients.
        stages: rates.
        t, h: start and length of the step [s].
        y: states at the start (n, nq + nv).
        Z: the guess (s, n, nq + nv).
        matrices: from `inverses`.
        scale: tolerances (n, nq + nv).
        rtol: relative tolerance.
    """
    s, shape, times, slope = method.stages, Z.shape, t + method.c * h, method.inverse / h
    enough = max(10 * EPS / rtol, min(0.03, rtol**0.5))
    found, last = Solution(Z), 0.0
    for k in range(MOST):
        found.iterations = k + 1
        F = stages(times, y + found.Z)
        if F is None:
            found.finite = False
            return found
        residual = F.reshape(s, -1) - slope @ found.Z.reshape(s, -1)
        real, imaginary = (method.into @ residual).reshape(2, len(matrices), *shape[1:], 1)
        parts = matrices @ (real + 1j * imaginary)
        change = (method.back @ np.concatenate([parts.real, parts.imag]).reshape(2 * len(matrices), -1)).reshape(shape)
        found.Z = found.Z + change
        size = float((np.abs(change) / scale).max())
        if not np.isfinite(size):
            found.finite = False
            return found
        if k:
            found.share = size / last
            left = found.share / max(1 - found.share, EPS) * size
            if left < enough:
                found.converged = True
                return found
            # it diverges, or the remaining iterations will not suffice
            if found.share >= 1 or found.share ** (MOST - 1 - k) * left > enough:
                return found
        elif size < 1e-3 * enough:
            found.converged = True
            return found
        last = max(size, 1e-300)
    return found
