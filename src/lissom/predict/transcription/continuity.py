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

from ...spline.basis import Basis
from ..data.columns import Columns
from ..data.part import AnyBasis, PartBasis
from ..data.phases import Phases
from ..problem.parts import Parts
from ..quantities.state import State
from .grid import Grid
from .instants import placed


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


def joined_clocks(
    bases: Sequence[AnyBasis], columns: Columns, phases: Phases, parts: Parts, row: int, unit: float
) -> list[tuple[int, Joins]]:
    """Return the rows that make splines smooth across boundaries, and derivatives equal at both ends, over several clocks.

    Args:
        bases: of the path and of channels, with the same spans.
        columns: of joints and channels.
        phases: with several clocks.
        parts: of the problem, some of which say what is equal at both ends.
        row: number of the first row.
        unit: typical duration of a phase [s].

    Returns:
        The number of the first row and the rows of each spline that has any.
    """
    path = bases[0]
    assert isinstance(path, Basis)
    inner = np.array(phases.ends[1:-1])
    count = len(inner)
    s = np.concatenate([inner, inner, [0.0, 1.0]])
    instants = placed(phases, s, np.arange(len(s)) < count)
    grid = Grid(bases, columns, instants, max(parts.orders, phases.smooth + 1), phases)
    found: list[tuple[int, Joins]] = []
    for number, (basis, n) in enumerate(zip(bases, columns.sizes, strict=True)):
        rows = []
        for k, boundary in enumerate(inner):
            if isinstance(basis, PartBasis) and not basis.begin < boundary < basis.end:
                continue
            smooth = min(basis.degree - 1, phases.smooth - (path.degree - basis.degree))
            for r in range(1, smooth + 1):
                rows += [[Term(r, k, j, 1.0), Term(r, count + k, j, -1.0)] for j in range(n)]
        for ends in parts.repeats if number == 0 else ():
            start = [Term(ends.order, 2 * count, j, ends.sign * c) for j, c in ends.start]
            rows.append([*start, *(Term(ends.order, 2 * count + 1, j, -c) for j, c in ends.end)])
        if rows:
            found.append((row, Joins(grid, number, rows, unit)))
            row += len(rows)
    return found


def typical(low: np.ndarray, high: np.ndarray) -> float:
    """Return a typical duration of a phase [s], of bounds of all: derivatives times it are as large as positions."""
    return float(np.exp(np.log(np.sqrt(low * high)).mean()))
