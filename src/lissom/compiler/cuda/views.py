"""Views: arrays on a card, of lissom and of other libraries, as kernels see them."""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, NamedTuple

import numpy as np

from ...errors import StateError
from .arrays import DeviceArray, on_card, packed
from .device import Borrowed, device
from .layout import COLUMNS, ONE, ROWS


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
        own_type, wanted = _named(dtype), _named(wanted)
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


def _named(dtype: str) -> str:
    try:
        return str(np.dtype(dtype))
    except TypeError:  # bfloat16 and others that NumPy does not know
        return dtype


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


def from_card(*arrays: Any) -> tuple[Any, ...]:
    """Return arrays, those on a card as NumPy's, and the stream of the first such: 0 where it names none, None without one."""
    found: list[Any] = []
    stream = None
    for x in arrays:
        if not on_card(x):
            found.append(x)
            continue
        dtype, shape, strides, pointer, own = (
            _of_torch(x, "an array") if type(x).__module__.startswith("torch") else _of_interface(x, "an array", False)
        )
        there = DeviceArray(Borrowed(device(_number(x)), pointer), shape, np.dtype(dtype), strides, own or 0)
        found.append(there.copy_to_host())
        stream = (own or 0) if stream is None else stream
    return *found, stream


def _number(x: Any) -> int:
    """Return the number of the card that an array is on, 0 where it does not tell."""
    where = getattr(x, "device", 0)
    told = (where, getattr(where, "index", None), getattr(where, "id", None))
    return next((k for k in told if isinstance(k, int)), 0)


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
