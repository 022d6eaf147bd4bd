"""Which columns of a path a quantity depends on, from the tree: joints that do not carry a link do not move it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..model import Model

SIZES = {  # of quantities of one link
    "link_position": 3,
    "link_rotation": 9,
    "orientation": 3,
    "link_pose": 6,
    "tilt": 2,
    "link_velocity": 6,
    "speed_squared": 1,
    "link_acceleration": 6,
}


def path_entries(model: Model, name: str, n: int, options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray] | None:
    """Return rows and columns where derivatives of a quantity may differ from zero; None where the tree does not say.

    Args:
        model: of the robot.
        name: of the quantity.
        n: columns of a path: one per velocity of joints, without motors behind springs.
        options: of the quantity.
    """
    if name in SIZES:
        rows = [_columns(model, _carrying(model, options["link"]))] * SIZES[name]
    elif name == "distance_squared":
        rows = [_between(model, options["link"], options["other"])]
    elif name == "swing_product":  # of places in the world, so that joints that turn both count
        links = [options[key] for key in ("link", "root", "other", "other_root")]
        rows = [_columns(model, set().union(*(_carrying(model, link) for link in links)))]
    elif name == "squared_distances":
        rows = [_between(model, pair.link, pair.other) for pair in options["pairs"]]
    elif name == "segment_ends":
        rows = [_between(model, each.link, each.other) for each in options["segments"] for _ in range(6)]
    else:
        return None
    mask = np.zeros((len(rows), n), dtype=bool)
    for row, columns in zip(mask, rows, strict=True):
        row[columns] = True
    found = np.nonzero(mask)
    return found[0], found[1]


def _between(model: Model, link: str, other: str | None) -> list[int]:
    """Return the columns that a distance depends on: joints that carry both links do not change it."""
    both = set() if other is None else _carrying(model, other)
    return _columns(model, _carrying(model, link) ^ both)


def _carrying(model: Model, link: str) -> set[str]:
    """Return the names of the joints from the base to a link."""
    holder = {joint.child: joint for joint in model.joints}
    found = set()
    while link in holder:
        found.add(holder[link].name)
        link = holder[link].parent
    return found


def _columns(model: Model, joints: Iterable[str]) -> list[int]:
    """Return the velocities of joints; of coupled ones, those of the joint that they follow."""
    found: set[int] = set()
    at = {place.joint.name: place for place in model.layout}
    for name in joints:
        joint = model.joint(name)
        place = at.get(model.resolve_coupling(joint).joint if joint.coupling is not None else name)
        if place is not None:  # not of a fixed joint
            found.update(range(place.v.start, place.v.stop))
    return sorted(found)
