"""Sources: quantities at instants, each evaluated once at every x for all limits and goals that are taken from it.

Symbols: K instants | R orders of derivatives by time | E entries of the quantity | n columns | m control points of a track |
C clocks | b = B^(r) / T_c^r functions of the control points that an instant depends on, see `grid.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..quantities.quantity import Block, Quantity
from ..quantities.state import State
from .grid import Grid


class Piece(NamedTuple):
    """The part of a block of derivatives that belongs to one track.

    Attributes:
        block: number of the block.
        orders: of its derivatives by time (R,).
        track: number of the track.
        inside: columns of the block.
        own: the same columns, of the track.
    """

    block: int
    orders: tuple[int, ...]
    track: int
    inside: slice
    own: slice


class Source:
    """A quantity at the instants of a grid.

    Args:
        quantity, grid: as they say.
        columns: those that the quantity sees.

    Attributes:
        y: entries (K, E) at the x evaluated last.
        size: of the memory for derivatives.
        begin: where that is, in the memory of all sources; see `attach`.
        numbers: in its own memory, the place of every number of a block.
        pieces: of all blocks and tracks.
    """

    def __init__(self, quantity: Quantity, grid: Grid, columns: np.ndarray) -> None:
        self.quantity, self.grid, self.columns = quantity, grid, columns
        self.y = np.zeros((len(grid), quantity.size))
        self.sizes = quantity.table_sizes()
        self.size = len(grid) * sum(self.sizes)
        self.numbers = [block.values for block in quantity.blocks(self._tables(np.arange(self.size)))]
        self.attach(np.zeros(self.size))
        self.pieces = [piece for number, block in enumerate(self._blocks) for piece in self._pieces(number, block)]

    def attach(self, memory: np.ndarray, begin: int = 0) -> None:
        """Use some of given memory for the derivatives."""
        self.begin, self._filled = begin, self._tables(memory[begin : begin + self.size])
        self._blocks, self._known = self.quantity.blocks(self._filled), False

    def depends(self, piece: Piece) -> np.ndarray:
        """Return whether entries depend on the columns of a piece (E, columns)."""
        first = self._blocks[piece.block].columns.start
        return self.quantity.depends[:, first + piece.inside.start : first + piece.inside.stop]

    def evaluate(self, state: State) -> None:
        """Evaluate the entries; derivatives follow when they are needed."""
        self._here = state.part(self.columns)
        self.y = self.quantity.values(self._here)
        self._known = self._known and self.quantity.constant

    @property
    def tables(self) -> list[Block]:
        """Blocks of derivatives as they were computed last; they tell what is where."""
        return self._blocks

    def blocks(self) -> list[Block]:
        """Return the derivatives at the x evaluated last."""
        if not self._known:
            self.quantity.fill(self._here, self._filled)
            self._known = True
        return self._blocks

    def curvature(self, weights: np.ndarray) -> np.ndarray | None:
        """Return the second derivatives of weights (K, E) . entries, (K, R, n, R, n), at the x evaluated last; None if zero."""
        return self.quantity.curvature(self._here, weights)

    def weighted(self, weights: np.ndarray) -> list[np.ndarray]:
        """Return the derivatives of weights (K, E) . entries by the motion, (K, R, n) of every block."""
        if self.quantity.identity:
            return [weights[:, None]]
        return [np.matmul(weights[:, None, None], block.values)[:, :, 0] for block in self.blocks()]

    def by_duration(self, u: np.ndarray) -> np.ndarray:
        """Return the derivatives of the entries (K, E) by the durations of clocks, with which motions change by u (R, K, all)."""
        own = self.quantity.by_duration(self._here)
        found = np.zeros(self.y.shape) if own is None else own
        for block in self.blocks():
            way = u[list(block.rows)][..., self.columns[block.columns]].swapaxes(0, 1)
            found += np.matmul(block.values, way[..., None])[..., 0].sum(axis=1)
        return found

    def sum_by_duration(self, weights: np.ndarray, G: Sequence[np.ndarray], u: np.ndarray) -> np.ndarray:
        """Return the derivatives of weights (K, E) . entries by the durations of clocks (K,), given G of `weighted`."""
        own, found = self.quantity.by_duration(self._here), self.dot(G, u)
        return found if own is None else found + np.einsum("ke,ke->k", weights, own)

    def dot(self, G: Sequence[np.ndarray], u: np.ndarray) -> np.ndarray:
        """Return products (K,) of derivatives of weighted sums G, see `weighted`, with a motion u (R, K, all columns)."""
        found = np.zeros(len(self.grid))
        for g, block in zip(G, self._blocks, strict=True):
            found += np.einsum("krj,rkj->k", g, u[list(block.rows)][..., self.columns[block.columns]])
        return found

    def by_points(self, G: Sequence[np.ndarray], T: np.ndarray) -> np.ndarray:
        """Return derivatives by all control points (C, number) of sums over the instants of each clock, given G of `weighted`."""
        grid = self.grid
        found = np.zeros((grid.clocks, int(grid.starts[-1])))
        for piece in self.pieces:
            track, start = grid.tracks[piece.track], grid.starts[piece.track]
            own = G[piece.block][..., piece.inside] * grid.powers(piece.orders, T)
            for c, which in enumerate(grid.of_clocks):
                points = found[c, start : start + track.size].reshape(-1, track.n)
                points[:, piece.own] += track.back(piece.orders, own, which)
        return found

    def roots(self, bends: np.ndarray, T: np.ndarray) -> dict[int, np.ndarray]:
        """Return X = sqrt(bends) sum over r of D b (K, E, a n) of every track that the quantity sees; see `assembly.py`."""
        grid, found = self.grid, dict[int, np.ndarray]()
        blocks, size = self.blocks(), np.sqrt(bends)[:, :, None, None]
        for piece in self.pieces:
            track = grid.tracks[piece.track]
            X = found.get(piece.track)
            if X is None:
                X = found[piece.track] = np.zeros((*self.y.shape, track.basis.degree + 1, track.n))
            b = grid.scaled(track, piece.orders, T).transpose(1, 2, 0)[:, None]  # (K, 1, a, R)
            X[..., piece.own] += np.matmul(b, size * blocks[piece.block].values[..., piece.inside].swapaxes(1, 2))
        return {number: X.reshape(*self.y.shape, -1) for number, X in found.items()}

    def _tables(self, memory: np.ndarray) -> list[np.ndarray]:
        ends = np.cumsum([0, *(len(self.grid) * size for size in self.sizes)])
        return [memory[a:b].reshape(len(self.grid), -1) for a, b in zip(ends[:-1], ends[1:], strict=True)]

    def _pieces(self, number: int, block: Block) -> list[Piece]:
        """Return the pieces of a block: its columns, one track after the other."""
        columns, found = self.columns[block.columns], []
        orders = tuple(self.quantity.orders[row] for row in block.rows)
        for track, place in enumerate(self.grid.places):
            which = np.flatnonzero((columns >= place.start) & (columns < place.stop))
            if len(which):
                first, own = int(which[0]), int(columns[which[0]]) - place.start
                found.append(Piece(number, orders, track, slice(first, first + len(which)), slice(own, own + len(which))))
        return found
