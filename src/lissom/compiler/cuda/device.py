"""Device: one card: its context, memory, streams and modules."""

from __future__ import annotations

import ctypes
import sys
import weakref
from types import TracebackType
from typing import Any

from ...errors import DeviceError
from ...locks import once
from .driver import Driver, open_driver

_ATTRIBUTES = {"major": 75, "minor": 76, "shared_of_block": 97, "shared_of_card": 81, "pools": 115, "processors": 16}
OLDEST = (7, 5)
STAGED_FROM = (8, 0)  # copies to shared memory without registers


class Device:
    """A card.

    Attributes:
        number: as the driver counts.
        name: of the card.
        capability: compute capability, such as (9, 0).
        shared: bytes of shared memory a block may have so that two of them run side by side.
        shared_of_card: bytes of shared memory of a processor.
    """

    def __init__(self, driver: Driver, number: int) -> None:
        self.driver, self.number = driver, number
        count = driver.integer("cuDeviceGetCount")
        if not 0 <= number < count:
            raise DeviceError(f"CUDA: there is no card {number}; there {'is one, 0' if count == 1 else f'are {count}, from 0'}")
        self.handle = ctypes.c_int(driver.integer("cuDeviceGet", ctypes.c_int(number)))
        text = ctypes.create_string_buffer(256)
        driver("cuDeviceGetName", text, ctypes.c_int(256), self.handle)
        self.name = text.value.decode("utf-8", "replace")
        found = {k: driver.integer("cuDeviceGetAttribute", ctypes.c_int(x), self.handle) for k, x in _ATTRIBUTES.items()}
        self.capability = found["major"], found["minor"]
        if self.capability < OLDEST:
            raise DeviceError(
                f"CUDA: {self.name} has compute capability {self.capability[0]}.{self.capability[1]}; 7.5 is needed"
            )
        self.processors = found["processors"]
        self.shared_of_card = found["shared_of_card"]
        self.shared = min(found["shared_of_block"], found["shared_of_card"] // 2 - 1024)
        self._pools = bool(found["pools"])
        self._context = ctypes.c_void_p()
        driver("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self.handle)
        with self:
            self._keep_freed_memory()

    def __enter__(self) -> Device:
        """Make this card the current one of the thread, as long as the block runs."""
        self.driver("cuCtxPushCurrent_v2", self._context)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.driver("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))

    @property
    def target(self) -> str:
        """What compiled code is made for, such as "sm_90"."""
        return f"sm_{self.capability[0]}{self.capability[1]}"

    def _keep_freed_memory(self) -> None:
        """Keep memory that was given back for the next array: the system takes long to give it."""
        if self._pools:
            pool = ctypes.c_void_p()
            self.driver("cuDeviceGetDefaultMemPool", ctypes.byref(pool), self.handle)
            most = ctypes.c_uint64(2**64 - 1)
            self.driver("cuMemPoolSetAttribute", pool, ctypes.c_int(4), ctypes.byref(most))

    def synchronize(self) -> None:
        """Wait for everything on the card."""
        with self:
            self.driver("cuCtxSynchronize")

    def free_memory(self) -> int:
        """Return the bytes of memory that are free."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        with self:
            self.driver("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value


@once
def device(number: int) -> Device:
    """Return a card by its number."""
    return Device(open_driver(), number)


class Memory:
    """Memory on a card, given back when nothing refers to it; order of use is that of a stream."""

    def __init__(self, on: Device, size: int, stream: int = 0) -> None:
        self.on, self.size = on, size
        pointer = ctypes.c_uint64()
        with on:
            if on._pools:
                on.driver("cuMemAllocAsync", ctypes.byref(pointer), ctypes.c_size_t(max(size, 8)), ctypes.c_void_p(stream))
            else:
                on.driver("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 8)))
        self.pointer, self._stream = pointer.value, stream

    def __del__(self) -> None:  # less than half the time of weakref.finalize
        if hasattr(self, "pointer") and not sys.is_finalizing():
            _give_back(self.on, self.pointer, self._stream)


class Borrowed:
    """Memory on a card that others own."""

    def __init__(self, on: Device, pointer: int) -> None:
        self.on, self.pointer = on, pointer


def _give_back(on: Device, pointer: int, stream: int) -> None:
    with on:
        if on._pools:
            on.driver("cuMemFreeAsync", ctypes.c_uint64(pointer), ctypes.c_void_p(stream))
        else:
            on.driver("cuMemFree_v2", ctypes.c_uint64(pointer))


class Pinned:
    """Memory of the host that the card reads and writes itself, given back when nothing refers to it."""

    def __init__(self, on: Device, size: int) -> None:
        self.on, self.size = on, size
        pointer, seen = ctypes.c_void_p(), ctypes.c_uint64()
        with on:
            # portable and mapped: every context, and kernels by a pointer of their own
            on.driver("cuMemHostAlloc", ctypes.byref(pointer), ctypes.c_size_t(max(size, 8)), ctypes.c_uint(3))
            on.driver("cuMemHostGetDevicePointer_v2", ctypes.byref(seen), pointer, ctypes.c_uint(0))
        self.address, self.pointer = int(pointer.value or 0), seen.value
        weakref.finalize(self, _unpin, on, self.address).atexit = False


class Flag(Pinned):
    """A word that a kernel sets where a number is not finite."""

    def __init__(self, on: Device) -> None:
        super().__init__(on, 8)
        self._word = ctypes.c_uint32.from_address(self.address)
        self.take()

    def take(self) -> bool:
        """Return whether it was set since the last time, and clear it."""
        was, self._word.value = bool(self._word.value), 0
        return was


def _unpin(on: Device, address: int) -> None:
    with on:
        on.driver("cuMemFreeHost", ctypes.c_void_p(address))


class Stream:
    """Work in order, beside that of other streams."""

    def __init__(self, on: Device) -> None:
        self.on = on
        handle = ctypes.c_void_p()
        with on:
            on.driver("cuStreamCreate", ctypes.byref(handle), ctypes.c_uint(1))  # does not wait for the default stream
        self.handle = int(handle.value or 0)
        weakref.finalize(self, _end_stream, on, self.handle).atexit = False

    def wait(self) -> None:
        """Wait until its work is done."""
        with self.on:
            self.on.driver("cuStreamSynchronize", ctypes.c_void_p(self.handle))


def _end_stream(on: Device, handle: int) -> None:
    with on:
        on.driver("cuStreamDestroy_v2", ctypes.c_void_p(handle))


class Timer:
    """Measures time on a stream by events of the card."""

    def __init__(self, on: Device) -> None:
        self.on = on
        self.events = ctypes.c_void_p(), ctypes.c_void_p()
        with on:
            for event in self.events:
                on.driver("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))

    def measure(self, work: Any, stream: int = 0) -> float:
        """Return how long the card takes for what `work()` asks of it [s]."""
        first, last = self.events
        milliseconds = ctypes.c_float()
        with self.on:
            self.on.driver("cuEventRecord", first, ctypes.c_void_p(stream))
            work()
            self.on.driver("cuEventRecord", last, ctypes.c_void_p(stream))
            self.on.driver("cuEventSynchronize", last)
            self.on.driver("cuEventElapsedTime", ctypes.byref(milliseconds), first, last)
        return milliseconds.value * 1e-3
