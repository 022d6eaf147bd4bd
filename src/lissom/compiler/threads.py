"""Threads: number of threads of a batch, and how it is split."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

from ..errors import StateError
from ..locks import Lock
from . import caller

SPLIT = 400_000  # numbers read and written by a batch from which splitting pays: some hundred microseconds of work

_lock = Lock()
_count: int | None = None
_pool: ThreadPoolExecutor | None = None


def set_threads(n: int) -> None:
    """Set the number of threads of a batch; 1 uses only the calling thread. LISSOM_THREADS sets it at the start."""
    global _count, _pool
    try:
        n = operator.index(n) if not isinstance(n, bool) else 0
    except TypeError:
        raise StateError(f"the number of threads must be a whole number of at least 1, got {n!r}") from None
    if n < 1:
        raise StateError(f"the number of threads must be a whole number of at least 1, got {n!r}")
    with _lock:
        _count = n
        old, _pool = _pool, None
        caller.inline_limit.value = 2**62 if n == 1 else SPLIT - 1
    if old is not None:
        old.shutdown(wait=False)


def get_threads() -> int:
    """Return the number of threads of a batch: as set, else $LISSOM_THREADS, else the number of available CPUs."""
    if _count is None:
        text = os.environ.get("LISSOM_THREADS")
        if text and (not text.isdecimal() or int(text) < 1):
            raise StateError(f"LISSOM_THREADS must be a whole number of at least 1, got {text!r}")
        at_hand = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with _lock:
            if _count is None:  # another thread may have set it meanwhile
                set_threads(int(text) if text else at_hand)
    assert _count is not None
    return _count


def split(n: int, numbers: int, work: Callable[[int, int], int]) -> int:
    """Call work(start, stop) over parts of range(n), in threads if it pays; return the sum of the returned values.

    `numbers` is the count of numbers read and written per sample.
    """
    count = min(get_threads(), max(1, n * numbers // (SPLIT // 2)))
    if count <= 1:
        return work(0, n)
    # whole cache lines and tiles: parts start at multiples of 64 samples
    edges = [min(n, round(n * k / count / 64) * 64) for k in range(count)] + [n]
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max(get_threads() - 1, 1), thread_name_prefix="lissom")
        # under the lock, since set_threads may remove the pool
        others = [_pool.submit(work, edges[k], edges[k + 1]) for k in range(1, count)]
    try:
        return work(edges[0], edges[1]) + sum(f.result() for f in others)
    finally:
        wait(others)  # after an error or Ctrl-C too: nothing is written to the arrays once this returns


def _after_fork() -> None:
    """A forked process has none of its parent's threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
