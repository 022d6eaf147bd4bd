"""The functions of many problems on a card: kernels of sums of products, and those of the robot's functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...compiler.cuda.arrays import DeviceArray, packed
from ...compiler.cuda.backend import CUDA, stream_of
from ...compiler.cuda.device import Flag, Memory
from ...compiler.cuda.layout import COLUMNS, ROWS
from ...compiler.cuda.module import load, transposer
from ...compiler.cuda.products import ONE, Table, launch, summer
from ...compiler.cuda.views import View, view
from ...compiler.program import Port, Program
from ...compiler.trace import trace
from ...errors import StateError
from ...protocol import DrivenRobot
from ..quantities.compiled import Compiled
from .plan import Plan
from .tape import Block, Inverse, Node, Sums
from .values import Bends, Slopes, Values

ROOM = 1 << 31  # bytes of numbers at once


class Card:
    """What runs plans on a card.

    Args:
        robot: on the card.
        backend: of it.
    """

    def __init__(self, robot: DrivenRobot, backend: CUDA) -> None:
        self.robot, self.backend, self.on = robot, backend, backend.card()
        self.single = backend.precision == "single"
        self.summer, self.turn = summer(self.on, self.single), transposer(self.on, self.single)
        parts = ("one over each number",)
        self.inverse = load(self.on, _inverse, parts, (ROWS, ROWS), self.single)
        self.flag = Flag(self.on)
        self._same: dict[int, tuple[np.ndarray, DeviceArray]] = {}

    def expect(self, plan: Plan) -> None:
        """Raise StateError if a quantity has no program."""
        for node in plan.nodes:
            if isinstance(node, Values) and not isinstance(node.quantity, Compiled):
                raise StateError(
                    f"{node.quantity.name} is computed on the processor alone: leave it out of the problem, or take "
                    "problem.functions() without a card"
                )

    def view(self, x: Any, name: str, size: int) -> View:
        """Return a view of an array on the card."""
        return view(x, name, (size,), self.single)

    def same(self, values: np.ndarray) -> DeviceArray:
        """Return a copy on the card of numbers that never change, made once."""
        key = id(values)
        if key not in self._same:
            self._same[key] = values, self.backend.array(values)
        return self._same[key][1]

    def run(self, plan: Plan, given: Mapping[Block, View], factor: tuple[Block, float]) -> list[DeviceArray]:
        """Return results (..., size), in columns where the first input is.

        Args:
            plan: the steps.
            given: inputs with the same leading axes.
            factor: a block of one number, the same for all.
        """
        views = list(given.values())
        lead, item = views[0].lead, self.backend.dtype.itemsize
        n, stream = math.prod(lead), stream_of(self.on, views)
        columns = views[0].layout == COLUMNS
        found = [self._result(block.size, lead, columns, stream) for block in plan.outputs]
        step = max(1, min(n, ROOM // (item * plan.size)))
        for begin in range(0, n, step):
            own = _Run(self, plan, min(step, n - begin), stream)
            for block, x in given.items():
                own.bring(block, x, begin)
            own.fill(factor[0], factor[1])
            own.all()
            for block, to in zip(plan.outputs, found, strict=True):
                own.give(block, to, begin, n if columns else 0)
        return found

    def _result(self, size: int, lead: tuple[int, ...], columns: bool, stream: int) -> DeviceArray:
        item, n = self.backend.dtype.itemsize, math.prod(lead)
        memory = Memory(self.on, n * size * item, stream)
        strides = (*packed(lead, item), n * item) if columns else None
        return DeviceArray(memory, (*lead, size), self.backend.dtype, strides, stream)


class _Run:
    """One pass over some problems, whose numbers are in one piece of memory."""

    def __init__(self, card: Card, plan: Plan, count: int, stream: int) -> None:
        self.card, self.plan, self.count, self.stream = card, plan, count, stream
        self.item = card.backend.dtype.itemsize
        self.step = count * self.item
        self.numbers = Memory(card.on, plan.size * self.step, stream)

    def address(self, block: Block, offset: int = 0) -> int:
        """Return where a block is, or one of its numbers."""
        return self.numbers.pointer + (self.plan.start(block) + offset) * self.step

    def array(self, block: Block, instants: int, own: tuple[int, ...], offset: int = 0) -> DeviceArray:
        """Return numbers, each at all instants, as an array (instants and problems, *own)."""
        n = instants * self.count
        strides = (self.item, *packed(own, self.item * n))
        at = (self.plan.start(block) + offset) * self.step
        return DeviceArray(self.numbers, (n, *own), self.card.backend.dtype, strides, self.stream, at)

    def bring(self, block: Block, x: View, begin: int) -> None:
        """Copy an input, from the problem `begin` on."""
        if block.number not in self.plan.used or not block.size:
            return
        if x.layout == COLUMNS:
            source = x.pointer + begin * self.item, x.step
            self._sums(("copy", block.size), lambda: _copy(block.size), source, (self.address(block), self.step))
        else:
            source = x.pointer + begin * block.size * self.item, block.size * self.item
            with self.card.on:
                self.card.turn.transpose(*source, self.address(block), self.count, block.size, self.stream)

    def fill(self, block: Block, value: float) -> None:
        """Set a number of all problems."""
        if block.number in self.plan.used:
            zero = np.zeros(1)
            one = np.full(1, ONE)
            self._sums(
                ("fill", value), lambda: (np.array([0, 1]), zero + value, one, one), (0, 0), (self.address(block), self.step)
            )

    def give(self, block: Block, to: DeviceArray, begin: int, columns: int) -> None:
        """Copy a result to those of all problems, in columns of so many, or in rows."""
        source = self.address(block), self.step
        if columns:
            out = to._pointer + begin * self.item, columns * self.item
            self._sums(("copy", block.size), lambda: _copy(block.size), source, out)
        elif block.size:
            with self.card.on:
                self.card.turn.transpose(
                    *source, to._pointer + begin * block.size * self.item, block.size, self.count, self.stream
                )

    def all(self) -> None:
        """Run all steps."""
        for node in self.plan.nodes:
            if isinstance(node, Sums):
                made = self.plan.products[node]
                numbers, out = (self.numbers.pointer, self.step), (self.address(node.out), self.step)
                self._sums(node, lambda made=made: (made.starts, made.factors, made.first, made.second), numbers, out)  # type: ignore[misc]
            elif isinstance(node, Inverse):
                ports = [(self.address(x), 0) for x in (node.inputs[0], node.out)]
                with self.card.on:
                    self.card.inverse.launch(ports, node.out.size * self.count, self.card.flag.pointer, self.stream)
            else:
                self._values(node)

    def _sums(self, key: Any, terms: Callable[[], Any], numbers: tuple[int, int], out: tuple[int, int]) -> None:
        kept = self.plan.kept
        key = self.card, key
        if key not in kept:
            kept[key] = Table(self.card.on, *terms())
        launch(self.card.summer, kept[key], numbers, out, self.count, self.stream)

    def _values(self, node: Node) -> None:
        values = node if isinstance(node, Values) else node.values  # type: ignore[attr-defined]
        quantity, K, robot = values.quantity, len(values.grid), self.card.robot
        assert isinstance(quantity, Compiled)  # as `expect` says
        arguments = self._arguments(values)
        if isinstance(node, Values):
            quantity.function_of(robot)(*arguments, out=self.array(node.out, K, (quantity.size,)))
        elif isinstance(node, Slopes):
            begin = 0
            for task, size in zip(quantity.derivative_tasks(), values.source.sizes, strict=True):
                quantity.function_of(robot, task)(*arguments, out=self.array(node.out, K, task.shape, begin))
                begin += K * size
        elif isinstance(node, Bends):
            task = quantity.curvature_task()
            weights = self.array(node.weights, K, (quantity.size,))
            changes = self._by_ports(values, node.changes)
            quantity.function_of(robot, task)(*arguments, weights, *changes, out=self.array(node.out, K, task.shape))

    def _by_ports(self, values: Values, blocks: Sequence[Block]) -> list[DeviceArray]:
        K = len(values.grid)
        return [self.array(blocks[x.order], K, (x.size,), x.columns.start * K) for x in values.ports]

    def _arguments(self, values: Values) -> list[Any]:
        K = len(values.grid)

        def rate(order: int, columns: slice) -> DeviceArray:
            return self.array(values.rates[order], K, (columns.stop - columns.start,), columns.start * K)

        def instants() -> DeviceArray:
            memory, one = Memory(self.card.on, K * self.step, self.stream), np.full(K, ONE)
            self._sums(
                ("instants", values), lambda: (np.arange(K + 1), values.grid.s, one, one), (0, 0), (memory.pointer, self.step)
            )
            return DeviceArray(memory, (K * self.count, 1), self.card.backend.dtype, None, self.stream)

        return values.quantity.arguments_from(rate, self.card.same, instants)  # type: ignore[attr-defined,no-any-return]


def _copy(size: int) -> tuple[np.ndarray, ...]:
    return np.arange(size + 1), np.ones(size), np.arange(size), np.full(size, ONE)


def _inverse() -> Program:
    return trace("one over each number", (Port("x", 1),), (Port("inverse", 1),), lambda x: [[1.0 / x[0]]])
