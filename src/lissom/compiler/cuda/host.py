"""Host: batches in the memory of the host, in pieces, whose copies and computation overlap; larger ones than the card holds.

Two pieces are on their way at once, each with a stream, pinned memory of the host and memory of the card: while one is computed,
results of the other come back and its next numbers go there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...locks import Lock, once
from .device import Device, Flag, Memory, Pinned, Stream

if TYPE_CHECKING:
    from .module import Module

PIECE = 1 << 25  # bytes of a piece, arguments and results together
_ALIGNED = 256  # bytes: arrays in a piece begin at multiples


class Lane:
    """A stream with memory for one piece; it grows."""

    def __init__(self, on: Device) -> None:
        self.on, self.stream = on, Stream(on)
        self.flag = Flag(on)
        self.size = 0
        self.pending: tuple[Sequence[np.ndarray], Sequence[int], int, int] | None = None

    def grow(self, size: int) -> None:
        """Have memory for so many bytes."""
        if size > self.size:
            self.pinned, self.memory = Pinned(self.on, size), Memory(self.on, size, self.stream.handle)
            self.size = size

    def numbers(self, at: int, rows: int, columns: int, kind: np.dtype[Any]) -> np.ndarray:
        """Return a table in the pinned memory."""
        buffer: Any = (ctypes.c_char * (rows * columns * kind.itemsize)).from_address(self.pinned.address + at)
        return np.ndarray((rows, columns), kind, buffer)


class Lanes:
    """The two lanes of a card, used by one call at a time."""

    def __init__(self, on: Device) -> None:
        self.on, self.lock = on, Lock()
        self.lanes = [Lane(on), Lane(on)]

    def run(self, module: Module, rows: Sequence[np.ndarray], tables: Sequence[np.ndarray], n: int, single: bool) -> bool:
        """Compute n samples from tables (n, size) into tables (n, size); return whether a number is not finite."""
        kind: np.dtype[Any] = np.dtype(np.float32 if single else np.float64)
        sizes = [a.shape[1] for a in (*rows, *tables)]
        count = max(1, min(n, PIECE // (kind.itemsize * max(1, sum(sizes)))))
        places, end = [], 0
        for size in sizes:
            places.append(end)
            end += -(-count * size * kind.itemsize // _ALIGNED) * _ALIGNED
        bad = False
        with self.lock:
            try:
                for k, start in enumerate(range(0, n, count)):
                    lane = self.lanes[k % 2]
                    bad |= self._finish(lane, kind)
                    self._send(lane, module, rows, tables, places, end, start, min(n, start + count), kind)
            finally:
                for lane in self.lanes:
                    bad |= self._finish(lane, kind)
        return bad

    def _send(
        self,
        lane: Lane,
        module: Module,
        rows: Sequence[np.ndarray],
        tables: Sequence[np.ndarray],
        places: Sequence[int],
        end: int,
        start: int,
        stop: int,
        kind: np.dtype[Any],
    ) -> None:
        """Ask for one piece."""
        on, n, stream = self.on, stop - start, ctypes.c_void_p(lane.stream.handle)
        lane.grow(end)
        for at, a in zip(places, rows, strict=False):
            lane.numbers(at, n, a.shape[1], kind)[...] = a[start:stop]
        lane.flag.take()
        first = places[len(rows)]
        with on:
            there, here = ctypes.c_uint64(lane.memory.pointer), ctypes.c_void_p(lane.pinned.address)
            if first:
                on.driver("cuMemcpyHtoDAsync_v2", there, here, ctypes.c_size_t(first), stream)
            module.launch([(lane.memory.pointer + at, 0) for at in places], n, lane.flag.pointer, lane.stream.handle)
            for at, table in zip(places[len(rows) :], tables, strict=True):
                size = ctypes.c_size_t(n * table.shape[1] * kind.itemsize)
                there, here = ctypes.c_uint64(lane.memory.pointer + at), ctypes.c_void_p(lane.pinned.address + at)
                on.driver("cuMemcpyDtoHAsync_v2", here, there, size, stream)
        lane.pending = tables, places[len(rows) :], start, stop

    def _finish(self, lane: Lane, kind: np.dtype[Any]) -> bool:
        """Wait for the piece that a lane works on, and take its results; return whether a number is not finite."""
        if lane.pending is None:
            return False
        tables, places, start, stop = lane.pending
        lane.pending = None
        lane.stream.wait()
        for at, table in zip(places, tables, strict=True):
            table[start:stop] = lane.numbers(at, stop - start, table.shape[1], kind)
        return lane.flag.take()


@once
def lanes(on: Device) -> Lanes:
    """Return the lanes of a card."""
    return Lanes(on)
