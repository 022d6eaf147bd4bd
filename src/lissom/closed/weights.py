"""Weights of redundant drives, and of which active joints the torques are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays import ArrayLike
from ..compiler.run import as_array
from ..errors import StateError
from ..robot.check import known_torques

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


def torques_known(robot: str, names: Sequence[str], most: int, known: Any) -> np.ndarray:
    """Return for each active joint whether its torque is known; at most `most` accelerations, the degrees of freedom."""
    mask = known_torques(known, names, f" that is active in {robot!r}")
    if (count := len(names) - int(mask.sum())) > most:
        raise StateError(
            f"the accelerations of {count} joints are known, expected {most} at most, the degrees of freedom of "
            f"{robot!r}; name the others under 'torque'"
        )
    return mask
