"""Positions, speeds and torques of a motion beyond the limits of the model, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .verdict import share_of_time

if TYPE_CHECKING:
    from ...simulate import Trajectory

AT = 1e-6  # share of a limit within which a value counts as at it


class Beyond(NamedTuple):
    """A limit that is passed.

    Attributes:
        what: "range", "speed limit" or "torque limit".
        name: of the joint.
        share: of the time.
        by: largest distance beyond the limit, in `unit`.
        value, bound: the value there, and the limit.
        unit: of both.
        relative: `by` as a share of the larger of the two bounds.
    """

    what: str
    name: str
    share: float
    by: float
    value: float
    bound: float
    unit: str
    relative: float


def passed(trajectory: Trajectory) -> list[Beyond] | None:
    """Return the limits that a motion passes, the longest first; None of a robot without limits."""
    limits, units, t = trajectory.robot.limits, trajectory.units, trajectory.t
    tau_limit = np.array(trajectory.robot._effort_limits)
    rows = [
        ("range", trajectory.q, limits.lower, limits.upper, trajectory.coordinate_names, units["q"]),
        ("speed limit", trajectory.qd, -limits.velocity, limits.velocity, trajectory.velocity_names, units["qd"]),
        ("torque limit", trajectory.tau, -tau_limit, tau_limit, trajectory.torque_names, units["tau"]),
    ]
    found, known = [], False
    for what, values, lower, upper, names, own in rows:
        for k, name in enumerate(names):
            finite = [abs(x) for x in (lower[k], upper[k]) if np.isfinite(x)]
            known |= bool(finite)
            size = max(finite, default=1.0)
            beyond = np.maximum(values[:, k] - upper[k], lower[k] - values[:, k])
            share = share_of_time(t, beyond > AT * size)
            if share > 0:
                row = int(np.nanargmax(beyond))
                value, by = float(values[row, k]), float(beyond[row])
                bound = float(upper[k] if value > upper[k] else lower[k])
                found.append(Beyond(what, name, share, by, value, bound, own[k], by / max(size, 1e-300)))
    return sorted(found, key=lambda x: -x.share) if known else None


def in_short(found: Sequence[Beyond]) -> str:
    """Return "5 joints beyond their speed limits, joint_2 most: 11.5 of 3.15 rad/s", the worst kind of limit first."""
    worst = max(found, key=lambda x: x.relative)
    own = [x for x in found if x.what == worst.what]
    sizes = (worst.value, worst.bound) if worst.what == "range" else (abs(worst.value), abs(worst.bound))
    between = "with a limit of" if worst.what == "range" else "of"
    figures = f"{sizes[0]:.3g} {between} {sizes[1]:.3g} {worst.unit}"
    many = f"{len(own)} joints beyond their {worst.what}s, {worst.name} most"
    said = f"{many if len(own) > 1 else f'{worst.name} beyond its {worst.what}'}: {figures}"
    for what in dict.fromkeys(x.what for x in found if x.what != worst.what):
        count = sum(x.what == what for x in found)
        said += f"; {count} beyond {f'their {what}s' if count > 1 else f'its {what}'}"
    return said


def at_length(found: Sequence[Beyond], most: int) -> list[str]:
    """Return a sentence per limit that is passed, `most` at most: for how long, and by how much."""
    said = [
        f"{x.name} beyond its {x.what} {x.share:.0%} of the time, by up to {x.by:.3g} {x.unit}".replace("%", " %")
        for x in found[:most]
    ]
    left = len(found) - most
    return said + ([f"{left} more limit{'s are' if left > 1 else ' is'} passed"] if left > 0 else [])
