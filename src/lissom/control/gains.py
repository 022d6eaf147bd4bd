"""Gains: numbers per joint, checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Gains
from ..errors import StateError


def as_gains(x: Gains, name: str, joints: Sequence[str]) -> np.ndarray:
    """Return positive gains (n,), from one number, one per joint, or a diagonal matrix; otherwise raise StateError."""
    try:
        found = np.asarray("nothing" if x is None else x, dtype=float)  # NumPy takes None for nan
    except (TypeError, ValueError):
        raise StateError(f"{name} must be numbers, got {x!r:.80}") from None
    n = len(joints)
    if found.shape == (n, n):
        if (found - np.diag(np.diag(found))).any():
            raise StateError(f"{name} is a matrix with off-diagonal entries; give {n} numbers")
        found = np.diag(found)
    if found.shape not in ((), (n,)):
        shown = ", ".join(joints) if n <= 8 else f"{', '.join(joints[:7])}, ..."
        raise StateError(f"{name} has shape {found.shape}, expected one number, or {n}: {shown}")
    found = np.broadcast_to(found, (n,)).copy()
    for joint, value in zip(joints, found, strict=True):
        if not (np.isfinite(value) and value > 0):
            raise StateError(f"{name} of {joint!r} must be positive, got {value:g}")
    return found


def gains_text(gains: np.ndarray) -> str:
    """Return gains for a repr: one number if all are equal, otherwise the range."""
    low, high = float(gains.min(initial=np.inf)), float(gains.max(initial=-np.inf))
    return f"{high:.4g}" if low >= high else f"{low:.4g} .. {high:.4g}"
