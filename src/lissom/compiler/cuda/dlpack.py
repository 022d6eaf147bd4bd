"""DLPack: an array on a card as the capsule that other libraries take, by the C structures of version 0.8."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

_CUDA, _FLOAT = 2, 2  # kinds of memory and of numbers
_NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


_alive: dict[int, tuple[Any, ...]] = {}  # by address of the structure: what a capsule in use refers to
_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@_Deleter
def _delete(address: int) -> None:
    _alive.pop(address, None)


@_Destructor
def _drop(handle: int) -> None:
    """Let go of a capsule that nobody has taken; one that was taken has another name, and its taker calls the deleter."""
    if _is_valid(handle, _NAME):
        _alive.pop(_pointer(handle, _NAME), None)


# by address, as a capsule that is being deleted must not be referred to again
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))


def capsule(owner: Any, pointer: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any], device: int) -> Any:
    """Return a capsule of an array of numbers; `owner` lives until the taker lets go of it."""
    axes = (ctypes.c_int64 * max(1, len(shape)))(*shape)
    steps = (ctypes.c_int64 * max(1, len(shape)))(*(s // dtype.itemsize for s in strides))
    managed = _Managed()
    t = managed.tensor
    t.data, t.device_type, t.device_id, t.ndim = pointer, _CUDA, device, len(shape)
    t.code, t.bits, t.lanes = _FLOAT, dtype.itemsize * 8, 1
    t.shape, t.strides, t.byte_offset = ctypes.addressof(axes), ctypes.addressof(steps), 0
    managed.deleter = ctypes.cast(_delete, ctypes.c_void_p).value
    address = ctypes.addressof(managed)
    _alive[address] = (owner, managed, axes, steps)
    return _new(address, _NAME, ctypes.cast(_drop, ctypes.c_void_p))
