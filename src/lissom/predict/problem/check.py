"""Checks of a motion problem's arguments: names, sizes, bounds, and angles that look like degrees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import StateError, suggest
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ...spline.check import integer
from ..data.columns import Columns
from ..data.joints import column_units, path_names
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State

HIGHEST = 30  # degree of a path
LONGEST = 1e9  # [s] of a motion, and its inverse the shortest: powers of it are computed with
ENTRIES = 3e7  # numbers of the largest table: a quarter of a gigabyte
MOST_POINTS = 1000  # control points of a problem; refinement goes on from there, up to MOST_REFINED
MOST_REFINED = 5000
MOST_A_SPAN = 200  # instants
TURNS = 4 * math.pi  # [rad]: an angle beyond two turns was probably meant in degrees


def joint_values(robot: DrivenRobot, value: Any, what: str, angles: bool = False) -> np.ndarray:
    """Return one number for each joint: from an array, one number for all, or a mapping of all joints' names."""
    joints = path_names(robot)
    if isinstance(value, Mapping):
        for name in value:
            if name not in joints:
                raise StateError(f"{what}: no joint {name!r}; {suggest(str(name), joints)}")
        missing = [name for name in joints if name not in value]
        if missing:
            raise StateError(f"{what} has no value for joint {missing[0]!r}; give one for each of {', '.join(joints)}")
        value = [value[name] for name in joints]
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what} is {value!r}, expected numbers") from None
    if found.ndim == 0:
        found = np.full(len(joints), float(found))
    if found.shape != (len(joints),):
        raise StateError(f"{what} has shape {found.shape}, expected ({len(joints)},): {', '.join(joints)}")
    if not np.isfinite(found).all():
        name = joints[int(np.flatnonzero(~np.isfinite(found))[0])]
        raise StateError(f"{what} of joint {name!r} is not finite")
    if angles:
        for name, unit, x in zip(joints, column_units(robot), found, strict=True):
            if unit == "rad":
                refuse_degrees(float(x), f"{what} of joint {name!r}")
    return found


def refuse_degrees(x: float, what: str) -> None:
    """Raise StateError for an angle that looks like degrees."""
    if TURNS < abs(x) < math.inf:
        raise StateError(
            f"{what} is {x:g} rad, {abs(x) / math.tau:.1f} turns; it looks like degrees: "
            f"write numpy.deg2rad({x:g}), or {x:g}deg in a file"
        )


