"""Estimation: least squares for base parameters, ordinary, weighted by the noise of each torque, or robust; with standard errors.

With W of all samples and torques stacked, y = W beta + e, and a standard deviation s_j of e for each torque j:
    ordinary   beta = (W'W)^-1 W'y
    weighted   rows divided by s_j, which follow from the residuals, until they settle (Gautier 1997)
    robust     weighted, and each row by Huber's weight min(1, k s / |e|), k = 1.345, with s from the median of |e|: rows that
               something else has disturbed count less (Huber 1981, section 7.6)
    cov = A E[e e'] A' for beta = A y: e of a torque has the variance s_j^2 and, as noise of a sensor has after the filter, a
    known correlation with samples next to it (`Memory`); for robust estimates as for weighted ones, times Huber's factor
s_j^2 is the sum of squares over what is left of samples when the share of the parameters, the leverage, is taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import StateError, suggest
from ..one_thread import one_thread

METHODS = ("ordinary", "weighted", "robust")
HUBER = 1.345  # 95 % efficient where noise is normal
MEDIAN = 0.6744897501960817  # of |e| / s for normal noise
SETTLED = 1e-8  # relative change of the noise
ALIKE = 1e-4  # change of robust weights
ROUNDS = 50
LEAST = 1e-12  # noise, as a share of the torque: data without noise still have rounding


@dataclass(frozen=True, eq=False)
class Memory:
    """How far the noise of a sample is that of others, after a filter.

    Attributes:
        correlation: with the samples after it (lags,), 1 first.
        pieces: numbers of samples of recordings, between which there is no memory.
    """

    correlation: np.ndarray
    pieces: tuple[int, ...]

    def times(self, X: np.ndarray) -> np.ndarray:
        """Return the correlation matrix of all samples times X (N, ...)."""
        if len(self.correlation) == 1:
            return X
        from scipy.signal import oaconvolve

        both = np.concatenate([self.correlation[:0:-1], self.correlation]).reshape(-1, *(1,) * (X.ndim - 1))
        parts = np.split(X, np.cumsum(self.pieces)[:-1])
        lags = len(self.correlation) - 1
        return np.concatenate([oaconvolve(part, both, axes=0)[lags : lags + len(part)] for part in parts])


@dataclass(frozen=True, eq=False)
class Estimate:
    """Base parameters from measured torques.

    Attributes:
        beta: (b,).
        covariance: (b, b).
        noise: standard deviation of each torque's residuals (rows,).
        residual: (N, rows), measured less predicted.
        weights: of samples (N, rows), one unless robust.
        condition: number of the matrix with columns of equal length.
    """

    beta: np.ndarray
    covariance: np.ndarray
    noise: np.ndarray
    residual: np.ndarray
    weights: np.ndarray
    condition: float

    @property
    def standard_errors(self) -> np.ndarray:
        """Standard errors of the base parameters (b,)."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    @property
    def information(self) -> np.ndarray:
        """Inverse of the covariance (b, b)."""
        scale = self.standard_errors
        scale = np.where(scale > 0, scale, 1.0)
        return np.asarray(np.linalg.inv(self.covariance / np.outer(scale, scale)) / np.outer(scale, scale))


def least_squares(W: np.ndarray, y: np.ndarray, method: str, memory: Memory | None = None) -> Estimate:
    """Return the estimate from W (N, rows, b) and y (N, rows); `memory` is that of the noise, None for none."""
    if method not in METHODS:
        raise StateError(f"no method {method!r} of estimation; {suggest(str(method), METHODS)}")
    least = LEAST * np.maximum(np.sqrt((y**2).mean(axis=0)), np.abs(y).max(initial=0.0) * 1e-6) + 1e-300
    weights = np.ones_like(y)
    with one_thread(W.shape[2]):
        table = _Table(W, y, memory or Memory(np.ones(1), (len(y),)))
        fit = table.fit(np.ones(y.shape[1]))
        noise = np.maximum(fit.spread(), least)
        if method == "ordinary":
            return Estimate(fit.beta, fit.covariance(noise), noise, y - W @ fit.beta, weights, fit.condition)
        for _ in range(ROUNDS):
            fit = table.fit(noise)
            new = np.maximum(fit.spread(), least)
            change = float(np.abs(new / noise - 1.0).max())
            noise = new
            if change < SETTLED:
                break
        if method == "weighted":
            return Estimate(fit.beta, fit.covariance(noise), noise, y - W @ fit.beta, weights, fit.condition)
        beta, noise, weights = _huber(W, y, fit.beta, least)
        fit, residual = table.fit(noise), y - W @ beta
        felt = noise * _huber_factors(residual / noise, fit.leverage())
        return Estimate(beta, fit.covariance(felt), noise, residual, weights, fit.condition)


