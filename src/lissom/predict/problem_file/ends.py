"""The ends of a problem file: positions and velocities of joints, those of several axes too."""

from __future__ import annotations

from typing import Any

import yaml

from ...read.entry import Entry
from ...read.values import is_text, line_of, number, numbers, values
from ..data.joints import path_joints, path_names
from ..problem.ends import FREE
from ..problem.problem import MotionProblem
from ..quantities.by_name import LINEAR


def read_end(problem: MotionProblem, side: str, entry: Entry) -> None:
    """Read {position, velocity, acceleration, jerk, snap}: of all joints, a list, by their names, or free.

    At rest by default. A joint of several axes has a list under its name: {base: [0, 0, 1, 0, 0, 0, 1], knee: 0.3}.
    """
    keys = entry.mapping(LINEAR, required=("position",))
    given: dict[str, Any] = {}
    for key, value in keys.items():
        given[key] = FREE if is_text(value, FREE) else _joint_values(problem, key, value)
    with line_of(keys["position"]):
        (problem.start if side == "start" else problem.end)(**given)


def _joint_values(problem: MotionProblem, key: str, entry: Entry) -> Any:
    joints = path_joints(problem.robot)
    if all(joint.kind.nv == 1 for joint in joints) or key not in ("position", "velocity"):
        return values(entry, path_names(problem.robot), angles=True)
    if isinstance(entry.node, yaml.SequenceNode):
        return numbers(entry, angles=True)
    if not isinstance(entry.node, yaml.MappingNode):
        return number(entry, angles=True)
    known = [joint.name for joint in joints]
    for joint in joints:
        kind = joint.kind.traits
        own = (kind.columns if key == "position" else None) or kind.velocities
        known += [joint.name + suffix for suffix in own if suffix]
    return {
        name: numbers(item, angles=True) if isinstance(item.node, yaml.SequenceNode) else number(item, angles=True)
        for name, item in entry.mapping(tuple(known)).items()
    }
