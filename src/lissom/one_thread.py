"""One thread: eigenvectors, singular vectors and QR of matrices of some dozen rows, without the library's threads.

OpenBLAS splits such work over all cores, and its threads wait for each other in a loop. If other programs use the cores, that
wait takes hundreds of times as long as the work. On two busy cores, ms with two threads and with one:
    eigh of 38 rows 47, 0.11   svd of 60 rows 361, 0.36   QR of 2000 x 60 567, 2.1
Solving, inverting and multiplying matrices of these sizes use one thread anyway. While `one_thread` is entered, OpenBLAS uses one
thread in the whole process; afterwards as many as before.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .locks import Lock, once

FEW = 25  # rows up to which LAPACK works without products of matrices, and so without threads

_lock = Lock()
_inside = 0
_before = 1


@contextmanager
def one_thread(rows: int) -> Iterator[None]:
    """Use one thread of NumPy's linear algebra for matrices of so many rows, where it would use more."""
    library = _library() if rows > FEW else None
    if library is None:
        yield
        return
    global _inside, _before
    get, set_ = library
    with _lock:
        _inside += 1
        if _inside == 1:
            _before = get()
            set_(1)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                set_(_before)


@once
def _library() -> tuple[Any, Any] | None:
    """Return the functions of NumPy's OpenBLAS that get and set the number of threads; None for another library."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")) if folder.is_dir() else []:
            try:
                library = ctypes.CDLL(str(path))  # it is loaded already; this is one more handle
            except OSError:
                continue
            for before, after in (("scipy_", "64_"), ("scipy_", ""), ("", "64_"), ("", "")):
                names = [f"{before}openblas_{what}_num_threads{after}" for what in ("get", "set")]
                if all(hasattr(library, name) for name in names):
                    return getattr(library, names[0]), getattr(library, names[1])
    return None
