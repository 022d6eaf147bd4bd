"""Doubts about a model: issued as a ModelWarning, collected, or suppressed where issued before.

Python's `warnings.catch_warnings` changes the warnings of the whole process, and so mixes up threads that read files at the same
time. Here each thread, and each asyncio task, has its own collector.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from .errors import ModelWarning

_collector: ContextVar[list[str] | None] = ContextVar("lissom_doubts", default=None)


class Remark(str):
    """A doubt about shapes: no motion depends on them, so that `load(..., strict=True)` does not reject it."""


def doubt(message: str, stacklevel: int = 2) -> None:
    """Issue a ModelWarning, or collect it inside `collected_doubts`; `stacklevel` as in `warnings.warn`."""
    collected = _collector.get()
    if collected is None:
        warnings.warn(message, ModelWarning, stacklevel=stacklevel + 1)
    else:
        collected.append(message)


@contextmanager
def collected_doubts() -> Iterator[list[str]]:
    """Collect the doubts of this block in a list, instead of issuing warnings."""
    found: list[str] = []
    before = _collector.set(found)
    try:
        yield found
    finally:
        _collector.reset(before)


def known_doubts() -> AbstractContextManager[list[str]]:
    """Suppress the doubts of this block, which changes a model whose doubts have been issued already."""
    return collected_doubts()
