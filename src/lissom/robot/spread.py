"""Spread: the entries that a task computes, put into arrays whose other entries are zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import StateError


def check_out(out: Any) -> None:
    """Raise StateError if results cannot be written to `out`, whatever their shape."""
    if out is None:
        return
    if not isinstance(out, np.ndarray):
        raise StateError(f"out must be a NumPy array, got {type(out).__name__}")
    if out.dtype != np.float64:
        raise StateError(f"out has dtype {out.dtype}, expected float64")
    if not out.flags.writeable:
        raise StateError("out is read-only")


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
