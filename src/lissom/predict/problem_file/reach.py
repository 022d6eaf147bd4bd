"""The poses of a problem file that links pass through, or end at.

reach:
  - {link: flange, xyz: [0.5, 0.2, 0.3], rpy: [180deg, 0, 0]}         # at the end, unless at= says otherwise
  - {link: flange, xyz: [0.4, 0, 0.5], at: 0.5}                       # a position, with any rotation
  - {link: flange, xyz: [0.4, 0, 0.5], at: 1, during: approach}       # at the end of a phase
"""

from __future__ import annotations

from typing import Any

import yaml

from ...read.entry import Entry
from ...read.fields import POSE, pose_of
from ...read.values import line_of, number, numbers, vector
from ..problem.problem import MotionProblem


def read_reach(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of {link, xyz [m], at, during, point [m]}, with one of rpy, rotation, quaternion for a pose."""
    for item in entry.items():
        keys = item.mapping(("link", *POSE, "at", "during", "point"), required=("link", "xyz"))
        pose = pose_of(item, keys)
        options: dict[str, Any] = {"point": vector(keys["point"])} if "point" in keys else {}
        if "at" in keys:
            options["at"] = numbers(keys["at"]) if isinstance(keys["at"].node, yaml.SequenceNode) else number(keys["at"])
        if "during" in keys:
            options["during"] = keys["during"].text()
        with line_of(item):
            problem.reach(keys["link"].text(), pose if set(keys) & set(POSE[1:]) else pose.p, **options)
