"""Card memory: numbers of many states on a card, in columns: those of all states side by side."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from ..compiler.cuda.arrays import DeviceArray, packed, to_card
from ..compiler.cuda.backend import CUDA
from ..compiler.cuda.device import Memory
from ..compiler.cuda.layout import COLUMNS, ONE
from ..compiler.cuda.module import transposer
from ..compiler.cuda.views import View

Port = tuple[int, int, str]  # address, bytes from one entry to the next, layout


class CardMemory:
    """Arrays (*lead, size) of a card, copied on one stream.

    Args:
        backend: of the robot.
        lead: leading axes.
        n: their product.
        stream: handle of the stream.
        widest: the largest size of an array that comes back.
    """

    def __init__(self, backend: CUDA, lead: tuple[int, ...], n: int, stream: int, widest: int) -> None:
        self.card, self.kind, self.lead, self.n, self.stream = backend.card(), backend.dtype, lead, n, stream
        self.turn = transposer(self.card, backend.precision == "single")
        self.rows = Memory(self.card, n * widest * self.kind.itemsize, stream)

    def room(self, size: int) -> DeviceArray:
        """Return an array (*lead, size)."""
        item = self.kind.itemsize
        memory = Memory(self.card, size * self.n * item, self.stream)
        inner = packed((size, *self.lead), item)
        return DeviceArray(memory, (*self.lead, size), self.kind, (*inner[1:], inner[0]), self.stream)

    def put(self, x: np.ndarray) -> DeviceArray:
        """Return a copy of an array (*lead, size), or of one (size,) for all states."""
        if x.ndim == 1:
            return to_card(x.astype(self.kind), self.card, self.stream)
        size, item, to = x.shape[-1], self.kind.itemsize, self.room(x.shape[-1])
        rows = to_card(np.ascontiguousarray(x.reshape(self.n, size), self.kind), self.card, self.stream)
        if size:
            with self.card:  # rows of one table are columns of the other
                self.turn.transpose(rows._pointer, size * item, to._pointer, self.n, size, self.stream)
        return to

    def table(self, rows: Sequence[np.ndarray]) -> DeviceArray:
        """Return a copy of several arrays that have one shape, (K, size), or (K, size, n) where each is of all states."""
        whole = np.stack(rows)
        if whole.ndim > 2:
            whole = whole.reshape(len(rows), self.n, -1).swapaxes(1, 2)
        return to_card(np.ascontiguousarray(whole, self.kind), self.card, self.stream)

    def fetch(self, x: DeviceArray) -> np.ndarray:
        """Return an array of `room` as one of NumPy, in rows of float64; what computes it must be done."""
        found = np.empty(x.shape)
        into = found if self.kind == found.dtype else np.empty(x.shape, self.kind)
        if not found.size:
            return found
        source, size, stream = x._pointer, x.shape[-1], ctypes.c_void_p(self.stream)
        with self.card as card:
            if self.n > 1 and size > 1:
                self.turn.transpose(source, self.n * self.kind.itemsize, self.rows.pointer, size, self.n, self.stream)
                source = self.rows.pointer
            to, there, count = ctypes.c_void_p(into.ctypes.data), ctypes.c_uint64(source), ctypes.c_size_t(into.nbytes)
            card.driver("cuMemcpyDtoHAsync_v2", to, there, count, stream)
            card.driver("cuStreamSynchronize", stream)
        if into is not found:
            found[...] = into
        return found

    def port(self, x: DeviceArray) -> Port:
        """Return an array of `room` or `put` as kernels take it."""
        return (x._pointer, 0, ONE) if x.ndim == 1 and self.lead else (x._pointer, self.n * self.kind.itemsize, COLUMNS)

    def row(self, table: DeviceArray, k: int) -> Port:
        """Return row k of a table as kernels take it."""
        at = table._pointer + k * table.strides[0]
        return (at, 0, ONE) if table.ndim == 2 else (at, self.n * self.kind.itemsize, COLUMNS)


def port_of(x: View) -> Port:
    """Return an array of another library as kernels take it."""
    return x.pointer, x.step, x.layout
