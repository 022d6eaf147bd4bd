"""Plots of simulated motions over time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lissom

from ..errors import StateError, suggest
from .plot import CURVE, FORCES, finish, level_noise, panels
from .stick import WIDEST, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure


WHAT = {
    "q": "coordinates",
    "qd": "velocities",
    "qdd": "accelerations",
    "tau": "joint torques",
    "energy": "energy",
    "deflections": "spring deflections",
}
MOST = 50  # plotted motions of a batch: more are not legible


def plot_trajectory(trajectory: lissom.Trajectory, path: str | os.PathLike[str] | None = None, what: str = "q") -> Figure | Path:
    """Plot one quantity of a motion, one panel per entry, events as dotted lines; of a batch, the first 50.

    Args:
        trajectory: the motion of a robot or of a closed robot.
        path: file to write (.png, .svg or .pdf).
        what: "q", "qd", "qdd", "tau", "energy" or "deflections" (of the springs of elastic drives).

    Returns:
        The path, or the matplotlib Figure if no path was given.
    """
    if what not in WHAT:
        raise StateError(f"cannot plot {what!r}; {suggest(str(what), WHAT)}")
    title = f"{trajectory.robot.name}: {WHAT[what]}"
    if what == "energy":
        return _plot_energy(trajectory, path, title)
    if what == "deflections" and not trajectory.motor_names:
        raise StateError(f"robot {trajectory.robot.name!r} has no elastic drives, so no deflections to plot")
    values = getattr(trajectory, what)
    values = values.reshape(len(values), -1, values.shape[-1])[:, :MOST]
    own = {"q": trajectory.coordinate_names, "tau": trajectory.torque_names, "deflections": trajectory.motor_names}
    names = own.get(what, trajectory.velocity_names)
    figure, axes = panels(len(names), title)
    for i, (axis, name, unit) in enumerate(zip(axes, names, trajectory.units[what], strict=True)):
        level_noise(axis, values[:, :, i], values)
        axis.plot(trajectory.t, values[:, :, i], color=CURVE, **_strokes(values.shape[1], 1.6))
        axis.set_title(shown(name, WIDEST), fontsize=10, loc="left", parse_math=False)
        if unit:
            axis.set_ylabel(f"[{unit}]")
        for event in trajectory.events:
            axis.axvline(event.t, color="0.4", linewidth=0.8, linestyle=":")
    return finish(figure, path)


def _strokes(count: int, width: float) -> dict[str, Any]:
    """Return the line style of `count` curves in one panel: many are thin and pale."""
    return {"linewidth": 0.6, "alpha": 0.5} if count > 1 else {"linewidth": width}


def _plot_energy(trajectory: lissom.Trajectory, path: str | os.PathLike[str] | None, title: str) -> Figure | Path:
    figure, (axis,) = panels(1, title)
    parts = {"kinetic": trajectory.kinetic_energy, "potential": trajectory.potential_energy}
    if trajectory.robot.model.has_springs:
        parts["springs"] = trajectory.spring_energy
    colored = [(label, values, color) for (label, values), (_, color) in zip(parts.items(), FORCES, strict=False)]
    for label, values, color in (*colored, ("total", trajectory.energy, "black")):
        many = values.reshape(len(values), -1)[:, :MOST]
        lines = axis.plot(trajectory.t, many, color=color, **_strokes(many.shape[1], 1.4))
        lines[0].set_label(label)
    axis.set_ylabel("[J]")
    axis.legend(fontsize=9, frameon=False)
    return finish(figure, path)
