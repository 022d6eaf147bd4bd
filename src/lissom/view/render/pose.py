"""A scene at one time: poses of its bodies and its arrows, between two frames where need be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import StateError
from ..scene.scene import Scene


def moment(scene: Scene, time: float | None) -> Scene:
    """Return the scene at one time, K = 1.

    Positions and arrows are on the line between two frames, and bodies turn about one axis, as in the player.

    Args:
        scene: with its motion.
        time: [s]; None for the beginning.
    """
    times = np.asarray(scene.times, dtype=float)
    t = float(times[0]) if time is None else _checked(time, times)
    k = min(max(int(np.searchsorted(times, t, side="right")) - 1, 0), len(times) - 1)
    n = min(k + 1, len(times) - 1)
    share = (t - times[k]) / (times[n] - times[k]) if n > k else 0.0
    arrows = tuple(
        replace(arrow, at=_between(arrow.at, k, n, share), vector=_between(arrow.vector, k, n, share)) for arrow in scene.arrows
    )
    return replace(scene, poses=_poses(scene.poses[k], scene.poses[n], share)[None], times=np.array([t]), arrows=arrows)


def _checked(time: float, times: np.ndarray) -> float:
    try:
        t = float(time)
    except (TypeError, ValueError):
        t = np.nan
    slack = 1e-9 * max(abs(times[0]), abs(times[-1]))
    if not times[0] - slack <= t <= times[-1] + slack:
        if len(times) == 1:
            raise StateError(f"time is {time!r}, but nothing moves: a pose has no time; leave out time=")
        raise StateError(f"time is {time!r}, expected a time from {times[0]:g} to {times[-1]:g} s")
    return min(max(t, float(times[0])), float(times[-1]))


def _between(values: np.ndarray, k: int, n: int, share: float) -> np.ndarray:
    return np.asarray((1 - share) * values[k] + share * values[n])[None] if share else np.asarray(values[k])[None]


def _poses(first: np.ndarray, second: np.ndarray, share: float) -> np.ndarray:
    """Return poses (B, 4, 4) between two."""
    if share == 0.0:
        return first
    from scipy.spatial.transform import Rotation

    found = (1 - share) * first + share * second
    turn = Rotation.from_matrix(np.swapaxes(first[:, :3, :3], 1, 2) @ second[:, :3, :3]).as_rotvec()
    found[:, :3, :3] = first[:, :3, :3] @ Rotation.from_rotvec(share * turn).as_matrix()
    return found
