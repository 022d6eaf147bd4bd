"""Derivatives of any task by the numbers of its inputs, as tasks: what libraries that differentiate ask for.

    pushforward   dy = dy/da da + dy/db db + ...      along tangents of some inputs, as large as these (forward mode)
    pullback      (w' dy/da, w' dy/db, ...)           of a weighted sum of the output, by some inputs (reverse mode)
Every input counts, loads and points too, and each may be differentiated again, to any order. By q they are derivatives of the
numbers of q, not along velocities as in `directional.py`. Of a quaternion only the direction counts (`TurnInSpace`), so that a
function does not change along it: its derivatives are tangential to the sphere, u . dy/du = 0, and exact at any length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...compiler.derivative import forward
from ...compiler.program import Port
from ...compiler.symbol import Symbol
from ...compiler.task import Task
from ...model.model import Model
from .directional import Record, derived


def pushforward(model: Model, task: Task, along: Sequence[int]) -> Task:
    """Derivative of a task's output along tangents of the inputs of these numbers, which follow its inputs."""
    ports = [task.inputs[k] for k in along]
    tangents = [Port(f"tangent {len(task.inputs)} of {port.name}", port.size) for port in ports]

    def text(record: Record) -> list[list[Symbol]]:
        seeds = record.seeds([(port.name, 0, record.values[own.name]) for port, own in zip(ports, tangents, strict=True)])
        return [[t.get(0, record.zero) for t in forward(record.graph, seeds, record.results)]]

    return _derived(model, task, f"pushforward along {tuple(along)}", tangents, task.outputs[0], text)


def pullback(model: Model, task: Task, by: Sequence[int]) -> Task:
    """Derivatives of weights . output by the inputs of these numbers, one after the other; weights follow the inputs."""
    ports = [task.inputs[k] for k in by]
    weights = Port(f"weights {len(task.inputs)}", task.outputs[0].size)

    def text(record: Record) -> list[list[Symbol]]:
        return [record.gradient([port.name for port in ports], record.values[weights.name])]

    return _derived(model, task, f"pullback by {tuple(by)}", [weights], Port("adjoints", sum(p.size for p in ports)), text)


def _derived(
    model: Model, task: Task, what: str, more: Sequence[Port], output: Port, text: Callable[[Record], list[list[Symbol]]]
) -> Task:
    """Return the derived task; of columns, so that q has as many directions as numbers."""
    return derived(model, replace(task, of_columns=True), what, more, [output], text)
