"""The contacts of a problem file: points of links that rest on surfaces.

contacts:
  - {name: left, link: left_foot, points: [[-0.05, 0.03, 0], [0.12, 0.03, 0]], during: [double, left], friction: 0.7}
  - {name: hand, link: hand, points: {palm: [0, 0, 0.1]}, surface: {normal: [0, 1, 0], point: [0.2, 0.1, 0.3], link: box}}
"""

from __future__ import annotations

from typing import Any

import yaml

from ...read.entry import Entry
from ...read.values import line_of, number, numbers, vector, whole
from ..data.contact import CONES
from ..data.surface import FIELDS
from ..problem.problem import MotionProblem
from ..problem.with_contacts import OTHER
from .phases import read_during

KEYS = ("name", "link", "points", "during", "friction", "surface", "place", "cone", "faces")


def read_contacts(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of {name, link, points, during, friction, surface, place, cone, faces}."""
    for item in entry.items():
        keys = item.mapping(KEYS, required=("name", "link"))
        options: dict[str, Any] = {}
        if "points" in keys:
            options["points"] = read_points(keys["points"])
        options |= read_during(keys)
        if "friction" in keys:
            options["friction"] = number(keys["friction"])
        if "surface" in keys:
            options["surface"] = read_surface(keys["surface"])
        if "place" in keys:
            options["place"] = numbers(keys["place"], angles=True)
        if "cone" in keys:
            options["cone"] = keys["cone"].choice(CONES)
        if "faces" in keys:
            options["faces"] = whole(keys["faces"], 3)
        name = keys["name"].text()
        if name in problem.lines:
            raise keys["name"].error(f"there is a contact {name!r} on line {problem.lines[name][1]} already; {OTHER}")
        with line_of(item):
            problem.contact(name, keys["link"].text(), **options)
        problem.lines[name] = item.source.path, item.line


def read_points(entry: Entry) -> Any:
    """Read one point, a list of points, or points by name [m]."""
    if isinstance(entry.node, yaml.MappingNode):
        names = [str(key.value) for key, _ in entry.node.value]
        return {name: vector(each) for name, each in entry.mapping(names).items()}
    items = entry.items()
    if items and isinstance(items[0].node, yaml.ScalarNode):
        return vector(entry)
    return [vector(item) for item in items]


def read_surface(entry: Entry) -> dict[str, Any]:
    """Read {normal, point, link, along} or {height, link}: a plane."""
    keys = entry.mapping(FIELDS)
    found: dict[str, Any] = {key: vector(keys[key]) for key in ("normal", "point", "along") if key in keys}
    if "link" in keys:
        found["link"] = keys["link"].text()
    if "height" in keys:
        found["height"] = number(keys["height"])
    return found
