"""One thread: eigenvectors, singular vectors and QR of matrices of some dozen rows, without the library's threads.

OpenBLAS splits such work over all cores, and its threads wait for each other in a loop. If other programs use the cores, that
wait takes hundreds of times as long as the work. On two busy cores, ms with two threads and with one:
    eigh of 38 rows 47, 0.11   svd of 60 rows 361, 0.36   QR of 2000 x 60 567, 2.1
Solving, inverting and multiplying matrices of these sizes use one thread anyway. While `one_thread` is entered, OpenBLAS uses one
thread in the whole process; afterward as many as before, in a process forked meanwhile too.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import ClassVar

import numpy as np

from .locks import Lock, once

FEW = 25  # rows up to which LAPACK works without products of matrices, and so without threads


class Threads:
    """Threads of one OpenBLAS in this process.

    Args:
        get, set_: its functions that get and set their number.
    """

    every: ClassVar[list[Threads]] = []

    def __init__(self, get: Callable[[], int], set_: Callable[[int], None]) -> None:
        self.get, self.set = get, set_
        self._lock, self._inside, self._before = Lock(), 0, 1
        self._thread = threading.local()  # depth: how often this thread has entered
        Threads.every.append(self)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Use one thread, in the whole process; afterward as many as before."""
        self._thread.depth = getattr(self._thread, "depth", 0) + 1
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = self.get()
                self.set(1)
        try:
            yield
        finally:
            self._thread.depth -= 1
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self.set(self._before)

    def after_fork(self) -> None:
        """Forget the threads that a forked process does not have, and with them their wish for one thread."""
        own = getattr(self._thread, "depth", 0)
        if self._inside and not own:
            self.set(self._before)
        self._inside = own


def _after_fork() -> None:
    for threads in Threads.every:
        threads.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextmanager
def one_thread(rows: int) -> Iterator[None]:
    """Use one thread of NumPy's linear algebra for matrices of so many rows, where it would use more."""
    threads = _numpy() if rows > FEW else None
    with nullcontext() if threads is None else threads.one():
        yield


@once
def _numpy() -> Threads | None:
    """Return the threads of NumPy's OpenBLAS; None for another library."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        found = openblas(folder)
        if found is not None:
            return found
    return None


def openblas(folder: Path) -> Threads | None:
    """Return the threads of the OpenBLAS in a folder of libraries, which this process has loaded; None if there is none."""
    for path in sorted(folder.glob("*openblas*")) if folder.is_dir() else []:
        try:
            library = ctypes.CDLL(str(path))  # it is loaded already; this is one more handle
        except OSError:
            continue
        for before, after in (("scipy_", "64_"), ("scipy_", ""), ("", "64_"), ("", "")):
            names = [f"{before}openblas_{what}_num_threads{after}" for what in ("get", "set")]
            if all(hasattr(library, name) for name in names):
                return Threads(getattr(library, names[0]), getattr(library, names[1]))
    return None
