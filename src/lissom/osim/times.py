"""Times of a file that is read: they have to increase; a row that is there twice is left out, and said so."""

from __future__ import annotations

import numpy as np

from ..read.source import Source


def kept_rows(times: np.ndarray, values: np.ndarray, lines: np.ndarray, source: Source) -> np.ndarray:
    """Return which rows (N,) to keep.

    Raises:
        FileError: time goes back, or two different rows have the same time; with the line.
    """
    if not np.isfinite(times).all():
        bad = int(np.argmin(np.isfinite(times)))
        raise source.error(f"the time is not a number: {times[bad]}", int(lines[bad]))
    keep = np.ones(len(times), bool)
    for row in (np.flatnonzero(np.diff(times) <= 0) + 1).tolist():
        if times[row] < times[row - 1]:
            raise source.error(f"time goes back: {times[row]:g} s follows {times[row - 1]:g} s", int(lines[row]))
        if not np.array_equal(values[row], values[row - 1], equal_nan=True):
            raise source.error(f"two different rows have the time {times[row]:g} s; remove one of them", int(lines[row]))
        keep[row] = False
    if not keep.all():
        first = int(np.argmin(keep))
        source.warn(f"{(~keep).sum()} rows are there twice, with the same time and numbers; they are left out", int(lines[first]))
    return keep


def is_number(word: str) -> bool:
    """Return whether Python reads a word as a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True
