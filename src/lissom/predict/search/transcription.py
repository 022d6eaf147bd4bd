"""Transcription: a motion problem as a sparse nonlinear program in control points, duration and peaks.

    x = (P_1, ..., P_m, T, z_1, ...)       minimize  w T + sum of integrals + w_z z    subject to limits at every instant

All instants are evaluated in one batch; entries of the Jacobian come from the compiled derivatives through local support of the
splines, second derivatives from compiled products. Nothing is ever as large as constraints times variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...nlp.problem import Nlp
from ...spline.basis import Basis
from ..problem.parts import Integral, Limit, Parts
from ..quantities.quantity import Quantity, State
from .grid import Grid, HullGrid, limit_grid


@dataclass(eq=False)
class Group:
    """A quantity on a grid, with its limits and integrals; evaluated once per x."""

    quantity: Quantity
    grid: Grid
    limits: list[tuple[int, Limit]] = field(default_factory=list)  # with their first row
    integrals: list[Integral] = field(default_factory=list)
    y: np.ndarray = field(default_factory=lambda: np.zeros(0))
    D: np.ndarray | None = None


def simpson(basis: Basis, points_per_span: int) -> np.ndarray:
    """Return weights of the instants of `basis.grid(points_per_span)` for integrals over s; Simpson's, of order four."""
    h = 1.0 / (basis.spans * points_per_span)
    pattern = np.full(points_per_span + 1, 2.0)
    pattern[1::2] = 4.0
    pattern[[0, -1]] = 1.0
    weights = np.zeros(basis.spans * points_per_span + 1)
    for k in range(basis.spans):
        weights[k * points_per_span : (k + 1) * points_per_span + 1] += pattern * h / 3.0
    return weights


