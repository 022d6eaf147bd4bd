"""Room: whether what a run would store fits into the memory of the machine, asked before anything is made.

Arrays that are too large would be granted by many systems, which end the program once it fills them.
"""

from __future__ import annotations

import os

from ..errors import StateError

ADDRESSES = 2**47  # bytes that a process can have at most


def memory() -> int:
    """Return the memory of the machine [bytes]; where the system does not tell, the most that a process can have."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # no such question on Windows
        return ADDRESSES
    return pages * size if pages > 0 and size > 0 else ADDRESSES


def check_room(samples: float, numbers: int, what: str = "") -> None:
    """Refuse to store so many samples, of so many numbers each, that memory does not suffice.

    Args:
        samples: how many; a float, which may be infinite.
        numbers: in each.
        what: says what the samples are of.
    """
    size, there = 8.0 * samples * numbers, memory()
    if size > there:
        text = f"{samples:.3g} samples{what} would take {_shown(size)}, and this machine has {_shown(there)} of memory"
        raise StateError(f"{text}; store fewer: a longer sample= (fixed steps store every one without it), or a shorter duration")


def _shown(size: float) -> str:
    return f"{size * 1e-9:.3g} GB"
