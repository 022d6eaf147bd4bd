"""Gather: functions of a robot as a Library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..compiler.program import CONST, Program
from ..compiler.task import Task
from ..errors import ModelError
from . import meanings
from .library import Argument, Entry, Function, Samples
from .samples import Configurations, draw


class Source(NamedTuple):
    """A function of a robot as the robot hands it over.

    Attributes:
        task: to be traced.
        options: of the maker of the task.
        shape: of the result of one state, None where there are several results, which are flat.
        where: positions of the task's numbers in the flattened result, whose others are zero; None for all.
        meaning: of the result, in words.
        remarks: what a user of the code has to know.
        configurations: f(generator, n) -> (n, nq), at which it is checked.
    """

    task: Task
    options: Mapping[str, Any]
    shape: tuple[int, ...] | None
    where: np.ndarray | None
    meaning: str
    remarks: tuple[str, ...]
    configurations: Configurations


def entries_of(robot: Any) -> dict[str, tuple[Entry, ...]]:
    """Return names and units of the entries of a robot's arrays."""
    parts = {
        "q": (robot.coordinate_names, robot.coordinate_units),
        "qd": (robot.velocity_names, robot.velocity_units),
        "tau": (robot.torque_names, robot.torque_units),
    }
    return {name: tuple(map(Entry, *part)) for name, part in parts.items()}


def function_of(source: Source, name: str, robot: str, values: Mapping[str, Any], precision: str) -> Function:
    """Return a function of a robot, traced and evaluated at a few states."""
    program = source.task.program(robot, labelled=True)
    samples = draw(source.task, source.configurations, precision)
    if not len(samples.outputs[0]):
        raise ModelError(f"{name} of {robot!r} has no finite result at any state that was tried, so that it can't be checked")
    if source.where is not None:
        assert source.shape is not None
        program, samples = _spread(program, source.where, math.prod(source.shape)), _spread_samples(samples, source)
    inputs = tuple(Argument(p.name, (p.size,), p.size, meanings.of_input(p.name, source.options)) for p in program.inputs)
    own = {argument.name for argument in inputs}
    outputs = tuple(
        Argument(
            f"{port.name}_out" if port.name in own else port.name,
            (port.size,) if source.shape is None else source.shape,
            port.size,
            "the result" if source.shape is not None else meanings.STATE.get(port.name, port.name),
        )
        for port in program.outputs
    )
    # results are named as their arguments are
    program = replace(program, outputs=tuple(replace(p, name=a.name) for p, a in zip(program.outputs, outputs, strict=True)))
    shown = ", ".join(f"{key}={_shown(value)}" for key, value in values.items())
    return Function(name, source.meaning, shown, program, inputs, outputs, source.remarks, samples)


def _shown(value: Any) -> str:
    """Return the value of an option on one line; of arrays only the shape, as their numbers are arguments of the function."""
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{key}: {_shown(part)}" for key, part in value.items()) + ")"
    if isinstance(value, str | int | float | bool | type(None)) or value is ...:
        return repr(value)
    if isinstance(value, Sequence) and all(isinstance(x, str) for x in value):
        return repr(list(value))
    axes = getattr(value, "axes", None)  # of a wrench
    return f"{type(value).__name__}({f'axes={axes!r}' if isinstance(axes, str) else ''})"


def _spread(program: Program, where: np.ndarray, size: int) -> Program:
    """Return a program whose one result has zeros between its numbers."""
    zero = len(program.code)
    entries = [zero] * size
    for k, position in zip(program.results[0], where, strict=True):
        entries[int(position)] = k
    words = program.words
    if words is not None:
        words = replace(words, places=(*words.places, -1))
    output = replace(program.outputs[0], size=size)
    code = (*program.code, (CONST, 0.0, None))
    return replace(program, outputs=(output,), code=code, results=(tuple(entries),), words=words)


def _spread_samples(samples: Samples, source: Source) -> Samples:
    assert source.shape is not None and source.where is not None
    (table,) = samples.outputs
    full = np.zeros((len(table), math.prod(source.shape)))
    full[:, source.where] = table
    return replace(samples, outputs=(full,))
