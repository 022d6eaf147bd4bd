"""The ground: its lines end softly, and it is darker where the key light does not reach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..camera import Camera, level_axes
from ..scene.scene import Lines, Scene
from .fill import Window, nearest
from .pieces import Fade, Piece
from .shade import Shot, samples

FLAT = 0.02  # height of the ground's parts, per radius of the scene, up to which it is a plane
WIDE = 2.5  # radius of the disk that shadows fall on, per radius of the scene
STRENGTH = 0.26  # of a shadow
SPARE = 0.08  # around the shadows of parallel rays, per radius of the scene: the lamp's rays are not quite parallel
CLEARANCE = 1e-3  # of shadows above the ground's surface, per radius of the scene


class Ground(NamedTuple):
    """A level ground.

    Attributes:
        foot: (3,) point of the ground below the middle of the scene [m].
        axes: (3, 3) rows: unit vectors to the east, to the north, up.
        edge: distance from the foot at which lines have ended [m].
        wide: distance from the foot at which shadows have ended [m].
    """

    foot: np.ndarray
    axes: np.ndarray
    edge: float
    wide: float

    def fade(self, camera: Camera, size: tuple[int, int]) -> Fade:
        """Return how lines end."""
        back, eye = _back(camera, size)
        return Fade(back / self.edge, (eye - self.foot) / self.edge)

    def shaded(self, casting: np.ndarray, shot: Shot) -> np.ndarray:
        """Return the corners (4, 3) of a rectangle that the shadows of points (n, 3) lie in; points as in a `Piece`."""
        back, eye = _back(shot.camera, shot.size)
        key = self.axes @ shot.camera.pose[:3, :3] @ shot.lights.key
        along = self.axes[:2] - np.outer(key[:2] / key[2], self.axes[2])  # where the ray through a point meets the ground
        spots = (along @ back) @ casting.T + (along @ (eye - self.foot))[:, None]
        spare = SPARE * self.wide / WIDE
        (west, south), (east, north) = np.clip([spots.min(axis=1) - spare, spots.max(axis=1) + spare], -self.wide, self.wide)
        square = np.array([[west, south, 0.0], [east, south, 0.0], [east, north, 0.0], [west, north, 0.0]])
        return np.asarray(self.foot + (square + [0.0, 0.0, CLEARANCE * self.wide / WIDE]) @ self.axes)

    def darken(self, picture: np.ndarray, depth: np.ndarray, corners: np.ndarray, window: Window, shot: Shot) -> None:
        """Darken the samples of a window where the ground lies in shadow.

        Args:
            picture: (height, width, 3) bytes of the window, changed.
            depth: (height, width) of what hides the ground.
            corners: (4, 3) of the rectangle that shadows lie in.
            window: place in the whole picture.
            shot: how the scene is seen.
        """
        see, (back, eye) = shot.camera.matrix(shot.size), _back(shot.camera, shot.size)
        points = corners @ see[:, :3].T + see[:, 3]
        seen = nearest(points, np.array([[0, 1, 2], [0, 2, 3]]), window, shot.camera.near, depth)
        flat = picture.reshape(-1, 3)
        for at, places in samples(seen, window):
            dark = 1 - shot.shadow.light(places, 1.0)
            some = dark > 0
            at, dark, places = at[some], dark[some], places[:, some]
            away = np.linalg.norm(back @ places + (eye - self.foot)[:, None], axis=0) / self.wide
            near = np.clip((1 - away) / 0.3, 0.0, 1.0)
            dark = dark * (STRENGTH * near * near * (3 - 2 * near))
            flat[at] = np.rint(flat[at] * (1 - dark[:, None])).astype(np.uint8)


def ground_of(scene: Scene, middle: np.ndarray, radius: float) -> Ground | None:
    """Return the ground of a scene, or None where it has none or it is not level.

    Args:
        scene: at any time.
        middle: (3,) of the scene [m].
        radius: of the scene [m].
    """
    axes = np.stack([*level_axes(scene.up), np.asarray(scene.up, dtype=float)])
    places = []
    for part in scene.parts:
        if part.layer == "ground":
            points = part.form.points.reshape(-1, 3) if isinstance(part.form, Lines) else part.form.vertices
            pose = scene.poses[0, part.body] @ part.pose
            places.append(points * np.asarray(part.scale) @ pose[:3, :3].T + pose[:3, 3])
    if not places:
        return None
    points = np.concatenate(places)
    heights = points @ axes[2]
    if np.ptp(heights) > FLAT * radius:
        return None
    foot = middle + axes[2] * (heights.max() - middle @ axes[2])
    edge = float(np.linalg.norm(points - foot, axis=-1).max()) * 0.5**0.5
    return Ground(foot, axes, max(edge, 1e-9), WIDE * radius)


def casting_points(piece: Piece, faces: int) -> np.ndarray:
    """Return the points (n, 3) of the first faces of a piece."""
    return piece.points[: piece.faces[:faces].max(initial=-1) + 1]


def _back(camera: Camera, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix (3, 3) and the shift (3,) from (column w, row w, w) to the world."""
    return np.linalg.inv(camera.matrix(size)[:, :3]), camera.eye
