"""Camera: where a scene is seen from, and where a point of the world lies in the picture.

The player's first view is the same: it sees the box around the whole motion from as near as all eight corners fit in.

    target = middle of the box; in narrow pictures above it, so that the box is below the title and the buttons
    direction to the eye = cos(elevation) (cos(azimuth) east + sin(azimuth) north) + sin(elevation) up
    east = x of the world made normal to up (y where up is along x), north = up x east
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import StateError, suggest
from .scene.data import bounds

if TYPE_CHECKING:
    from .scene.scene import Scene

FIELD = 0.6  # vertical angle of view [rad]
FILLED = 0.96  # share of width and height that the box takes at most
NARROW, BAR, SHARE = 480, 92.0, 0.2  # [px] width of a phone; height of its title and buttons, at most a share of all
NEAREST = 1e-3  # [m] from the eye to the target
VIEWS = {  # azimuth and elevation [rad]
    "default": (-0.95, 0.33),
    "front": (0.0, 0.0),
    "side": (-math.pi / 2, 0.0),
    "top": (-math.pi / 2, math.pi / 2),
    "iso": (-math.pi / 4, math.asin(1 / math.sqrt(3))),
}


@dataclass(frozen=True, eq=False)
class Camera:
    """A perspective camera.

    Attributes:
        pose: (4, 4) of the camera in the world: x to the right, y up, z from the target to the eye.
        field: vertical field of view [rad].
        distance: from the eye to the target [m].
    """

    pose: np.ndarray
    field: float
    distance: float

    @property
    def eye(self) -> np.ndarray:
        """The position (3,) [m]."""
        return np.asarray(self.pose[:3, 3])

    @property
    def near(self) -> float:
        """The distance from which on things are drawn [m]."""
        return self.distance / 1000

    def focal(self, height: int) -> float:
        """Return the focal length in pixels, for a picture of some height."""
        return height / (2 * math.tan(self.field / 2))

    def matrix(self, size: tuple[int, int]) -> np.ndarray:
        """Return the matrix (3, 4) from (x, y, z, 1) in the world to (column w, row w, w), w being the distance in front."""
        width, height = size
        focal = self.focal(height)
        inside = np.array([[focal, 0.0, -width / 2], [0.0, -focal, -height / 2], [0.0, 0.0, -1.0]])
        turn = self.pose[:3, :3].T
        return inside @ np.column_stack([turn, -turn @ self.eye])

    def project(self, points: Any, size: tuple[int, int]) -> np.ndarray:
        """Return where points lie in a picture.

        Args:
            points: (..., 3) in the world [m].
            size: width and height of the picture in pixels.

        Returns:
            (..., 3): column and row in pixels from the upper left corner, and the distance in front of the camera [m].
        """
        matrix = self.matrix(size)
        seen = np.asarray(points, dtype=float) @ matrix[:, :3].T + matrix[:, 3]
        return np.concatenate([seen[..., :2] / seen[..., 2:], seen[..., 2:]], axis=-1)


def camera(scene: Scene, size: tuple[int, int], view: Any = "default") -> Camera:
    """Return the camera that sees a whole motion.

    Args:
        scene: what is looked at.
        size: width and height of the picture in pixels.
        view: "default", "front", "side", "top" or "iso"; or azimuth and elevation [deg], azimuth 0 being in front on the x axis
            and elevation 90 above; or the pose of the camera in the world (4, 4): x to the right, y up, looking along -z.
    """
    corners = _corners(np.stack(bounds(scene)))
    target = corners.mean(axis=0)
    if isinstance(view, str):
        if view not in VIEWS:
            raise StateError(f"view is {view!r}; {suggest(view, tuple(VIEWS))}")
        azimuth, elevation = VIEWS[view]
    else:
        given = _numbers(view)
        if given.shape == (4, 4) and _is_pose(given):
            return Camera(given, FIELD, max(float((given[:3, 3] - target) @ given[:3, 2]), NEAREST))
        if given.shape != (2,) or not np.isfinite(given).all():
            names = ", ".join(repr(name) for name in VIEWS)
            raise StateError(
                f"view is {view!r}, expected one of {names}, (azimuth, elevation) [deg], or a 4x4 pose of the camera"
            )
        azimuth, elevation = np.radians(given)
    up, (east, north) = np.asarray(scene.up, dtype=float), level_axes(scene.up)
    right = math.cos(azimuth) * north - math.sin(azimuth) * east
    back = math.cos(elevation) * (math.cos(azimuth) * east + math.sin(azimuth) * north) + math.sin(elevation) * up
    turn = np.column_stack([right, np.cross(back, right), back])
    # the box fills the height below the bar: there rise / distance is from -lower to upper, and at the target -middle
    half = math.tan(FIELD / 2)
    middle = half * _bar(size) / size[1]
    tall, wide = FILLED * (half - middle), FILLED * half * size[0] / size[1]
    aside, rise, depth = ((corners - target) @ turn).T
    upper, lower = tall - middle, tall + middle
    needed = (depth + np.abs(aside) / wide, (rise + upper * depth) / tall, (lower * depth - rise) / tall)
    distance = max(float(np.max(needed)), NEAREST)
    pose = np.eye(4)
    pose[:3, :3] = turn
    pose[:3, 3] = target + distance * (back + middle * turn[:, 1])
    return Camera(pose, FIELD, distance)


def _bar(size: tuple[int, int]) -> float:
    """Return the height of a page's title and buttons over a narrow picture [px]; in wide ones they are beside the motion."""
    width, height = size
    return min(BAR, SHARE * height) if width <= NARROW and height > 0.8 * width else 0.0


def level_axes(up: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return unit vectors to the east and to the north, for a unit vector upward (3,)."""
    up = np.asarray(up, dtype=float)
    east = np.eye(3)[0 if abs(up[0]) < 0.9 else 1]
    east = east - up * (east @ up)
    east /= np.linalg.norm(east)
    return east, np.cross(up, east)


def _corners(points: np.ndarray) -> np.ndarray:
    """Return the corners (8, 3) of the box around points."""
    ends = np.stack([points.min(axis=0), points.max(axis=0)])
    return np.stack(np.meshgrid(*ends.T, indexing="ij"), axis=-1).reshape(-1, 3)


def _numbers(view: Any) -> np.ndarray:
    try:
        return np.asarray(view, dtype=float)
    except (TypeError, ValueError):
        return np.array(np.nan)


def _is_pose(matrix: np.ndarray) -> bool:
    turn = matrix[:3, :3]
    square = np.allclose(turn @ turn.T, np.eye(3), atol=1e-6) and np.linalg.det(turn) > 0
    return bool(np.isfinite(matrix).all() and square and np.allclose(matrix[3], [0, 0, 0, 1]))
