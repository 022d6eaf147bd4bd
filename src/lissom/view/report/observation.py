"""Report of torques from outside along a motion: the motion in 3-D, their curves, and collisions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..curves.panel import Bound, Group, Line, Panel
from ..page import check_ending, table
from ..summary import printable
from .scenes import scenes
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...identify.observer import Collision, Observation

MOST = 12  # panels that are open at first, at most


def report_observation(found: Observation, path: str | os.PathLike[str], threshold: float | Sequence[float] | None) -> Path:
    """Write the page of an observation; see `Observation.report`."""
    path = check_ending(path)
    robot, residual = found.robot, found.residual
    hits = [] if threshold is None else found.collisions(threshold)
    limits = np.broadcast_to(np.inf if threshold is None else np.asarray(threshold, dtype=float), residual.shape[1:])
    names, units = robot.velocity_names, robot.torque_units
    panels = [
        Panel(name, unit, found.t, [Line("from outside", residual[:, k])], [Bound(-limits[k], limits[k])])
        for k, (name, unit) in enumerate(zip(names, units, strict=True))
    ]
    rows = [
        (printable(name), f"{np.sqrt((x**2).mean()):.3g}", f"{np.abs(x).max():.3g}", f"{found.t[np.abs(x).argmax()]:.4g}", unit)
        for name, x, unit in zip(names, residual.T, units, strict=True)
    ]
    details = [("Torques from outside in numbers", table(("joint", "rms", "largest", "at [s]", "unit"), rows, range(1, 4)))]
    if threshold is not None:
        each = [(f"{hit.start:.4g}", f"{hit.end:.4g}", printable(hit.joint), f"{hit.torque:.4g}") for hit in hits]
        details.insert(0, ("Collisions", table(("from [s]", "to [s]", "joint", "torque"), each, (0, 1, 3)) if each else "none"))
    return write_report(
        f"{robot.name}: torques from outside",
        of_observation(found, threshold, hits),
        scenes(found, robot.name, layers={"torques": True}),
        [Group("Torques from outside", panels, shown=len(panels) <= MOST)],
        details,
        path,
        events=[(hit.start, f"collision: {hit.joint}") for hit in hits],
    )


def of_observation(found: Observation, threshold: float | Sequence[float] | None, hits: Sequence[Collision]) -> Verdict:
    """Return how many collisions there are, and the largest torque."""
    row, k = np.unravel_index(int(np.abs(found.residual).argmax()), found.residual.shape)
    name, unit = found.robot.velocity_names[k], found.robot.torque_units[k]
    most = f"largest torque from outside: {found.residual[row, k]:.3g} {unit}, {name} at {found.t[row]:.4g} s"
    if threshold is None:
        return Verdict(True, most)
    if not hits:
        return Verdict(True, "no collision: torques from outside stay within the threshold", (most,))
    count = f"{len(hits)} collision{'' if len(hits) == 1 else 's'}"
    first = f"{count}, the first at {hits[0].start:.4g} s, felt most at {hits[0].joint}: {hits[0].torque:.3g}"
    return Verdict(True, first, (most,), careful=True)
