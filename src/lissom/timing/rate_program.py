"""The nonlinear program of `rate.py`: its rows, and their exact first and second derivatives.

Variables y (m,): control points of z over a reference. At each of N places, local to degree + 1 control points:
    linear rows       A y + e sqrt(z) + c        torques (e: viscous friction), accelerations, squared velocities
    rates             sqrt(z) (L y + l) + K y    L, K: coefficients of rates against the spline's functions
every row divided by its limit. Symbols: N0, N1, N2 the spline's functions and their derivatives | r = sqrt(z)
"""

from __future__ import annotations

import numpy as np

from ..nlp import Nlp
from ..robot import Robot
from ..spline import Basis, SplinePath
from .coefficients import force_rates, forces
from .limits import Bounds
from .rate_curve import Warp
from .reach import velocity_bound

INSIDE = np.array([0.0, 0.25, 0.5, 0.75])  # of a span: where limits hold
BESIDE = 1e-9  # in theta: how far from a knot of the path its sides are
SMALL = 1e-6  # of the reference: the least z


class RateProgram:
    """Limits along one path as rows of a nonlinear program."""

    def __init__(
        self, robot: Robot, path: SplinePath, limits: Bounds, warp: Warp, basis: Basis, ends: tuple[float, float]
    ) -> None:
        self.basis, self.ends = basis, ends
        spans = basis.spans
        even = np.append(((np.arange(spans)[:, None] + INSIDE) / spans).reshape(-1), 1.0)
        # rates of torques may jump with the third derivative of the path: limits hold on both sides of its knots, too
        knots = warp.inverse(np.arange(1, path.basis.spans) / path.basis.spans)
        theta = np.concatenate([even, knots - BESIDE, knots + BESIDE])
        # Boole's rule over each span, at points that are there anyway
        self.weights = np.zeros(theta.size)
        for k, share in enumerate((7, 32, 12, 32, 7)):
            self.weights[k : even.size - 4 + k : 4] += share / 90.0 / spans
        first, self.functions = basis.local(theta, 2)
        self.columns = first[:, None] + np.arange(basis.degree + 1)
        curve = warp.curve(path, theta)
        edge = warp.at(np.array([0.0, 1.0]))[1]
        # z at ends that are passed at a given speed: the first and the last control point
        self.fixed = {-i: (ends[i] / edge[i]) ** 2 for i in (0, 1) if ends[i] > 0.0}
        self._rows(robot, limits, curve)
        self.reference = 1.0

    def _rows(self, robot: Robot, limits: Bounds, curve: list[np.ndarray]) -> None:
        p, p1, p2, p3 = curve
        n0, n1, n2 = (order[:, None, :] for order in self.functions)
        tau, rate = forces(robot, p, p1, p2), force_rates(robot, p, p1, p2, p3)

        def along(by_z: np.ndarray, by_slope: np.ndarray, by_second: np.ndarray | None = None) -> np.ndarray:
            made = by_z[..., None] * n0 + by_slope[..., None] * n1
            return made if by_second is None else made + by_second[..., None] * n2

        parts, low, high = [], [], []
        none, steady = np.zeros_like(tau.c), tau.c if tau.coulomb is None else tau.c + tau.coulomb
        for bound, matrix, root, constant in (
            (limits.torque, along(tau.b, 0.5 * tau.a), none if tau.d is None else tau.d, steady),
            (limits.acceleration, along(p2, 0.5 * p1), none, none),
        ):
            used = np.flatnonzero(np.isfinite(bound).any(axis=0))
            size = np.abs(np.where(np.isfinite(bound), bound, 0.0)).max(axis=0)[used]
            size[size == 0.0] = 1.0
            parts.append((matrix[:, used] / size[:, None], root[:, used] / size, constant[:, used] / size))
            low.append(np.broadcast_to(bound[0, used] / size, (len(p), used.size)))
            high.append(np.broadcast_to(bound[1, used] / size, (len(p), used.size)))
        # squared velocities: the tightest of them bounds z
        most = velocity_bound(limits.velocity, p1)
        tight = np.isfinite(most)
        scale = np.where(tight, 1.0 / np.where(tight & (most > 0.0), most, 1.0), 0.0)
        if tight.any():
            parts.append((scale[:, None, None] * n0, np.zeros((len(p), 1)), np.zeros((len(p), 1))))
            low.append(np.full((len(p), 1), -np.inf))
            high.append(np.where(tight, 1.0, np.inf)[:, None])
        self.matrix, self.root, self.constant = (np.concatenate(group, axis=1) for group in zip(*parts, strict=True))
        used = np.flatnonzero(np.isfinite(limits.torque_rate).any(axis=0))
        size = np.abs(np.where(np.isfinite(limits.torque_rate), limits.torque_rate, 0.0)).max(axis=0)[used]
        size[size == 0.0] = 1.0
        inner = along(rate.square, rate.first, rate.second)[:, used] / size[:, None]
        outer = along(rate.friction_slope, 0.5 * rate.friction)[:, used] / size[:, None]
        self.inner, self.outer, self.inner_constant = inner, outer, rate.constant[:, used] / size
        low.append(np.broadcast_to(limits.torque_rate[0, used] / size, (len(p), used.size)))
        high.append(np.broadcast_to(limits.torque_rate[1, used] / size, (len(p), used.size)))
        self.low, self.high = np.concatenate(low, axis=1), np.concatenate(high, axis=1)

    def slowed(self, z: np.ndarray) -> np.ndarray:
        """Return the variables of a start: speeds z, slowed down evenly until all limits hold, or are missed least.

        Ends with given speeds are not slowed down, so that too slow a motion between them misses limits, too.
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
        # second derivatives couple the control points of one place: pairs in the lower triangle
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
        flat = np.einsum("nkw,nw->nk", self.matrix, near) + self.root * r + self.constant
        rate = r * (np.einsum("nkw,nw->nk", self.inner, near) + self.inner_constant) + np.einsum("nkw,nw->nk", self.outer, near)
        return np.concatenate([flat, rate], axis=1)

    def _jacobian(self, y: np.ndarray) -> np.ndarray:
        near, z = self._z(y)
        r = np.sqrt(z)[:, None]
        grow = (0.5 / r) * self.functions[0]  # dr / dz's control points
        flat = self.matrix + self.root[..., None] * grow[:, None, :]
        inner = np.einsum("nkw,nw->nk", self.inner, near) + self.inner_constant
        rate = r[..., None] * self.inner + inner[..., None] * grow[:, None, :] + self.outer
        return (self.reference * np.concatenate([flat, rate], axis=1)).reshape(-1)

    def _hessian(self, y: np.ndarray, factor: float, multipliers: np.ndarray) -> np.ndarray:
        near, z = self._z(y)
        weight = multipliers.reshape(self.low.shape)
        k = self.matrix.shape[1]
        by_root, by_rate = (weight[:, :k] * self.root).sum(axis=1), weight[:, k:]
        inner = ((np.einsum("nkw,nw->nk", self.inner, near) + self.inner_constant) * by_rate).sum(axis=1)
        f = self.functions[0]
        # d2 T: 3/4 z^-5/2; d2 sqrt(z): -1/4 z^-3/2; the mixed part of sqrt(z) L: 1/2 z^-1/2
        square = 0.75 * factor * self.weights * z**-2.5 - 0.25 * (by_root + inner) * z**-1.5
        mixed = (0.5 / np.sqrt(z))[:, None] * np.einsum("nkw,nk->nw", self.inner, by_rate)
        i, j = self.one, self.two
        local = square[:, None] * f[:, i] * f[:, j] + mixed[:, i] * f[:, j] + mixed[:, j] * f[:, i]
        return (self.reference**2 * local).reshape(-1)
