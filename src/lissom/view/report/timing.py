"""Report of a timing: duration and the limits that hold it back; curves with limits; speed along the path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..curves.panel import Bound, Group, Line, Panel
from ..page import check_ending, table
from .scenes import FLASHES, scenes
from .verdict import of_timing
from .write import write_report

if TYPE_CHECKING:
    from ...timing.timing import Timing

TITLES = {"torque": "Torques", "velocity": "Velocities", "acceleration": "Accelerations", "torque_rate": "Torque rates"}


def report_timing(timing: Timing, path: str | os.PathLike[str]) -> Path:
    """Write the page of a timing; see `Timing.report`."""
    path = check_ending(path)
    times, progress = timing.profile.within(4)
    t, order = np.unique(times.reshape(-1), return_index=True)
    q, qd, qdd, qddd = (x.reshape(times.size, -1)[order] for x in timing._moved(progress))
    robot = timing.robot
    made = {
        "velocity": (qd, robot.velocity_units),
        "acceleration": (qdd, [f"{unit}^2" for unit in robot.velocity_units]),
        "torque": (robot.inverse_dynamics(q, qd, qdd), robot.torque_units),
    }
    if np.isfinite(timing.limits.torque_rate).any():
        made["torque_rate"] = (robot.torque_rates(q, qd, qdd, qddd), [f"{unit}/s" for unit in robot.torque_units])
    groups = []
    for kind in TITLES:
        if kind in made:
            values, units = made[kind]
            low, high = getattr(timing.limits, kind)
            panels = [
                Panel(name, units[k], t, [Line(name, values[:, k])], [Bound(low[k], high[k])])
                for k, name in enumerate(robot.velocity_names)
            ]
            groups.append(Group(TITLES[kind], panels, shown=kind != "acceleration" or bool(np.isfinite(low).any())))
    along = {"s": ("", progress.s), "speed of s": ("1/s", progress.sd), "acceleration of s": ("1/s^2", progress.sdd)}
    own = [Panel(name, unit, t, [Line(name, y.reshape(-1)[order])]) for name, (unit, y) in along.items()]
    positions = [
        Panel(n, u, t, [Line(n, q[:, k])]) for k, (n, u) in enumerate(zip(robot.joint_names, robot.coordinate_units, strict=True))
    ]
    groups += [Group("Along the path", own), Group("Positions", positions, shown=False)]
    details = [("Limits that are reached", _active(timing)), ("Largest violations", _violations(timing))]
    drawn = scenes(timing, robot.name, ghosts=FLASHES)
    return write_report(f"{robot.name}: fastest motion along a path", of_timing(timing), drawn, groups, details, path)


def _active(timing: Timing) -> str:
    rows = [
        (active.kind.replace("_", " "), active.joint, active.side, *(f"{x:.4g}" for x in active[3:])) for active in timing.active
    ]
    return table(("limit", "joint", "side", "from [s]", "to [s]", "from s", "to s"), rows, numbers=(3, 4, 5, 6))


def _violations(timing: Timing) -> str:
    rows = [
        (
            kind.replace("_", " "),
            worst.joint,
            f"{worst.value:.5g}",
            f"{worst.limit:.5g}",
            f"{worst.relative:.1e}",
            f"{worst.s:.4g}",
        )
        for kind, worst in timing.violation.items()
    ]
    return table(("limit", "closest joint", "value", "limit", "beyond (relative)", "at s"), rows, numbers=(2, 3, 4, 5))
