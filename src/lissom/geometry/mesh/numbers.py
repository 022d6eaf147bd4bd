"""Numbers in text, read by NumPy without a Python object per number."""

from __future__ import annotations

import numpy as np

from ...errors import FileError

MOST = 40_000_000  # numbers of one array
_NUMERIC = np.zeros(256, dtype=bool)
_NUMERIC[list(b"0123456789+-.eE \t\r\n\f\v")] = True


def floats(text: bytes, path: str, what: str) -> np.ndarray:
    """Return the numbers of a text, separated by white space, as (n,) floats; anything else in it is a FileError."""
    return _numbers(text, np.float64, path, what)


def integers(text: bytes, path: str, what: str) -> np.ndarray:
    """Return the whole numbers of a text, separated by white space, as (n,) integers."""
    return _numbers(text, np.int64, path, what)


def _numbers(text: bytes, kind: type, path: str, what: str) -> np.ndarray:
    raw = np.frombuffer(text, np.uint8)
    strange = ~_NUMERIC[raw]
    if strange.any():
        at = int(np.argmax(strange))
        shown = text[max(at - 10, 0) : at + 10].decode("ascii", "replace")
        raise FileError(f"{what} must be finite numbers, got {shown!r}", path)
    count = int(_starts(raw).sum())
    if count == 0:
        return np.empty(0, kind)
    if count > MOST:
        raise FileError(f"{what}: {count} numbers, the limit is {MOST}", path)
    try:
        found: np.ndarray = np.fromstring(text, dtype=kind, sep=" ")
    except (ValueError, OverflowError, DeprecationWarning):  # the warning is an error where the user says so
        found = np.empty(0, kind)
    if len(found) != count:
        raise FileError(f"{what} must be {'whole ' if kind is np.int64 else ''}numbers, number {len(found) + 1} is not", path)
    return found


def counts_of_lines(text: bytes) -> np.ndarray:
    """Return how many words each line of a text has, (lines,); the last line may end without a newline."""
    raw = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(raw == 10)
    if len(raw) and raw[-1] != 10:
        ends = np.append(ends, len(raw))
    return np.diff(np.searchsorted(np.flatnonzero(_starts(raw)), ends), prepend=0)


def _starts(raw: np.ndarray) -> np.ndarray:
    """Return where words begin."""
    word = raw > 32
    starts = word.copy()
    starts[1:] &= ~word[:-1]
    return starts
