"""Plots of joint torques and joint wrenches over time.

Figures are made without pyplot: no global state, no window, safe in threads and on machines without a display.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError, StateError
from ..files import write_whole
from .stick import WIDEST, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
DOTS, MOST_DOTS = 140, 60_000  # per inch; per row or column of a picture, because matplotlib draws at most 2^16
CURVE = "#1f5a96"
LIMIT = "#c0392b"
# inches: size of a panel, and its margins around the axes; estimated, because measuring every text takes minutes
WIDE, HIGH = 4.6, 1.75
LEFT, RIGHT, BELOW, ABOVE = 0.9, 0.25, 0.2, 0.3
BESIDE = 0.7  # inches from the axis to its label
POWERS = (-3, 4)  # of ten, from which tick labels share a factor: longer ones would overlap the axis label
NOISE = 1e-12  # share of the largest value of all panels below which a curve is rounding noise
HEAD, FOOT = 0.4, 0.35  # for the title, and for the label of the time axis
FORCES = (("x", "#1f5a96"), ("y", "#2e8b57"), ("z", "#b8860b"))


def plot_torques(
    time: np.ndarray,
    tau: np.ndarray,
    names: Sequence[str],
    units: Sequence[str],
    limits: Sequence[float] | None = None,
    path: str | os.PathLike[str] | None = None,
    title: str = "Joint torques",
) -> Figure | Path:
    """Plot every joint torque over time, one panel per joint, with its limits as dashed lines.

    Args:
        time: (N,) [s].
        tau: (N, n) joint torques and forces.
        names: n names.
        units: n units, "N m" or "N".
        limits: n largest permitted magnitudes; infinity for none. A limit far above the curve is only written as text.
        path: file to write (.png, .svg or .pdf).
        title: above the panels.

    Returns:
        The path, or the matplotlib Figure if no path was given.
    """
    time, tau = _checked(time, tau, (len(names),), "tau", "(N, number of names)")
    figure, axes = panels(len(names), title)
    for i, axis in enumerate(axes):
        level_noise(axis, tau[:, i], tau)
        axis.plot(time, tau[:, i], color=CURVE, linewidth=1.6)
        axis.set_title(shown(names[i], WIDEST), fontsize=10, loc="left", parse_math=False)
        axis.set_ylabel(f"[{units[i]}]")
        if limits is not None and math.isfinite(limits[i]):
            draw_limit(axis, limits[i], float(np.abs(tau[:, i]).max()), units[i])
    return finish(figure, path)


def plot_wrenches(
    time: np.ndarray,
    wrenches: np.ndarray,
    names: Sequence[str],
    path: str | os.PathLike[str] | None = None,
    title: str = "Joint wrenches",
) -> Figure | Path:
    """Plot the reaction force and moment of every joint, one row per joint.

    Args:
        time: (N,) [s].
        wrenches: (N, n, 6): force [N], then moment [N m], in the joint's frame.
        names: n names.
        path: file to write (.png, .svg or .pdf).
        title: above the panels.

    Returns:
        The path, or the matplotlib Figure if no path was given.
    """
    time, wrenches = _checked(time, wrenches, (len(names), 6), "wrenches", "(N, number of names, 6)")
    figure, axes = panels(2 * len(names), title, columns=2)
    for i, name in enumerate(names):
        for axis, part, what, unit in ((axes[2 * i], slice(0, 3), "force", "N"), (axes[2 * i + 1], slice(3, 6), "moment", "N m")):
            values = wrenches[:, i, part]
            for k, (label, color) in enumerate(FORCES):
                axis.plot(time, values[:, k], color=color, linewidth=1.2, label=label)
            axis.plot(time, np.linalg.norm(values, axis=1), color="black", linewidth=1.0, linestyle=":", label="norm")
            axis.set_title(f"{shown(name, WIDEST)}: {what}", fontsize=10, loc="left", parse_math=False)
            axis.set_ylabel(f"[{unit}]")
    if axes:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="upper right", ncols=4, fontsize=9, frameon=False)
    return finish(figure, path)


def _checked(
    time: np.ndarray, values: np.ndarray, shape: tuple[int, ...], what: str, expected: str
) -> tuple[np.ndarray, np.ndarray]:
    time, values = np.asarray(time, float), np.asarray(values, float)
    if time.ndim != 1 or values.shape != (time.size, *shape):
        need = (time.size, *shape)
        raise StateError(f"{what} has shape {values.shape}, expected {need} = {expected} for time of shape {time.shape}")
    return time, values


def panels(count: int, title: str, columns: int | None = None) -> tuple[Figure, list[Axes]]:
    """Make a figure of `count` panels with a common x axis, labeled in the last row; titles are plain text."""
    from .figure import Figure

    columns = columns or (1 if count <= 2 else 2 if count <= 12 else 4)
    rows = max(1, math.ceil(count / columns))
    width, height = max(7.0, WIDE * columns), HEAD + HIGH * rows + FOOT
    figure = Figure(figsize=(width, height))
    title = shown(title, 2 * WIDEST)
    figure.suptitle(title, fontsize=12, x=0.1 / width, y=1 - 0.1 / height, ha="left", va="top", parse_math=False)
    panel = (width / columns - LEFT - RIGHT, HIGH - BELOW - ABOVE)
    edges = {"left": LEFT / width, "right": 1 - RIGHT / width}
    edges |= {"bottom": (FOOT + BELOW) / height, "top": 1 - (HEAD + ABOVE) / height}
    space = {"wspace": (LEFT + RIGHT) / panel[0], "hspace": (BELOW + ABOVE) / panel[1]}
    if not count:
        figure.text(0.5, 0.5, "no joint moves", ha="center", va="center", color="0.4")
        return figure, []
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False, gridspec_kw=edges | space)
    axes = list(grid.flat)
    for axis in axes[count:]:
        axis.remove()
    for i, axis in enumerate(axes[:count]):
        axis.grid(True, color="0.9", linewidth=0.8)
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
        axis.yaxis.set_label_coords(-BESIDE / panel[0], 0.5)
        axis.ticklabel_format(axis="y", scilimits=POWERS)
        axis.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
        if i + columns >= count:  # no panel below
            axis.set_xlabel("time [s]")
            axis.tick_params(labelbottom=True)
    return figure, axes[:count]


def level_noise(axis: Axes, values: np.ndarray, everything: np.ndarray) -> None:
    """Widen the y axis of a curve that is only rounding noise beside the others, so that it shows as a line."""
    if np.abs(values).max(initial=0.0) <= NOISE * np.abs(everything).max(initial=0.0):
        axis.set_ylim(-1.0, 1.0)


def draw_limit(axis: Axes, limit: float, largest: float, unit: str) -> None:
    """Draw a limit of both signs as dashed lines, or write it as text if it is far above the largest value."""
    if limit > 4 * largest:  # lines there would flatten the curve
        axis.set_title(f"limit {limit:g} {unit}", fontsize=8, loc="right", color=LIMIT)
        return
    for bound in (-limit, limit):
        axis.axhline(bound, color=LIMIT, linewidth=1.0, linestyle="--")


def finish(figure: Figure, path: str | os.PathLike[str] | None) -> Figure | Path:
    """Write a figure to `path` and return the path, or return the figure without a path."""
    if path is None:
        return figure
    path = check_format(path)
    ending, dots = path.suffix.lower()[1:], min(DOTS, MOST_DOTS / max(figure.get_size_inches()))
    return write_whole(path, lambda file: figure.savefig(file, format=ending, dpi=dots), folders=True)


def check_format(path: str | os.PathLike[str]) -> Path:
    """Return `path`, or raise a FileError if its ending is not that of a picture."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise FileError(f"cannot draw into a file ending in {path.suffix!r}; use {', '.join(FORMATS)}", path)
    return path
