"""The motion of a result in 3-D, for its report."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import TooFarError
from ..scene.frames import Playable
from ..scene.scene import Scene
from ..show import motion_scene_of

if TYPE_CHECKING:
    from ...simulate import Trajectory

FLASHES = 7  # poses that stay visible in a predicted motion
FARTHEST = 1e6  # of links [m]: a motion that blew up cannot be drawn


def scenes(result: Playable, title: str, **options: Any) -> list[Scene]:
    """Return the scene of a motion in a list, empty where the robot is too far away to be drawn; options as of `show`."""
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            found = motion_scene_of(result, {"title": title, **options})  # type: ignore[typeddict-item]
        except TooFarError:
            return []
        far = not np.abs(found.poses[..., :3, 3]).max(initial=0.0) < FARTHEST
    return [] if far else [found]


def first_motion(trajectory: Trajectory) -> Trajectory:
    """Return the first of motions side by side."""
    lead = trajectory.q.shape[1:-1]
    if not lead:
        return trajectory
    own: dict[str, Any] = {}
    for field in fields(trajectory):
        value = getattr(trajectory, field.name)
        if isinstance(value, np.ndarray) and value.shape[1:-1] == lead:
            own[field.name] = value.reshape(len(value), -1, value.shape[-1])[:, 0]
    return replace(trajectory, **own)
