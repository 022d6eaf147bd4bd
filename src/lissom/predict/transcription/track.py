"""Track: one spline of the unknowns at the instants of a grid, the path of the joints or a channel.

Symbols: P control points (m, n) | K instants | a, b = 0 ... degree, control points that an instant depends on | s = t / T.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...memory import check_size
from ...spline.basis import Basis
from ...spline.polygon import derivatives
from ..data.part import AnyBasis, PartBasis
from ..data.phases import Phases
from .instants import Instants, placed

DENSE = 400  # control points up to which dense matrices are faster


class Track:
    """A spline with n columns at instants s (K,).

    Args:
        basis, n: of the spline.
        instants: their places along it, and their clocks.
        orders: number of derivatives, the spline itself counted.
        shares: of s, that the clocks have.

    Attributes:
        first: of each instant, the first control point that it depends on.
        local: (orders, K, degree + 1), derivatives of the functions of these control points by the time of the clock, as a share
            of its duration.
        whole: of each order, the matrix (K, m) from control points to these derivatives.
        on: numbers of the instants that depend on it; others are outside of a channel's phases.
    """

    def __init__(self, basis: AnyBasis, n: int, instants: Instants, orders: int, shares: np.ndarray) -> None:
        highest = min(orders - 1, basis.degree)
        first, values = basis.local(instants.s, highest, instants.left if instants.left.any() else None)
        local = np.zeros((orders, len(instants), basis.degree + 1))
        local[: highest + 1] = values
        if len(shares) > 1:
            local *= (shares[instants.clock] ** np.arange(orders)[:, None])[..., None]
        self._set(basis, n, first, local)

    def _set(self, basis: AnyBasis, n: int, first: np.ndarray, local: np.ndarray) -> None:
        self.basis, self.n, self.first, self.local = basis, n, first, local
        self._slots: dict[bytes, np.ndarray] = {}
        self._backs: dict[tuple[int, ...], np.ndarray] = {}
        self.on = np.flatnonzero(local.any(axis=(0, 2))) if isinstance(basis, PartBasis) else np.arange(len(first))
        self.whole: Any = _sparse(self) if basis.count > DENSE else _dense(self)

    @classmethod
    def hull(cls, basis: Basis, n: int, order: int, orders: int, phases: Phases) -> tuple[Track, Instants]:
        """Return control points of the derivative of an order, in the place of instants, and where each has most weight.

        The derivative is a spline of degree p - r whose control points are linear in those of the spline, Q = C P / T^r: the form
        that instants have, with C instead of B^(r). A spline lies in the convex hull of its control points, so that bounds of Q
        hold all the time. Other derivatives are zero here: only the quantity that is this derivative may be evaluated.
        """
        m, p = basis.count, basis.degree
        matrix, knots = derivatives(np.eye(m), basis, order)[-1]
        rows = np.arange(len(matrix))
        inner = range(1, p - order + 1) if order < p else range(2)  # of a step, both of its knots
        first = np.minimum((matrix != 0.0).argmax(axis=1), m - 1 - p)
        local = np.zeros((orders, len(rows), p + 1))
        local[order] = matrix[rows[:, None], first[:, None] + np.arange(p + 1)]
        # with several clocks, each derivative lives in one: that of the middle of its function
        clock = placed(phases, 0.5 * (knots[rows] + knots[rows + p - order + 1])).clock
        if phases.clocks > 1:
            local[order] *= (np.diff(phases.clock_ends)[clock] ** order)[:, None]
        track = cls.__new__(cls)
        track._set(basis, n, first, local)
        s = np.mean([knots[rows + k] for k in inner], axis=0)  # Greville: the mean of its knots
        return track, Instants(s, np.zeros(len(s), dtype=bool), clock)

    @classmethod
    def silent(cls, basis: AnyBasis, n: int, instants: int, orders: int) -> Track:
        """Return a spline that no instant depends on."""
        track = cls.__new__(cls)
        track._set(basis, n, np.zeros(instants, dtype=int), np.zeros((orders, instants, basis.degree + 1)))
        return track

    def at(self, points: np.ndarray) -> np.ndarray:
        """Return the derivatives (orders, K, n) of the spline with control points (m, n), by shares of the clocks' durations."""
        if isinstance(self.whole, np.ndarray):
            orders, K, m = self.whole.shape
            return (self.whole.reshape(orders * K, m) @ points).reshape(orders, K, -1)
        return np.stack([matrix @ points for matrix in self.whole])

    def back(self, orders: tuple[int, ...], values: np.ndarray, which: np.ndarray | slice) -> np.ndarray:
        """Return sums (m, columns) of values (K, R, columns) times the functions of their orders, over some instants."""
        own = values[which]
        if not isinstance(self.whole, np.ndarray):
            return sum(self.whole[r][which].T @ own[:, k] for k, r in enumerate(orders))  # type: ignore[no-any-return]
        if orders not in self._backs:
            self._backs[orders] = np.ascontiguousarray(self.whole[list(orders)].transpose(2, 1, 0))  # (m, K, R)
        functions = self._backs[orders][:, which]
        return functions.reshape(len(functions), -1) @ own.reshape(-1, own.shape[2])  # type: ignore[no-any-return]

    def lives(self, s: np.ndarray) -> np.ndarray:
        """Return at which places it is not zero throughout."""
        return self.basis.inside(s) if isinstance(self.basis, PartBasis) else np.ones(len(s), dtype=bool)

    @property
    def size(self) -> int:
        """Number of unknowns m n."""
        return self.basis.count * self.n

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

    def slots(self, first: np.ndarray) -> np.ndarray:
        """Return the slot of every entry (S, a, b, i, j) of blocks that begin at these control points (S,).

        The last takes entries above the diagonal. They are made once for the same control points.
        """
        key = first.tobytes()
        if key not in self._slots:
            self._slots[key] = self._slots_of(first)
        return self._slots[key]

    def _slots_of(self, first: np.ndarray) -> np.ndarray:
        m, n, p = self.basis.count, self.n, self.basis.degree
        wide = (p + 1) * n
        check_size(3.0 * len(first) * wide**2, f"second derivatives of {len(first)} spans", "take fewer, or a lower degree")
        lower = np.full((n, n), -1)
        lower[np.tril_indices(n)] = np.arange(n * (n + 1) // 2)
        square = np.arange(n * n).reshape(n, n)
        starts = [0]
        for d in range(p + 1):
            starts.append(starts[-1] + (m - d) * (n * (n + 1) // 2 if d == 0 else n * n))
        slots = np.full((len(first), p + 1, p + 1, n, n), starts[-1])
        for a in range(p + 1):
            for b in range(a + 1):
                size = n * (n + 1) // 2 if a == b else n * n
                base = (starts[a - b] + (first + b) * size)[:, None, None]
                inner = lower if a == b else square
                slots[:, a, b] = np.where(inner >= 0, base + inner, starts[-1])
        return slots


def _dense(track: Track) -> np.ndarray:
    orders, instants, width = track.local.shape
    whole = np.zeros((orders, instants, track.basis.count))
    whole[:, np.arange(instants)[:, None], track.first[:, None] + np.arange(width)] = track.local
    return whole


def _sparse(track: Track) -> list[Any]:
    from scipy.sparse import csr_matrix

    _, instants, width = track.local.shape
    columns, starts = (track.first[:, None] + np.arange(width)).ravel(), np.arange(instants + 1) * width
    return [csr_matrix((values.ravel(), columns, starts), shape=(instants, track.basis.count)) for values in track.local]
