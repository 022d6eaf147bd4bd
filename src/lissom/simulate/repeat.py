"""Repeat: a task run many times on arrays at known addresses, without checks and without new arrays.

The fast path of a simulation: a step costs a few microseconds of Python beside the machine code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from ..compiler.run import Function
from ..compiler.threads import SPLIT, split


class Repeat:
    """A task of `n` samples; inputs, then outputs, are float64 arrays without gaps.

    Args:
        function: the function to run.
        lead: leading axes of the arrays; () for one sample.
        n: their product.
    """

    def __init__(self, function: Function, lead: tuple[int, ...], n: int) -> None:
        self.task, self.n, self.single = function.task, n, lead == ()
        self.ports = [*self.task.inputs, *self.task.outputs]
        self.table = (ctypes.c_void_p * len(self.ports))()
        self.numbers = function.numbers
        kernel, self.run = function.prepared.kernel, function.prepared.run
        self.kernel = None if kernel is None else kernel.one if self.single else kernel.batch

    def __call__(self, addresses: Sequence[int]) -> bool:
        """Run on the arrays at these addresses; return whether all inputs and results are finite.

        Samples that the fast sine cannot serve (angles beyond a million turns) are computed again, by NumPy.
        """
        if self.kernel is None:
            arrays = [_array_at(a, self.n, port.size) for a, port in zip(addresses, self.ports, strict=True)]
            k = len(self.task.inputs)
            return not self.run(arrays[:k], arrays[k:], self.n, single=self.single) or self._by_numpy(addresses)
        self.table[:] = addresses  # type: ignore[call-overload]
        if self.single:
            flag = self.kernel(self.table)
        elif self.n * self.numbers < SPLIT:
            flag = self.kernel(self.table, self.n)
        else:
            flag = split(self.n, self.numbers, lambda start, stop: self._part(addresses, start, stop))
        if flag == 2:
            raise MemoryError("no memory for the intermediate values of a batch")
        return not flag or self._by_numpy(addresses)

    def _part(self, addresses: Sequence[int], start: int, stop: int) -> int:
        moved = (a + 8 * port.size * start for a, port in zip(addresses, self.ports, strict=True))
        return int(self.kernel((ctypes.c_void_p * len(self.ports))(*moved), stop - start))  # type: ignore[misc]

    def _by_numpy(self, addresses: Sequence[int]) -> bool:
        """Compute samples that are not finite again."""
        arrays = [_array_at(a, self.n, port.size) for a, port in zip(addresses, self.ports, strict=True)]
        inputs, outputs = arrays[: len(self.task.inputs)], arrays[len(self.task.inputs) :]
        again = ~np.all([np.isfinite(a).all(axis=1) for a in outputs], axis=0)
        for table, values in zip(outputs, self.task.evaluate([a[again] for a in inputs]), strict=True):
            table[again] = values
        return all(np.isfinite(a).all() for a in arrays)


def address(array: np.ndarray) -> int:
    """Return the address of an array."""
    return int(array.ctypes.data)


def _array_at(start: int, n: int, size: int) -> np.ndarray:
    if not size:
        return np.empty((n, 0))
    return np.ctypeslib.as_array((ctypes.c_double * (n * size)).from_address(start)).reshape(n, size)
