"""Checks of the arguments of goals and spheres."""

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
        if goal == "time" or (goal == "peak" and name == "square"):
            raise StateError(f"goal {goal!r} takes no {name}=")
    if goal != "time" and "quantity" not in given:
        raise StateError(f"goal {goal!r} needs quantity=, such as 'torque'")


def distance_of(value: Any) -> float:
    """Return a positive distance [m]."""
    if value is None or isinstance(value, str) or np.ndim(value) or not 0 < value < math.inf:
        raise StateError(f"distance is {value!r} m, expected a positive number: the sum of the radii of the two spheres")
    return float(value)
