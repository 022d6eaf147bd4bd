"""Tiers: where each value waits between its uses: registers, then shared memory, then local memory.

The driver's compiler keeps values that do not fit into registers in local memory, without looking at when they are needed next.
So no more values are kept in registers than fit: the one that is needed last goes first, to a numbered slot. The first slots
are in shared memory, the others in local memory. Inputs are loaded again instead.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..program import CONST, INPUT, Program
from .order import Needs

LOAD, FETCH, KEEP, COMPUTE, RESULT, FIXED = "load", "fetch", "keep", "compute", "result", "fixed"


class Step(NamedTuple):
    """One step of a kernel.

    Attributes:
        what: LOAD an input, FETCH a value from a slot, KEEP one in a slot, COMPUTE one (and the partner of a sine), or store a
            RESULT; "fixed" is a result that is a constant.
        value: position in the program.
        slot: for FETCH and KEEP.
        port, entry: of the result.
    """

    what: str
    value: int
    slot: int = 0
    port: int = 0
    entry: int = 0


class Plan(NamedTuple):
    """Steps in order, and the number of slots."""

    steps: list[Step]
    slots: int


def plan(program: Program, need: Needs, order: Sequence[int], registers: int | None) -> Plan:
    """Return the steps of a program with at most so many values in registers, beside those that an operation works on."""
    planner = _Planner(program, need, order, registers)
    return Plan(list(planner.steps()), planner.slots)


def early(steps: Sequence[Step], loads: int, fetches: int, floor: Mapping[int, int] | None = None) -> list[Step]:
    """Return the steps with loads and fetches so many computed values before they are needed, as memory takes a while.

    Args:
        steps: of a plan.
        loads, fetches: numbers of values computed in between.
        floor: numbers of values that must have been computed before some are loaded, which come from other warps.
    """
    kept, gaps, moved = dict(floor or {}), [list[Step]()], [list[Step]()]
    across = floor or {}
    end = max((i + 1 for i, step in enumerate(steps) if step.what == COMPUTE), default=0)  # then inputs that are results follow
    for step in steps[:end]:
        if step.what in (LOAD, FETCH):
            ahead = loads if step.what == LOAD and step.value not in across else fetches
            moved[max(len(gaps) - 1 - ahead, kept.get(step.value, 0))].append(step)
            continue
        if step.what == COMPUTE:
            gaps.append([step])
            moved.append([])
        else:
            gaps[-1].append(step)
        if step.what == KEEP:
            kept[step.value] = len(gaps) - 1
    return [*(step for gap, more in zip(gaps, moved, strict=True) for step in (*gap, *more)), *steps[end:]]


class _Planner:
    def __init__(self, program: Program, need: Needs, order: Sequence[int], registers: int | None) -> None:
        self.program, self.need = program, need
        self.most = math.inf if registers is None else registers
        self.slots = 0
        self.free: list[int] = []
        self.slot: dict[int, int] = {}
        self.inside: set[int] = set()
        self.uses: dict[int, list[int]] = defaultdict(list)  # positions in the order, the next one last
        seen: set[int] = set()
        self.order = [k for k in order if not (need.partner.get(k) in seen or seen.add(k))]  # type: ignore[func-returns-value]
        for i in reversed(range(len(self.order))):
            for x in need.operands[self.order[i]]:
                self.uses[x].append(i)
        self.results: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for port, entries in enumerate(program.results):
            for entry, k in enumerate(entries):
                if k >= 0:  # of a part of a program, other results are not its own
                    self.results[k].append((port, entry))

    def steps(self) -> Iterator[Step]:
        for k in self.order:
            for x in self.need.operands[k]:
                yield from self._bring(x)
            yield Step(COMPUTE, k)
            both = [k, self.need.partner[k]] if k in self.need.partner else [k]
            self.inside.update(both)
            for x in both:
                yield from self._written(RESULT, x)
            for x in self.need.operands[k]:
                self.uses[x].pop()
            for x in (*self.need.operands[k], *both):
                self._forget(x)
            yield from self._make_room()
        for k in list(self.results):
            op = self.program.code[k][0]
            if op == INPUT:
                yield Step(LOAD, k)
            if op in (CONST, INPUT):
                yield from self._written(RESULT if op == INPUT else FIXED, k)

    def _bring(self, x: int) -> Iterator[Step]:
        if x not in self.inside:
            self.inside.add(x)
            yield Step(LOAD, x) if self.program.code[x][0] == INPUT else Step(FETCH, x, self.slot[x])

    def _written(self, what: str, x: int) -> Iterator[Step]:
        for port, entry in self.results.pop(x, ()):
            yield Step(what, x, 0, port, entry)

    def _forget(self, x: int) -> None:
        """Drop a value that nothing needs any more."""
        if not self.uses[x]:
            self.inside.discard(x)
            if x in self.slot:
                heapq.heappush(self.free, self.slot.pop(x))

    def _make_room(self) -> Iterator[Step]:
        while len(self.inside) > self.most:
            x = max(self.inside, key=lambda x: (self.uses[x][-1], x))
            self.inside.discard(x)
            if self.program.code[x][0] != INPUT and x not in self.slot:
                if self.free:
                    self.slot[x] = heapq.heappop(self.free)
                else:
                    self.slot[x] = self.slots
                    self.slots += 1
                yield Step(KEEP, x, self.slot[x])
