"""Total: sums of two quantities with the same entries, each of which may depend on other channels.

    z = y_1 + c y_2
Derivatives of z are those of both, in the columns of both: the joints, then the channels of either.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import Columns
from .quantity import Quantity
from .state import State


class Total(Quantity):
    """One quantity plus a multiple of another.

    Args:
        name: of the sum.
        one, two: with as many entries.
        factor: c of the second.
        columns: of the problem, which say how many entries channels have.
    """

    _joined_by = " of "

    def __init__(self, name: str, one: Quantity, two: Quantity, factor: float, columns: Columns) -> None:
        self.name, self.labels, self.unit = name, one.labels, one.unit
        self.parts, self.factors = (one, two), (1.0, factor)
        self.orders = tuple(sorted({*one.orders, *two.orders}))
        self.path = one.path or two.path
        self.channels = tuple(dict.fromkeys([*one.channels, *two.channels]))
        every = columns.of(self)
        self._at = [_places(every, columns.of(part)) for part in self.parts]
        self.n = len(every)
        self.depends = np.zeros((self.size, self.n), dtype=bool)
        for part, at in zip(self.parts, self._at, strict=True):
            self.depends[:, at] |= part.depends
        self._rows = [np.array([self.orders.index(order) for order in part.orders]) for part in self.parts]

    def values(self, state: State) -> np.ndarray:
        """Return the sums."""
        one, two = (part.values(state.part(at)) for part, at in zip(self.parts, self._at, strict=True))
        return one + self.factors[1] * two

    def derivatives(self, state: State) -> np.ndarray:
        """Return sums of derivatives."""
        found = np.zeros((len(self.orders), len(state), self.size, self.n))
        for part, factor, at, rows in zip(self.parts, self.factors, self._at, self._rows, strict=True):
            found[np.ix_(rows, np.arange(len(state)), np.arange(self.size), at)] += factor * part.derivatives(state.part(at))
        return found

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray | None:
        """Return sums of second derivatives."""
        found = None
        for part, factor, at, rows in zip(self.parts, self.factors, self._at, self._rows, strict=True):
            own = part.curvature(state.part(at), factor * weights)
            if own is None:
                continue
            if found is None:
                found = np.zeros((len(state), len(self.orders), self.n, len(self.orders), self.n))
            found[np.ix_(np.arange(len(state)), rows, at, rows, at)] += own
        return found

    def by_duration(self, state: State) -> np.ndarray | None:
        """Return sums of derivatives by the durations of clocks; None where neither has any."""
        pairs = zip(self.factors, self.parts, self._at, strict=True)
        own = [(factor, part.by_duration(state.part(at))) for factor, part, at in pairs]
        found = [factor * values for factor, values in own if values is not None]
        return sum(found[1:], found[0]) if found else None


def _places(every: np.ndarray, own: np.ndarray) -> np.ndarray:
    place = {int(column): k for k, column in enumerate(every)}
    return np.array([place[int(column)] for column in own], dtype=int)
