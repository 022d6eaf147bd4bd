"""Objective of a transcription: durations, peaks, and integrals over time, each a sum of means times the durations of clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .transcription import Transcription


class Objective:
    """The objective of a transcription, at the x evaluated last."""

    def __init__(self, of: Transcription) -> None:
        self.of = of

    def value(self, x: np.ndarray) -> float:
        """Return the objective."""
        of = self.of
        return of.parts.time * float(of.T.sum()) + float(np.dot(of.parts.peaks, x[of.peaks_at :])) + float(of.T @ self.means())

    def means(self, squares: bool = False) -> np.ndarray:
        """Return the means over each clock of what is integrated, with weights (C,); of squares alone, if asked."""
        found = np.zeros(self.of.phases.clocks)
        for group in self.of.groups:
            for integral in group.integrals:
                if integral.square or not squares:
                    found += integral.weight * group.grid.by_clock(group.grid.weights * integral.rate(group.y))
        return found

    def magnitude(self) -> float:
        """Return the magnitude of its gradient: the sum over its terms.

        Time and peaks are variables, of slope one; of an integral it is the mean of the integrand. Signs do not cancel, and it
        does not vanish at an optimum, as the gradient does.
        """
        total = self.of.parts.time + sum(self.of.parts.peaks)
        for group in self.of.groups:
            for integral in group.integrals:
                total += integral.weight * float(group.grid.weights @ integral.size(group.y))
        return total

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Return its derivatives."""
        of, found = self.of, np.zeros(len(x))
        durations, timed = slice(of.size, of.peaks_at), of.timed
        if timed:
            found[durations] = of.parts.time + self.means()
        found[of.peaks_at :] = of.parts.peaks
        for source in of.sources:
            weights = None
            for group in of.of_source[source]:
                for integral in group.integrals:
                    weights = np.zeros_like(source.y) if weights is None else weights
                    share = integral.weight * group.grid.weights * of.T[group.grid.clock]
                    group.add(share[:, None] * integral.slope(group.y), weights)
            if weights is None:
                continue
            G = source.weighted(weights)
            found[: of.size] += source.by_points(G, of.T).sum(axis=0)
            if timed:
                u = source.grid.by_duration(source.quantity.orders, of.state(source.grid), of.T)
                found[durations] += source.grid.by_clock(source.sum_by_duration(weights, G, u))
        return found
