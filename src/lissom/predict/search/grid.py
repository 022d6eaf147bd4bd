"""Grid: instants along a spline whose control points and duration are unknown, and the chain rule to those.

    q^(r)(s) = sum_i B_i^(r)(s) P_i / T^r,   s = t / T                    Barman 2020, (4.13)-(4.15)

at fixed s, so that the instants move with T. Symbols: P control points (m, n) | T duration [s] | K instants | R orders of a
quantity | b = B^(r) / T^r | y an entry of a quantity | u_r = dq^(r)/dT = -r q^(r) / T.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...locks import lazy_property
from ...memory import check_size
from ...spline.basis import Basis
from ...spline.polygon import derivative_points
from ..problem.parts import Limit
from ..quantities.quantity import ORDERS, State

DENSE = 400  # control points up to which dense matrices are faster


class Grid:
    """Instants s (K,) of a spline with `joints` joints.

    Args:
        basis, joints: of the spline.
        s: instants.
        orders: number of derivatives in its states, q counted.

    Attributes:
        s: instants, as fractions of the duration.
        first: of each instant, the first control point that it depends on.
    """

    def __init__(self, basis: Basis, joints: int, s: np.ndarray, orders: int = ORDERS) -> None:
        self.basis, self.n, self.s, self.orders = basis, joints, np.asarray(s, dtype=float), orders
        highest = min(orders - 1, basis.degree)
        self.first, values = basis.local(self.s, highest)
        self.local = np.zeros((orders, len(self.s), basis.degree + 1))
        self.local[: highest + 1] = values
        self.whole: Any = _sparse(self) if basis.count > DENSE else _dense(self)  # of each order, (K, m)

    def __len__(self) -> int:
        return len(self.s)

    def state(self, P: np.ndarray, T: float) -> State:
        """Return the motion at all instants."""
        return State(tuple(self.whole[r] @ P / T**r for r in range(self.orders)))

    def by_duration(self, orders: tuple[int, ...], state: State, T: float) -> np.ndarray:
        """Return u (R, K, n)."""
        return np.stack([-r / T * state.rates[r] for r in orders])

    def scaled(self, orders: tuple[int, ...], T: float) -> np.ndarray:
        """Return b (R, K, degree + 1)."""
        return self.local[list(orders)] / T ** np.array(orders, dtype=float)[:, None, None]

    def gradient(self, orders: tuple[int, ...], state: State, T: float, g: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the derivatives of a sum over instants by P (m, n) and by T, given those by the motion, g (K, R, n)."""
        by_points = sum(self.whole[r].T @ g[:, k] / T**r for k, r in enumerate(orders))
        by_duration = sum(-r / T * float(np.vdot(state.rates[r], g[:, k])) for k, r in enumerate(orders))
        return np.asarray(by_points), float(by_duration)

    def curvature(
        self, orders: tuple[int, ...], state: State, T: float, g: np.ndarray, H: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return the second derivatives of a sum over instants, given g (K, R, n) and H (K, R, n, R, n) by the motion.

        Returns:
            by P twice, in the slots of `structure`; by P and T (m, n); by T twice.
        """
        b = self.scaled(orders, T)
        K, R, n = len(self), len(orders), self.n
        half = np.matmul(b.transpose(1, 2, 0), H.reshape(K, R, n * R * n)).reshape(K, -1, R, n)  # (K, a i, R, j)
        blocks = np.matmul(b.transpose(1, 2, 0)[:, None], half)  # (K, a i, b, j)
        count = self.structure_size + 1  # the last one takes the entries above the diagonal
        points = np.bincount(self.slots.ravel(), weights=blocks.ravel(), minlength=count)[:-1]
        u = self.by_duration(orders, state, T).swapaxes(0, 1)
        Hu = np.matmul(H.reshape(K, R * n, R * n), u.reshape(K, R * n, 1)).reshape(K, R, n)
        own = np.array(orders, dtype=float)
        mixed = Hu - (own / T)[None, :, None] * g
        mixed_points = sum(self.whole[r].T @ mixed[:, k] / T**r for k, r in enumerate(orders))
        rates = np.stack([state.rates[r] for r in orders], axis=1)
        twice = float(np.vdot(u, Hu) + np.einsum("kri,kri,r->", g, rates, own * (own + 1) / T**2))
        return points, np.asarray(mixed_points), twice

    @property
    def structure_size(self) -> int:
        """Number of slots for second derivatives by P twice."""
        m, n, p = self.basis.count, self.n, self.basis.degree
        return sum((m - d) * n * n for d in range(p + 1)) - m * (n * (n - 1)) // 2

    def structure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the slots: lower triangle, control points no further apart than the degree."""
        m, n, p = self.basis.count, self.n, self.basis.degree
        i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        rows, columns = [], []
        for d in range(p + 1):
            keep = (i >= j) if d == 0 else np.ones((n, n), dtype=bool)
            low = np.arange(m - d)[:, None]
            rows.append(((low + d) * n + i[keep]).ravel())
            columns.append((low * n + j[keep]).ravel())
        return np.concatenate(rows), np.concatenate(columns)

    @lazy_property
    def slots(self) -> np.ndarray:
        """Return the slot of every entry (K, a, i, b, j) of the blocks of instants."""
        m, n, p = self.basis.count, self.n, self.basis.degree
        wide = (p + 1) * n
        check_size(3.0 * len(self) * wide**2, f"second derivatives at {len(self)} instants", "take fewer, or a lower degree")
        lower = np.full((n, n), -1)
        lower[np.tril_indices(n)] = np.arange(n * (n + 1) // 2)
        square = np.arange(n * n).reshape(n, n)
        starts = [0]
        for d in range(p + 1):
            starts.append(starts[-1] + (m - d) * (n * (n + 1) // 2 if d == 0 else n * n))
        slots = np.full((len(self.s), p + 1, n, p + 1, n), starts[-1])
        for a in range(p + 1):
            for b in range(a + 1):
                size = n * (n + 1) // 2 if a == b else n * n
                base = (starts[a - b] + (self.first + b) * size)[:, None, None]
                inner = lower if a == b else square
                slots[:, a, :, b, :] = np.where(inner >= 0, base + inner, starts[-1])
        return slots


def _dense(grid: Grid) -> np.ndarray:
    whole = np.zeros((grid.orders, len(grid), grid.basis.count))
    whole[:, np.arange(len(grid))[:, None], grid.first[:, None] + np.arange(grid.basis.degree + 1)] = grid.local
    return whole


def _sparse(grid: Grid) -> list[Any]:
    from scipy.sparse import csr_matrix

    width = grid.basis.degree + 1
    columns, starts = (grid.first[:, None] + np.arange(width)).ravel(), np.arange(len(grid) + 1) * width
    return [csr_matrix((values.ravel(), columns, starts), shape=(len(grid), grid.basis.count)) for values in grid.local]


class HullGrid(Grid):
    """Control points of the derivative of order r of the path, instead of instants.

    The derivative is a spline of degree p - r whose control points are linear in those of the path, Q = C P / T^r: the form that
    a grid has, with C instead of B^(r). A spline lies in the convex hull of its control points, so that bounds of Q hold all
    the time. Other derivatives are zero here: only the quantity that is this derivative may be evaluated.

    Attributes:
        s: where each control point has most weight, the mean of its knots (Greville).
    """

    def __init__(self, basis: Basis, joints: int, order: int, orders: int = ORDERS) -> None:
        self.basis, self.n, self.orders = basis, joints, orders
        m, p = basis.count, basis.degree
        matrix = np.eye(m)
        for degree in range(p, p - order, -1):
            matrix = derivative_points(matrix, degree)
        rows = np.arange(m - order)
        knots = basis.knots[order : len(basis.knots) - order]
        inner = range(1, p - order + 1) if order < p else range(2)  # of a step, both of its knots
        self.s = np.mean([knots[rows + k] for k in inner], axis=0)
        self.first = np.minimum(rows, m - 1 - p)
        self.local = np.zeros((orders, len(rows), p + 1))
        self.local[order] = matrix[rows[:, None], self.first[:, None] + np.arange(p + 1)]
        self.whole = _sparse(self) if m > DENSE else _dense(self)


def limit_grid(limit: Limit, grid: Grid) -> Grid:
    """Return where a limit is enforced: on the problem's grid, at given instants, or on control points."""
    if limit.hull:
        return HullGrid(grid.basis, grid.n, limit.quantity.orders[0], grid.orders)
    return grid if limit.at is None else Grid(grid.basis, grid.n, limit.at, grid.orders)
