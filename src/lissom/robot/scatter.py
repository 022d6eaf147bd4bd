"""Scatter: puts the entries that a task computes into arrays whose other entries are zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import StateError

Places = tuple[tuple[int, ...], np.ndarray]  # shape of a result, and positions in it that may be other than zero


def as_places(pairs: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of entries, as read-only arrays: every caller gets the same ones."""
    rows, columns = np.ascontiguousarray(np.array(pairs, dtype=np.intp).reshape(-1, 2).T)
    rows.flags.writeable = columns.flags.writeable = False
    return rows, columns


def spread(packed: np.ndarray, where: np.ndarray, shape: tuple[int, ...], out: np.ndarray | None) -> np.ndarray:
    """Return an array (..., *shape) with the entries `packed` (..., n) at the positions `where` of the flattened shape."""
    full = (*packed.shape[:-1], *shape)
    if out is not None and out.shape != full:
        raise StateError(f"out has shape {out.shape}, expected {full}")
    direct = out is not None and out.flags.c_contiguous
    result = out if direct and out is not None else np.zeros(full)
    if direct:
        result[...] = 0.0
    # without samples, or without entries, -1 would not say how long the last axis is
    flat = result.reshape((int(np.prod(packed.shape[:-1], dtype=int)), int(np.prod(shape, dtype=int))))
    flat[:, where] = packed.reshape(len(flat), len(where))
    if out is not None and not direct:
        out[...] = result
        return out
    return result
