"""The split ground of a problem file: what stands on a surface in which phase, where reactions follow from the motion.

ground:
  supports:                                      # of every phase by name; without phases, of all the time
    double: [{link: left_toes, point: [0, 0, 0], to: [0.06, 0, 0]}, right_foot]      # the rear one first
    single: right_foot
    flight: []
  internal: true                                 # an internal force where two stand
  friction: 0.8
  surface: {height: 0.17}
"""

from __future__ import annotations

from typing import Any

import yaml

from ...read.entry import Entry
from ...read.values import line_of, number, vector
from ..data.ground import FIELDS
from ..problem.problem import MotionProblem
from .contacts import read_surface


def read_ground(problem: MotionProblem, entry: Entry) -> None:
    """Read {supports, internal, friction, surface}."""
    keys = entry.mapping(("supports", "internal", "friction", "surface"), required=("supports",))
    options: dict[str, Any] = {}
    if "internal" in keys:
        options["internal"] = keys["internal"].flag()
    if "friction" in keys:
        options["friction"] = number(keys["friction"])
    if "surface" in keys:
        options["surface"] = read_surface(keys["surface"])
    given = keys["supports"]
    if problem.timing.named:
        names = problem.timing.names
        supports: Any = {name: _supports(each) for name, each in given.mapping(names, required=names).items()}
    else:
        supports = _supports(given)
    with line_of(entry):
        problem.split_ground(supports, **options)


def _supports(entry: Entry) -> list[dict[str, Any]]:
    """Read one support or a list of them."""
    listed = entry.items() if isinstance(entry.node, yaml.SequenceNode) else [entry]
    return [_support(each) for each in listed]


def _support(entry: Entry) -> dict[str, Any]:
    """Read the name of a link, or {link, point, to, height}."""
    if isinstance(entry.node, yaml.ScalarNode):
        return {"link": entry.text()}
    keys = entry.mapping(FIELDS, required=("link",))
    found: dict[str, Any] = {"link": keys["link"].text()}
    found |= {key: vector(keys[key]) for key in ("point", "to") if key in keys}
    return found | ({"height": number(keys["height"])} if "height" in keys else {})