def two_bounds(quantity: Quantity, which: np.ndarray, lower: Any, upper: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds (E,), infinite where there is none; raise if a lower one is above the upper."""
    if lower is None and upper is None:
        raise StateError(f"limit of {quantity.name}: give lower, upper or both")
    low = _bound(quantity, which, lower, "lower", -np.inf)
    high = _bound(quantity, which, upper, "upper", np.inf)
    for e, entry in enumerate(which):
        label, unit = quantity.entry_label(int(entry)), quantity.units()[int(entry)]
        if unit == "rad":
            for side, x in (("lower", low[e]), ("upper", high[e])):
                refuse_degrees(float(x), f"{side} bound of {label}")
        if low[e] > high[e]:
            raise StateError(f"limit of {label}: lower {low[e]:g} is above upper {high[e]:g} {unit}".rstrip())
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
        first = int(which[np.flatnonzero(np.isnan(found))[0]])
        raise StateError(f"{side} bound of {quantity.entry_label(first)} is nan")
    return found


def shares(at: Any) -> np.ndarray | None:
    """Return instants as fractions of the duration, sorted; None for all the time."""
    if at is None:
        return None
    try:
        found = np.unique(np.atleast_1d(np.asarray(at, dtype=float)))
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 1 or not len(found) or not ((found >= 0) & (found <= 1)).all():
        raise StateError(f"at is {at!r}, expected fractions of the duration from 0 (start) to 1 (end)")
    return found


def two_times(duration: Any) -> tuple[float, float]:
    """Return the shortest and the longest duration allowed [s]."""
    try:
        low, high = (float(duration),) * 2 if np.ndim(duration) == 0 else (float(x) for x in duration)
    except (TypeError, ValueError):
        raise StateError(f"duration is {duration!r}, expected seconds, or the pair (shortest, longest)") from None
    if not 0 < low <= high or not np.isfinite(high):
        raise StateError(f"duration is {duration!r}, expected (shortest, longest) [s], 0 < shortest <= longest, both finite")
    if low < 1.0 / LONGEST or high > LONGEST:
        raise StateError(f"duration is {duration!r} [s], expected times between {1.0 / LONGEST:g} and {LONGEST:g} s")
    return low, high


def entry_numbers(quantity: Quantity, names: Sequence[str] | str | None) -> np.ndarray:
    """Return the numbers of a quantity's entries by name, with or without the joint or link in front; None is all."""
    if names is None:
        return np.arange(quantity.size)
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise StateError(f"entries of {quantity.name} is empty; leave entries= out for all of {', '.join(quantity.labels)}")
    short = [label.rsplit(".", 1)[-1] for label in quantity.labels]
    found = []
    for name in listed:
        if name not in quantity.labels and name not in short:
            raise StateError(f"{quantity.name} has no entry {name!r}; {suggest(str(name), quantity.labels)}")
        found.append(quantity.labels.index(name) if name in quantity.labels else short.index(name))
    for number in found:
        if found.count(number) > 1:
            raise StateError(f"entry {quantity.labels[number]!r} of {quantity.name} is named twice")
    return np.array(found, dtype=int)


def scales(quantity: Quantity, which: np.ndarray, scale: Any, low: np.ndarray | None, high: np.ndarray | None) -> np.ndarray:
    """Return scales (E,): as given, or the magnitude of the bounds."""
    if scale is not None:
        try:
            size = np.broadcast_to(np.asarray(scale, dtype=float), (len(which),)).copy()
        except (TypeError, ValueError):
            raise StateError(f"scale of {quantity.name} is {scale!r}, expected a number, or {len(which)} of them") from None
        if not (np.isfinite(size).all() and (size > 0).all()):
            raise StateError(f"scale of {quantity.name} is {scale!r}, expected positive numbers")
        return size
    assert low is not None and high is not None
    bounds = np.stack([np.where(np.isfinite(x), np.abs(x), 0.0) for x in (low, high)])
    size = bounds.max(axis=0)
    return np.where(size > 0, size, 1.0)


def own_quantity(quantity: Quantity, robot: DrivenRobot, columns: Columns, options: Mapping[str, Any]) -> Quantity:
    """Return a user's quantity, if its results at two instants have the right shapes."""
    if options:
        raise StateError(f"quantity {quantity.name!r} is a Quantity object and takes no option {next(iter(options))}=")
    for name in quantity.channels:
        if name not in columns.places:
            raise StateError(f"quantity {quantity.name!r}: no channel {name!r}; {suggest(str(name), columns.places)}")
    joints = len(columns.of(quantity))
    if quantity.channels and quantity.depends.shape[-1:] != (joints,):
        raise StateError(
            f"quantity {quantity.name!r} sees {quantity.depends.shape[-1]} columns, joints and entries of its channels, but the "
            f"problem has {joints}; give the numbers of entries of its channels as they are"
        )
    size, orders = quantity.size, len(quantity.orders)
    known = list(range(robot.path_order + 2))
    if not orders or not set(quantity.orders) <= set(known) or list(quantity.orders) != sorted(set(quantity.orders)):
        some = ", ".join(map(str, known))
        raise StateError(f"orders of quantity {quantity.name!r} are {quantity.orders!r}, expected some of {some}, increasing")
    state = State((np.zeros((2, joints)),) * max(ORDERS, max(quantity.orders) + 1), np.array([0.0, 1.0]))
    with np.errstate(all="ignore"):  # only shapes matter here
        given = {
            "depends": (quantity.depends, (size, joints)),
            "values": (quantity.values(state), (2, size)),
            "derivatives": (quantity.derivatives(state), (orders, 2, size, joints)),
            "curvature": (quantity.curvature(state, np.ones((2, size))), (2, orders, joints, orders, joints)),
        }
    for what, (value, expected) in given.items():
        shape = expected if value is None and what == "curvature" else np.array(value).shape
        if shape != expected:
            raise StateError(f"{what} of quantity {quantity.name!r} at 2 instants has shape {shape}, expected {expected}")
    return quantity


def path_degree(robot: DrivenRobot, degree: Any) -> Any:
    """Return the degree of a path: as given, if high enough for elastic drives; None for the default, 3, or 7 with them."""
    usual = 2 * robot.path_order - 1
    if degree is None:
        return usual
    if robot.n_elastic and isinstance(degree, int) and degree <= robot.path_order:
        # from the next degree on, the derivative that torques depend on does not jump
        raise StateError(
            f"degree is {degree}, but robot {robot.name!r} has motors behind springs, such as "
            f"{robot.model.elastic_motors[0].name!r}, whose torques follow from the fourth derivative of the path: it needs "
            f"degree {robot.path_order + 1} or more, better {usual}"
        )
    return degree


def span_points(robot: DrivenRobot, points: Any) -> int:
    """Return the number of instants between two knots: as given, or the usual one for None."""
    if points is None:
        return 2 * robot.path_order
    if not isinstance(points, int) or not 2 <= points <= MOST_A_SPAN or points % 2:
        raise StateError(
            f"points_per_span is {points!r}, expected an even number from 2 to {MOST_A_SPAN} (4 serves most problems): with "
            "too few, limits hold at the instants but not between them"
        )
    return points


def refuse_size(basis: Basis, points_per_span: int, n: int) -> None:
    """Raise StateError if the tables of a problem of n joints would not fit into memory."""
    if basis.degree > HIGHEST:
        raise StateError(
            f"degree is {basis.degree}, expected {HIGHEST} at most: derivatives of higher degrees are lost in rounding"
        )
    instants = float(basis.spans) * points_per_span
    most = max(instants * basis.count * ORDERS, instants * ((basis.degree + 1.0) * n) ** 2)
    if most > ENTRIES:
        what = f"{basis.count} control points of degree {basis.degree} and {n} joints with {points_per_span} instants per span"
        raise StateError(f"{what} make tables of {most:.3g} numbers, expected {ENTRIES:.0e} at most; take fewer control points")


def path_points(count: Any) -> int:
    """Return the number of control points; raise if it is more than a solver can take."""
    return integer(count, "control_points", 2, most=MOST_POINTS)


def refuse_order(quantity: Quantity, degree: int) -> Quantity:
    """Return a quantity; raise if it depends on a derivative that paths of this degree do not have.

    Derivatives from the fourth on must not jump either: the limit would hold on one side of each knot.
    """
    highest = max(quantity.orders)
    least = highest if highest < ORDERS else highest + 1
    if degree < least:
        what = ("position", "velocity", "acceleration", "jerk", "snap", "derivative of the snap")[highest]
        fault = "does not have" if degree < highest else "does not have at its knots"
        raise StateError(
            f"{quantity.name} depends on the {what}, which a path of degree {degree} {fault}: it jumps in between; "
            f"expected degree {least} or more, better {2 * highest - 1}"
        )
    return quantity
