"""Plots of motions of mechanisms with loops."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StateError, suggest
from .plot import CURVE, FORCES, _finish, _panels
from .stick import WIDEST, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..closed import ClosedTrajectory

WHAT = {"q": "coordinates", "qd": "velocities", "qdd": "accelerations", "tau": "forces of drives", "energy": "energy"}


def plot_closed(trajectory: ClosedTrajectory, path: str | os.PathLike[str] | None = None, what: str = "q") -> Figure | Path:
    """Plot "q", "qd", "qdd", "tau" or "energy" of a motion, one panel for each entry; of many motions, all in one panel.

    Returns:
        The path, or the matplotlib Figure where no path was given.
    """
    if what not in WHAT:
        raise StateError(f"cannot plot {what!r}; {suggest(str(what), WHAT)}")
    title = f"{trajectory.robot.name}: {WHAT[what]}"
    if what == "energy":
        figure, (axis,) = _panels(1, title)
        parts = (
            ("kinetic", trajectory.kinetic_energy),
            ("potential", trajectory.potential_energy),
            ("springs", trajectory.spring_energy),
        )
        for (label, values), (_, color) in zip(parts, FORCES, strict=True):
            axis.plot(trajectory.t, values.reshape(len(values), -1), color=color, linewidth=1.2, label=label)
        axis.plot(trajectory.t, trajectory.energy.reshape(len(trajectory), -1), color="black", linewidth=1.6, label="total")
        axis.set_ylabel("[J]")
        axis.legend(fontsize=8)
        return _finish(figure, path)
    values = getattr(trajectory, what)
    values = values.reshape(len(values), -1, values.shape[-1])
    robot = trajectory.robot
    names = {"tau": robot.active_names, "q": robot.coordinate_names}.get(what, robot.velocity_names)
    figure, axes = _panels(len(names), title)
    for k, (axis, name, unit) in enumerate(zip(axes, names, trajectory.units[what], strict=True)):
        axis.plot(trajectory.t, values[:, :, k], color=CURVE, linewidth=1.6)
        for event in trajectory.events:
            axis.axvline(event.t, color="0.4", linewidth=0.8, linestyle=":")
        axis.set_title(shown(name, WIDEST), fontsize=10, loc="left", parse_math=False)
        if unit:
            axis.set_ylabel(f"[{unit}]")
    return _finish(figure, path)
