"""Plots of a timing: torques, rates, velocities or accelerations with their limits, and s over time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import StateError, suggest
from .plot import plot_torques

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..timing.timing import Timing

WHAT = {
    "tau": "joint torques",
    "torque_rate": "joint torque rates",
    "qd": "velocities",
    "qdd": "accelerations",
    "s": "the path",
}


def plot_timing(timing: Timing, path: str | os.PathLike[str] | None = None, what: str = "tau") -> Figure | Path:
    """Plot one quantity over time, one panel per joint, with the smaller of its two limits as dashed lines."""
    if what not in WHAT:
        raise StateError(f"cannot plot {what!r}; {suggest(str(what), WHAT)}")
    times, progress = timing.profile.within(4)
    t = times.reshape(-1)
    title = f"{timing.robot.name}: {WHAT[what]}, {timing.duration:.4g} s"
    if what == "s":
        values = np.stack([progress.s, progress.sd, progress.sdd], axis=-1).reshape(t.size, -1)
        return plot_torques(t, values, ("s", "sdot", "sddot"), ("1", "1/s", "1/s^2"), None, path, title)
    q, qd, qdd, qddd = timing._moved(progress)
    robot, bounds = timing.robot, timing.limits
    units, limits, shown = {
        "tau": (robot.torque_units, bounds.torque, lambda: robot.inverse_dynamics(q, qd, qdd)),
        "torque_rate": (
            tuple(unit + "/s" for unit in robot.torque_units),
            bounds.torque_rate,
            lambda: robot.torque_rates(q, qd, qdd, qddd),
        ),
        "qd": (robot.velocity_units, bounds.velocity, lambda: qd),
        "qdd": (tuple(unit + "^2" for unit in robot.velocity_units), bounds.acceleration, lambda: qdd),
    }[what]
    values = shown().reshape(t.size, -1)
    return plot_torques(t, values, robot.velocity_names, units, np.abs(limits).min(axis=0).tolist(), path, title)
