"""Jacobian: derivatives of the constraints of a transcription.

Those of limits by control points are sums over orders r of D_r B^(r) / T^r, with D the derivatives of quantities by the motion.
All of D lie in one piece of memory: they are the product of a sparse matrix, which depends on the durations alone, with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from .constraints import joined
from .group import Group

if TYPE_CHECKING:
    from ..problem.parts import Limit
    from .transcription import Transcription


class Terms(NamedTuple):
    """Derivatives of rows by control points.

    Attributes:
        rows, columns: of N derivatives.
        places: in the memory of D, of the R numbers that each is a sum of (N, R).
        factors: of these numbers (N, R), for durations of 1.
        codes: orders of these numbers (N, R), plus the number of all orders times the clock.
        live: which derivatives are not zero whatever the unknowns.
    """

    rows: np.ndarray
    columns: np.ndarray
    places: np.ndarray
    factors: np.ndarray
    codes: np.ndarray
    live: np.ndarray


class Jacobian:
    """Derivatives of the constraints.

    Attributes:
        rows, columns: of the derivatives.
        live: which of them are not zero whatever the unknowns.
        matrix: by which those of limits by control points are products with the memory of D; its numbers are those of the
            durations at the x evaluated last,
        base, codes: and these for durations of 1, with the orders and clocks of `Terms`.
    """

    def __init__(self, of: Transcription) -> None:
        self.of = of
        terms = [each for group in of.groups for row, limit in group.limits for each in _terms(of, group, limit, row)]
        widths = [np.full(len(each.rows), each.places.shape[1]) for each in terms]
        ends = np.concatenate([[0], np.cumsum(joined(widths))])
        self.base, self.codes = (joined([x.ravel() for x in xs], k) for xs, k in _parts(terms))
        small = np.int32 if max(int(ends[-1]), len(of.memory)) < 2**31 else np.int64  # half as much to read in every product
        places = joined([each.places.ravel() for each in terms]).astype(small)
        shape = len(ends) - 1, max(len(of.memory), 1)
        self.matrix = csr_array((self.base.copy(), places, ends.astype(small)), shape=shape)
        self._T: np.ndarray | None = None
        every = [*((each.rows, each.columns, each.live) for each in terms), *self._others()]
        self.rows, self.columns, self.live = (np.concatenate(each) for each in zip(*every, strict=True))

    def values(self) -> np.ndarray:
        """Return the derivatives at the x evaluated last."""
        of, found = self.of, []
        if len(of.rules.rows):
            for source in of.limited:
                source.blocks()
            found += [self._product(of.T) @ of.memory, self._by_durations()]
        found += [np.full(peak.size, peak.sign) for peak in of.rules.peaks]
        found.append(of.rules.equations[2])
        found += [joins.jacobian(of.state(joins.grid), of.T) for _, joins in of.joins]
        return np.concatenate(found)

    def settled(self) -> np.ndarray:
        """Return the rows that depend on fixed unknowns alone, as those of a quantity at a given start.

        At the ends of a spline most of the functions near it are zero: a control point in the structure may have no influence.
        """
        free, depends = self.of.lower < self.of.upper, np.zeros(self.of.rows, dtype=bool)
        depends[self.rows[self.live & free[self.columns]]] = True
        return np.flatnonzero(~depends)

    def _product(self, T: np.ndarray) -> csr_array:
        """Return the matrix from derivatives by the motion to those by control points."""
        if self._T is None or not np.array_equal(T, self._T):
            powers = T[:, None] ** -np.arange(self.of.orders, dtype=float)
            np.multiply(self.base, powers.ravel()[self.codes], out=self.matrix.data)
            self._T = T.copy()
        return self.matrix

    def _by_durations(self) -> np.ndarray:
        """Return the derivatives of limits by the duration of the clock of each."""
        of, found = self.of, []
        if not of.timed:
            return np.zeros(len(of.rules.take))
        for source in of.sources:
            orders = source.quantity.orders
            if source in of.limited and max(orders) > 0:
                state = of.state(source.grid)
                found.append(source.by_duration(source.grid.by_duration(orders, state, of.T)).ravel())
            else:
                found.append(np.zeros(source.y.size))
        return np.concatenate(found)[of.rules.take] * of.rules.factor

    def _others(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Give rows, columns and whether they are alive, of derivatives by durations and peaks, of equations and of jumps."""
        of = self.of
        if len(of.rules.rows):
            clocks, live = [], []
            for group in of.groups:
                for _, limit in group.limits:
                    times = 1 if limit.peak is None else 2
                    clocks.append(np.tile(np.repeat(of.size + group.grid.clock, len(limit.entries)), times))
                    live.append(np.full(len(clocks[-1]), max(group.quantity.orders) > 0))
            yield of.rules.rows, joined(clocks), joined(live)
        for peak in of.rules.peaks:
            rows = peak.first + np.arange(peak.size)
            yield rows, np.full(peak.size, peak.variable), np.ones(peak.size, dtype=bool)
        rows, columns, coefficients = of.rules.equations
        yield of.equations_at + rows, columns, coefficients != 0.0
        for row, joins in of.joins:
            own, unknowns = joins.structure(of.size)
            yield row + own, unknowns, np.ones(len(own), dtype=bool)


def _parts(terms: list[Terms]) -> Iterator[tuple[list[np.ndarray], type]]:
    yield [each.factors for each in terms], float
    yield [each.codes for each in terms], int


def _terms(of: Transcription, group: Group, limit: Limit, row: int) -> Iterator[Terms]:
    """Give the derivatives of a limit by control points, piece by piece of its source."""
    source, grid = group.source, group.source.grid
    which = np.arange(len(grid))[group.rows]
    scale = group.spread(group.factor)[:, limit.entries] / limit.scale  # (K, entries)
    for piece in source.pieces:
        track, orders = grid.tracks[piece.track], list(piece.orders)
        e, j = np.nonzero(source.depends(piece)[limit.entries])
        on = np.flatnonzero(np.isin(which, track.on))
        if not len(e) or not len(on):
            continue
        k, a = which[on], np.arange(track.basis.degree + 1)
        points = track.first[k][:, None, None] + a  # (K, 1, a)
        unknowns = int(grid.starts[piece.track]) + points * track.n + (piece.own.start + j)[None, :, None]
        shape = (len(on), len(e), len(a))
        numbers = source.numbers[piece.block][k][:, :, limit.entries[e], piece.inside.start + j]  # (K, R, pairs)
        local = track.local[orders][:, k]  # (R, K, a)
        factors = local.transpose(1, 2, 0)[:, None] * scale[on][:, e, None, None]  # (K, pairs, a, R)
        codes = np.array(orders) + of.orders * grid.clock[k][:, None, None, None]
        live = (local != 0.0).any(axis=0)[:, None]
        places = source.begin + numbers.transpose(0, 2, 1)[:, :, None]
        rows = (row + on[:, None] * len(limit.entries) + e)[..., None]
        one, two, three = (np.broadcast_to(x, shape).ravel() for x in (rows, unknowns, live))
        whole = (np.broadcast_to(x, (*shape, len(orders))).reshape(-1, len(orders)) for x in (places, factors, codes))
        terms = Terms(one, two, *whole, three)  # type: ignore[call-arg]
        yield terms
        if limit.peak is not None:
            yield terms._replace(rows=one + len(which) * len(limit.entries))
