"""Shading: the color of a pixel from the surface that is nearest there. The lights are those of the player.

A sky and a ground light, a key light fixed in the world, a fill light beside the camera, a little gloss; all in linear colors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..camera import Camera, level_axes
from .fill import Nearest, Window
from .pieces import GAMMA, Piece
from .shadow import Shadow

SKY, GROUND = (0.50, 0.53, 0.58), (0.24, 0.22, 0.21)
KEY, FILL = (0.78, 0.75, 0.70), (0.20, 0.22, 0.25)
GLOSS, EDGE, TONE = 0.16, 0.05, 0.25  # bright light is softened, so that white keeps its shape
BEHIND = -0.25  # cosine between normal and line of sight from which on a surface is seen from behind
CHUNK = 1 << 15  # samples shaded at once: the arrays of one fit into the processor's cache
LEVELS = 4096
_BYTES = np.rint(255 * np.linspace(0, 1, LEVELS) ** (1 / GAMMA)).astype(np.uint8)


class Lights(NamedTuple):
    """Directions (3,) in the camera's frame: up, toward the key light and the fill light."""

    up: np.ndarray
    key: np.ndarray
    fill: np.ndarray


def lights(camera: Camera, up: np.ndarray) -> Lights:
    """Return the lights of a scene."""
    east, north = level_axes(up)
    key = up + 0.35 * east - 0.62 * north
    turn, beside = camera.pose[:3, :3].T, np.array([0.7, 0.25, 1.0])
    return Lights(turn @ up, turn @ key / np.linalg.norm(key), beside / np.linalg.norm(beside))


class Shot(NamedTuple):
    """How a scene is seen.

    Attributes:
        camera: the camera.
        size: width and height of the picture in samples.
        lights: the lights.
        shadow: of the key light.
    """

    camera: Camera
    size: tuple[int, int]
    lights: Lights
    shadow: Shadow


def paint(picture: np.ndarray, seen: Nearest, piece: Piece, window: Window, shot: Shot) -> None:
    """Color the samples of a window in which a piece is the nearest.

    Args:
        picture: (height, width, 3) bytes of the window, changed.
        seen: of the window.
        piece: whose triangles `seen` counts.
        window: place in the whole picture.
        shot: how the scene is seen.
    """
    flat, face, weights = picture.reshape(-1, 3), seen.face.reshape(-1), seen.weights.reshape(-1, 2)
    focal, size = shot.camera.focal(shot.size[1]), shot.size
    for at, places in samples(seen, window):
        corners = piece.faces[face[at] >> 1]
        x = ((places[0] / places[2] - size[0] / 2) / focal).astype(np.float32)
        y = ((size[1] / 2 - places[1] / places[2]) / focal).astype(np.float32)
        colors = _shaded(_mixed(piece.paint, corners, weights[at]), x, y, places, shot)
        if piece.alpha < 1.0 or piece.fade is not None:
            alpha = piece.alpha if piece.fade is None else piece.alpha * piece.fade.share(places)[:, None]
            under = flat[at]
            colors = np.rint(under + alpha * (colors - under.astype(np.float32))).astype(np.uint8)
        flat[at] = colors


def samples(seen: Nearest, window: Window) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Return, chunk by chunk, the samples in which something is seen.

    Their indices (n,) in the window, and their places (3, n): column w, row w, w in the whole picture.
    """
    depth = seen.depth.reshape(-1)
    every = np.flatnonzero(seen.face.reshape(-1) >= 0)
    for start in range(0, len(every), CHUNK):
        at = every[start : start + CHUNK]
        row, column = np.divmod(at, window.width)
        w = 1 / depth[at].astype(np.float64)
        yield at, np.stack([(column + (window.x + 0.5)) * w, (row + (window.y + 0.5)) * w, w])


def _mixed(values: np.ndarray, corners: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the values (6, n) of vertices between the corners of triangles."""
    first = values.take(corners[:, 0], axis=0)
    found = first + weights[:, :1] * (values.take(corners[:, 1], axis=0) - first)
    found += weights[:, 1:] * (values.take(corners[:, 2], axis=0) - first)
    return np.ascontiguousarray(found.T)


def _shaded(values: np.ndarray, x: np.ndarray, y: np.ndarray, places: np.ndarray, shot: Shot) -> np.ndarray:
    """Return the colors (n, 3) as bytes of samples with normals and linear colors (6, n), seen in the directions (x, y, -1)."""
    light = shot.lights
    n, base = values[:3], values[3:]
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    lit = square > 0
    n = n / np.sqrt(np.where(lit, square, 1))
    scale = 1 / np.sqrt(x * x + y * y + 1)
    v = (-x * scale, -y * scale, scale)  # toward the eye
    facing = n[0] * v[0] + n[1] * v[1] + n[2] * v[2]
    # a surface seen from behind is lit as from the front; along an outline, normals between vertices point away a little, and
    # turning them around would leave dark dots: they are bent until they no longer do
    n = np.where(facing < BEHIND, -n, n - np.minimum(facing, 0) * np.stack(v))
    facing = np.where(facing < BEHIND, -facing, np.maximum(facing, 0))
    up, key, fill = (np.asarray(direction, dtype=np.float32) @ n for direction in light)
    np.maximum(key, 0, out=key)
    np.maximum(fill, 0, out=fill)
    half = [np.float32(light.key[i]) + v[i] for i in range(3)]
    gloss = (n[0] * half[0] + n[1] * half[1] + n[2] * half[2]) / np.sqrt(half[0] ** 2 + half[1] ** 2 + half[2] ** 2)
    shine = GLOSS * _power_36(np.maximum(gloss, 0)) * (key > 0.001)
    if lit.any():
        # where light only grazes, shadows fade in: there they are not exact
        share = np.clip(key * 4, 0, 1)
        free = 1 - share * share * (3 - 2 * share) * (1 - shot.shadow.light(places, key))
        key *= free
        shine *= free
    shine += EDGE * np.square(np.square(1 - facing))
    found = np.empty((len(x), 3), np.uint8)
    sky = 0.5 + 0.5 * up
    for i in range(3):
        sum_of_light = GROUND[i] + (SKY[i] - GROUND[i]) * sky + KEY[i] * key + FILL[i] * fill
        linear = base[i] * sum_of_light + shine
        linear = np.where(lit, linear / (1 + TONE * linear * linear), base[i])
        found[:, i] = _BYTES.take((np.clip(linear, 0, 1) * np.float32(LEVELS - 1) + np.float32(0.5)).astype(np.int32))
    return found


def _power_36(x: np.ndarray) -> np.ndarray:
    four = np.square(np.square(x))
    return np.square(np.square(np.square(four))) * four
