"""Checks of what a user says about a motion: names, sizes, bounds, and angles that look like degrees."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import StateError, suggest
from ..model import JointKind
from ..robot import Robot
from .quantity import Quantity

TURNS = 4 * math.pi  # [rad]: an angle beyond two turns was probably meant in degrees


def joint_values(robot: Robot, value: Any, what: str, angles: bool = False) -> np.ndarray:
    """Return one number for each joint: from an array, one number for all, or a mapping of all joints' names."""
    if isinstance(value, Mapping):
        for name in value:
            if name not in robot.joint_names:
                raise StateError(f"{what}: no joint {name!r}; {suggest(str(name), robot.joint_names)}")
        missing = [name for name in robot.joint_names if name not in value]
        if missing:
            raise StateError(f"{what} has no value for joint {missing[0]!r}; give one for each of {', '.join(robot.joint_names)}")
        value = [value[name] for name in robot.joint_names]
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what} is {value!r}, expected numbers") from None
    if found.ndim == 0:
        found = np.full(robot.nv, float(found))
    if found.shape != (robot.nv,):
        raise StateError(f"{what} has shape {found.shape}, expected ({robot.nv},): {', '.join(robot.joint_names)}")
    if not np.isfinite(found).all():
        name = robot.joint_names[int(np.flatnonzero(~np.isfinite(found))[0])]
        raise StateError(f"{what} of joint {name!r} is not finite")
    if angles:
        for joint, x in zip(robot.model.independent_joints, found, strict=True):
            if joint.kind is not JointKind.PRISMATIC and abs(x) > TURNS:
                raise StateError(
                    f"{what} of joint {joint.name!r} is {x:g} rad, {abs(x) / math.tau:.1f} turns; it looks like degrees: "
                    f"write numpy.deg2rad({x:g}), or {x:g}deg in a file"
                )
    return found


def two_bounds(quantity: Quantity, which: np.ndarray, lower: Any, upper: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds (E,), infinite where there is none; refuse a lower one above the upper."""
    if lower is None and upper is None:
        raise StateError(f"limit of {quantity.name}: neither lower nor upper is given")
    low = _bound(quantity, which, lower, "lower", -np.inf)
    high = _bound(quantity, which, upper, "upper", np.inf)
    for e, entry in enumerate(which):
        if low[e] > high[e]:
            label, unit = quantity.labels[int(entry)], quantity.units()[int(entry)]
            raise StateError(f"limit of {quantity.name} of {label}: lower {low[e]:g} is above upper {high[e]:g} {unit}")
    return low, high


def _bound(quantity: Quantity, which: np.ndarray, value: Any, side: str, none: float) -> np.ndarray:
    if value is None:
        return np.full(len(which), none)
    labels = [quantity.labels[int(entry)] for entry in which]
    if isinstance(value, Mapping):
        for name in value:
            if name not in labels:
                raise StateError(f"{side} bound of {quantity.name}: no entry {name!r}; {suggest(str(name), labels)}")
        value = [value.get(label, none) for label in labels]
    try:
        found = np.array(np.broadcast_to(np.asarray(value, dtype=float), (len(which),)))
    except (TypeError, ValueError):
        raise StateError(
            f"{side} bound of {quantity.name} is {value!r}, expected a number, or {len(which)} for {', '.join(labels)}"
        ) from None
    if np.isnan(found).any():
        raise StateError(f"{side} bound of {quantity.name} of {labels[int(np.flatnonzero(np.isnan(found))[0])]} is nan")
    return found


def shares(at: Any) -> np.ndarray | None:
    """Return instants as shares of the duration, sorted; None for all the time."""
    if at is None:
        return None
    found = np.unique(np.atleast_1d(np.asarray(at, dtype=float)))
    if found.ndim != 1 or not len(found) or not ((found >= 0) & (found <= 1)).all():
        raise StateError(f"at is {at!r}, expected shares of the duration between 0, the start, and 1, the end")
    return found
