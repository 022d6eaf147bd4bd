"""Weights: how redundant drives share the load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..arrays import ArrayLike
from ..compiler.run import as_array
from ..errors import StateError

Weights = ArrayLike | Mapping[str, float]  # one per active joint, in their order or by name


def check_weights(weights: Any, names: tuple[str, ...]) -> tuple[float, ...] | None:
    """Return weights of active joints as a tuple, checked."""
    if weights is None:
        return None
    if isinstance(weights, Mapping):
        unknown = [name for name in weights if name not in names]
        if unknown:
            raise StateError(f"weights name {unknown[0]!r}, which is not active; active are {', '.join(names)}")
        weights = [weights.get(name, 1.0) for name in names]
    values = as_array(weights, "weights", len(names), "weights")
    if values.ndim != 1 or not (np.isfinite(values) & (values > 0)).all():
        got = values.tolist() if values.ndim == 1 else f"shape {values.shape}"
        raise StateError(f"weights must be {len(names)} positive numbers, one per active joint ({', '.join(names)}); got {got}")
    return tuple(float(x) for x in values)
