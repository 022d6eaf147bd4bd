"""Second derivatives of a transcription: of its Lagrangian, or of Gauss and Newton.

Exact ones are those of the objective times a factor and of all limits times their multipliers. Those of Gauss and Newton are the
sum over squares that are minimized, of weight w and share v of the duration T,
    integral of w z^2  =  sum of c^2,   c = sqrt(w v T) z,   H = 2 sum of dc dc'
which is never negative: what a quantity's own second derivatives add, and all those of limits, is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .assembly import Assembly, assembly
from .source import Source

if TYPE_CHECKING:
    from .transcription import Transcription


class Curvature:
    """Second derivatives of a transcription.

    Args:
        of: the transcription; whether it is exact is as it was when this was made.
    """

    def __init__(self, of: Transcription) -> None:
        self.of, self.exact = of, of.exact
        self.assembly: Assembly = assembly(of.bases, of.columns.sizes, self._pattern())
        # limits of positions are linear in the unknowns, and durations do not change them
        self._curved = [s for s in of.sources if not _straight(s) or any(group.integrals for group in of.of_source[s])]

    def structure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns, lower triangle: control points, then the row of every duration."""
        of = self.of
        rows, columns = [self.assembly.rows], [self.assembly.columns]
        for clock, reach in enumerate(of.grid.reach):
            own = np.append(reach, of.size + clock)
            rows.append(np.full(len(own), of.size + clock))
            columns.append(own)
        return np.concatenate(rows), np.concatenate(columns)

    def values(self, factor: float, multipliers: np.ndarray) -> np.ndarray:
        """Return second derivatives of factor * objective + multipliers . constraints at the x evaluated last."""
        of = self.of
        clocks = of.grid.clocks
        blocks, mixed, twice = self.assembly.blocks(), np.zeros((clocks, of.size)), np.zeros(clocks)
        for source in self._curved:
            weights, means, bends = self._weights(source, factor, multipliers)
            if weights is not None or bends is not None:
                self._add(source, weights, means, bends, blocks, mixed, twice)
        if not self.exact:
            twice += 0.5 * factor * of.goal.means(squares=True) / of.T
        for row, joins in of.joins if self.exact else ():
            joins.add_curvature(of.state(joins.grid), of.T, multipliers[row : row + joins.size], mixed, twice)
        rows = [np.append(own[reach], bend) for own, reach, bend in zip(mixed, of.grid.reach, twice, strict=True)]
        return np.concatenate([self.assembly.values(blocks), *rows])

    def _pattern(self) -> np.ndarray:
        """Return which pairs of columns have second derivatives."""
        of, n = self.of, self.of.columns.total
        found = np.zeros((n, n), dtype=bool)
        for group in of.groups:
            squares = any(integral.square for integral in group.integrals)
            curved = self.exact and not group.source.quantity.constant
            if not squares and not curved:
                continue
            which = np.zeros(group.quantity.size, dtype=bool)
            for integral in group.integrals:
                which |= integral.factors != 0.0
            for _, limit in group.limits if curved else ():
                which[limit.entries] = True
            own = group.source.quantity.depends[which].astype(float)
            found[np.ix_(group.source.columns, group.source.columns)] |= own.T @ own > 0.0
        return found

    def _weights(
        self, source: Source, factor: float, multipliers: np.ndarray
    ) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]:
        """Return weights of the entries of a source (K, E), those of integrals without their durations, and of squares."""
        of = self.of
        weights = means = bends = None
        for group in of.of_source[source]:
            for row, limit in group.limits if self.exact else ():
                size = len(group.grid) * len(limit.entries)
                own = multipliers[row : row + size]
                if limit.peak is not None:
                    own = own + multipliers[row + size : row + 2 * size]
                given = np.zeros((len(group.grid), source.quantity.size))
                given[:, limit.entries] = own.reshape(len(group.grid), -1) / limit.scale
                weights = np.zeros_like(source.y) if weights is None else weights
                group.add(given, weights)
            for integral in group.integrals:
                if not self.exact and not integral.square:
                    continue
                y, share = group.y, factor * integral.weight * group.grid.weights[:, None]
                weights = np.zeros_like(source.y) if weights is None else weights
                means = np.zeros_like(source.y) if means is None else means
                slope = share * integral.slope(y)
                group.add(slope, means)
                each = of.T[group.grid.clock][:, None]
                group.add(slope * each, weights)
                if integral.square:
                    bends = np.zeros_like(source.y) if bends is None else bends
                    group.add(np.broadcast_to(share * each * integral.bend(), y.shape), bends, power=2)
        return weights, means, bends

    def _add(
        self,
        source: Source,
        weights: np.ndarray | None,
        means: np.ndarray | None,
        bends: np.ndarray | None,
        blocks: np.ndarray,
        mixed: np.ndarray,
        twice: np.ndarray,
    ) -> None:
        """Add the second derivatives of a source.

        Motions change with durations, too: u = dq^(r)/dT_c = -r q^(r) / T_c, du/dT_c = -(r + 1) u / T_c.
        """
        of, grid, T = self.of, source.grid, self.of.T
        orders, state = source.quantity.orders, of.state(source.grid)
        moving = max(orders) > 0 or means is not None  # positions at instants do not change with durations, integrals do
        u = grid.by_duration(orders, state, T) if of.timed and moving else None
        part = 1.0 if self.exact else 0.5
        if means is not None and u is not None:  # an integral is T times a mean: its own slope couples with the duration
            G = source.weighted(means)
            mixed += part * source.by_points(G, T)
            twice += 2.0 * part * grid.by_clock(source.sum_by_duration(means, G, u))
        if bends is not None:
            self._add_squares(source, bends, blocks)
            if u is not None:
                along = source.by_duration(u)
                mixed += source.by_points(source.weighted(bends * along), T)
                twice += grid.by_clock(np.einsum("ke,ke->k", bends * along, along))
        if not self.exact or weights is None or not weights.any():
            return
        if u is not None:
            rank = np.array(orders, dtype=float)
            G = source.weighted(weights)
            ranked = [g * -rank[list(b.rows)][:, None] / grid.durations(T, 3) for g, b in zip(G, source.blocks(), strict=True)]
            mixed += source.by_points(ranked, T)
            twice += grid.by_clock(source.dot(G, -(rank + 1.0)[:, None, None] * u) / grid.durations(T))
        H = source.curvature(weights)
        if H is not None:
            self._add_bent(source, H.transpose(0, 1, 3, 2, 4), u, blocks, mixed, twice)

    def _add_squares(self, source: Source, bends: np.ndarray, blocks: np.ndarray) -> None:
        """Add squares of the entries of a source, with weights (K, E)."""
        grid, T = source.grid, self.of.T
        if source.quantity.identity:
            (piece,) = source.pieces
            b = grid.scaled(grid.tracks[piece.track], piece.orders, T)[0]
            self.assembly.add_diagonal(blocks, grid.spans, piece.track, piece.own, b, bends)
        else:
            self.assembly.add_squares(blocks, grid.spans, source.roots(bends, T))

    def _add_bent(
        self, source: Source, H: np.ndarray, u: np.ndarray | None, blocks: np.ndarray, mixed: np.ndarray, twice: np.ndarray
    ) -> None:
        """Add second derivatives by the motion H (K, R, R, n, n), which changes by u (R, K, columns) with the durations."""
        grid, T, orders = source.grid, self.of.T, source.quantity.orders
        own = []  # tracks, with their columns among those of the source
        for number, place in enumerate(grid.places):
            at = np.flatnonzero((source.columns >= place.start) & (source.columns < place.stop))
            if len(at):
                own.append((number, slice(int(at[0]), int(at[-1]) + 1), source.columns[at] - place.start))
        if u is not None:
            way = u[..., source.columns].swapaxes(0, 1)
            Hu = np.matmul(H, way[:, None, ..., None])[..., 0].sum(axis=2)  # (K, R, n)
            twice += grid.by_clock(np.einsum("kri,kri->k", way, Hu))
            for number, inside, columns in own:
                track, start = grid.tracks[number], grid.starts[number]
                scaled = Hu[..., inside] * grid.powers(orders, T)
                for c, which in enumerate(grid.of_clocks):
                    points = mixed[c, start : start + track.size].reshape(-1, track.n)
                    points[:, columns] += track.back(orders, scaled, which)
        b = {number: np.ascontiguousarray(grid.scaled(grid.tracks[number], orders, T).swapaxes(0, 1)) for number, _, _ in own}
        for number, inside, _ in own:
            for other, beside, _ in own:
                if other <= number and H[..., inside, beside].any():
                    first, second = (number, b[number]), (other, b[other])
                    self.assembly.add_curvature(blocks, grid.spans, first, second, H[..., inside, beside])


def _straight(source: Source) -> bool:
    """Return whether the entries of a source are linear in the control points, and do not depend on durations."""
    return source.quantity.constant and max(source.quantity.orders) == 0
