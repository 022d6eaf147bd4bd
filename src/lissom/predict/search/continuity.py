"""Continuity: sums of derivatives by time at two instants whose clocks have different unknown durations.

    sum of factor * q_i^(r)(instant) = 0,    q^(r) = b P / T_c^r

Within one clock this is linear in control points, or the spline has it anyway; between two, the durations count too.
Symbols: J rows | M terms of all rows | T durations of clocks (C,) [s] | b (M, degree + 1) functions of the control points that an
instant depends on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..quantities.state import State
from .grid import Grid


class Term(NamedTuple):
    """A derivative at an instant, in a sum.

    Attributes:
        order: of the derivative, 1 or higher.
        instant: number on a grid.
        column: of the track.
        factor: in the sum.
    """

    order: int
    instant: int
    column: int
    factor: float


class Joins:
    """Rows of one track that say that sums of derivatives vanish.

    Args:
        grid: with all instants.
        number: of the track.
        rows: terms of every row.
        unit: duration [s] to the power of the order by which rows are multiplied: their values are then changes of position.

    Attributes:
        size: number of rows J.
    """

    def __init__(self, grid: Grid, number: int, rows: Sequence[Sequence[Term]], unit: float) -> None:
        self.grid, self.track, self.size = grid, grid.tracks[number], len(rows)
        terms = [term for row in rows for term in row]
        self.row = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self.order, self.instant, column = (np.array([term[k] for term in terms]) for k in range(3))
        self.factor = np.array([term.factor for term in terms]) * unit**self.order
        self.clock = grid.clock[self.instant]
        self.column = grid.places[number].start + column  # among all columns
        first = self.track.first[self.instant][:, None] + np.arange(self.track.basis.degree + 1)
        self.points = int(grid.starts[number]) + first * self.track.n + column[:, None]  # unknowns (M, a)

    def structure(self, durations_at: int) -> tuple[np.ndarray, np.ndarray]:
        """Return rows, counted from 0, and unknowns of the derivatives; durations begin at a place among the unknowns."""
        rows = np.concatenate([np.repeat(self.row, self.points.shape[1]), self.row])
        return rows, np.concatenate([self.points.ravel(), durations_at + self.clock])

    def values(self, state: State) -> np.ndarray:
        """Return the rows (J,)."""
        return np.bincount(self.row, weights=self.factor * self._rates(state), minlength=self.size)

    def jacobian(self, state: State, T: np.ndarray) -> np.ndarray:
        """Return the derivatives, in the order of the structure."""
        by_duration = -self.factor * self.order * self._rates(state) / T[self.clock]
        return np.concatenate([(self.factor[:, None] * self._functions(T)).ravel(), by_duration])

    def add_curvature(self, state: State, T: np.ndarray, multipliers: np.ndarray, mixed: np.ndarray, twice: np.ndarray) -> None:
        """Add second derivatives by control points and durations (C, number), and by durations twice (C,)."""
        each = T[self.clock]
        weight = multipliers[self.row] * self.factor * self.order / each
        np.add.at(mixed, (self.clock[:, None], self.points), -weight[:, None] * self._functions(T))
        np.add.at(twice, self.clock, weight * (self.order + 1) * self._rates(state) / each)

    def _functions(self, T: np.ndarray) -> np.ndarray:
        """Return b (M, a)."""
        return self.track.local[self.order, self.instant] / (T[self.clock] ** self.order)[:, None]  # type: ignore[no-any-return]

    def _rates(self, state: State) -> np.ndarray:
        """Return the derivatives by time of all terms (M,)."""
        return np.stack(state.rates)[self.order, self.instant, self.column]  # type: ignore[no-any-return]
