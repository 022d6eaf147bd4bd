"""Outlines of obstacles in a flat picture: convex bodies as polygons, seen along the normal of the picture's plane."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from .stick import Plane

if TYPE_CHECKING:
    from .scene.world import Obstacle

ROUND = np.linspace(0.0, 2.0 * np.pi, 49)[:-1]  # directions of the corners of a circle


def outline(obstacle: Obstacle, plane: Plane, pose: np.ndarray) -> np.ndarray:
    """Return the corners (N, 2) of the outline of an obstacle [m].

    Args:
        obstacle: a ball, a capsule or a box.
        plane: of the picture.
        pose: (4, 4) of the frame in which the obstacle is given: of the world, or of a link.
    """
    from scipy.spatial import ConvexHull

    if obstacle.size is not None:
        axes = np.eye(3) if obstacle.axes is None else np.array(obstacle.axes)
        corners = 0.5 * np.array(list(product((-1.0, 1.0), repeat=3))) * np.array(obstacle.size) @ axes.T
        middle, around = np.array(obstacle.center) + corners, np.zeros((1, 2))
    else:
        middle = np.array([obstacle.center, obstacle.center if obstacle.end is None else obstacle.end])
        around = obstacle.radius * np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1)
    flat = plane.project(middle @ pose[:3, :3].T + pose[:3, 3])
    points = (flat[:, None] + around).reshape(-1, 2)
    return np.asarray(points[ConvexHull(points).vertices])
