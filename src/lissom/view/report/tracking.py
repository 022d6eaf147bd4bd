"""Report of a motion under control: tracking errors, torques at their limits, and curves beside the reference."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import StateError
from ..curves.panel import MOTOR, WANTED, Bound, Group, Line, Panel
from ..page import check_ending, table
from .motion import details
from .scenes import scenes
from .verdict import Verdict, largest, share_of_time
from .write import write_report

if TYPE_CHECKING:
    from ...control.tracking import Tracking

AT = 1e-9  # share of a torque limit within which a torque counts as at it


def report_tracking(
    tracking: Tracking, path: str | os.PathLike[str], more: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = ()
) -> Path:
    """Write the page of a controlled motion; see `Tracking.report`.

    Args:
        tracking: result of `lissom.control.track`.
        path: file to write (.html).
        more: further tables under Details: title, heads, rows.
    """
    path = check_ending(path)
    if not len(tracking.t):
        raise StateError("nothing to report: the run has no samples")
    motion = tracking.trajectory
    happened = [(event.t, event.name) for event in motion.events]
    tables = [("Tracking", _table(tracking)), *((title, table(head, rows)) for title, head, rows in more)]
    title, folded = f"{tracking.name}: motion under control", [*tables, *details(motion)]
    drawn = scenes(motion, tracking.name)
    return write_report(title, of_tracking(tracking), drawn, _groups(tracking), folded, path, events=happened)


def of_tracking(tracking: Tracking) -> Verdict:
    """Return the verdict of a controlled motion: largest and root mean square error, torques at their limits."""
    motion, t = tracking.trajectory, tracking.t
    worst = "; ".join(largest(tracking.errors, t, tracking.joints, tracking.units))
    good = motion.status.value in ("finished", "event")
    more = [] if good else [f"{motion.status.value.replace('_', ' ')}: {motion.message or motion.status.advice}"]
    for unit in dict.fromkeys(tracking.units):
        own = [k for k, other in enumerate(tracking.units) if other == unit]
        k = own[int(np.argmax(tracking.rms[own]))]
        more.append(f"largest root mean square error: {tracking.rms[k]:.4g} {unit}, {tracking.joints[k]}")
    more.append(f"largest torque: {'; '.join(largest(tracking.torques, t, tracking.joints, tracking.torque_units))}")
    for k, limit in enumerate(tracking.limits):
        share = share_of_time(t, np.abs(tracking.torques[:, k]) >= limit * (1 - AT))
        if np.isfinite(limit) and share > 0:
            size = f"{limit:g} {tracking.torque_units[k]}"
            more.append(
                f"{tracking.joints[k]} at or beyond its torque limit of {size} {share:.0%} of the time".replace("%", " %")
            )
    if np.isfinite(tracking.limits).any() and not any("torque limit" in line for line in more):
        more.append("no torque reaches its limit")
    return Verdict(good, f"Tracking error up to {worst}, in {t[-1]:.4g} s", tuple(more))


def _groups(tracking: Tracking) -> list[Group]:
    t, joints = tracking.t, list(enumerate(zip(tracking.joints, tracking.units, tracking.torque_units, strict=True)))
    positions, errors, torques = [], [], []
    for k, (name, unit, force) in joints:
        motors = [Line("motor", tracking.theta[:, e], MOTOR) for e, joint in enumerate(tracking.drives) if joint == k]
        wanted = Line("reference", tracking.reference[:, k], WANTED)
        positions.append(Panel(name, unit, t, [Line("link" if motors else "joint", tracking.q[:, k]), *motors, wanted]))
        errors.append(Panel(name, unit, t, [Line("error", tracking.errors[:, k])]))
        bound = Bound(-tracking.limits[k], tracking.limits[k])
        torques.append(Panel(name, force, t, [Line("torque", tracking.torques[:, k])], [bound]))
    springs = [
        Panel(tracking.joints[joint], tracking.units[joint], t, [Line("deflection", tracking.deflections[:, e])])
        for e, joint in enumerate(tracking.drives)
    ]
    forces = "Torques of motors" if set(tracking.torque_units) <= {"N m"} else "Torques and forces of motors"
    groups = [Group("Positions and reference", positions), Group("Tracking errors", errors), Group(forces, torques)]
    groups.append(Group("Spring deflections", springs))
    if tracking.lyapunov is not None:
        own = Panel("V", "", tracking.lyapunov_t, [Line("V", tracking.lyapunov)], log=True)
        groups.append(Group("Lyapunov function", [own]))
    return groups


def _table(tracking: Tracking) -> str:
    rows = []
    for k, name in enumerate(tracking.joints):
        error, torque, limit = np.abs(tracking.errors[:, k]), np.abs(tracking.torques[:, k]), tracking.limits[k]
        figures = (f"{tracking.rms[k]:.5g}", f"{error.max():.5g}", f"{tracking.t[error.argmax()]:.4g}", tracking.units[k])
        bound = f"{limit:g}" if np.isfinite(limit) else ""
        rows.append((name, *figures, f"{torque.max():.5g}", bound, tracking.torque_units[k]))
    head = ("joint", "RMS error", "largest", "at [s]", "unit", "largest torque", "limit", "unit")
    return table(head, rows, numbers=(1, 2, 3, 5, 6))
