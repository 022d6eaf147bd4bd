"""The nonlinear program of `rate.py`: its functions, and their exact first and second derivatives.

Variables y (m,): control points of z over a reference; rows at N points, local to degree + 1 of them, from `rate_rows.py`.
Symbols: near the control points that act at each point (N, w) | r = sqrt(z)
"""

from __future__ import annotations

import numpy as np

from ..nlp import Nlp
from ..protocol import DrivenRobot
from ..spline import Basis, SplinePath
from .limits import Bounds
from .rate_curve import Warp
from .rate_rows import rate_rows

INSIDE = np.array([0.0, 0.25, 0.5, 0.75])  # of a span: where limits hold
BESIDE = 1e-9  # in theta: how far from a knot of the path its sides are
SMALL = 1e-6  # of the reference: the least z


class RateProgram:
    """Limits along one path as rows of a nonlinear program."""

    def __init__(
        self, robot: DrivenRobot, path: SplinePath, limits: Bounds, warp: Warp, basis: Basis, ends: tuple[float, float]
    ) -> None:
        self.basis, self.ends = basis, ends
        spans = basis.spans
        even = np.append(((np.arange(spans)[:, None] + INSIDE) / spans).reshape(-1), 1.0)
        # rates of torques may jump with the third derivative of the path: limits hold on both sides of its knots, too
        knots = warp.inverse(path.basis.span_ends[1:-1])
        theta = np.concatenate([even, knots - BESIDE, knots + BESIDE])
        # Boole's rule over each span, at the points where limits hold
        self.weights = np.zeros(theta.size)
        for k, share in enumerate((7, 32, 12, 32, 7)):
            self.weights[k : even.size - 4 + k : 4] += share / 90.0 / spans
        first, self.functions = basis.local(theta, 2)
        self.columns = first[:, None] + np.arange(basis.degree + 1)
        curve = warp.curve(path, theta)
        edge = warp.at(np.array([0.0, 1.0]))[1]
        # z at ends that are passed at a given speed: the first and the last control point
        self.fixed = {-i: (ends[i] / edge[i]) ** 2 for i in (0, 1) if ends[i] > 0.0}
        self.rows = rate_rows(robot, limits, theta, curve, self.functions)
        self.low, self.high = self.rows.low, self.rows.high
        self.s = warp.at(theta)[0]
        self.reference = 1.0

    def worst(self, y: np.ndarray) -> tuple[str, int | None, float]:
        """Return the limit with the largest violation: its kind, the joint if it is one, and s."""
        values = self._constraints(y)
        place, row = np.unravel_index(int(np.argmax(np.maximum(values - self.high, self.low - values))), values.shape)
        return *self.rows.labels[row], float(self.s[place])

    def slowed(self, z: np.ndarray) -> np.ndarray:
        """Return the variables of a start: speeds z, slowed down uniformly until all limits hold, or are violated least.

        Ends with given speeds are not slowed down, so that too slow a motion between them violates limits, too.
        """
        self.reference = float(np.median(z))
        best, least = z, np.inf
        for k in range(40):
            y = np.maximum(z / self.reference * 0.7**k, 2.0 * SMALL)
            for i, value in self.fixed.items():
                y[i] = value / self.reference
            values = self._constraints(y)
            missed = float(np.maximum(values - self.high, self.low - values).max(initial=0.0))
            if missed < least:
                best, least = y, missed
            if missed <= 0.0 or y.max() <= 1e-3:
                break
        return best

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Return control points of z."""
        return y * self.reference

    def nlp(self) -> Nlp:
        """Return the program for a solver."""
        count, width = self.basis.count, self.columns.shape[1]
        lower, upper = np.full(count, SMALL), np.full(count, np.inf)
        for i, value in self.fixed.items():
            lower[i] = upper[i] = value / self.reference
        rows = np.arange(self.low.size).reshape(self.low.shape)
        places = np.broadcast_to(self.columns[:, None, :], (*self.low.shape, width))
        across = np.broadcast_to(rows[..., None], places.shape)
        # second derivatives couple the control points of one point: pairs in the lower triangle
        self.one, self.two = np.tril_indices(width)
        pairs = (self.columns[:, self.one].reshape(-1), self.columns[:, self.two].reshape(-1))
        return Nlp(
            n=count,
            objective=self._duration,
            gradient=self._duration_slope,
            lower=lower,
            upper=upper,
            m=self.low.size,
            constraints=lambda y: self._constraints(y).reshape(-1),
            constraint_lower=self.low.reshape(-1),
            constraint_upper=self.high.reshape(-1),
            jacobian_structure=(across.reshape(-1), places.reshape(-1)),
            jacobian=self._jacobian,
            hessian_structure=pairs,
            hessian=self._hessian,
        )

    def _z(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        near = self.reference * y[self.columns]
        z = (self.functions[0] * near).sum(axis=1)
        return near, np.maximum(z, 1e-30)

    def _duration(self, y: np.ndarray) -> float:
        return float(self.weights @ (1.0 / np.sqrt(self._z(y)[1])))

    def _duration_slope(self, y: np.ndarray) -> np.ndarray:
        z = self._z(y)[1]
        local = (-0.5 * self.reference * self.weights * z**-1.5)[:, None] * self.functions[0]
        return np.bincount(self.columns.reshape(-1), local.reshape(-1), minlength=self.basis.count)

    def _constraints(self, y: np.ndarray) -> np.ndarray:
        near, z = self._z(y)
        r = np.sqrt(z)[:, None]
        flat = np.einsum("nkw,nw->nk", self.rows.matrix, near) + self.rows.root * r + self.rows.constant
        rate = r * (np.einsum("nkw,nw->nk", self.rows.inner, near) + self.rows.inner_constant) + np.einsum(
            "nkw,nw->nk", self.rows.outer, near
        )
        return np.concatenate([flat, rate], axis=1)

    def _jacobian(self, y: np.ndarray) -> np.ndarray:
        near, z = self._z(y)
        r = np.sqrt(z)[:, None]
        grow = (0.5 / r) * self.functions[0]  # dr / dz's control points
        flat = self.rows.matrix + self.rows.root[..., None] * grow[:, None, :]
        inner = np.einsum("nkw,nw->nk", self.rows.inner, near) + self.rows.inner_constant
        rate = r[..., None] * self.rows.inner + inner[..., None] * grow[:, None, :] + self.rows.outer
        return (self.reference * np.concatenate([flat, rate], axis=1)).reshape(-1)

    def _hessian(self, y: np.ndarray, factor: float, multipliers: np.ndarray) -> np.ndarray:
        near, z = self._z(y)
        weight = multipliers.reshape(self.low.shape)
        k = self.rows.matrix.shape[1]
        by_root, by_rate = (weight[:, :k] * self.rows.root).sum(axis=1), weight[:, k:]
        inner = ((np.einsum("nkw,nw->nk", self.rows.inner, near) + self.rows.inner_constant) * by_rate).sum(axis=1)
        f = self.functions[0]
        # d2 T: 3/4 z^-5/2; d2 sqrt(z): -1/4 z^-3/2; the mixed part of sqrt(z) L: 1/2 z^-1/2
        square = 0.75 * factor * self.weights * z**-2.5 - 0.25 * (by_root + inner) * z**-1.5
        mixed = (0.5 / np.sqrt(z))[:, None] * np.einsum("nkw,nk->nw", self.rows.inner, by_rate)
        i, j = self.one, self.two
        local = square[:, None] * f[:, i] * f[:, j] + mixed[:, i] * f[:, j] + mixed[:, j] * f[:, i]
        return (self.reference**2 * local).reshape(-1)
