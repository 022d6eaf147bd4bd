"""Tape: functions of unknowns as sums of products of numbers, and the numbers that a robot's functions give.

    u_i = sum over terms of  factor * u_a * u_b         a Sums: splines, powers of durations, integrals, chain rules
    y, dy/dq, ... = function of the robot at instants   a Values, a Slopes or a Bends, see `recorded.py`
Derivatives of sums of products are sums of products: along a direction (`tangent`), and of weighted sums (`adjoint`), which are
recorded on the same tape, so that the tangent of an adjoint is a product of second derivatives.
Numbers have addresses; a block is a range of them. A number of many problems is a row of an array: problems are side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np


class Block(NamedTuple):
    """A range of numbers."""

    number: int
    start: int
    size: int

    def at(self, which: Any = None) -> np.ndarray:
        """Return addresses of numbers, all of them unless given."""
        return self.start + (np.arange(self.size) if which is None else np.asarray(which, dtype=np.int64))


class Terms(NamedTuple):
    """Terms of sums: rows, factors, and the addresses of two numbers; arrays of one shape, or those that broadcast to it."""

    rows: Any
    factors: Any
    first: Any
    second: Any

    def flat(self) -> Terms:
        """Return arrays without axes but one."""
        found = [np.ravel(x) for x in np.broadcast_arrays(*self)]
        return Terms(found[0], found[1].astype(float), *(x.astype(np.int64) for x in found[2:]))


@dataclass(eq=False)
class Node:
    """A step: a block and those that it is computed from."""

    out: Block
    inputs: list[Block]

    def along(self) -> list[Terms]:
        """Return the terms of what it changes by along the direction: of derivatives nothing, `Sums.bent` has that."""
        return []


@dataclass(eq=False)
class Sums(Node):
    """Sums of products.

    Attributes:
        bent: rows, and what returns the block with what they change by, beside the terms, along the direction.
    """

    terms: Terms
    bent: list[tuple[np.ndarray, Callable[[], np.ndarray]]] = field(default_factory=list)


@dataclass(eq=False)
class Inverse(Node):
    """One over each number of a block."""


class Tape:
    """Steps in order.

    Attributes:
        one: the number 1.
        nodes: the steps.
        direction: tangents of input blocks, by the number of the block.
        held: numbers of blocks that count as constants in derivatives.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.blocks: list[Block] = []
        self.maker: dict[int, Node] = {}
        self.direction: dict[int, Block] = {}
        self.held: set[int] = set()
        self._tangents: dict[int, Block | None] = {}
        self._starts = np.zeros(0, dtype=np.int64)
        self.one = self.block(1)

    def block(self, size: int) -> Block:
        """Return a new block, an input unless a node makes it."""
        last = self.blocks[-1] if self.blocks else Block(-1, 0, 0)
        found = Block(len(self.blocks), last.start + last.size, size)
        self.blocks.append(found)
        return found

    def add(self, node: Any) -> Any:
        """Append a node; return it."""
        self.nodes.append(node)
        self.maker[node.out.number] = node
        return node

    def sums(self, size: int, terms: Sequence[Terms], bent: Sequence[Any] = ()) -> Block:
        """Return a block of sums."""
        flat = [each.flat() for each in terms]
        whole = Terms(*(np.concatenate(x) for x in zip(*flat, strict=True))) if flat else Terms(*(np.zeros(0, int),) * 4).flat()
        live = whole.factors != 0.0
        whole = Terms(*(x[live] for x in whole))
        inputs = [self.blocks[k] for k in np.unique(self.owner(np.concatenate([whole.first, whole.second])))]
        return self.add(Sums(self.block(size), inputs, whole, list(bent))).out  # type: ignore[no-any-return]

    def owner(self, addresses: np.ndarray) -> np.ndarray:
        """Return numbers of the blocks of addresses."""
        if len(self._starts) != len(self.blocks):
            self._starts = np.array([x.start for x in self.blocks], dtype=np.int64)
        # of empty blocks at the same place the last is found, which has the number
        return np.searchsorted(self._starts, addresses, side="right") - 1

    def inverse(self, of: Block) -> Block:
        """Return one over each number."""
        return self.add(Inverse(self.block(of.size), [of])).out  # type: ignore[no-any-return]

    def product(self, one: Block, other: Block) -> Block:
        """Return products of numbers side by side."""
        return self.sums(one.size, [Terms(np.arange(one.size), 1.0, one.at(), other.at())])

    # -- along the direction
    def tangent(self, block: Block) -> Block | None:
        """Return what a block changes by along the direction, None where that is nothing."""
        if block.number in self.held:
            return None
        if block.number not in self._tangents:
            node = self.maker.get(block.number)
            self._tangents[block.number] = self.direction.get(block.number) if node is None else self._tangent(node)
        return self._tangents[block.number]

    def moved(self, block: Block) -> Block:
        """Return the tangent of a block, zeros where it is nothing."""
        found = self.tangent(block)
        return self.sums(block.size, []) if found is None else found

    def _tangent(self, node: Any) -> Block | None:
        if isinstance(node, Sums):
            terms = [*self._along(node.terms), *(Terms(rows, 1.0, made(), self.one.start) for rows, made in node.bent)]
        elif isinstance(node, Inverse):
            change = self.tangent(node.inputs[0])
            square = self.product(node.out, node.out)
            terms = [] if change is None else [Terms(np.arange(change.size), -1.0, square.at(), change.at())]
        else:
            terms = node.along()
        return self.sums(node.out.size, terms) if terms else None

    def _along(self, terms: Terms) -> list[Terms]:
        found = []
        for one, other in ((terms.first, terms.second), (terms.second, terms.first)):
            owners = self.owner(one)
            for k in np.unique(owners):
                change = self.tangent(self.blocks[k])
                if change is not None:
                    own = owners == k
                    shifted = one[own] + (change.start - self.blocks[k].start)
                    found.append(Terms(terms.rows[own], terms.factors[own], shifted, other[own]))
        return found

    # -- of weighted sums
    def adjoint(self, seeds: Sequence[tuple[Block, Block]], by: Block) -> Block:
        """Return the derivatives by an input block of the sum of weights . numbers, given blocks of both."""
        weights = {block.number: weight for block, weight in seeds}
        pulled: dict[int, list[Terms]] = defaultdict(list)
        bent: dict[int, list[Any]] = defaultdict(list)
        for node in reversed(list(self.nodes)):
            k = node.out.number
            if k in self.held or (k not in weights and k not in pulled):
                continue
            if k in pulled:
                more = [Terms(np.arange(node.out.size), 1.0, weights[k].at(), self.one.start)] if k in weights else []
                weights[k] = self.sums(node.out.size, [*pulled.pop(k), *more], bent.pop(k, ()))
            own = weights[k]
            if isinstance(node, Sums):
                self._pull(node, own, pulled)
            elif isinstance(node, Inverse):
                square = self.product(node.out, node.out)
                pulled[node.inputs[0].number].append(Terms(np.arange(own.size), -1.0, own.at(), square.at()))
            else:
                node.pull(own, pulled, bent)  # type: ignore[attr-defined]
        return self.sums(by.size, pulled[by.number])

    def _pull(self, node: Sums, weights: Block, pulled: dict[int, list[Terms]]) -> None:
        terms = node.terms
        for one, other in ((terms.first, terms.second), (terms.second, terms.first)):
            owners = self.owner(one)
            for k in np.unique(owners):
                if k != self.one.number:
                    own = owners == k
                    rows = one[own] - self.blocks[k].start
                    pulled[int(k)].append(Terms(rows, terms.factors[own], weights.start + terms.rows[own], other[own]))

    def needed(self, outputs: Sequence[Block]) -> list[Node]:
        """Return the nodes that outputs need, in an order in which they can be computed."""
        wanted, todo = set[int](), [x.number for x in outputs]
        while todo:
            k = todo.pop()
            if k not in wanted and k in self.maker:
                wanted.add(k)
                todo += [x.number for x in self.maker[k].inputs]
        return [node for node in self.nodes if node.out.number in wanted]
