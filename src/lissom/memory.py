"""Memory: whether a result fits into the machine, asked before anything is made.

Arrays that are too large would be granted by many systems, which end the program once it fills them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import StateError

ADDRESSES = 2**47  # bytes that a process can have at most
FEWER = "ask for fewer states at once"
PRODUCTS = f"{FEWER}, or for products with vectors, jvp and vjp, which take no more than the function itself"


def memory() -> int:
    """Return the memory of the machine [bytes]; where the system does not tell, the most that a process can have."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # no such question on Windows
        return ADDRESSES
    return pages * size if pages > 0 and size > 0 else ADDRESSES


def shown(size: float) -> str:
    """Return a number of bytes for people."""
    return f"{size * 1e-9:.3g} GB"


def check_size(numbers: float, what: str, advice: str) -> None:
    """Raise StateError if so many numbers are more than the machine has memory for.

    Args:
        numbers: how many; may be infinite.
        what: they are, for the message.
        advice: what to do instead.
    """
    size, there = 8.0 * numbers, memory()
    if size > there:
        raise StateError(f"{what} would take {shown(size)}, and this machine has {shown(there)} of memory; {advice}")


def check_result(samples: int, numbers: int, what: str, advice: str) -> None:
    """Raise StateError if a result of so many samples, of so many numbers each, is larger than the memory of the machine."""
    check_size(float(samples) * numbers, f"{what} for {samples} states" if samples > 1 else what, advice)


def samples_of(arguments: Sequence[Any]) -> int:
    """Return how many states arrays (..., n) hold together; what does not fit together is refused later, with its name."""
    try:
        return math.prod(np.broadcast_shapes(*(np.shape(x)[:-1] for x in arguments)))
    except ValueError:
        return 1
