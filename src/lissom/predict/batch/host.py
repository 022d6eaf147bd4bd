"""The functions of many problems in the memory of the host, by NumPy and the machine code of the robot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..quantities.state import State
from .plan import Plan
from .tape import Block, Inverse, Sums
from .values import Bends, Slopes, Values

ROOM = 1 << 25  # bytes of numbers at once


def run(plan: Plan, given: Mapping[Block, np.ndarray], count: int) -> list[np.ndarray]:
    """Return results (N, size), given inputs (N, size)."""
    step = max(1, ROOM // (8 * plan.size))
    found = [np.empty((count, x.size)) for x in plan.outputs]
    with np.errstate(all="ignore"):  # what is not finite is in the results
        for begin in range(0, count, step):
            some = slice(begin, begin + step)
            own = _Run(plan, min(step, count - begin))
            for block, values in given.items():
                own.of(block)[...] = values[some].T
            own.all()
            for block, to in zip(plan.outputs, found, strict=True):
                to[some] = own.of(block).T
    return found


class _Run:
    def __init__(self, plan: Plan, count: int) -> None:
        self.plan, self.count = plan, count
        self.numbers = np.zeros((plan.size, count))

    def of(self, block: Block) -> np.ndarray:
        """Return the numbers of a block (size, N), to read and to write."""
        start = self.plan.start(block)
        return self.numbers[start : start + block.size]

    def all(self) -> None:
        """Run all steps."""
        for node in self.plan.nodes:
            if isinstance(node, Sums):
                self.plan.products[node](self.numbers, self.of(node.out))
            elif isinstance(node, Inverse):
                self.of(node.out)[...] = 1.0 / self.of(node.inputs[0])
            elif isinstance(node, Values):
                self.of(node.out)[...] = self._flat(node.quantity.values(self._state(node)))
            elif isinstance(node, Slopes):
                self._slopes(node)
            elif isinstance(node, Bends):
                self._bends(node)

    def _rows(self, block: Block, width: int) -> np.ndarray:
        """Return numbers, each at all instants, as rows (instants and problems, width)."""
        return np.ascontiguousarray(self.of(block).reshape(width, -1).T)

    def _flat(self, rows: np.ndarray) -> np.ndarray:
        """Return rows (instants and problems, width) as the numbers of a block."""
        return np.reshape(rows.T, (-1, self.count))

    def _state(self, node: Values) -> State:
        grid, n = node.grid, len(node.source.columns)
        rates = tuple(self._rows(x, n) for x in node.rates)
        durations = self.of(node.durations)[grid.clock].ravel()
        return State(rates, np.repeat(grid.s, self.count), np.repeat(grid.instants.left, self.count), durations)

    def _slopes(self, node: Slopes) -> None:
        values = node.values
        state, begin, K = self._state(values), 0, len(values.grid)
        tables = [np.zeros((len(state), size)) for size in values.source.sizes]
        values.quantity.fill(state, tables)
        to = self.of(node.out)
        for table in tables:
            size = K * table.shape[1]
            to[begin : begin + size] = self._flat(table)
            begin += size

    def _bends(self, node: Bends) -> None:
        values, K = node.values, len(node.values.grid)
        quantity, n = values.quantity, len(values.source.columns)
        changes = np.stack([self._rows(node.changes[order], n) for order in quantity.orders], axis=1)
        weights = self._rows(node.weights, quantity.size)
        found = quantity.curvature_along(self._state(values), weights, changes)
        to, begin = self.of(node.out), 0
        for port in values.ports:
            own = slice(begin, begin + K * port.size)
            to[own] = 0.0 if found is None else self._flat(found[:, port.row, port.columns])
            begin += K * port.size
