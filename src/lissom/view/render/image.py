"""Image: one picture of a scene as an array of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import StateError, suggest
from ..camera import Camera, camera
from ..scene.data import bounds
from ..scene.scene import LAYERS, Scene
from .fill import Nearest, Window, nearest
from .ground import casting_points, ground_of
from .label import write_labels
from .pieces import Piece, Pieces, Shown
from .pose import moment
from .shade import Lights, Shot, lights, paint
from .shadow import shadow

SIZE = (1280, 960)
SMALLEST, LARGEST = 16, 8192  # pixels along a side
SAMPLES = 2  # along each side of a pixel
AT_ONCE = 6_000_000  # samples: larger pictures are drawn strip by strip, so that memory stays bounded
ABOVE, BELOW = (0.93, 0.945, 0.965), (0.985, 0.985, 0.98)  # colors of the background

Layers = Iterable[str] | Mapping[str, bool] | None


class Studio:
    """Everything that the pictures of a film share.

    Args:
        scene: with its motion.
        size: width and height in pixels.
        view: see `lissom.view.camera.camera`.
        layers: keys of the layers to show (`lissom.view.scene.scene.LAYERS`), or {key: shown}; None as the scene says.
    """

    def __init__(self, scene: Scene, size: Sequence[int] = SIZE, view: Any = "default", layers: Layers = None) -> None:
        self.scene, self.size, self.view = scene, checked_size(size), view
        self.layers = _checked_layers(scene, layers)
        if not np.isfinite(scene.poses).all():
            raise StateError("the scene has positions that are not finite, so it cannot be drawn; show the motion before that")
        low, high = bounds(scene)
        self.camera: Camera = camera(scene, self.size, view)
        self.middle, self.radius = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-3)
        self.pieces = Pieces(scene, self.layers, self.radius)
        self.lights: Lights = lights(self.camera, np.asarray(scene.up, dtype=float))
        self.samples = (SAMPLES * self.size[0], SAMPLES * self.size[1])
        self.ground = ground_of(scene, self.middle, self.radius) if "ground" in self.layers else None
        self.fade = None if self.ground is None else self.ground.fade(self.camera, self.samples)

    def resized(self, size: Sequence[int]) -> Studio:
        """Return the same for pictures of another size."""
        return Studio(self.scene, size, self.view, self.layers)

    def picture(self, time: float | None, text: bool = True, note: str = "") -> np.ndarray:
        """Return the picture (height, width, 3) at a time [s]; `note` follows the time."""
        now = moment(self.scene, time)
        shown = self.pieces.at(now, self.camera, self.samples, SAMPLES, self.fade)
        points, faces = casting_points(shown.opaque, shown.casting), shown.opaque.faces[: shown.casting]
        cast = shadow(points, faces, self.camera, self.samples, self.lights.key, (self.middle, self.radius))
        shot = Shot(self.camera, self.samples, self.lights, cast)
        floor = None if self.ground is None or not len(points) else self.ground.shaded(points, shot)
        width, height = self.samples
        rows = min(max(AT_ONCE // width // SAMPLES, 1) * SAMPLES, height)
        found = np.empty((self.size[1], self.size[0], 3), np.uint8)
        for top in range(0, height, rows):
            strip = Window(0, top, width, min(rows, height - top))
            found[top // SAMPLES : (top + strip.height) // SAMPLES] = _averaged(self._strip(strip, shown, floor, shot))
        return write_labels(found, now, self.scene, self.camera, self.layers, note) if text else found

    def _strip(self, window: Window, shown: Shown, floor: np.ndarray | None, shot: Shot) -> np.ndarray:
        """Return the samples (height, width, 3) of a strip."""
        share = 1 - (np.arange(window.y, window.y + window.height) + 0.5) / self.samples[1]
        share = (share * share * (3 - 2 * share))[:, None]
        found = np.empty((window.height, window.width, 3), np.uint8)
        for channel, (above, below) in enumerate(zip(ABOVE, BELOW, strict=True)):
            found[..., channel] = np.rint(255 * (share * above + (1 - share) * below)).astype(np.uint8)
        near = self.camera.near
        seen = nearest(shown.opaque.points, shown.opaque.faces, window, near)
        paint(found, seen, shown.opaque, window, shot)
        if self.ground is not None and floor is not None:
            self.ground.darken(found, seen.depth, floor, window, shot)
        for piece in shown.through:  # where a solid hides it
            part, place = _window(piece.points, window, near)
            if part.width > 0 and part.height > 0:
                behind = nearest(piece.points, piece.faces, part, near)
                face = seen.face[place]
                mark = shown.marks[np.maximum(face, 0) >> 1]  # a mark behind another one stays hidden
                behind.face[(face < 0) | mark | (behind.depth >= seen.depth[place])] = -1
                _paint_at(found, place, behind, piece, part, shot)
        for piece in shown.clear:  # each shows its nearest surface only, over what is behind it
            part, place = _window(piece.points, window, near)
            if part.width > 0 and part.height > 0:
                over = nearest(piece.points, piece.faces, part, near, seen.depth[place])
                _paint_at(found, place, over, piece, part, shot)
        return found


def image(
    scene: Scene,
    *,
    size: Sequence[int] = SIZE,
    time: float | None = None,
    view: Any = "default",
    layers: Layers = None,
    text: bool = True,
) -> np.ndarray:
    """Return a picture of a scene as an array (height, width, 3) of bytes: red, green, blue.

    Args:
        scene: what is drawn.
        size: width and height in pixels.
        time: [s]; None for the beginning.
        view: "default", "front", "side", "top", "iso", (azimuth, elevation) [deg], or a pose of the camera (4, 4); the camera
            sees the whole motion. See `lissom.view.camera.camera`.
        layers: keys of the layers to show (`lissom.view.scene.scene.LAYERS`), or {key: shown}; None as the scene says.
        text: whether name, time and the scale of arrows are written into the picture.
    """
    return Studio(scene, size, view, layers).picture(time, text)


def checked_size(size: Any) -> tuple[int, int]:
    """Return width and height, or raise a StateError."""
    try:
        width, height = (int(side) for side in size)
        whole = (width, height) == tuple(size)
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole or not all(SMALLEST <= side <= LARGEST for side in (width, height)):
        raise StateError(f"size is {size!r}, expected width and height in pixels, from {SMALLEST} to {LARGEST} each")
    return width, height


def _checked_layers(scene: Scene, layers: Layers) -> frozenset[str]:
    usual = {layer.key: layer.shown for layer in scene.layers}
    if isinstance(layers, (str, bytes)) or not (layers is None or isinstance(layers, Iterable)):
        raise StateError(f"layers is {layers!r}, expected a list of layers, or {{layer: True or False}}; write layers=[...]")
    chosen = {**usual, **layers} if isinstance(layers, Mapping) else usual if layers is None else dict.fromkeys(layers, True)
    known = [layer.key for layer in LAYERS]
    for key in chosen:
        if key not in known:
            raise StateError(f"no layer {key!r}; {suggest(str(key), known)}")
    return frozenset(key for key, shown in chosen.items() if shown)


def _window(points: np.ndarray, within: Window, near: float) -> tuple[Window, tuple[slice, slice]]:
    """Return the part of a window that points may lie in, and its rows and columns in the window."""
    part = within
    if (points[:, 2] > near).all():
        flat = points[:, :2] / points[:, 2:]
        first, last = (within.x, within.y), (within.x + within.width, within.y + within.height)
        low = np.clip(np.floor(flat.min(axis=0)) - 1, first, last)
        high = np.clip(np.ceil(flat.max(axis=0)) + 1, first, last)
        part = Window(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))
    top, left = part.y - within.y, part.x - within.x
    return part, np.s_[top : top + part.height, left : left + part.width]


def _paint_at(picture: np.ndarray, place: tuple[slice, slice], seen: Nearest, piece: Piece, window: Window, shot: Shot) -> None:
    """Paint a piece into a part of a picture (height, width, 3), of which `window` is the place in the whole."""
    own = np.ascontiguousarray(picture[place])
    paint(own, seen, piece, window, shot)
    picture[place] = own


def _averaged(samples: np.ndarray) -> np.ndarray:
    """Return pixels, each the mean of its samples."""
    rows = sum((samples[row::SAMPLES] for row in range(1, SAMPLES)), samples[::SAMPLES].astype(np.uint16))
    total = sum((rows[:, column::SAMPLES] for column in range(1, SAMPLES)), rows[:, ::SAMPLES] + np.uint16(SAMPLES**2 // 2))
    return (total // np.uint16(SAMPLES**2)).astype(np.uint8)
