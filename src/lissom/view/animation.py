"""Animations of predicted motions: stick figures in a GIF."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, StateError
from ..files import write_whole

if TYPE_CHECKING:
    from ..predict.result.prediction import Prediction

INCHES, DOTS = 4.8, 100
SHORTEST, HOLD = 3.0, 1.0  # [s]: shorter motions are slowed down to the first; the last frame stays for the second
MOST = 1000  # frames
FASTEST = 0.02  # [s] per frame: viewers slow down faster animations
COLORS = 48


def write_animation(prediction: Prediction, path: str | os.PathLike[str], frames: int = 60, seconds: float | None = None) -> Path:
    """Write a GIF; see `Prediction.animate`."""
    path = Path(path)
    if path.suffix.lower() != ".gif":
        raise FileError(f"cannot write an animation into a file ending in {path.suffix!r}; use .gif", path)
    if not isinstance(frames, int) or not 2 <= frames <= MOST:
        raise StateError(f"frames is {frames!r}, expected a whole number from 2 to {MOST}")
    runs = max(prediction.duration, SHORTEST) if seconds is None else float(seconds)
    if not frames * FASTEST <= runs < 3600:
        raise StateError(
            f"{frames} frames in {runs:g} s, expected at most {1 / FASTEST:g} per second; give fewer frames, or more seconds"
        )
    pictures = _pictures(prediction, frames, runs)
    # GIF counts hundredths of a second: rounding the sums avoids drift
    ticks = np.rint(np.linspace(0.0, 100 * runs, frames + 1)).astype(int)
    lasts = (10 * np.diff(ticks)).tolist()
    lasts[-1] += int(1000 * HOLD)

    def write(file: IO[bytes]) -> None:
        pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=lasts, loop=0, optimize=False)

    return write_whole(path, write, folders=True)


def _pictures(prediction: Prediction, frames: int, runs: float) -> list[Any]:
    """Return the frames, drawn one after the other into the same axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    from .plot import CURVE, LIMIT
    from .prediction import draw
    from .stick import best_plane, shown, space, sticks, up_of

    t = prediction.times(frames)
    poses = sticks(prediction.robot, prediction.coordinates(t)[0])
    up = up_of(prediction.robot.model)
    plane = best_plane(poses.points, up)
    if not plane.flat:
        plane = space(up)
    figure = Figure(figsize=(INCHES, INCHES), dpi=DOTS)
    canvas = FigureCanvasAgg(figure)
    axis = figure.add_subplot(projection=None if plane.flat else "3d")
    _fit(axis, plane.project(poses.points))
    for name, label in zip("xyz", plane.labels, strict=False):
        getattr(axis, f"set_{name}label")(label, fontsize=8)
    axis.tick_params(labelsize=7)
    axis.grid(True, color="0.9", linewidth=0.8)
    axis.set_title(shown(prediction.name), fontsize=10, loc="left", parse_math=False)
    draw(axis, poses, 0, plane, "0.85", 2.0)
    slower = runs / prediction.duration
    speed = "" if abs(slower - 1) < 0.01 else f", {slower:.3g} times slower" if slower > 1 else f", {1 / slower:.3g} times faster"
    clock = figure.text(0.98, 0.95, "", ha="right", fontsize=9, family="monospace")
    canvas.draw()
    background = canvas.copy_from_bbox(figure.bbox)  # the static part is drawn once
    found: list[Any] = []
    for k in range(frames):
        canvas.restore_region(background)
        drawn = draw(axis, poses, k, plane, CURVE, 3.0)
        for tip in range(poses.tips.shape[1]):
            way = poses.tips[: k + 1, tip]
            drawn += axis.plot(*plane.project(way).T, color=LIMIT, linewidth=1.0, linestyle=":")
        clock.set_text(f"{t[k]:.{_decimals(prediction.duration, frames)}f} s of {prediction.duration:.4g} s{speed}")
        for artist in (*drawn, clock):
            artist.draw(canvas.get_renderer())
        for artist in drawn:
            artist.remove()
        found.append(Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy()))
    # with common colors, the file stores only the changes between frames
    colors = found[-1].quantize(COLORS)
    return [picture.quantize(palette=colors, dither=Image.Dither.NONE) for picture in found]


def _fit(axis: Any, points: np.ndarray) -> None:
    """Fit the axes to all points, with equal scales."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, max(0.56 * float((high - low).max()), 1e-6)
    for name, value in zip("xyz", middle, strict=False):
        getattr(axis, f"set_{name}lim")(value - half, value + half)
    axis.set_aspect("equal") if len(middle) == 2 else axis.set_box_aspect((1, 1, 1))


def _decimals(duration: float, frames: int) -> int:
    """Return the number of decimals that distinguish the times of two frames."""
    return min(max(2, int(np.ceil(-np.log10(duration / frames)))), 12)
