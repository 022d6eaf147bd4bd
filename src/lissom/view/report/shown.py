"""Limits as reports show them: distances and speeds instead of their squares, components in parentheses."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...predict.result.curves import Limited
    from ...predict.result.prediction import LimitReport

DISTANCE = "distance of "  # labels of distances begin with it
COMPONENTS = ("fx", "fy", "fz", "mx", "my", "mz", "x", "y", "z")
OF_JOINTS = (  # a joint may have the name of a component
    *("position", "velocity", "acceleration", "jerk", "snap", "torque", "torque_rate", "power", "drawn_power"),
    *("deflection", "motor_position", "motor_velocity"),
)


def label_shown(label: str) -> str:
    """Return "help (fz)" of "help of fz"; labels that do not end with a component as they are."""
    quantity, _, name = label.partition(" of ")
    return f"{quantity} ({name})" if name in COMPONENTS and quantity not in OF_JOINTS else label


def limit_shown(limit: LimitReport) -> LimitReport:
    """Return a limit as it is shown: a distance [m] instead of its square, a component in parentheses, no unit of numbers."""
    found = limit.shown()
    return dataclasses.replace(found, label=label_shown(found.label), unit=_unit(found.unit))


def limited_shown(limited: Limited) -> Limited:
    """Return a limited quantity over time as it is shown: of a square, its root."""
    root = limited.limits[0].root
    if root is None or any(limit.root != root or limit.shown() is limit for limit in limited.limits):
        return limited._replace(label=label_shown(limited.label), unit=_unit(limited.unit))
    y = np.sqrt(np.maximum(limited.y, 0.0)) - root.less
    return limited._replace(label=root.label, unit=root.unit, y=y, limits=[limit_shown(limit) for limit in limited.limits])


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit


def nearest(limited: Iterable[Limited], most: int) -> list[str]:
    """Return how near points came to those that they avoid, in words, the nearest to the bound first.

    Args:
        limited: limited quantities as they come, at equal steps of time.
        most: sentences at most.
    """
    found = []
    for each in limited:
        root = each.limits[0].root
        for limit in map(limit_shown, each.limits):
            if not _is_least_distance(limit) or limit.shares or limit.during or not math.isfinite(limit.violation):
                continue
            # the check of limits is finer than these samples; a square is smooth where a distance is small
            reached = _least(each.y) if root is None else math.sqrt(max(0.0, _least(each.y))) - root.less
            near = limit.lower - limit.violation if limit.violation > 0 else max(limit.lower, reached)
            found.append((near - limit.lower, f"{limit.label}: {near:.3g} m at the nearest, {limit.lower:.3g} m needed"))
    return _some([said for _, said in sorted(found)], most)


def _least(y: np.ndarray) -> float:
    """Return the least of values at equal steps (N,), by a parabola through the three samples around it."""
    k = int(np.argmin(y))
    if not 0 < k < len(y) - 1 or not (bend := y[k - 1] - 2.0 * y[k] + y[k + 1]) > 0:
        return float(y[k])
    return float(y[k] - (y[k + 1] - y[k - 1]) ** 2 / (8.0 * bend))


def _some(said: Sequence[str], most: int) -> list[str]:
    left = len(said) - most
    return [*said[:most], *([f"{left} more distance{'s are' if left > 1 else ' is'} larger than needed"] if left > 0 else [])]


def _is_least_distance(limit: LimitReport) -> bool:
    return limit.label.startswith(DISTANCE) and limit.unit == "m" and math.isfinite(limit.lower) and limit.upper == math.inf
