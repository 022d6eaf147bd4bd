"""Plot of a controlled motion: positions beside the reference, errors, torques, deflections of springs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import lissom

from ..errors import StateError
from .plot import CURVE, draw_limit, finish, level_noise, panels
from .stick import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MOTOR, WANTED = "#b8860b", "black"


def plot_control(tracking: lissom.control.Tracking, path: str | os.PathLike[str] | None = None) -> Figure | Path:
    """Plot one row per joint: link and motor position beside the reference, error, torque, spring deflection.

    Args:
        tracking: result of `lissom.control.track`.
        path: file to write (.png, .svg or .pdf).

    Returns:
        The path, or the matplotlib Figure if no path was given.
    """
    if not len(tracking.t):
        raise StateError("nothing to plot: the run has no samples")
    columns = 4 if len(tracking.drives) else 3
    title = f"{shown(tracking.name)}: positions, errors, torques{' and springs' if columns == 4 else ''}"
    figure, axes = panels(columns * len(tracking.joints), title, columns)
    lowest: Axes | None = None
    for k, name in enumerate(tracking.joints):
        row, unit, force = axes[columns * k : columns * (k + 1)], tracking.units[k], tracking.torque_units[k]
        _position(row[0], tracking, k)
        _curve(row[1], tracking, tracking.errors, k, unit)
        _curve(row[2], tracking, tracking.torques, k, force)
        if np.isfinite(tracking.limits[k]):
            draw_limit(row[2], tracking.limits[k], float(np.abs(tracking.torques[:, k]).max()), force)
        titles = ["position", "error", "torque" if force == "N m" else "force"]
        own = [e for e, joint in enumerate(tracking.drives) if joint == k]
        for e in own:
            lowest = row[3]
            _curve(row[3], tracking, tracking.deflections, e, unit)
        if own:
            titles.append("spring deflection")
        elif columns == 4:
            row[3].remove()
        for axis, text in zip(row, titles, strict=False):
            axis.set_title(f"{shown(name)}: {text}", fontsize=10, loc="left", parse_math=False)
    if lowest is not None:  # there may be no panel below it to carry the time label
        lowest.set_xlabel("time [s]")
        lowest.tick_params(labelbottom=True)
    _legend(figure, axes[columns * (tracking.drives[0] if tracking.drives else 0)])
    return finish(figure, path)


def _position(axis: Axes, tracking: lissom.control.Tracking, k: int) -> None:
    axis.plot(tracking.t, tracking.q[:, k], color=CURVE, linewidth=1.6, label="link")
    for theta in (tracking.theta[:, e] for e, joint in enumerate(tracking.drives) if joint == k):
        axis.plot(tracking.t, theta, color=MOTOR, linewidth=1.2, linestyle="--", label="motor")
    axis.plot(tracking.t, tracking.reference[:, k], color=WANTED, linewidth=1.0, linestyle=":", label="reference")
    axis.set_ylabel(f"[{tracking.units[k]}]")


def _curve(axis: Axes, tracking: lissom.control.Tracking, values: np.ndarray, k: int, unit: str) -> None:
    level_noise(axis, values[:, k], values)
    axis.plot(tracking.t, values[:, k], color=CURVE, linewidth=1.4)
    axis.set_ylabel(f"[{unit}]")


def _legend(figure: Figure, axis: Axes) -> None:
    curves: Any = axis.get_legend_handles_labels()
    figure.legend(*curves, loc="upper right", ncols=3, fontsize=9, frameon=False)
