"""Frames: where the bodies of a scene are in a pose of its robot."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..scene.data import seven
from ..scene.marks import TOTAL, total_weights
from ..scene.scene import Scene

STILL = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]


class Frames:
    """The bodies of a scene: the world, the links, and where it is drawn the center of mass; others stay where they were.

    Args:
        model: of the robot.
        scene: of the robot in one pose; None has the world and the links alone.
    """

    def __init__(self, model: Any, scene: Scene | None) -> None:
        last = 1 + len(model.links)
        self.others = [] if scene is None else seven(scene.poses[0, last:]).tolist()
        names = () if scene is None else scene.bodies[last:]
        self.mass = names.index(TOTAL) if TOTAL in names else None
        self.weights = total_weights(model)[0]

    def bodies(self, poses: np.ndarray) -> list[list[float]]:
        """Return x y z and the quaternion x y z w of every body, from poses of the links (n_links, 4, 4)."""
        others = list(self.others)
        if self.mass is not None:
            others[self.mass] = [*np.einsum("kij,kj->i", poses[:, :3], self.weights).tolist(), *STILL[3:]]
        return [STILL, *seven(poses).tolist(), *others]
