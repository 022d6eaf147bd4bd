"""The channels of a problem file: unknown functions of time beside the path.

channels:
  - {name: push, entries: [fx, fz], link: hand, point: [0, 0, 0.1]}      # an unknown force on a link [N]
  - {name: slack, entries: [a], unit: m, degree: 3, during: swing}       # in one phase, or in a list of them
"""

from __future__ import annotations

from typing import Any

from ...read.entry import Entry
from ...read.values import line_of, texts, vector, whole
from ..problem.problem import MotionProblem
from .phases import read_during

KEYS = ("name", "entries", "unit", "degree", "link", "axes", "point", "during")


def read_channels(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of {name, entries, unit, degree} or {name, entries, degree, link, axes, point}, each with during."""
    for item in entry.items():
        keys = item.mapping(KEYS, required=("name", "entries"))
        options: dict[str, Any] = {key: keys[key].text() for key in ("unit", "link", "axes") if key in keys}
        if "degree" in keys:
            options["degree"] = whole(keys["degree"], 0)
        if "point" in keys:
            options["point"] = vector(keys["point"])
        options |= read_during(keys)
        name = keys["name"].text()
        if name in problem.quantities.channels:
            first = next(other for other in entry.items() if other.mapping(KEYS)["name"].text() == name)
            raise keys["name"].error(f"there is a channel {name!r} on line {first.line} already; give each a name of its own")
        with line_of(item):
            problem.channel(name, texts(keys["entries"]), **options)


def expect_use(problem: MotionProblem, entry: Entry) -> None:
    """Raise FileError for a channel of the list that no limit, goal or equation of a whole problem depends on."""
    quantities = [*problem.parts.quantities, *([problem.quantities.get("torque")] if problem.undriven else [])]
    used = {name for quantity in quantities for name in quantity.channels}
    for item in entry.items():
        name = item.mapping(KEYS)["name"].text()
        with line_of(item):
            problem.expect_use(used | {channel.name for channel in problem.channels if channel.name != name})
