"""Frames: the times at which a motion is drawn."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from ...errors import StateError
from .build import SceneMotion

RATE, FEWEST = 60.0, 120  # frames per second, and at least in all, where no rate is given: short motions are played slowly
USUAL, MOST = 1500, 20_000  # frames, where no rate is given and where one is
POSES = 2_000_000  # bodies times frames where no rate is given, and four times as many where one is: 1 GB


class Playable(Protocol):
    """A result that can be shown: a motion with a start and an end."""

    def _scene_span(self) -> tuple[float, float]:
        """Return start and end [s]."""

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        """Return the motion at times (K,) [s] from start to end."""


def frame_times(start: float, end: float, fps: Any = None, bodies: int = 1) -> np.ndarray:
    """Return times at equal steps from the start to the end [s].

    Args:
        start, end: [s].
        fps: frames per second, about; None takes 60, at least 120 frames in all and at most 1500, fewer of huge robots.
        bodies: number of bodies that move.
    """
    if end <= start:
        return np.array([start])
    if fps is None:
        count = max(1, min(max(math.ceil((end - start) * RATE), FEWEST), USUAL, POSES // bodies))
        return np.linspace(start, end, count + 1)
    rate = rate_of(fps)
    count = max(1, math.ceil((end - start) * rate * (1 - 1e-12)))
    most = min(MOST, 4 * POSES // bodies)
    if count > most:
        raise StateError(f"fps={rate:g} makes {count} frames of {end - start:g} s, expected {most} at most; give a smaller fps")
    return np.linspace(start, end, count + 1)


def rate_of(fps: Any) -> float:
    """Return frames per second as a number, or raise a StateError."""
    try:
        rate = float(fps)
    except (TypeError, ValueError):
        rate = math.nan
    if isinstance(fps, (bool, str)) or not 0 < rate < math.inf:
        raise StateError(f"fps is {fps!r}, expected frames per second: a positive number")
    return rate
