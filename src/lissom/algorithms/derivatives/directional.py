"""Derivatives of any task by its state, as tasks themselves: along a direction, of a weighted sum, or all of them.

    jvp       dy = dy/dq v_q + dy/dqd v_qd + ...     cost of a few evaluations (forward mode)
    vjp       (w' dy/dq, w' dy/dqd, ...)             cost of a few evaluations, whatever the size (reverse mode)
    jacobian  dy/dq, dy/dqd, ...                     forward or reverse, whichever takes fewer operations
    hvp       second derivatives of w' y along v     forward mode over reverse mode
State inputs are q, qd, qdd, qddd and higher, tau, given and its rates; derivatives by q are by velocities, see `tangent.py`.
Loads and points are constants. An input has as many directions as numbers, a configuration nv; a path of some of the coordinates
(without elastic drives, or of the joints that drive a closed robot) has fewer.
The task's cheapest program is differentiated once; the new task's text replays the result, on scalars of any kind.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...compiler.derivative import forward, reverse
from ...compiler.labels import listening, section
from ...compiler.program import Port, Program
from ...compiler.replay import replay
from ...compiler.symbol import Graph, Symbol
from ...compiler.task import Task
from ...compiler.trace import Text, trace
from ...model.model import Model
from ..elastic.links import link_nq, link_nv
from .tangent import by_velocities, made_symmetric, rates_along

# inputs by which derivatives are taken, if a task has them
STATE = ("q", "qd", "qdd", "qddd", "qdddd", "qddddd", "tau", "given", "given_rate", "given_rate_2", "given_rate_3")


def state_names(task: Task) -> tuple[str, ...]:
    """Return the inputs of a task by which derivatives are taken."""
    return tuple(port.name for port in task.inputs if port.name in STATE)


def tangent_sizes(model: Model, task: Task) -> dict[str, int]:
    """Return the number of directions of every state input of a task, by name."""
    sizes = {port.name: port.size for port in task.inputs if port.name in STATE}
    if not task.of_columns and "q" in sizes:
        sizes["q"] = {model.nq: model.nv, link_nq(model): link_nv(model)}.get(sizes["q"], sizes["q"])
    return sizes


def jvp(model: Model, of: Callable[..., Task], along: tuple[str, ...], **options: Any) -> Task:
    """Derivative of a task's output along tangents "dq", "dqd", ... of the inputs named in `along`, which follow its inputs."""
    task = of(model, **options)

    def text(record: Record) -> list[list[Symbol]]:
        seeds = record.seeds([(name, 0, record.values[f"d{name}"]) for name in along])
        return [[t.get(0, record.zero) for t in forward(record.graph, seeds, record.results)]]

    sizes = tangent_sizes(model, task)
    tangents = [Port(f"d{name}", sizes[name]) for name in along]
    return derived(model, task, f"jvp along {' '.join(along)}", tangents, task.outputs[:1], text)


def vjp(model: Model, of: Callable[..., Task], **options: Any) -> Task:
    """Derivatives of weights . output by every state input, one after the other: (number of inputs) nv."""
    task = of(model, **options)
    names, sizes = state_names(task), tangent_sizes(model, task)

    def text(record: Record) -> list[list[Symbol]]:
        return [record.gradient(names, record.values["weights"])]

    weights, adjoints = Port("weights", task.outputs[0].size), Port("adjoints", sum(sizes.values()))
    return derived(model, task, "vjp", [weights], [adjoints], text)


def jacobian(model: Model, of: Callable[..., Task], by: tuple[str, ...] = (), **options: Any) -> Task:
    """All derivatives of a task's output by every state input, or those of `by`: matrices (size, nv) in turn, row by row."""
    task = of(model, **options)
    size = task.outputs[0].size
    sizes = {name: n for name, n in tangent_sizes(model, task).items() if not by or name in by}
    names, whole = tuple(sizes), sum(sizes.values())
    slices = _slices(sizes)

    def by_reverse(record: Record) -> list[list[Symbol]]:
        rows = [record.gradient(names, [float(k == i) for i in range(size)]) for k in range(size)]
        return [[x for name in names for row in rows for x in row[slices[name]]]]

    def by_forward(record: Record) -> list[list[Symbol]]:
        units = [(name, slices[name].start + k, [float(k == i) for i in range(n)]) for name, n in sizes.items() for k in range(n)]
        rows = forward(record.graph, record.seeds(units), record.results)
        places = [range(whole)[slices[name]] for name in names]
        return [[row.get(k, record.zero) for own in places for row in rows for k in own]]

    what = f"jacobian by {' '.join(by)}" if by else "jacobian"
    texts = (by_forward,) if task.forward else (by_reverse, by_forward)
    return derived(model, task, what, [], [Port("derivatives", size * whole)], *texts)


def all_derivatives(of: Callable[..., Task]) -> Callable[..., Task]:
    """Return the maker of all derivatives of a maker's tasks by their states, with the same options."""

    @functools.wraps(of)
    def maker(model: Model, **options: Any) -> Task:
        return jacobian(model, of=of, **options)

    maker.__name__ = f"{of.__name__}_derivatives"
    return maker


