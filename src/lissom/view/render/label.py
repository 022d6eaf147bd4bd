"""Labels in a picture: name, time, and the scale of arrows; any text, as text."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from ...locks import once
from ..camera import Camera
from ..scene.scene import LAYERS, Arrow, Scene
from ..stick import shown

INK, FAINT = (45, 52, 60), (110, 118, 128)
TALL = 0.0135  # height of letters, as a share of the picture's diagonal
LONGEST = 48  # characters of a name


def write_labels(
    picture: np.ndarray, now: Scene, scene: Scene, camera: Camera, layers: Collection[str], note: str = ""
) -> np.ndarray:
    """Return a picture (height, width, 3) with its labels.

    Args:
        picture: without labels.
        now: the scene at the time of the picture.
        scene: with its motion.
        camera: that saw it.
        layers: keys of the layers that are shown.
        note: follows the time.
    """
    from PIL import Image, ImageDraw

    height, width = picture.shape[:2]
    letters = max(round(TALL * math.hypot(width, height)), 9)
    edge = letters * 0.8
    found = Image.fromarray(picture)
    draw = ImageDraw.Draw(found)
    font = _font(letters)
    draw.text((edge, edge), shown(scene.name, LONGEST), fill=INK, font=font)
    if len(scene.times) > 1:
        digits = min(max(2, math.ceil(-math.log10(max(float(np.ptp(scene.times)), 1e-9) / 100))), 9)
        clock = f"{float(now.times[0]):.{digits}f} s{note}"
        draw.text((width - edge, edge), clock, fill=INK, font=font, anchor="ra")
    for name, point in scene.labels:
        x, y, depth = camera.project(point, (width, height))
        if depth > 0:
            text = shown(name, LONGEST)
            half = draw.textlength(text, font=font) / 2 + edge
            x, y = min(max(x, half), max(width - half, half)), min(max(y - edge, 3.6 * letters), height - edge)
            draw.text((x, y), text, fill=INK, font=font, anchor="ms")
    line = height - edge
    for arrow in _kinds(scene, layers):
        value = _round_value(0.09 * width * camera.distance / (camera.focal(height) * arrow.scale))
        length = value * arrow.scale * camera.focal(height) / camera.distance
        _arrow(draw, (edge, line - letters * 0.45), length, letters, arrow)
        title = next((layer.title for layer in LAYERS if layer.key == arrow.layer), arrow.layer)
        draw.text((edge + length + letters * 0.6, line), f"{value:g} {arrow.unit}  {title}", fill=FAINT, font=font, anchor="ls")
        line -= 1.6 * letters
    return np.array(found)


def _kinds(scene: Scene, layers: Collection[str]) -> list[Arrow]:
    """Return one arrow of each layer and unit that is shown and not always zero, the first kind last."""
    kinds: dict[tuple[str, str], Arrow] = {}
    for arrow in scene.arrows:
        if arrow.layer in layers and np.any(arrow.vector):
            kinds.setdefault((arrow.layer, arrow.unit), arrow)
    return list(kinds.values())[::-1]


def _arrow(draw: Any, start: tuple[float, float], length: float, letters: float, arrow: Arrow) -> None:
    """Draw an arrow to the right."""
    x, y = start
    color = tuple(round(255 * min(max(part, 0.0), 1.0)) for part in arrow.color[:3])
    draw.line([(x, y), (x + length - 0.3 * letters, y)], fill=color, width=max(round(letters / 7), 1))
    for k in range(2 if "m" in arrow.unit else 1):
        tip = x + length - 0.3 * letters * k
        draw.polygon([(tip, y), (tip - 0.5 * letters, y - 0.25 * letters), (tip - 0.5 * letters, y + 0.25 * letters)], fill=color)


def _round_value(most: float) -> float:
    """Return the largest of 1, 2, 5 times a power of ten up to a number."""
    if not 0 < most < math.inf:
        return 1.0
    ten = 10.0 ** math.floor(math.log10(most))
    return float(f"{max(step * ten for step in (1, 2, 5) if step * ten <= most * (1 + 1e-9)):.3g}")


@once
def _font(letters: int) -> Any:
    """Return matplotlib's font, which has more letters than Pillow's own; the package is not imported for it."""
    from PIL import ImageFont

    found = importlib.util.find_spec("matplotlib")
    path = Path(found.origin).parent / "mpl-data/fonts/ttf/DejaVuSans.ttf" if found and found.origin else None
    return ImageFont.truetype(str(path), letters) if path and path.exists() else ImageFont.load_default(letters)
