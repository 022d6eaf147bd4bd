"""Ranges and strengths of a person's joints (joints.toml, each number with its source)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...doubts import doubt
from .body import Body, numbers

SPINE, NECK = 4, 2  # joints of the model that share a range
SIDES = ("left_", "right_")


@dataclass(frozen=True)
class Drive:
    """What a joint can do: angles `lower` to `upper` [rad], moments from -`negative` to +`positive` [N m]."""

    lower: float
    upper: float
    negative: float
    positive: float

    @property
    def effort(self) -> float:
        """The larger of the two moments [N m]: the model's limit, which is the same both ways."""
        return max(self.negative, self.positive)


def kind_of(joint: str) -> str:
    """Return the name of a joint in joints.toml: "left_hip_flexion" is "hip_flexion", "spine_2_torsion" is "spine_torsion"."""
    name = joint
    for side in SIDES:
        name = name.removeprefix(side)
    for part in ("lower_", "upper_"):
        name = name.removeprefix(part)
    return "_".join(word for word in name.split("_") if not word.isdigit())


def is_of_body(joint: str) -> bool:
    """Return whether a joint is one that muscles drive; the global ones and those of things beside the person are not."""
    return kind_of(joint) in numbers("joints")["joints"]


def drive(body: Body, joint: str) -> Drive:
    """Return the range and the strength of a joint of the model, by its name."""
    data, kind = numbers("joints"), kind_of(joint)
    row = data["joints"][kind]
    parts = SPINE if kind.startswith("spine") else NECK if kind in ("neck_flexion", "neck_torsion") else 1
    lower, upper = (math.radians(angle / parts) for angle in row["range"])
    weight = body.mass * data["reference"]["gravity"] * body.stature
    if "share" in row:
        moments = [share * weight for share in row["share"][body.sex]]
    else:
        of = data["reference"]
        less = data["women"][row["group"]] if body.sex == "female" else 1.0
        moments = [less * moment * body.mass * body.stature / (of["mass"] * of["stature"]) for moment in row["moment"]]
    kept = aging(body.age, row["group"])
    return Drive(lower, upper, kept * moments[0], kept * moments[1])


def aging(age: float | None, group: str) -> float:
    """Return which share of the young strength is left: it falls linearly, and stays as it is beyond the oldest measured."""
    data = numbers("joints")["aging"]
    if age is None:
        return 1.0
    years = min(age, data["until"]) - data["from"]
    return float(1.0 - data[group] * max(years, 0.0) / 10.0)


def warn_of_age(age: float | None) -> None:
    """Warn of an age beyond those of the source."""
    until = numbers("joints")["aging"]["until"]
    if age is not None and age > until:
        doubt(f"strengths at an age of {age:g} are those at {until:g} years, the oldest measured", stacklevel=4)
