"""Doubts about a model: given as a ModelWarning, collected, or left out where they have been given before.

Python's `warnings.catch_warnings` changes what the whole process does with warnings, and so mixes up threads that read files at
once. Here each thread, and each asyncio task, has a collector of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from .errors import ModelWarning

_collector: ContextVar[list[str] | None] = ContextVar("lissom_doubts", default=None)


def doubt(message: str, stacklevel: int = 2) -> None:
    """Give a ModelWarning, or put it down where a block collects them; `stacklevel` as of `warnings.warn`."""
    collected = _collector.get()
    if collected is None:
        warnings.warn(message, ModelWarning, stacklevel=stacklevel + 1)
    else:
        collected.append(message)


@contextmanager
def collected_doubts() -> Iterator[list[str]]:
    """Collect the doubts of this block in a list, instead of giving warnings."""
    found: list[str] = []
    before = _collector.set(found)
    try:
        yield found
    finally:
        _collector.reset(before)


def known_doubts() -> AbstractContextManager[list[str]]:
    """Leave out the doubts of this block: it changes a model whose doubts have been given already."""
    return collected_doubts()