def hvp(model: Model, of: Callable[..., Task], along: tuple[str, ...], by: tuple[str, ...], **options: Any) -> Task:
    """Second derivatives of weights . output: along tangents of `along`, then by every input of `by`, one after the other.

    In exponential coordinates of the configuration, q (+) d, where they are symmetric.
    """
    task = of(model, **options)
    sizes = tangent_sizes(model, task)

    def text(record: Record) -> list[list[Symbol]]:
        gradient = record.gradient(by, record.values["weights"])
        seeds = record.seeds([(name, 0, record.values[f"d{name}"]) for name in along])
        rates: list[Any] = [t.get(0, record.zero) for t in forward(record.graph, seeds, gradient)]
        if "q" in along and "q" in by and not task.of_columns:
            own = _slices({name: sizes[name] for name in by})["q"]
            rates[own] = made_symmetric(model, rates[own], record.values["dq"], gradient[own])
        return [rates]

    more = [Port("weights", task.outputs[0].size), *(Port(f"d{name}", sizes[name]) for name in along)]
    what = f"hvp along {' '.join(along)} by {' '.join(by)}"
    return derived(model, task, what, more, [Port("product", sum(sizes[name] for name in by))], text)


class Record:
    """A task's program on symbols, ready to be differentiated.

    Args:
        model, program, names, arguments: the robot, the task's program, names and symbols of its inputs and of others.
        of_columns: whether q are columns of a path, see Task;
        forward: and whether gradients are taken in forward mode.

    Attributes:
        values: symbols of all inputs by name.
        results: of the first output.
    """

    def __init__(
        self,
        model: Model,
        program: Program,
        names: Sequence[str],
        arguments: Sequence[Sequence[Symbol]],
        of_columns: bool = False,
        forward: bool = False,
    ) -> None:
        self.model, self._turns = model, () if of_columns else ("q",)  # inputs whose tangents are velocities
        self._forward = forward
        self.values = dict(zip(names, arguments, strict=True))
        self.graph = next((x.graph for values in arguments for x in values), Graph())
        self.zero = self.graph.constant(0.0)
        found = replay(program, arguments[: len(program.inputs)])[0]
        self.results = [self.graph.as_symbol(x) for x in found]

    def seeds(self, tangents: Sequence[tuple[str, int, Sequence[Any]]]) -> dict[int, dict[int, Symbol]]:
        """Return the tangents of all numbers of the state, given (input, direction, tangent by velocities)."""
        seeds: dict[int, dict[int, Symbol]] = {}
        for name, direction, v in tangents:
            x = self.values[name]
            for symbol, rate in zip(x, rates_along(self.model, x, v) if name in self._turns else v, strict=True):
                seeds.setdefault(symbol.index, {})[direction] = self.graph.as_symbol(rate)
        return seeds

    def gradient(self, names: Sequence[str], weights: Sequence[Any]) -> list[Symbol]:
        """Return the derivatives of weights . results by inputs, one after the other."""
        inputs = [x for name in names for x in self.values[name]]
        if self._forward:
            one = self.graph.constant(1.0)
            rows = forward(self.graph, {x.index: {k: one} for k, x in enumerate(inputs)}, self.results)
            sums: list[Any] = [self.zero] * len(inputs)
            for row, weight in zip(rows, weights, strict=True):
                for k, slope in row.items():
                    sums[k] = sums[k] + slope * weight
            return [self.graph.as_symbol(x) for x in sums]
        found = iter(reverse(self.graph, inputs, self.results, [self.graph.as_symbol(w) for w in weights]))
        total: list[Symbol] = []
        for name in names:
            own: list[Any] = [next(found) for _ in self.values[name]]
            total += by_velocities(self.model, self.values[name], own) if name in self._turns else own
        return [self.graph.as_symbol(x) for x in total]


def _slices(sizes: Mapping[str, int]) -> dict[str, slice]:
    """Return where each input is, one after the other."""
    found, start = {}, 0
    for name, size in sizes.items():
        found[name] = slice(start, start + size)
        start += size
    return found


def derived(
    model: Model,
    task: Task,
    what: str,
    more: Sequence[Port],
    outputs: Sequence[Port],
    *texts: Callable[[Record], list[list[Symbol]]],
) -> Task:
    """Return the task with more inputs and other outputs whose texts differentiate the record of `task`."""
    inputs = (*task.inputs, *more)
    names = [port.name for port in inputs]
    primal = functools.cache(lambda labelled: task.program(model.name, labelled=labelled))
    columns = task.of_columns

    def run_of(text: Callable[[Record], list[list[Symbol]]]) -> Text:
        @functools.cache
        def program(labelled: bool) -> Program:
            def record(*arguments: Sequence[Symbol]) -> list[list[Symbol]]:
                return text(Record(model, primal(labelled), names, arguments, columns, task.forward))

            return trace(what, inputs, outputs, record, labelled)

        def run(*arguments: Sequence[Any]) -> list[list[Any]]:
            if any(type(x) is float for values in arguments for x in values):
                task.texts[0](*arguments[: len(task.inputs)])  # stops at a joint whose equation has no solution
            section("derivatives of the function's program, by automatic differentiation")
            return replay(program(listening.get() is not None), arguments)

        return run

    return Task(f"{what} of {task.key}", inputs, tuple(outputs), [run_of(text) for text in texts], of_columns=columns)
