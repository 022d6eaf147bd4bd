"""Animations of predicted motions: GIF films of the robot and of the paths of its tips."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError, StateError

if TYPE_CHECKING:
    from ..model import Model
    from ..predict.result.prediction import Prediction

SIZE = (640, 480)
SHORTEST, HOLD = 3.0, 1.0  # [s]: shorter motions are slowed down to the first; the last picture stays for the second
MOST = 1000  # pictures
FASTEST = 0.02  # [s] per picture: viewers slow down faster animations
ASIDE, ABOVE = -20.0, 12.0  # [deg] from the normal of the plane of a motion: the robot is seen nearly, but not quite, from there


def write_animation(prediction: Prediction, path: str | os.PathLike[str], frames: int = 60, seconds: float | None = None) -> Path:
    """Write a GIF; see `Prediction.animate`."""
    from .render.film import write_pictures
    from .render.image import Studio
    from .scene.build import scene_of

    path = Path(path)
    if path.suffix.lower() != ".gif":
        raise FileError(f"cannot write an animation into a file ending in {path.suffix!r}; use .gif", path)
    if not isinstance(frames, int) or not 2 <= frames <= MOST:
        raise StateError(f"frames is {frames!r}, expected a whole number from 2 to {MOST}")
    runs = max(prediction.duration, SHORTEST) if seconds is None else float(seconds)
    if not frames * FASTEST <= runs < 3600:
        raise StateError(
            f"{frames} frames in {runs:g} s, expected at most {1 / FASTEST:g} per second; give fewer frames, or more seconds"
        )
    t = prediction.times(frames)
    scene = scene_of(prediction._scene_motion(t), title=prediction.name)
    studio = Studio(scene, SIZE, best_view(prediction.robot.model, scene.poses[:, 1:, :3, 3].reshape(-1, 3)))
    return write_pictures(studio, path, t, frames / runs, speed=prediction.duration / runs, hold=HOLD)


def best_view(model: Model, points: np.ndarray) -> str | tuple[float, float]:
    """Return where a motion is best seen from: nearly along the normal of its plane, if it lies in one.

    Args:
        model: of the robot.
        points: (n, 3) that the robot comes to [m].

    Returns:
        "default", or azimuth and elevation [deg].
    """
    from .camera import level_axes
    from .stick import best_plane, up_of

    up = up_of(model)
    plane = best_plane(points, up)
    if not plane.flat:
        return "default"
    (east, north), normal = level_axes(up), np.cross(*plane.axes)
    elevation = math.degrees(math.asin(min(max(float(normal @ up), -1.0), 1.0)))
    if abs(elevation) > 60.0:  # a level plane, seen from above
        return -90.0, 65.0
    return math.degrees(math.atan2(float(normal @ north), float(normal @ east))) + ASIDE, elevation + ABOVE
