"""Check whether a result fits into memory, before it is allocated.

Many systems grant arrays that are too large, and end the program once it fills them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import StateError

ADDRESSES = 2**47  # most bytes of a process
FEW = 64  # states, for which the look would take longer than the work
FEWER = "ask for fewer states at once"
PRODUCTS = f"{FEWER}, or for products with vectors, jvp and vjp, which take no more than the function itself"


def memory() -> int:
    """Return the memory of the machine [bytes], or the most a process can have where it is unknown."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not available on Windows
        return ADDRESSES
    return pages * size if pages > 0 and size > 0 else ADDRESSES


def shown(size: float) -> str:
    """Return a number of bytes as text."""
    return f"{size * 1e-9:.3g} GB"


def check_size(numbers: float, what: str, advice: str) -> None:
    """Raise StateError if an array of so many numbers exceeds the memory of the machine.

    Args:
        numbers: their count; may be infinite.
        what: name of the array, for the message.
        advice: fix, for the message.
    """
    size, there = 8.0 * numbers, memory()
    if size > there:
        raise StateError(f"{what} would take {shown(size)}, and this machine has {shown(there)} of memory; {advice}")


def check_result(samples: int, numbers: int, what: str, advice: str) -> None:
    """Raise StateError if a result of `samples` times `numbers` values exceeds the memory of the machine."""
    check_size(float(samples) * numbers, f"{what} for {samples} states" if samples > 1 else what, advice)


def are_few(arguments: Sequence[Any]) -> bool:
    """Return whether arguments are arrays of so few states that no result of them needs a look at the memory."""
    return all(type(x) is np.ndarray and (x.ndim == 1 or x.ndim == 2 and len(x) <= FEW) for x in arguments)


def samples_of(arguments: Sequence[Any]) -> int:
    """Return the number of states in arrays (..., n) after broadcasting; shapes that do not fit are reported later, by name."""
    try:
        return math.prod(np.broadcast_shapes(*(np.shape(x)[:-1] for x in arguments)))
    except ValueError:
        return 1
