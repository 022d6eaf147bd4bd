"""Arrays on a card: results, and views of arrays of other libraries, in place."""

from __future__ import annotations

import ctypes
import functools
import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import StateError
from .device import Device, Memory
from .dlpack import capsule
from .layout import COLUMNS, ONE, ROWS


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
        memory: Memory,
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
        """Return the same memory with other axes, where the array has no gaps; one length may be -1."""
        wanted = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
        known = math.prod(x for x in wanted if x != -1)
        whole = tuple(self.size // known if x == -1 and known else x for x in wanted)
        if math.prod(whole) != self.size or wanted.count(-1) > 1:
            raise StateError(f"an array of shape {self.shape} on a card cannot have the shape {wanted}")
        if self.size and self.strides != packed(self.shape, self.dtype.itemsize):
            raise StateError(
                f"an array with strides {self.strides} (shape {self.shape}) on a card has gaps, or another order of axes"
            )
        return DeviceArray(self._memory, whole, self.dtype, None, self._stream, self._offset)

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


def packed(shape: Sequence[int], item: int) -> tuple[int, ...]:
    """Return the strides of an array without gaps, the last axis first."""
    strides = [item]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * length)
    return tuple(strides) if shape else ()


class View(NamedTuple):
    """An argument or result on a card.

    Attributes:
        owner: the array, which keeps the memory alive.
        pointer: its address.
        lead, own: leading axes, and those of one sample.
        layout: "rows", "columns" or "one"; see `layout.py`.
        step: bytes from one entry of a sample to the next, for columns.
        size: bytes from the first to the last.
        stream: handle of the stream that its content is computed on, or None.
    """

    owner: Any
    pointer: int
    lead: tuple[int, ...]
    own: tuple[int, ...]
    layout: str
    step: int
    size: int
    stream: int | None


def view(x: Any, name: str, own: tuple[int, ...], single: bool, writing: bool = False) -> View:
    """Return a view of an array on a card; raise StateError if kernels cannot use it in place.

    `own` are the axes of one sample; others come before them.
    """
    if type(x) is DeviceArray:
        found: _Found = x.dtype.str, x.shape, x.strides, x._pointer, x._stream
    elif type(x).__module__.startswith("torch"):
        found = _of_torch(x, name)
    else:
        found = _of_interface(x, name, writing)
    dtype, shape, strides, pointer, stream = found
    wanted = "<f4" if single else "<f8"
    if dtype != wanted:
        other = "double" if single else "single"
        own_type, wanted = str(np.dtype(dtype)), str(np.dtype(wanted))
        hint = f", or take robot.to('cuda', precision={other!r})" if dtype in ("<f4", "<f8") else ""
        raise StateError(f"{name} has dtype {own_type}, and the robot computes on the card with {wanted}: convert it{hint}")
    k = len(shape) - len(own)
    if k < 0 or shape[k:] != own:
        expected = f"(..., {', '.join(map(str, own))})" if own else "(...)"
        raise StateError(f"{name} has shape {shape}, expected {expected}")
    item = 4 if single else 8
    if pointer % item:
        raise StateError(f"{name} begins at an address that is no multiple of {item} bytes")
    lead = shape[:k]
    found_layout = _layout(lead, own, strides, item)
    if found_layout is None:
        raise StateError(
            f"{name} has strides {strides} (shape {shape}): the samples must lie one after the other, as in an array without "
            "gaps, or each entry of all samples, as in the transpose of one; make a contiguous copy"
        )
    return View(x, pointer, lead, own, *found_layout, stream)


# type of numbers, shape, strides in bytes (None without gaps), address, stream
_Found = tuple[str, tuple[int, ...], tuple[int, ...] | None, int, int | None]


def _of_interface(x: Any, name: str, writing: bool) -> _Found:
    given = x.__cuda_array_interface__
    pointer, read_only = given["data"]
    if writing and read_only:
        raise StateError(f"{name} is read-only")
    stream = given.get("stream")
    strides = given.get("strides")
    return (
        given["typestr"],
        tuple(map(int, given["shape"])),
        None if strides is None else tuple(strides),
        int(pointer or 0),
        0 if stream == 1 else stream,  # 1 is the default stream, as 0 is in the driver
    )


def _of_torch(x: Any, name: str) -> _Found:
    """Return the same of a tensor of PyTorch, whose own interface knows no stream and takes long."""
    torch: Any = sys.modules["torch"]
    if x.requires_grad and torch.is_grad_enabled():
        raise StateError(f"{name} is a tensor that needs gradients: pass {name}.detach(), or call within torch.no_grad()")
    dtype = _TORCH.get(str(x.dtype), str(x.dtype).removeprefix("torch."))
    item = x.element_size()
    strides = tuple(s * item for s in x.stride())
    return dtype, tuple(x.shape), strides, x.data_ptr(), torch.cuda.current_stream(x.device).cuda_stream


_TORCH = {"torch.float64": "<f8", "torch.float32": "<f4"}


@functools.lru_cache(4096)
def _layout(
    lead: tuple[int, ...], own: tuple[int, ...], strides: tuple[int, ...] | None, item: int
) -> tuple[str, int, int] | None:
    """Return layout, step, and bytes from the first to the last entry; axes of length one may have any stride."""
    n, m = math.prod(lead), math.prod(own)

    def dense(shape: tuple[int, ...], found: tuple[int, ...], unit: int) -> bool:
        return all(a == b or length == 1 for length, a, b in zip(shape, found, packed(shape, unit), strict=True))

    k = len(lead)
    if strides is None or n == 0 or dense((*lead, *own), strides, item):
        return (ROWS if lead else ONE), 0, item * n * m
    if not dense(lead, strides[:k], item):
        return None
    long = [s for length, s in zip(own, strides[k:], strict=True) if length > 1]
    step = long[-1] if long else n * item
    if not dense(own, strides[k:], step) or step < n * item:
        return None
    return COLUMNS, step, step * (m - 1) + item * n
