"""Quaternions among the coordinates of a state, and their length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..robot import Robot


def quaternions(robot: Robot) -> list[slice]:
    """Return where quaternions are among the coordinates of a robot."""
    return [where for _, where in robot.model.layout.quaternions]


def unit_length(q: np.ndarray, places: Sequence[slice]) -> np.ndarray:
    """Bring the quaternions of q (..., nq) to length one, in place; return q."""
    for place in places:
        q[..., place] /= np.linalg.norm(q[..., place], axis=-1, keepdims=True)
    return q
