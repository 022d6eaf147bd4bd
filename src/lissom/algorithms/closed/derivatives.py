"""Sensitivities of a closed robot: derivatives of its forces and accelerations by the user's own variables.

The user's coordinates move; the tree follows. A tangent of coordinate k is the column G_k of the velocities of the tree
that go with it, so that derivatives of the traced program along these columns are total ones, closure included. Derivatives by
velocities, accelerations and forces are partial ones. The trace is differentiated once, forward, along all directions together.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.derivative import forward
from ...compiler.program import Port, Program
from ...compiler.replay import replay
from ...compiler.symbol import Symbol
from ...compiler.task import Task
from ...compiler.trace import trace
from ...model.model import Model
from ...tree import lump
from ..derivatives.tangent import rates_along
from .closure import Closed, Plan


def derivatives(model: Model, plan: Plan, of: Callable[..., Task], whole: bool = False, **options: Any) -> Task:
    """All derivatives of a task's output by coordinates, and by its other inputs but loads, in this order: (size, columns).

    With `whole` by all velocities of the tree in the place of coordinates, whether the loops stay closed or not.
    """
    task = of(model, plan, **options)
    names = [port.name for port in task.inputs]
    sizes = {port.name: port.size for port in task.inputs if port.name in ("qd", "qdd", "qddd", "x", "tau")}
    n, size = model.nv if whole else len(plan.coordinates), task.outputs[0].size
    columns = n + sum(sizes.values())

    def text(*arguments: Sequence[Any]) -> list[list[Symbol]]:
        values = dict(zip(names, arguments, strict=True))
        q = values["q"]
        graph = q[0].graph
        results = [graph.as_symbol(x) for x in replay(primal(), arguments)[0]]
        closed = None if whole else Closed(lump(model), q, model, plan)
        seeds: dict[int, dict[int, Symbol]] = {x.index: {} for x in q}
        for k in range(n):
            unit = [float(i == k) for i in range(n)]
            column = unit if closed is None else closed.velocities(unit)
            for x, rate in zip(q, rates_along(model, q, column), strict=True):
                seeds[x.index][k] = graph.as_symbol(rate)
        at = n
        for name in sizes:
            for k, x in enumerate(values[name]):
                seeds[x.index] = {at + k: graph.constant(1.0)}
            at += sizes[name]
        zero = graph.constant(0.0)
        return [[row.get(k, zero) for row in forward(graph, seeds, results) for k in range(columns)]]

    output = Port("derivatives", size * columns)
    key = f"derivatives{' by the whole tree' if whole else ''} of {task.key}"

    @functools.cache
    def primal() -> Program:
        return task.program(model.name)

    @functools.cache
    def program() -> Program:
        return trace(key, task.inputs, (output,), text)

    return Task(key, task.inputs, (output,), [lambda *arguments: replay(program(), arguments)])
