"""Constraints: the rows of a transcription and their bounds: limits, equations, continuity between phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .transcription import Transcription


class Peak(NamedTuple):
    """Rows that a variable is added to: the largest entry that is minimized, with its sign."""

    first: int
    size: int
    variable: int
    sign: float


class Constraints:
    """The rows of a transcription: limited entries divided by their scales, then equations, then jumps between phases.

    Attributes:
        rows: of limits (N,).
        take: the entry of each, among those of all sources (N,).
        factor, offset: of each, (N,): the row is factor * entry - offset.
        peaks: further terms of rows.
        equations: rows, counted from the first of them, columns and coefficients.
    """

    def __init__(self, of: Transcription) -> None:
        self.of = of
        starts = dict(zip(of.sources, np.cumsum([0, *(source.y.size for source in of.sources)]), strict=False))
        rows, take, factor, offset, self.peaks = [], [], [], [], list[Peak]()
        for group in of.groups:
            which = np.arange(len(group.source.grid))[group.rows]
            for row, limit in group.limits:
                shape = len(which), len(limit.entries)
                size, scale = shape[0] * shape[1], limit.scale
                at = starts[group.source] + which[:, None] * group.source.quantity.size + limit.entries
                for shift in range(1 if limit.peak is None else 2):
                    first = row + shift * size
                    rows.append(np.arange(first, first + size))
                    take.append(at.ravel())
                    factor.append((group.spread(group.factor)[:, limit.entries] / scale).ravel())
                    offset.append((group.spread(group.offset)[:, limit.entries] / scale).ravel())
                    if limit.peak is not None:
                        self.peaks.append(Peak(first, size, of.peaks_at + limit.peak, 2.0 * shift - 1.0))
        self.rows, self.take = joined(rows), joined(take)
        self.factor, self.offset = joined(factor, float), joined(offset, float)
        columns = [equation.columns for equation in of.parts.equations]
        self.equations = (
            np.repeat(np.arange(len(columns)), [len(each) for each in columns]).astype(int),
            joined(columns),
            joined([equation.coefficients for equation in of.parts.equations], float),
        )

    def values(self, x: np.ndarray) -> np.ndarray:
        """Return the rows at the x evaluated last."""
        of, found = self.of, np.empty(self.of.rows)
        if len(self.rows):
            y = np.concatenate([source.y.ravel() for source in of.sources])
            found[self.rows] = y[self.take] * self.factor - self.offset
        for first, size, variable, sign in self.peaks:
            found[first : first + size] += sign * x[variable]
        rows, columns, coefficients = self.equations
        count = len(of.parts.equations)
        if count:
            found[of.equations_at : of.equations_at + count] = np.bincount(rows, coefficients * x[columns], count)
        for row, joins in of.joins:
            found[row : row + joins.size] = joins.values(of.state(joins.grid))
        return found

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper bounds of all rows."""
        of = self.of
        low, high = np.full(of.rows, -np.inf), np.full(of.rows, np.inf)
        for group in of.groups:
            for row, limit in group.limits:
                size = len(group.grid) * len(limit.entries)
                lower, upper = (np.tile(side / limit.scale, len(group.grid)) for side in (limit.lower, limit.upper))
                if limit.peak is None:
                    low[row : row + size], high[row : row + size] = lower, upper
                else:  # y - z <= upper and y + z >= lower
                    high[row : row + size], low[row + size : row + 2 * size] = upper, lower
        for row, equation in enumerate(of.parts.equations, of.equations_at):
            low[row], high[row] = equation.lower, equation.upper
        for row, joins in of.joins:
            low[row : row + joins.size] = high[row : row + joins.size] = 0.0
        return low, high


def joined(parts: list[np.ndarray], kind: type = int) -> np.ndarray:
    """Return arrays one after the other."""
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
