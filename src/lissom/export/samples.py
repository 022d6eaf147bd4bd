"""Samples: states at which an exported function is checked, and its results there by the NumPy text of lissom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..compiler.program import Port
from ..compiler.task import Task
from .library import Samples

COUNT = 6
_TRIES = 20
Configurations = Callable[[np.random.Generator, int], np.ndarray]


def draw(task: Task, configurations: Configurations, precision: str) -> Samples:
    """Return states with a finite result, the same ones each time; of single precision, numbers that fit into it."""
    rng = np.random.default_rng(17)
    kept: list[tuple[list[np.ndarray], list[np.ndarray]]] = []
    missing = COUNT
    for _ in range(_TRIES):
        inputs = [_random(port, configurations, rng) for port in task.inputs]
        if precision == "single":
            inputs = [table.astype(np.float32).astype(np.float64) for table in inputs]
        outputs = task.evaluate(inputs) if inputs else [np.repeat(t, COUNT, axis=0) for t in task.evaluate([])]
        good = np.logical_and.reduce([np.isfinite(table).all(axis=1) for table in outputs])
        rows = np.flatnonzero(good)[:missing]
        kept.append(([table[rows] for table in inputs], [table[rows] for table in outputs]))
        missing -= len(rows)
        if not missing:
            break
    return Samples(_stacked([ins for ins, _ in kept]), _stacked([outs for _, outs in kept]))


def _random(port: Port, configurations: Configurations, rng: np.random.Generator) -> np.ndarray:
    if port.name in ("q", "tree_q"):
        return configurations(rng, COUNT)
    if port.name == "dt":
        return np.full((COUNT, port.size), 1e-3)
    table = rng.normal(size=(COUNT, port.size))
    if port.name == "base_motion":
        table[:, :4] /= np.linalg.norm(table[:, :4], axis=1, keepdims=True)
    return table


def _stacked(tables: Sequence[Sequence[np.ndarray]]) -> tuple[np.ndarray, ...]:
    return tuple(np.concatenate(parts) for parts in zip(*tables, strict=True))
