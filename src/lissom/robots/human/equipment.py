"""What people carry and wear: a backpack, a load in a hand, an orthosis, a prosthetic leg; where it is, and how it is drawn.

Sizes are chosen, as those of usual things: a backpack is a box of 0.20 x 0.30 x 0.45 m on the back at the height of the chest, a
load in a hand hangs below the palm and is felt at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import ModelError, suggest
from ...model import Pose
from ...model.pose import Vector3, as_number
from ...model.shape import Box, Capsule, Color, Geometry
from .body import Body
from .inertias import box

CANVAS: Color = (0.78, 0.42, 0.16, 1.0)
SIZE = (0.20, 0.30, 0.45)  # [m] of a backpack: deep, wide, high
BEHIND = 0.11  # [m] from the spine to the back, at 1.75 m
BELOW = 0.10  # [m] by which its center is below the joint of the upper chest
KEPT = 0.6  # share of the mass of shank and foot that a prosthetic leg with its stump has; chosen
TOES = 20.0  # [N m/rad] of a prosthetic foot's toes: as a keel bends; chosen


@dataclass(frozen=True)
class Worn:
    """A load fixed to a link: mass [kg], center [m] and inertia about it in the link's frame, and how it is drawn."""

    name: str
    link: str
    mass: float
    center: Vector3
    inertia: tuple[Vector3, Vector3, Vector3] | None
    shapes: tuple[tuple[Geometry, Pose, Color], ...]


@dataclass(frozen=True)
class Device:
    """An orthosis or a prosthesis.

    Attributes:
        stiffness: of its joint [N m/rad].
        angle: of the joint at which it rests [rad].
        mass: of an orthosis [kg], half of it on each side of the joint.
        share: of a prosthesis, of the mass of shank and foot that is left.
        toes: of a prosthesis, stiffness of the foot's toes [N m/rad].
    """

    stiffness: float
    angle: float = 0.0
    mass: float = 0.0
    share: float = KEPT
    toes: float = TOES


def backpack_of(body: Body, mass: float) -> Worn:
    """Return a backpack on the chest's back."""
    size = body.stature / 1.75
    deep, wide, high = (size * x for x in SIZE)
    center = (-(BEHIND * size + deep / 2), 0.0, -BELOW * size)
    form = Box((0.9 * deep, wide, high))
    inertia = box(mass, deep, wide, high)
    return Worn("backpack", "upper_chest", mass, center, inertia, ((form, Pose(translation=center), CANVAS),))


def bag_of(body: Body, side: str, mass: float) -> Worn:
    """Return a load in a hand: a point at the palm, drawn as a weight that hangs from it."""
    palm = -body.segments["hand"].length
    radius = 0.045 * (max(mass, 0.5) / 5.0) ** (1 / 3)
    hangs = Pose(translation=(0.0, 0.0, palm - radius - 0.07))
    return Worn(f"load {side}", f"{side}_hand", mass, (0.0, 0.0, palm), None, ((Capsule(radius, 0.12), hangs, CANVAS),))


def worn(given: Any, what: str, first: str, share: bool = False) -> Device:
    """Return a device from its stiffness [N m/rad], or from its fields by name."""
    fields = ("stiffness", "angle", "share", "toes") if share else ("stiffness", "angle", "mass")
    if isinstance(given, Device):
        return given
    named = given if isinstance(given, Mapping) else {first: given}
    for name in named:
        if name not in fields:
            raise ModelError(f"{what} has no {name!r}; {suggest(str(name), fields)}")
    if first not in named:
        raise ModelError(f"{what} has no {first}; expected it in N m/rad, such as 200")
    found = Device(**{name: as_number(value, f"{name}, {what},") for name, value in named.items()})
    if not 0 <= found.mass <= 10:
        raise ModelError(f"{what}: its mass is {found.mass:g} kg, expected 0 to 10 kg")
    if not 0.05 <= found.share <= 2:
        raise ModelError(f"{what}: it has {found.share:g} of the mass of shank and foot, expected a share of 0.05 to 2")
    return found
