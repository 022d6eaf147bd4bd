"""Task: an algorithm with its arguments and results named and sized, ready to be traced or run on NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiler.program import Port, Program
from ..compiler.trace import trace


@dataclass(frozen=True)
class Task:
    """What is to be computed.

    Attributes:
        key: names the algorithm and every choice made for it; with the model's fingerprint it identifies the program.
        inputs, outputs: arguments and results.
        texts: the algorithm, once for each way of laying the frames; all give the same results, the cheapest is compiled.
    """

    key: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    texts: Sequence[Callable[..., Sequence[Sequence[Any]]]]

    def program(self, name: str) -> Program:
        """Return the program with the fewest operations among the ways to lay the frames."""
        programs = [trace(f"{self.key} of {name}", self.inputs, self.outputs, text) for text in self.texts]
        return min(programs, key=lambda p: p.operation_count().multiplications + p.operation_count().additions)

    def evaluate(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Run the algorithm with NumPy on arrays (N, size): the definition that every other backend is tested against."""
        n = len(arrays[0]) if arrays else 1
        columns = [[np.ascontiguousarray(a[:, k]) for k in range(a.shape[1])] for a in arrays]
        results = []
        with np.errstate(all="ignore"):  # what is not finite is reported by the caller, with its cause
            for port, values in zip(self.outputs, self.texts[0](*columns), strict=True):
                table = np.empty((n, port.size))
                for k, value in enumerate(values):
                    table[:, k] = value
                results.append(table)
        return results
