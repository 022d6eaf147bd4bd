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
from ..derivatives.directional import Record, derived, state_names
from ..derivatives.tangent import rates_along
from .closure import Closed, Plan


def derivatives(model: Model, plan: Plan, of: Callable[..., Task], whole: bool = False, **options: Any) -> Task:
    """All derivatives of a task's output by coordinates, and by its other inputs but loads, in this order: (size, columns).

    With `whole` by all velocities of the tree in the place of coordinates, whether the loops stay closed or not.
    """
    task = of(model, plan, **options)
    names = [port.name for port in task.inputs]
    sizes = {port.name: port.size for port in task.inputs if port.name in ("qd", "qdd", "qddd", "x", "tau", "given")}
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
    key = f"derivatives{' by the whole tree' if whole else ''} of {task.key} along {plan!r}"

    @functools.cache
    def primal() -> Program:
        return task.program(model.name)

    @functools.cache
    def program() -> Program:
        return trace(key, task.inputs, (output,), text)

    return Task(key, task.inputs, (output,), [lambda *arguments: replay(program(), arguments)])


def jvp(model: Model, plan: Plan, of: Callable[..., Task], along: tuple[str, ...], **options: Any) -> Task:
    """Derivative of a task's output along tangents "dq", "dqd", ... of the inputs named in `along`, which follow its inputs.

    That of q is by the user's velocities.
    """
    task = of(model, plan, **options)
    sizes = {port.name: port.size for port in task.inputs} | {"q": len(plan.coordinates)}

    def text(record: Record) -> list[list[Symbol]]:
        moves = {name: record.values[f"d{name}"] for name in along}
        if "q" in moves:
            moves["q"] = Closed(lump(model), record.values["q"], model, plan).velocities(moves["q"])
        seeds = record.seeds([(name, 0, move) for name, move in moves.items()])
        return [[t.get(0, record.zero) for t in forward(record.graph, seeds, record.results)]]

    tangents = [Port(f"d{name}", sizes[name]) for name in along]
    return derived(model, task, f"jvp along {' '.join(along)} of {plan!r}", tangents, task.outputs[:1], text)


def vjp(model: Model, plan: Plan, of: Callable[..., Task], **options: Any) -> Task:
    """Derivatives of weights . output by the user's coordinates, and by the other inputs of the state, one after the other."""
    task = of(model, plan, **options)
    names, n = state_names(task), len(plan.coordinates)
    sizes = {port.name: port.size for port in task.inputs} | {"q": n}

    def text(record: Record) -> list[list[Symbol]]:
        gradient = record.gradient(names, record.values["weights"])
        closed = Closed(lump(model), record.values["q"], model, plan)
        # what the tree gathers along G, with qd_tree = G qd
        own = closed.A.transposed(closed.gather(gradient[: model.nv]))
        return [[record.graph.as_symbol(x) for x in (*own, *gradient[model.nv :])]]

    more = [Port("weights", task.outputs[0].size)]
    return derived(model, task, f"vjp of {plan!r}", more, [Port("adjoints", sum(sizes[name] for name in names))], text)
