"""Arrays on a card, as results are."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import StateError
from .device import Borrowed, Device, Memory
from .dlpack import capsule


def on_card(x: Any) -> bool:
    """Return whether x is an array on a card."""
    kind = type(x)
    if kind is DeviceArray:
        return True
    if kind is np.ndarray or not hasattr(kind, "__cuda_array_interface__"):
        return False
    if kind.__module__.startswith("torch"):
        return bool(x.is_cuda)
    try:
        return x.__cuda_array_interface__ is not None
    except AttributeError:
        return False


class DeviceArray:
    """An array on a card, as results are: torch.as_tensor, cupy.asarray and numba take it in place, JAX by DLPack.

    Attributes:
        shape, dtype, strides: as of NumPy's arrays.
        device: number of the card.
    """

    def __init__(
        self,
        memory: Memory | Borrowed,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        strides: tuple[int, ...] | None,
        stream: int,
        offset: int = 0,
    ) -> None:
        self._memory, self._stream, self._offset = memory, stream, offset
        self.shape, self.dtype = shape, dtype
        self.strides = packed(shape, dtype.itemsize) if strides is None else strides

    @property
    def device(self) -> int:
        """Number of the card."""
        return self._memory.on.number

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all entries."""
        return self.size * self.dtype.itemsize

    @property
    def T(self) -> DeviceArray:  # noqa: N802
        """The same memory with the order of axes reversed."""
        return DeviceArray(self._memory, self.shape[::-1], self.dtype, self.strides[::-1], self._stream, self._offset)

    def reshape(self, *shape: Any) -> DeviceArray:
        """Return the same memory with other axes, where strides can say that; one length may be -1."""
        wanted = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
        known = math.prod(x for x in wanted if x != -1)
        whole = tuple(self.size // known if x == -1 and known else x for x in wanted)
        if math.prod(whole) != self.size or wanted.count(-1) > 1:
            raise StateError(f"an array of shape {self.shape} on a card cannot have the shape {wanted}")
        strides = reshaped(self.shape, self.strides, whole, self.dtype.itemsize)
        if strides is None:
            raise StateError(
                f"an array with strides {self.strides} (shape {self.shape}) on a card has gaps, or another order of axes"
            )
        return DeviceArray(self._memory, whole, self.dtype, strides, self._stream, self._offset)

    @property
    def _pointer(self) -> int:
        return self._memory.pointer + self._offset

    def __getitem__(self, index: Any) -> DeviceArray:
        """Return a part of the array, in the same memory; an index is made of numbers, slices and one ellipsis."""
        given = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(x, int | slice | type(...)) for x in given) or sum(x is ... for x in given) > 1:
            raise StateError(
                f"an array on a card is cut by numbers, slices and one ellipsis, got {index!r}; or copy_to_host() first"
            )
        if ... not in given:
            given = (*given, ...)
        at = given.index(...)
        missing = self.ndim - (len(given) - 1)
        if missing < 0:
            raise IndexError(f"the array has {self.ndim} axes, got {len(given) - 1} numbers and slices")
        whole = (*given[:at], *[slice(None)] * missing, *given[at + 1 :])
        shape, strides, offset = [], [], self._offset
        for x, length, stride in zip(whole, self.shape, self.strides, strict=True):
            if isinstance(x, slice):
                start, stop, step = x.indices(length)
                shape.append(len(range(start, stop, step)))
                strides.append(stride * step)
                offset += start * stride if shape[-1] else 0
            else:
                offset += range(length)[x] * stride
        return DeviceArray(self._memory, tuple(shape), self.dtype, tuple(strides), self._stream, offset)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} {self.dtype} on cuda:{self.device}>"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """What other libraries read."""
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._pointer, False),
            "strides": None if self.strides == packed(self.shape, self.dtype.itemsize) else self.strides,
            "stream": self._stream or 1,  # 1 is the default stream
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the kind of memory (2 is CUDA) and the number of the card."""
        return 2, self.device

    def __dlpack__(self, *, stream: Any = None, **options: Any) -> Any:
        """Return the array as a capsule for other libraries; it is complete when that is returned."""
        self.synchronize()
        return capsule(self, self._pointer, self.shape, self.strides, self.dtype, self.device)

    def synchronize(self) -> None:
        """Wait until the array is computed."""
        on = self._memory.on
        with on:
            on.driver("cuStreamSynchronize", ctypes.c_void_p(self._stream))

    def copy_to_host(self) -> np.ndarray:
        """Return the array as one of NumPy, in the memory of the host."""
        on = self._memory.on
        if not self.size:
            return np.empty(self.shape, self.dtype)
        # all from the first entry to the last
        steps = [(length - 1) * stride for length, stride in zip(self.shape, self.strides, strict=True)]
        before = sum(step for step in steps if step < 0)
        flat = np.empty((sum(map(abs, steps)) + self.dtype.itemsize) // self.dtype.itemsize, self.dtype)
        self.synchronize()
        with on:
            to, size = ctypes.c_void_p(flat.ctypes.data), ctypes.c_size_t(flat.nbytes)
            on.driver("cuMemcpyDtoH_v2", to, ctypes.c_uint64(self._pointer + before), size)
        start = flat[-before // self.dtype.itemsize :]
        return np.array(np.lib.stride_tricks.as_strided(start, self.shape, self.strides))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return a copy in the memory of the host, for numpy.asarray."""
        if copy is False:
            raise ValueError("an array on a card cannot be a NumPy array without a copy")
        found = self.copy_to_host()
        return found if dtype is None else found.astype(dtype, copy=False)


def to_card(array: np.ndarray, on: Device, stream: int = 0) -> DeviceArray:
    """Return a copy of an array on a card."""
    array = np.ascontiguousarray(array)
    memory = Memory(on, array.nbytes, stream)
    if array.nbytes:
        with on:
            source, size = ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes)
            on.driver("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(memory.pointer), source, size, ctypes.c_void_p(stream))
            on.driver("cuStreamSynchronize", ctypes.c_void_p(stream))
    return DeviceArray(memory, array.shape, array.dtype, None, stream)


def reshaped(shape: tuple[int, ...], strides: tuple[int, ...], wanted: tuple[int, ...], item: int) -> tuple[int, ...] | None:
    """Return the strides of the same memory with other axes, or None where they cannot say that.

    Axes are taken together until both sides have as many entries; those of the array must then lie as one axis would.
    """
    if not math.prod(shape):
        return packed(wanted, item)
    old = [(length, stride) for length, stride in zip(shape, strides, strict=True) if length > 1]
    new = [k for k, length in enumerate(wanted) if length > 1]
    found = [item] * len(wanted)
    while old:
        (count, stride), group = old.pop(0), [new.pop(0)]
        own = wanted[group[0]]
        while own != count:
            if own < count:
                group.append(new.pop(0))
                own *= wanted[group[-1]]
            else:
                length, following = old.pop(0)
                if stride != length * following:
                    return None
                count, stride = count * length, following
        for k in reversed(group):
            found[k], stride = stride, stride * wanted[k]
    return tuple(found)


def packed(shape: Sequence[int], item: int) -> tuple[int, ...]:
    """Return the strides of an array without gaps, the last axis first."""
    strides = [item]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * length)
    return tuple(strides) if shape else ()
