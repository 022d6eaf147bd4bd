"""Task: an algorithm with its arguments and results named and sized, ready to be traced or run on NumPy arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .program import Port, Program
from .trace import trace


@dataclass(frozen=True)
class Task:
    """A computation.

    Attributes:
        key: names the algorithm and all its options; with the model's fingerprint it identifies the program.
        inputs, outputs: arguments and results.
        texts: the algorithm as functions, one per choice of frames; all give the same results, the cheapest is compiled.
        like: a smaller task with the same choices, to find the cheapest where tracing them all would take long.
        of_columns: whether q are columns of a path, which add up, and not coordinates of the robot, whatever their number.
        forward: whether gradients are taken in forward mode: conditions within each other, as those of wraps of muscles, make the
            adjoints of reverse mode grow beyond bounds. Of tasks of columns.
        title: what listings and messages call it, where the key is too long to read; "" is the key.
    """

    key: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    texts: Sequence[Callable[..., Sequence[Sequence[Any]]]]
    like: Task | None = None
    of_columns: bool = False
    forward: bool = False
    title: str = ""

    @property
    def named(self) -> str:
        """What listings and messages call it."""
        return self.title or self.key

    def program(self, name: str, labelled: bool = False) -> Program:
        """Return the program with the fewest operations among the choices of frames, with names of its values if `labelled`."""
        texts = self.texts if self.like is None else [self.texts[self.like.cheapest()]]
        programs = [trace(f"{self.named} of {name}", self.inputs, self.outputs, text, labelled) for text in texts]
        return min(programs, key=_operations)

    def cheapest(self) -> int:
        """Return the index of the text with the fewest operations."""
        counts = [_operations(trace(self.key, self.inputs, self.outputs, text)) for text in self.texts]
        return counts.index(min(counts))

    def text(self) -> Callable[..., Sequence[Sequence[Any]]]:
        """Return a function that runs the text with the fewest operations, chosen at its first call."""
        chosen = functools.cache(self.cheapest)
        return lambda *arguments: self.texts[chosen()](*arguments)

    def evaluate(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Run the algorithm with NumPy on arrays (N, size): the reference for every other backend."""
        n = len(arrays[0]) if arrays else 1
        columns = [[np.ascontiguousarray(a[:, k]) for k in range(a.shape[1])] for a in arrays]
        results = []
        with np.errstate(all="ignore"):  # the caller reports numbers that are not finite, with the cause
            for port, values in zip(self.outputs, self.texts[0](*columns), strict=True):
                table = np.empty((n, port.size))
                for k, value in enumerate(values):
                    table[:, k] = value
                results.append(table)
        return results


def _operations(program: Program) -> int:
    count = program.operation_count()
    return count.multiplications + count.additions
