"""Values: what a quantity gives at instants of many problems, its derivatives, and products of its second derivatives.

Numbers of a node: entry after entry, each at all K instants. D are those of all tables of derivatives, as `Source` has them.
Symbols: K instants | E entries | n columns of the quantity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..quantities.compiled import Compiled
from ..quantities.quantity import Quantity
from ..transcription.grid import Grid
from ..transcription.source import Source
from .tape import Block, Node, Tape, Terms


class Port(NamedTuple):
    """Columns of one derivative by time by which a quantity is differentiated.

    Attributes:
        row: of its order, among those of the quantity.
        order: of the derivative.
        columns: of the quantity.
    """

    row: int
    order: int
    columns: slice

    @property
    def size(self) -> int:
        """Number of columns."""
        return int(self.columns.stop - self.columns.start)


def ports_of(quantity: Quantity) -> list[Port]:
    """Return the ports of a quantity, in the order of the inputs of its task."""
    if isinstance(quantity, Compiled):
        return [Port(row, quantity.orders[row], columns) for row, columns in quantity.state_columns()]
    return [Port(row, order, slice(0, quantity.depends.shape[1])) for row, order in enumerate(quantity.orders)]


@dataclass(eq=False)
class Values(Node):
    """Entries of a quantity (E K).

    Attributes:
        tape: that this is on.
        source: the quantity at its instants.
        rates: motions (n K) of its columns, by order.
        durations: of the clocks (C,).
    """

    tape: Tape
    source: Source
    rates: list[Block]
    durations: Block
    ports: list[Port] = field(default_factory=list)
    _slopes: Slopes | None = None

    @property
    def quantity(self) -> Quantity:
        """The quantity."""
        return self.source.quantity

    @property
    def grid(self) -> Grid:
        """Its instants."""
        return self.source.grid

    def rate(self, port: Port) -> np.ndarray:
        """Return the addresses (columns, K) of a port."""
        return self._part(self.rates[port.order], port)

    def _part(self, block: Block, port: Port) -> np.ndarray:
        K = len(self.grid)
        return block.at().reshape(-1, K)[port.columns]

    @property
    def slopes(self) -> Slopes:
        """The node of its derivatives."""
        if self._slopes is None:
            self._slopes = self.tape.add(Slopes(self.tape.block(self.source.size), self.inputs, self))
        return self._slopes

    def slope(self, place: np.ndarray) -> np.ndarray:
        """Return addresses of derivatives, given their places in the memory of the source."""
        K, found, begin = len(self.grid), np.zeros(place.shape, dtype=np.int64), 0
        for size in self.source.sizes:
            own = (place >= begin) & (place < begin + K * size)
            k, number = np.divmod(place[own] - begin, size)
            found[own] = begin + number * K + k
            begin += K * size
        return self.slopes.out.start + found

    def pairs(self) -> list[tuple[Port, np.ndarray, np.ndarray, np.ndarray]]:
        """Return for every port entries and columns (pairs,) that depend on each other, and addresses (pairs, K)."""
        source, found = self.source, []
        for number, block in enumerate(source.tables):
            for row, order_row in enumerate(block.rows):
                port = next(x for x in self.ports if x.row == order_row and x.columns == block.columns)
                e, j = np.nonzero(self.quantity.depends[:, block.columns])
                places = source.numbers[number][:, row][:, e, j].T
                found.append((port, e, j, self.slope(places)))
        return found

    def along(self) -> list[Terms]:
        """Return the terms of what the entries change by along the direction."""
        K, found = len(self.grid), []
        k = np.arange(K)
        for port, e, j, slopes in self.pairs():
            change = self.tape.tangent(self.rates[port.order])
            if change is not None:
                found.append(Terms(e[:, None] * K + k, 1.0, slopes, self._part(change, port)[j]))
        return found

    def pull(self, weights: Block, pulled: dict[int, list[Terms]], bent: dict[int, list[Any]]) -> None:
        """Add the derivatives of weights . entries by the motions."""
        K = len(self.grid)
        k = np.arange(K)
        for port, e, j, slopes in self.pairs():
            block = self.rates[port.order]
            rows = (port.columns.start + j)[:, None] * K + k
            pulled[block.number].append(Terms(rows, 1.0, weights.start + e[:, None] * K + k, slopes))
        bends = _Bent(self, weights)
        for number, port in enumerate(self.ports):
            rows = (port.columns.start + np.arange(port.size))[:, None] * K + k
            bent[self.rates[port.order].number].append((rows, bends.of(number)))


class _Bent:
    """Products of second derivatives, recorded when they are first asked for."""

    def __init__(self, of: Values, weights: Block) -> None:
        self.values, self.weights = of, weights
        self.node: Bends | None = None

    def of(self, number: int) -> Any:
        """Return what returns the addresses (columns, K) of the products by a port."""

        def addresses() -> np.ndarray:
            own = self.values
            tape, K = own.tape, len(own.grid)
            if self.node is None:
                changes = [tape.moved(x) for x in own.rates]
                out = tape.block(K * sum(port.size for port in own.ports))
                self.node = tape.add(Bends(out, [*own.inputs, self.weights, *changes], own, self.weights, changes))
            begin = K * sum(port.size for port in own.ports[:number])
            return self.node.out.at(begin + np.arange(K * own.ports[number].size)).reshape(-1, K)

        return addresses


@dataclass(eq=False)
class Slopes(Node):
    """Derivatives of a quantity, all numbers of its tables."""

    values: Values


@dataclass(eq=False)
class Bends(Node):
    """Second derivatives of weights . entries along a motion, by every port.

    Attributes:
        weights: of the entries (E K).
        changes: the motion (n K) along which, by order.
    """

    values: Values
    weights: Block
    changes: Sequence[Block]
