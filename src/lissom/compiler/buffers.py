"""Buffers: large results reuse memory.

A system provides new memory page by page, and fills each with zeros when it is first touched: results of tens of megabytes then
take up to twice as long as with `out=`. So the memory of a large result is kept when nothing refers to it any more, neither the
array nor a view of it, and lent to the next of about its size. An array refers to a lender, and so does every view of it; when
the lender is deleted, the memory is returned. Nothing here waits for a lock: arrays may be deleted in any thread, at any time.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from collections import deque
from typing import Any

import numpy as np

LEAST = 2**22  # bytes from which memory is kept; of less, the C library keeps some itself
MOST = 2**27  # bytes up to which it is kept
_KEPT = 2  # most pieces of memory kept for reuse
_STEP = 2**20  # pieces are so many bytes, or a multiple

_free: deque[np.ndarray] = deque(maxlen=_KEPT)  # a third one replaces the oldest


def new_array(shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of float64 with arbitrary content, as numpy.empty does."""
    size = 8 * math.prod(shape)
    if not LEAST <= size <= MOST:
        return np.empty(shape)
    block = _taken(size)
    if block is None:
        block = np.empty(-(-size // _STEP) * _STEP, dtype=np.uint8)
    lender: Any = (ctypes.c_char * len(block)).from_buffer(block)  # type: ignore[arg-type]
    weakref.finalize(lender, _free.append, block).atexit = False
    # an array in between, so that nobody gets hold of the lender through `base`
    return np.ndarray(len(block), np.uint8, buffer=lender)[:size].view(np.float64).reshape(shape)


def _taken(size: int) -> np.ndarray | None:
    """Return memory that is large enough but not half as large again, if any waits."""
    for _ in range(_KEPT):
        try:
            block = _free.popleft()
        except IndexError:
            return None
        if size <= len(block) <= 1.5 * size + _STEP:
            return block
        _free.append(block)
    return None
