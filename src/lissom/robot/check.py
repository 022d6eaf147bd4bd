"""Checks of arguments that are not states: loads, names of joints and components, flags. Each error says what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.dynamics.inverse_dynamics import WRENCH_AXES
from ..arrays import PartialState, State
from ..errors import ModelError, NameLookupError, StateError, is_choice, suggest
from ..wrench import BaseMotion, Wrench, WrenchRate, side_by_side

if TYPE_CHECKING:
    from .base import RobotBase

COMPONENTS = ("fx", "fy", "fz", "mx", "my", "mz")  # of a wrench
KNOWN = ("torque", "acceleration")
Known = Mapping[str, Sequence[str] | str | EllipsisType]  # names of joints by the known quantity; ... for all others


def common_lead(last: int = 0, /, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the broadcast axes of arrays, without the `last` ones, or raise a StateError that names the arrays."""
    try:
        return np.broadcast_shapes(*(shape[: len(shape) - last] for shape in shapes.values()))
    except ValueError:
        named = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise StateError(f"the leading axes of {named} do not fit together (NumPy's broadcasting rules)") from None


def by_name(what: str, given: State | PartialState, names: tuple[str, ...], optional: bool = False) -> list[Any]:
    """Return the value for each of the names; None where it is optional and missing."""
    expected = "(" + ", ".join(names) + ("," if len(names) == 1 else "") + ")"
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise StateError(f"{what} has no {name!r}; {suggest(str(name), names)}")
        values = [given.get(name) for name in names]
    elif isinstance(given, (tuple, list)):
        if len(given) != len(names):
            raise StateError(f"{what} has {len(given)} entries, expected {len(names)}: {expected}")
        values = list(given)
    else:
        raise StateError(f"{what} must be a tuple {expected}, or map names to arrays, got {type(given).__name__}")
    for name, value in zip(names, values, strict=True):
        if value is None and not optional:
            raise StateError(f"{what} has no {name!r}; expected {expected}")
    return values


def as_flag(value: Any, name: str) -> bool:
    """Return an argument that is True or False, or raise a StateError that names it."""
    if not isinstance(value, (bool, np.bool_)):
        raise StateError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_link(robot: RobotBase, link: Any) -> str:
    """Return the name of a link, or raise a StateError or NameLookupError."""
    if not isinstance(link, str):
        raise StateError(f"link must be the name of a link, got {link!r}")
    return robot.model.link(link).name


def check_mass(robot: RobotBase) -> None:
    """Raise ModelError if nothing that moves has mass."""
    if not robot.total_mass > 0:
        raise ModelError(f"robot {robot.name!r} has no center of mass: no link that moves has inertia; give one an Inertia")


def check_external(robot: RobotBase, external: Any) -> dict[str, Wrench]:
    """Return the wrenches on links, in the order of the links; none for None."""
    if external is None:
        return {}
    if not isinstance(external, Mapping):
        raise StateError(f"external must map links to wrenches, {{'tool': lissom.Wrench(...)}}, got {type(external).__name__}")
    for link, wrench in external.items():
        robot.model.link(link)  # a wrong name raises
        if not isinstance(wrench, Wrench):
            raise StateError(
                f"external wrench on {link!r} must say its axes: lissom.Wrench(force, moment, axes='link' or 'world', point=...)"
            )
    return {link: external[link] for link in robot.link_names if link in external}


def check_rates(robot: RobotBase, rates: Any, acting: Mapping[str, Wrench]) -> dict[str, WrenchRate]:
    """Return the rate of each acting wrench, zero where none is given; none at all for None."""
    if rates is None:
        return {}
    if not isinstance(rates, Mapping):
        raise StateError(
            f"external_rates must map links to rates, {{'tool': lissom.WrenchRate(...)}}, got {type(rates).__name__}"
        )
    for link, rate in rates.items():
        robot.model.link(link)  # a wrong name raises
        if not isinstance(rate, WrenchRate):
            raise StateError(
                f"the rate of the external wrench on {link!r} must be a lissom.WrenchRate(force, moment), "
                f"got {type(rate).__name__}"
            )
        if link not in acting:
            raise StateError(
                f"external_rates names {link!r}, on which no external wrench acts; "
                "give its wrench in external too, which may be zero and names the axes"
            )
    return {link: rates.get(link, WrenchRate()) for link in acting} if rates else {}


