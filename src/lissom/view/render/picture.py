"""Pictures of scenes in files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from ...errors import FileError
from ...files import write_whole
from ..scene.scene import Scene
from .image import SIZE, Layers, image

ENDINGS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}


def write_picture(
    scene: Scene,
    path: str | os.PathLike[str],
    *,
    size: Sequence[int] = SIZE,
    time: float | None = None,
    view: Any = "default",
    layers: Layers = None,
    text: bool = True,
) -> Path:
    """Write a picture of a scene, without a display, a graphics card or a browser.

    Args:
        scene: what is drawn.
        path: file to write (.png, .jpg).
        size: width and height in pixels.
        time: [s]; None for the beginning.
        view: "default", "front", "side", "top", "iso", (azimuth, elevation) [deg], or a pose of the camera (4, 4); the camera
            sees the whole motion. See `lissom.view.camera.camera`.
        layers: keys of the layers to show (`lissom.view.scene.scene.LAYERS`), or {key: shown}; None as the scene says.
        text: whether name, time and the scale of arrows are written into the picture.

    Returns:
        The path.
    """
    from PIL import Image

    path = Path(path)
    kind = ENDINGS.get(path.suffix.lower())
    if kind is None:
        raise FileError(f"cannot write a picture into a file ending in {path.suffix!r}; use .png or .jpg", path)
    found = Image.fromarray(image(scene, size=size, time=time, view=view, layers=layers, text=text))

    def write(file: IO[bytes]) -> None:
        found.save(file, kind, **({"quality": 92} if kind == "JPEG" else {"compress_level": 6}))

    return write_whole(path, write, folders=True)
