"""The body of a person: segments after de Leva, scaled by stature and mass, and the lengths of the model (segments.toml).

Lengths along the upright body (head, trunk, thigh, shank) are scaled together, so that with the height of the ankle they make up
the stature: scaled by stature alone, they would be 2 % longer for men, and as long for women. All others are scaled by stature.
Masses are scaled by mass; their shares are divided by their sum, 0.9999 for women. Radii of gyration are shares of lengths.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ...doubts import doubt
from ...errors import ModelError, is_choice, suggest
from ...model.pose import as_number

SEXES = ("male", "female")
UPRIGHT = ("head", "upper_trunk", "middle_trunk", "lower_trunk", "thigh", "shank")
PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")


@cache
def numbers(name: str) -> dict[str, Any]:
    """Return a data file of this package: "segments" or "joints"."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Segment:
    """A segment of the body, as a rigid body along its own axis.

    Attributes:
        mass: [kg]; of one side, where there are two.
        length: between its ends [m].
        center: from its first end (upper end; of the foot, the heel) to the center of mass [m].
        sagittal, transverse, longitudinal: radii of gyration about the center of mass [m], about the axes from back to front,
            from side to side, and along the segment.
    """

    mass: float
    length: float
    center: float
    sagittal: float
    transverse: float
    longitudinal: float


@dataclass(frozen=True)
class Body:
    """A person: stature [m], mass [kg], sex, age [years] (None: a young adult), and what follows from them."""

    stature: float = 1.75
    mass: float = 75.0
    sex: str = "male"
    age: float | None = None

    def __post_init__(self) -> None:
        if not is_choice(self.sex, SEXES):
            raise ModelError(f"no body segments for sex {self.sex!r}; {suggest(str(self.sex), SEXES)}")
        for name, unit, hint in (("stature", "m", "175 cm are 1.75"), ("mass", "kg", "the whole body's"), ("age", "years", "")):
            value = getattr(self, name)
            if value is None and name == "age":
                continue
            object.__setattr__(self, name, as_number(value, name))
            self._check(name, unit, hint)

    def _check(self, name: str, unit: str, hint: str) -> None:
        data, value = numbers("segments"), getattr(self, name)
        low, high = data["possible"][name]
        if not low <= value <= high:
            more, a = f" ({hint})" if hint else "", "an" if name == "age" else "a"
            raise ModelError(f"no adult has {a} {name} of {value:g} {unit}; expected {low:g} to {high:g} {unit}{more}")
        if name not in data["usual"]:
            return
        (low, high), mean = data["usual"][name][self.sex], data[self.sex][name]
        if not low <= value <= high:
            doubt(
                f"a {name} of {value:g} {unit} is outside of {low:g} to {high:g} {unit}, where the proportions of the source "
                f"hold: de Leva's {self.sex} adults have a mean of {mean:g} {unit}",
                stacklevel=5,
            )

    @cached_property
    def segments(self) -> dict[str, Segment]:
        """Segments by name; those of arms and legs are for one side."""
        table = numbers("segments")[self.sex]["segments"]
        whole = sum(row["mass"] * (2 if name in PAIRED else 1) for name, row in table.items())
        found = {}
        for name, row in table.items():
            length = row["length"] * (self._upright if name in UPRIGHT else self._scale)
            radii = (length * row[axis] for axis in ("sagittal", "transverse", "longitudinal"))
            found[name] = Segment(self.mass * row["mass"] / whole, length, length * row["center"], *radii)
        return found

    @cached_property
    def _scale(self) -> float:
        """From millimeters of the source to meters of this body, across and in the arms."""
        return float(self.stature / (1000.0 * numbers("segments")[self.sex]["stature"]))

    @cached_property
    def _upright(self) -> float:
        """The same for lengths that make up the stature."""
        table = numbers("segments")[self.sex]["segments"]
        return (self.stature - self.part("ankle_height")) / float(sum(table[name]["length"] for name in UPRIGHT))

    def part(self, name: str) -> float:
        """Return a length given as a share of stature [m], such as "half_hip"."""
        return float(self.stature * numbers("segments")["stature"][name])

    def length(self, name: str) -> float:
        """Return "shoulder" or "suprasternale", heights above the hips, or "hand_to_fingertip" [m]."""
        scale = self._scale if name == "hand_to_fingertip" else self._upright
        return float(scale * numbers("segments")[self.sex]["lengths"][name])

    @property
    def hip_height(self) -> float:
        """Height of the hip joints above the ground, standing upright [m]."""
        return self.segments["thigh"].length + self.segments["shank"].length + self.part("ankle_height")


def share(name: str) -> float:
    """Return how a segment is divided, such as "toe_mass" (`split` in segments.toml)."""
    return float(numbers("segments")["split"][name])