def packed(parts: Mapping[str, Wrench] | Mapping[str, WrenchRate], what: str) -> np.ndarray:
    """Return wrenches or their rates side by side, (..., 9 n)."""
    return side_by_side({link: part.packed() for link, part in parts.items()}, what)


def check_base_motion(value: Any) -> BaseMotion:
    """Return a motion of the base, or raise a StateError."""
    if not isinstance(value, BaseMotion):
        raise StateError(f"base_motion must be a lissom.BaseMotion, got {type(value).__name__}")
    return value


def moving_joint(robot: RobotBase, name: Any) -> int:
    """Return the number of a moving joint."""
    if name not in robot.moving_joint_names:
        raise NameLookupError("joint", str(name), robot.moving_joint_names, " that moves")
    return robot.moving_joint_names.index(name)


def component(name: Any) -> int:
    """Return the number of a component of a wrench."""
    if not is_choice(name, COMPONENTS):
        raise StateError(f"no component {name!r} of a wrench; {suggest(str(name), COMPONENTS)}")
    return COMPONENTS.index(name)


def listed(names: Any, what: str) -> list[Any]:
    """Return names as a list; a single one may stand alone."""
    if isinstance(names, str):
        return [names]
    try:
        found = list(names)
    except TypeError:
        raise StateError(f"{what} must be names, got {type(names).__name__}") from None
    if not found:
        raise StateError(f"{what} is empty; name at least one, or None for all")
    for name in found:
        if not isinstance(name, str):
            raise StateError(f"{what} must be names, got {name!r}")
        if found.count(name) > 1:
            raise StateError(f"{what} has {name!r} twice")
    return found


def torque_known(robot: RobotBase, known: Any) -> np.ndarray:
    """Return for each velocity whether its torque is known."""
    mask = known_torques(known, robot.joint_names, f" with its own coordinates in {robot.name!r}")
    return np.repeat(mask, [joint.kind.nv for joint in robot.model.independent_joints])


def known_torques(known: Any, joints: Sequence[str], which: str) -> np.ndarray:
    """Return for each joint whether its torque is known; `which` says in messages what joints they are."""
    if not isinstance(known, Mapping):
        raise StateError("known must map 'torque' and 'acceleration' to joints: {'torque': [...], 'acceleration': ...}")
    for kind in known:
        if kind not in KNOWN:
            raise StateError(f"known has no {kind!r}; {suggest(str(kind), KNOWN)}")
    chosen: dict[str, str] = {}
    for kind, names in known.items():
        if names is not ... and not isinstance(names, str | Sequence):
            raise StateError(f"known[{kind!r}] must be names of joints or ..., got {names!r}")
        for name in () if names is ... else (names,) if isinstance(names, str) else names:
            if name not in joints:
                raise NameLookupError("joint", name, joints, which)
            if chosen.setdefault(name, kind) != kind:
                raise StateError(f"joint {name!r} cannot have both its torque and its acceleration known")
    others = [kind for kind, names in known.items() if names is ...]
    if len(others) > 1:
        raise StateError("only one of 'torque' and 'acceleration' can be '...', all other joints")
    kinds = [chosen.get(name) or (others[0] if others else None) for name in joints]
    if None in kinds:
        name = joints[kinds.index(None)]
        raise StateError(f"neither the torque nor the acceleration of joint {name!r} is known; name it under one of them")
    return np.array([kind == "torque" for kind in kinds], dtype=bool)


def check_wrench_axes(axes: Any) -> None:
    """Raise StateError if joint wrenches cannot be given along `axes`."""
    if not is_choice(axes, WRENCH_AXES):
        raise StateError(f"no axes {axes!r} of joint wrenches; {suggest(str(axes), WRENCH_AXES)}")
