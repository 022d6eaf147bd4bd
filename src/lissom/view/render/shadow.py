"""Shadows of the key light: its distance to the nearest surface, as a picture that it sees."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..camera import Camera
from .fill import Window, nearest

SIDE, LEAST, MOST = 0.6, 256, 1536  # pixels along a side of the light's picture, per sample along that of the picture; bounds
REACH = 1.3  # radius of what it sees, per radius of the scene
FAR = 40.0  # distance of the light, per radius of the scene: its rays are nearly parallel
ABOVE = 2.0  # pixels by which a surface must lie behind another to be in its shadow


@dataclass(frozen=True, eq=False)
class Shadow:
    """What the key light sees.

    Attributes:
        turn, shift: (3, 3) and (3,): from (column w, row w, w) of the camera's picture to that of the light's.
        depth: (side, side) 1/distance from the light.
        pixel: width of one of its pixels on the scene [m].
    """

    turn: np.ndarray
    shift: np.ndarray
    depth: np.ndarray
    pixel: float

    def light(self, places: np.ndarray, slope: np.ndarray | float) -> np.ndarray:
        """Return the shares (n,) of the light that reach places, from 0 to 1.

        Args:
            places: (3, n) column w, row w, w in the camera's picture.
            slope: (n,) cosine of the angle between the surface's normal and the light, at least 0.
        """
        seen = self.turn @ places + self.shift[:, None]
        column, row = seen[0] / seen[2], seen[1] / seen[2]
        side = len(self.depth)
        inside = (column > 1) & (column < side - 2) & (row > 1) & (row < side - 2)
        x, y = (np.where(inside, value, 1.0).astype(np.int32) for value in (column, row))
        # a surface seen from the side is as far away as its neighbors within a pixel are: it needs more distance
        bound = (1 / (seen[2] - self.pixel * ABOVE * (1 + 3 * (1 - slope)))).astype(np.float32)
        flat, at = self.depth.reshape(-1), y * side + x
        found = np.zeros(len(at), np.float32)
        for offset in (-side - 1, -side, -side + 1, -1, 0, 1, side - 1, side, side + 1):
            found += flat.take(at + offset) <= bound
        return np.where(inside, found / 9, np.float32(1))


def shadow(
    points: np.ndarray, faces: np.ndarray, camera: Camera, size: tuple[int, int], key: np.ndarray, ball: tuple[np.ndarray, float]
) -> Shadow:
    """Return the shadows of triangles.

    Args:
        points: (V, 3) column w, row w, w in the camera's picture.
        faces: (F, 3) of what casts shadows.
        camera, size: of the picture, size in samples.
        key: (3,) unit vector toward the light, in the camera's frame.
        ball: middle (3,) and radius of the scene, in the world [m].
    """
    middle, radius = ball
    back = camera.pose[:3, :3] @ key
    right = np.eye(3)[int(np.argmin(np.abs(back)))]
    right = right - back * (right @ back)
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([right, np.cross(back, right), back])
    pose[:3, 3] = middle + FAR * radius * back
    lamp = Camera(pose, 2 * math.atan(REACH / FAR), FAR * radius)
    # from the picture back to the world, and into the lamp's picture
    side = min(max(round(SIDE * max(size)), LEAST), MOST)
    see, lit = camera.matrix(size), lamp.matrix((side, side))
    turn = lit[:, :3] @ np.linalg.inv(see[:, :3])
    shift = lit[:, 3] - turn @ see[:, 3]
    seen = nearest(points @ turn.T + shift, faces, Window(0, 0, side, side), lamp.near)
    return Shadow(turn, shift, seen.depth, 2 * REACH * radius / side)
