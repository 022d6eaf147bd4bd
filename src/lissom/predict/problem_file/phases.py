"""The phases of a problem file, and where its parts name them.

phases:                                          # one after the other; the duration of the problem is their sum
  - {name: double, duration: 0.1}                # [s]
  - {name: single, duration: {lower: 0.2, upper: 0.6}, spans: 8}
path: {control_points: 20, smooth: 1}            # velocities are continuous where phases meet, accelerations may jump
limits:
  - {quantity: torque, within: 10, during: single}
"""

from __future__ import annotations

from typing import Any

import yaml

from ...read.entry import Entry
from ...read.values import line_of, number, texts, whole
from ..problem.problem import MotionProblem


def read_phases(problem: MotionProblem, entry: Entry, smooth: Entry | None = None) -> None:
    """Read a list of {name, duration, spans}."""
    durations: dict[str, Any] = {}
    spans: dict[str, int] = {}
    for item in entry.items():
        keys = item.mapping(("name", "duration", "spans"), required=("name", "duration"))
        name = keys["name"].text()
        if name in durations:
            raise keys["name"].error(f"there are two phases {name!r}; give each a name of its own")
        durations[name] = read_duration(keys["duration"])
        if "spans" in keys:
            spans[name] = whole(keys["spans"], 1)
    with line_of(entry):
        problem.phases(durations, smooth=None if smooth is None else whole(smooth, 1), spans=spans or None)


def read_duration(entry: Entry) -> tuple[float, float]:
    """Read a duration [s]: a number, or {lower, upper}."""
    if isinstance(entry.node, yaml.ScalarNode):
        low = high = number(entry)
    else:
        keys = entry.mapping(("lower", "upper"))
        for key in ("lower", "upper"):
            if key not in keys:
                raise entry.error(f"the duration has no {key!r}; it needs both bounds [s], or a number where it is known")
        low, high = number(keys["lower"]), number(keys["upper"])
    if not 0 < low <= high:
        raise entry.error(f"the duration is between {low:g} and {high:g} s, expected 0 < lower <= upper")
    return (low, high)


def read_during(keys: dict[str, Entry]) -> dict[str, Any]:
    """Read the names of phases of a part: one, or a list."""
    if "during" not in keys:
        return {}
    entry = keys["during"]
    return {"during": texts(entry) if isinstance(entry.node, yaml.SequenceNode) else entry.text()}
