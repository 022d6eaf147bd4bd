"""Figures 3-8 of the paper redrawn, and its Lyapunov function with its bound."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...view.plot import FORCES, finish
from .experiment import Experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = [color for _, color in FORCES]
MOST = 80.0  # torques drawn [N m]: beyond are the first moments of motor 3 alone, which would flatten the rest
FLOOR = 1e-12  # of V at the start: below is what the integrator leaves
LATEST = 5.0  # of the pictures of V [s]


def plot(without: Experiment, payload: Experiment, path: str | os.PathLike[str] | None = None) -> Figure | Path:
    """Plot positions of links, position of motor 3 and torques of motors, one column per run: figures 3-5 and 6-8.

    Args:
        without, payload: the experiment without and with payload.
        path: file to write (.png, .svg or .pdf).

    Returns:
        The path, or the matplotlib Figure where no path was given.
    """
    figure, axes = _panels(3, 8.5, "Hua 2024, figures 3-5, without payload, and 6-8, with")
    for column, run in enumerate((without, payload)):
        t, q = run.trajectory.t, run.trajectory.q
        links, motor, torques = axes[:, column]
        for k, color in enumerate(COLORS):
            links.plot(t, q[:, k], color=color, linewidth=1.4, label=f"q{k + 1}")
            torques.plot(t, run.torques[:, k], color=color, linewidth=1.2, label=f"motor {k + 1}")
        links.plot(t, run.desired[:, 0], color="black", linewidth=1.0, linestyle=":", label="desired")
        motor.plot(t, q[:, 3], color=COLORS[2], linewidth=1.4, label="theta")
        motor.plot(t, run.desired_motor, color="black", linewidth=1.0, linestyle=":", label="desired")
        torques.set_ylim(-MOST, MOST)
        large = np.abs(run.torques[:, 2]) > MOST
        if large.any():
            peak, last = np.abs(run.torques[:, 2]).max(), t[large][-1]
            torques.text(0.4, -0.9 * MOST, f"motor 3: up to {peak:.0f} N m until {last:.2f} s", fontsize=8)
        names = (("positions of links", "rad"), ("position of motor 3", "rad"), ("torques of motors", "N m"))
        for k, (axis, (name, unit)) in enumerate(zip((links, motor, torques), names, strict=True)):
            _finish_panel(axis, f"Fig. {3 + 3 * column + k}: {name}", unit)
        torques.set_xlabel("time [s]")
    return finish(figure, path)


def plot_lyapunov(
    without: Experiment, known: Experiment, unknown: Experiment, path: str | os.PathLike[str] | None = None
) -> Figure | Path:
    """Plot V of eq. (51) and the bound that it stays below where the controller knows all forces.

    Args:
        without, known, unknown: the experiment without payload, with one that the controller knows of, and one that it does not.
        path: file to write (.png, .svg or .pdf).

    Returns:
        The path, or the matplotlib Figure where no path was given.
    """
    figure, axes = _panels(1, 3.6, "Hua 2024, Lyapunov function (51)")
    for axis, run, title in zip(axes[0], (without, known), ("without payload", "with payload"), strict=True):
        t = run.trajectory.t
        axis.semilogy(t, run.bound, color="black", linewidth=1.0, linestyle=":", label="bound")
        axis.semilogy(t, run.lyapunov, color=COLORS[0], linewidth=1.4, label="V" if run is without else "V, payload known")
        if run is known:
            axis.semilogy(t, unknown.lyapunov, color=COLORS[2], linewidth=1.2, label="V, not known")
        axis.set_ylim(FLOOR * run.lyapunov[0], 10.0 * run.lyapunov[0])
        axis.set_xlim(0.0, LATEST)
        _finish_panel(axis, title, "J")
        axis.set_xlabel("time [s]")
    return finish(figure, path)


def _panels(rows: int, height: float, title: str) -> tuple[Figure, np.ndarray]:
    from ...view.figure import Figure

    figure = Figure(figsize=(12.0, height), layout="constrained")
    figure.suptitle(title, fontsize=12, x=0.01, ha="left")
    return figure, figure.subplots(rows, 2, sharex=True, squeeze=False)


def _finish_panel(axis: Axes, title: str, unit: str) -> None:
    axis.grid(True, color="0.9", linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.margins(x=0)
    axis.set_title(title, fontsize=10, loc="left")
    axis.set_ylabel(f"[{unit}]")
    axis.legend(fontsize=8, frameon=False, ncols=4, loc="lower right", bbox_to_anchor=(1.0, 0.98))