def weighted(W: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the parameters (b,) of least squares with weights (N, rows) of squares."""
    b, root = W.shape[2], np.sqrt(weights).reshape(-1, 1)
    flat = W.reshape(-1, b)
    size = np.linalg.norm(flat * root, axis=0)
    size = np.where(size > 0, size, 1.0)
    return np.asarray(np.linalg.lstsq(flat * root / size, y.reshape(-1) * root[:, 0], rcond=None)[0] / size)


def _huber(W: np.ndarray, y: np.ndarray, beta: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return parameters, noise of each row of torques, and weights of samples (N, rows), from parameters to begin with."""
    weights = np.ones_like(y)
    for _ in range(ROUNDS):
        e = np.abs(y - W @ beta)
        noise = np.maximum(np.median(e, axis=0) / MEDIAN, least)
        before, weights = weights, np.minimum(1.0, HUBER * noise / np.maximum(e, 1e-300))
        beta = weighted(W, y, weights / noise**2)
        if np.abs(weights - before).max() < ALIKE:
            break
    return beta, noise, weights


def _huber_factors(r: np.ndarray, leverage: np.ndarray) -> np.ndarray:
    """Return what the noise of each row of torques (rows,) counts in Huber's estimate, beside least squares with that noise.

    By row: one that has more parameters to itself has residuals that are smaller by more (Huber 1981, section 7.6).
    """
    n = len(r)
    m = (np.abs(r) <= HUBER).mean(axis=0)
    psi = np.clip(r, -HUBER, HUBER)
    K = 1.0 + leverage / n * (1.0 - m) / m
    return np.asarray(K * np.sqrt((psi**2).sum(axis=0) / np.maximum(n - leverage, 1e-9)) / m)


class _Table:
    """W and y of each row of torques j as triangles: W_j = Q_j R_j, c_j = Q_j' y_j; and G_j = W_j' E[e e'] W_j / s_j^2."""

    def __init__(self, W: np.ndarray, y: np.ndarray, memory: Memory) -> None:
        self.samples, rows, b = W.shape
        size = np.linalg.norm(W.reshape(-1, b), axis=0)
        self.size = np.where(size > 0, size, 1.0)
        self.R, self.c, self.rest, self.G = [], [], np.zeros(rows), []
        for j in range(rows):
            own = W[:, j] / self.size
            Q, R = np.linalg.qr(own)
            c = Q.T @ y[:, j]
            self.R.append(R)
            self.c.append(c)
            self.rest[j] = ((y[:, j] - Q @ c) ** 2).sum()
            self.G.append(own.T @ memory.times(own))

    def fit(self, noise: np.ndarray) -> _Fit:
        """Return the fit with rows divided by `noise` (rows,)."""
        return _Fit(self, noise)


class _Fit:
    """A fit with its covariance."""

    def __init__(self, table: _Table, noise: np.ndarray) -> None:
        self.table, self.noise = table, noise
        A = np.concatenate([R / s for R, s in zip(table.R, noise, strict=True)])
        right = np.concatenate([c / s for c, s in zip(table.c, noise, strict=True)])
        unit = np.linalg.norm(A, axis=0)
        unit = np.where(unit > 0, unit, 1.0)
        Q, R = np.linalg.qr(A / unit)
        values = np.linalg.svd(R, compute_uv=False)
        self.condition = float(values[0] / values[-1]) if values[-1] > 0 else np.inf
        self._beta = np.linalg.solve(R, Q.T @ right) / unit
        half = np.linalg.inv(R) / unit[:, None]
        self.inverse = half @ half.T

    @property
    def beta(self) -> np.ndarray:
        """Base parameters (b,)."""
        return np.asarray(self._beta / self.table.size)

    def spread(self) -> np.ndarray:
        """Return the standard deviation of the residuals of each row of torques, unbiased."""
        t, found = self.table, np.empty(len(self.table.R))
        left = t.samples - self.leverage()
        for j, (R, c) in enumerate(zip(t.R, t.c, strict=True)):
            found[j] = np.sqrt((t.rest[j] + ((R @ self._beta - c) ** 2).sum()) / max(left[j], 1e-9))
        return found

    def leverage(self) -> np.ndarray:
        """Return the share of each row of torques in the parameters (rows,): b in all, for noise without memory."""
        return np.array([(self.inverse * G).sum() / s**2 for G, s in zip(self.table.G, self.noise, strict=True)])

    def covariance(self, noise: np.ndarray) -> np.ndarray:
        """Return the covariance of beta (b, b), given the noise of each row of torques."""
        middle = sum((s / own**2) ** 2 * G for s, own, G in zip(noise, self.noise, self.table.G, strict=True))
        return np.asarray(self.inverse @ middle @ self.inverse / np.outer(self.table.size, self.table.size))
