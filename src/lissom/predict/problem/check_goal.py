"""Checks of the arguments of goals, spheres and repeating motions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import StateError, suggest

GOALS = ("time", "integral", "peak")


def check_goal(goal: str, weight: Any, given: Sequence[str], quantities: Sequence[str]) -> None:
    """Raise for an unknown goal, a wrong weight, and missing or unknown arguments."""
    if goal not in GOALS:
        remedy = suggest(str(goal), GOALS)
        if goal in quantities:
            remedy = f"minimize('integral', 1.0, {goal!r}) is the integral of its squares, 'peak' its largest value"
        elif goal == "energy":
            remedy = "for the energy that drives draw: minimize('integral', 1.0, 'drawn_power', square=False)"
        raise StateError(f"no goal {goal!r}; {remedy}")
    if isinstance(weight, str) or np.ndim(weight) or not np.isfinite(weight) or weight < 0:
        remedy = f"; write minimize({goal!r}, 1.0, {weight!r})" if isinstance(weight, str) else ""
        raise StateError(f"weight of {goal!r} is {weight!r}, expected a finite number >= 0{remedy}")
    for name in given:
        if goal == "time" or name == ("square" if goal == "peak" else "scale"):
            raise StateError(f"goal {goal!r} takes no {name}=")
    if goal != "time" and "quantity" not in given:
        raise StateError(f"goal {goal!r} needs quantity=, such as 'torque'")


def distance_of(value: Any) -> float:
    """Return a positive distance [m]."""
    if isinstance(value, str) or np.ndim(value) or not 0 < value < math.inf:
        raise StateError(f"distance is {value!r} m, expected a positive number: the sum of the radii of the two spheres")
    return float(value)


def end_pairs(pairs: Sequence[Any]) -> list[tuple[str, str, float]]:
    """Return pairs of joints as (joint at the start, joint at the end, sign)."""
    for pair in pairs:
        if len(pair) != 3 or pair[2] not in (1, -1):
            raise StateError(f"pair {pair!r}: expected (joint at the start, joint at the end, sign), the sign 1.0 or -1.0")
    return list(pairs)