class Transcription:
    """A motion problem on a spline basis.

    Args:
        basis: of the path.
        joints: number of joints n.
        parts: limits, integrals and equations.
        points_per_span: instants between knots, even.
        lower, upper: bounds of P (m, n).
        duration: bounds of T [s].
    """

    def __init__(
        self,
        basis: Basis,
        joints: int,
        parts: Parts,
        points_per_span: int,
        lower: np.ndarray,
        upper: np.ndarray,
        duration: tuple[float, float],
    ) -> None:
        self.basis, self.n, self.parts = basis, joints, parts
        self.size = basis.count * joints  # control points; the duration follows
        self.orders = parts.orders
        self.grid = Grid(basis, joints, basis.grid(points_per_span), self.orders)
        self.weights = simpson(basis, points_per_span)
        self.lower = np.concatenate([np.ravel(lower), [duration[0]], np.zeros(len(parts.peaks))])
        self.upper = np.concatenate([np.ravel(upper), [duration[1]], np.full(len(parts.peaks), np.inf)])
        self.groups: list[Group] = []
        self.rows = 0
        for limit in parts.limits:
            group = self._group(limit.quantity, limit.at, limit)
            group.limits.append((self.rows, limit))
            self.rows += len(group.grid) * len(limit.entries) * (1 if limit.peak is None else 2)
        for integral in parts.integrals:
            self._group(integral.quantity, None).integrals.append(integral)
        self.equations_at = self.rows
        self.rows += len(parts.equations)
        self._T = 1.0
        self._states: dict[int, State] = {}

    def nlp(self, factor: float = 1.0) -> Nlp:
        """Return the nonlinear program, its objective multiplied by a factor."""
        low, high = self._bounds()
        return Nlp(
            n=len(self.lower),
            objective=lambda x: factor * self.objective(x),
            gradient=lambda x: factor * self.gradient(x),
            lower=self.lower,
            upper=self.upper,
            m=self.rows,
            constraints=self.constraints,
            constraint_lower=low,
            constraint_upper=high,
            jacobian_structure=self.jacobian_structure(),
            jacobian=self.jacobian,
            hessian_structure=self.hessian_structure(),
            hessian=lambda x, share, multipliers: self.hessian(x, factor * share, multipliers),
            evaluate=self.evaluate,
        )

    def magnitude(self) -> float:
        """Return the magnitude of the objective's gradient at the x evaluated last: the sum over its terms.

        Time and peaks are variables, of slope one; of an integral it is the mean of the integrand. Signs do not cancel, and it
        does not vanish at an optimum, as the gradient does.
        """
        total = self.parts.time + sum(self.parts.peaks)
        for group in self.groups:
            for integral in group.integrals:
                total += integral.weight * float(self.weights @ integral.size(group.y))
        return total

    def split(self, x: np.ndarray) -> tuple[np.ndarray, float]:
        """Return control points (m, n) and duration."""
        return x[: self.size].reshape(self.basis.count, self.n), float(x[self.size])

    def evaluate(self, x: np.ndarray) -> None:
        """Evaluate all quantities at x; derivatives are computed when needed."""
        P, self._T = self.split(x)
        self._states = {id(grid): grid.state(P, self._T) for grid in self._grids()}
        for group in self.groups:
            group.y, group.D = group.quantity.values(self._state(group)), None

    def objective(self, x: np.ndarray) -> float:
        """Return the objective."""
        total = self.parts.time * self._T + float(np.dot(self.parts.peaks, x[self.size + 1 :]))
        for group in self.groups:
            for integral in group.integrals:
                total += integral.weight * self._T * float(self.weights @ integral.rate(group.y))
        return total

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Return its derivatives."""
        found = np.zeros(len(x))
        found[self.size] = self.parts.time
        found[self.size + 1 :] = self.parts.peaks
        for group in self.groups:
            for integral in group.integrals:
                points, duration = self._integral_gradient(group, integral)
                found[: self.size] += self._T * points.ravel()
                found[self.size] += self._T * duration + integral.weight * float(self.weights @ integral.rate(group.y))
        return found

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Return limited entries divided by their scales, then the equations."""
        found = np.empty(self.rows)
        for group in self.groups:
            for row, limit in group.limits:
                y = group.y[:, limit.entries] / limit.scale
                if limit.peak is None:
                    found[row : row + y.size] = y.ravel()
                else:
                    z = x[self.size + 1 + limit.peak]
                    found[row : row + 2 * y.size] = np.concatenate([(y - z).ravel(), (y + z).ravel()])
        for row, equation in enumerate(self.parts.equations, self.equations_at):
            found[row] = equation.coefficients @ x[equation.columns]
        return found

    def jacobian_structure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the derivatives of the constraints."""
        rows: list[np.ndarray] = []
        columns: list[np.ndarray] = []
        for group in self.groups:
            k = np.arange(len(group.grid))
            for row, limit in group.limits:
                e, j = np.nonzero(group.quantity.depends[limit.entries])
                own = row + k[:, None] * len(limit.entries) + e  # (K, pairs)
                points = group.grid.first[:, None, None] + np.arange(self.basis.degree + 1)  # (K, 1, a)
                at = np.broadcast_to(points * self.n + j[None, :, None], (*own.shape, self.basis.degree + 1))
                every = row + np.arange(len(k) * len(limit.entries))
                for shift in range(1 if limit.peak is None else 2):
                    more = shift * len(every)
                    rows += [np.repeat(own.ravel(), self.basis.degree + 1) + more, every + more]
                    columns += [at.ravel(), np.full(len(every), self.size)]
                    if limit.peak is not None:
                        rows.append(every + more)
                        columns.append(np.full(len(every), self.size + 1 + limit.peak))
        for row, equation in enumerate(self.parts.equations, self.equations_at):
            rows.append(np.full(len(equation.columns), row))
            columns.append(equation.columns)
        return _joined(rows), _joined(columns)

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Return the derivatives of the constraints, in the order of their structure."""
        values: list[np.ndarray] = []
        for group in self.groups:
            if not group.limits:
                continue
            D, orders, state = self._derivatives(group), group.quantity.orders, self._state(group)
            b = group.grid.scaled(orders, self._T)
            u = group.grid.by_duration(orders, state, self._T)
            for _, limit in group.limits:
                e, j = np.nonzero(group.quantity.depends[limit.entries])
                own = D[:, :, limit.entries[e], j] / limit.scale[e]  # (R, K, pairs)
                points = np.matmul(own.transpose(1, 2, 0), b.transpose(1, 0, 2)).ravel()  # (K, pairs, a)
                duration = (np.matmul(D, u[..., None])[..., 0].sum(axis=0)[:, limit.entries] / limit.scale).ravel()
                for sign in (-1.0, 1.0)[: 1 if limit.peak is None else 2]:
                    values += [points, duration]
                    if limit.peak is not None:
                        values.append(np.full(len(duration), sign))
        values += [equation.coefficients for equation in self.parts.equations]
        return _joined(values, float)

    def hessian_structure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of second derivatives, lower triangle: control points, then the row of the duration."""
        rows, columns = self.grid.structure()
        own = np.arange(self.size + 1)
        return np.concatenate([rows, np.full(len(own), self.size)]), np.concatenate([columns, own])

    def hessian(self, x: np.ndarray, factor: float, multipliers: np.ndarray) -> np.ndarray:
        """Return second derivatives of factor * objective + multipliers . constraints."""
        T, count = self._T, self.grid.structure_size
        points, mixed, twice = np.zeros(count), np.zeros((self.basis.count, self.n)), 0.0
        for group in self.groups:
            grid, orders, state = group.grid, group.quantity.orders, self._state(group)
            weights, bends = np.zeros_like(group.y), np.zeros_like(group.y)
            for row, limit in group.limits:
                size = len(grid) * len(limit.entries)
                own = multipliers[row : row + size]
                if limit.peak is not None:
                    own = own + multipliers[row + size : row + 2 * size]
                weights[:, limit.entries] += own.reshape(len(grid), -1) / limit.scale  # entries of one limit are distinct
            for integral in group.integrals:
                share = factor * integral.weight * T * self.weights[:, None]
                weights += share * integral.slope(group.y)
                bends += share * integral.bend()
                # the integral is T times a mean: its own slope couples with the duration
                by_points, by_duration = self._integral_gradient(group, integral)
                mixed += factor * by_points
                twice += 2.0 * factor * by_duration
            if not weights.any() and not bends.any():
                continue
            D = self._derivatives(group)
            g = np.einsum("ke,rkej->krj", weights, D)
            H = group.quantity.curvature(state, weights)
            if H is None:
                H = np.zeros((len(grid), len(orders), self.n, len(orders), self.n))
            if bends.any():
                H = H + np.einsum("rkei,ke,qkej->kriqj", D, bends, D, optimize=True)
            parts = grid.curvature(orders, state, T, g, H)
            points, mixed, twice = points + parts[0], mixed + parts[1], twice + parts[2]
        return np.concatenate([points, mixed.ravel(), [twice]])

    def _integral_gradient(self, group: Group, integral: Integral) -> tuple[np.ndarray, float]:
        """Return the derivatives of weight * mean of the integrand over s, by control points and by duration."""
        slope = integral.weight * self.weights[:, None] * integral.slope(group.y)
        g = np.einsum("ke,rkej->krj", slope, self._derivatives(group))
        return group.grid.gradient(group.quantity.orders, self._state(group), self._T, g)

    def _derivatives(self, group: Group) -> np.ndarray:
        if group.D is None:
            group.D = group.quantity.derivatives(self._state(group))
        return group.D

    def _state(self, group: Group) -> State:
        return self._states[id(group.grid)]

    def _group(self, quantity: Quantity, at: np.ndarray | None, limit: Limit | None = None) -> Group:
        if limit is not None and limit.hull:
            self.groups.append(Group(quantity, limit_grid(limit, self.grid)))
            return self.groups[-1]
        for group in self.groups:
            own = group.quantity is quantity and not isinstance(group.grid, HullGrid)
            if own and np.array_equal(group.grid.s, self.grid.s if at is None else at):
                return group
        plain = [grid for grid in self._grids() if not isinstance(grid, HullGrid)]
        grids = [grid for grid in plain if at is not None and np.array_equal(grid.s, at)]
        grid = self.grid if at is None else grids[0] if grids else Grid(self.basis, self.n, at, self.orders)
        self.groups.append(Group(quantity, grid))
        return self.groups[-1]

    def _grids(self) -> list[Grid]:
        return list({id(group.grid): group.grid for group in self.groups}.values())

    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        low, high = np.full(self.rows, -np.inf), np.full(self.rows, np.inf)
        for group in self.groups:
            for row, limit in group.limits:
                size = len(group.grid) * len(limit.entries)
                if limit.peak is None:
                    low[row : row + size] = np.tile(limit.lower / limit.scale, len(group.grid))
                    high[row : row + size] = np.tile(limit.upper / limit.scale, len(group.grid))
                else:  # y - z <= upper and y + z >= lower
                    high[row : row + size] = np.tile(limit.upper / limit.scale, len(group.grid))
                    low[row + size : row + 2 * size] = np.tile(limit.lower / limit.scale, len(group.grid))
        for row, equation in enumerate(self.parts.equations, self.equations_at):
            low[row], high[row] = equation.lower, equation.upper
        return low, high


def _joined(parts: Sequence[np.ndarray], kind: type = int) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
