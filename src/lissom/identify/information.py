"""Information: what a motion says of base parameters, and how that changes with the motion.

With rows of all samples divided by their noise, F = sum Y' Y (b, b) is the inverse of the parameters' covariance. Smaller is
better:
    determinant   -1/(2 b) log det F: the mean logarithm of the axes of the ellipsoid of confidence (D-optimal); units of
                  parameters do not change where its minimum is
    condition     1/2 log(l_1 / l_b), with the largest and the smallest eigenvalue of C = S F S and S = diag(F)^-1/2, so that
                  columns have equal length: the logarithm of the condition number
Derivatives: d value = trace(G dF), and dF = 2 sum Y' dY, so that 2 Y G are the weights of dY. With eigenvectors v of C,
    G = S (H - diag(H C)) S,  H = 1/2 (v_1 v_1'/l_1 - v_b v_b'/l_b) for `condition`
The sign of a velocity in Coulomb friction is tanh(velocity / slow) here: a jump has no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import StateError, suggest
from ..one_thread import one_thread
from ..parameters import BaseParameters
from .rows import Rows

CRITERIA = ("determinant", "condition")
STEP = 1e-6  # of central differences of closed robots, whose regressors have no products with derivatives
TINY = 1e-12  # share of information that every direction has: a motion that shows nothing of it has a value, too


def value(F: np.ndarray, criterion: str) -> tuple[float, np.ndarray]:
    """Return the value of information F (b, b), and G with d value = trace(G dF)."""
    size = np.sqrt(np.maximum(np.diag(F), 1e-300))
    scale = 1.0 / np.outer(size, size)
    C = F * scale
    with one_thread(len(F)):
        l, v = np.linalg.eigh(C + TINY * np.eye(len(F)))
    if criterion == "determinant":
        found = -0.5 / len(F) * (np.log(l).sum() + 2.0 * np.log(size).sum())
        H = -0.5 / len(F) * (v / l) @ v.T
        of_size = 0.5 / len(F)
    else:
        found = 0.5 * np.log(l[-1] / l[0])
        H = 0.5 * (np.outer(v[:, -1], v[:, -1]) / l[-1] - np.outer(v[:, 0], v[:, 0]) / l[0])
        of_size = 0.0
    return float(found), (H - np.diag((H @ C).diagonal() + of_size)) * scale


class Information:
    """The value of a motion, with its derivatives.

    Args:
        rows, base: the equations and their parameters.
        noise: of each torque (rows,) [N m or N].
        criterion: "determinant" or "condition".
        slow: velocity over which friction changes its sign.
    """

    def __init__(self, rows: Rows, base: BaseParameters, noise: np.ndarray, criterion: str, slow: float) -> None:
        if criterion not in CRITERIA:
            raise StateError(f"no criterion {criterion!r}; {suggest(str(criterion), CRITERIA)}")
        self.rows, self.base, self.criterion, self.slow = rows, base, criterion, slow
        self.weights = 1.0 / noise[:, None]

    def matrix(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the rows divided by their noise (N, rows, b)."""
        return self.rows.columns(self.base.columns, q, qd, qdd, slow=self.slow) * self.weights

    def value(self, state: tuple[np.ndarray, np.ndarray, np.ndarray]) -> float:
        """Return the value of a motion: q, qd, qdd (N, n)."""
        return value(_information(self.matrix(*state)), self.criterion)[0]

    def gradient(self, state: tuple[np.ndarray, np.ndarray, np.ndarray]) -> list[np.ndarray]:
        """Return its derivatives by q, qd and qdd, (N, n) each."""
        Y = self.matrix(*state)
        Z = 2.0 * (Y @ value(_information(Y), self.criterion)[1]) * self.weights
        return self._by_differences(state, Z) if self.rows.closed else self._by_products(state, Z)

    def _by_products(self, state: Any, Z: np.ndarray) -> list[np.ndarray]:
        """Return the derivatives of sum(Z Y) of a tree."""
        rows, names = self.rows, self.rows.selection.names
        which, last = self.base.columns, rows.selection.offsets
        coulomb = np.array([names[k].endswith(".coulomb") for k in which])
        share = np.tanh(np.abs(state[1]) / self.slow)[:, :, None]
        whole = np.zeros((*Z.shape[:2], last))
        inner = which < last
        whole[..., which[inner]] = np.where(coulomb, Z * share, Z)[..., inner]
        found = rows.robot.vjp("inverse_dynamics_regressor", state, whole)
        slopes = [np.array(found.dq), np.array(found.dqd), np.array(found.dqdd)]
        if coulomb.any():
            sign = rows.columns(which[coulomb], *state)
            slopes[1] += (Z[..., coulomb] * sign).sum(axis=2) * np.sign(state[1]) * (1.0 - share[..., 0] ** 2) / self.slow
        return slopes

    def _by_differences(self, state: Any, Z: np.ndarray) -> list[np.ndarray]:
        slopes = []
        for k, x in enumerate(state):
            own = np.empty_like(x)
            for j in range(x.shape[1]):
                step = np.zeros(x.shape[1])
                step[j] = STEP
                ends = []
                for sign in (1.0, -1.0):
                    moved = [*state]
                    moved[k] = x + sign * step
                    ends.append((self.rows.columns(self.base.columns, *moved, slow=self.slow) * Z).sum(axis=(1, 2)))
                own[:, j] = (ends[0] - ends[1]) / (2.0 * STEP)
            slopes.append(own)
        return slopes


def _information(Y: np.ndarray) -> np.ndarray:
    flat = Y.reshape(-1, Y.shape[2])
    return np.asarray(flat.T @ flat)
