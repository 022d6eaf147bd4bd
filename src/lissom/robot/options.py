"""Options: arguments of a function in addition to its state, checked here once and passed on to its task.

A task takes an option in two ways: as an option of its maker, which is part of the program ("wrenches on these links, along these
axes"), and as an argument, one of its inputs (the numbers of these wrenches). An option at its default adds neither, so that a
call which names it shares the program of a plain call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.derivatives.geometry_tasks import PARTS
from ..algorithms.derivatives.second import STATE
from ..algorithms.dynamics.forward_dynamics import METHODS
from ..algorithms.dynamics.inverse_dynamics import WRENCH_AXES
from ..algorithms.dynamics.momentum import MOMENTUM_POINTS
from ..algorithms.kinematics.kinematics import AXES, ORIGIN
from ..errors import StateError, is_choice, suggest
from ..model.dh import dh_convention
from .check import (
    as_flag,
    by_name,
    check_base_motion,
    check_external,
    check_link,
    check_rates,
    component,
    listed,
    moving_joint,
    packed,
    torque_known,
)

if TYPE_CHECKING:
    from .base import RobotBase

REQUIRED = object()  # in the place of a default
_ABSENT = object()  # in the place of a value


@dataclass
class Chosen:
    """Checked options, immutable: options of the maker, and arguments of the task by names of its inputs."""

    options: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)


_NOTHING = Chosen()  # of a plain call, which has to be fast
Read = Callable[["RobotBase", Any, Chosen, Mapping[str, Any]], None]


@dataclass(frozen=True)
class Option:
    """One option of functions.

    Attributes:
        name: its keyword.
        read: f(robot, value, chosen, values) that checks a value other than the default and adds to `chosen`; `values` are those
            of all options given.
        default: in signatures; REQUIRED where there is none.
        meaning: in words, for the message where a required one is missing.
        example: a value of a required one, for a look at the function.
        numbers: whether the value of a required one is only numbers, which a program and its count do not depend on.
        of_method: whether the method of the robot takes it; other options are only for `program` and `operation_count`.
    """

    name: str
    read: Read
    default: Any = None
    meaning: str = ""
    example: Callable[[RobotBase], Any] | None = None
    numbers: bool = False
    of_method: bool = True


def choose(function: str, options: Sequence[Option], robot: RobotBase, values: Mapping[str, Any]) -> Chosen:
    """Return the checked options of a function for the given values; raise StateError if one is unknown or missing."""
    chosen, known = _NOTHING, 0
    for option in options:
        value = values.get(option.name, _ABSENT)
        if value is not _ABSENT:
            known += 1
            if value is not option.default:
                chosen = Chosen() if chosen is _NOTHING else chosen
                option.read(robot, value, chosen, values)
        elif option.default is REQUIRED:
            raise StateError(f"{function} needs {option.name}=, {option.meaning}")
    if known < len(values):
        names = [option.name for option in options]
        wrong = next(name for name in values if name not in names)
        raise StateError(f"{function} has no option {wrong!r}; {suggest(wrong, names)}")
    return chosen


def _one_of(name: str, choices: Sequence[str], default: str | None, of: str = "") -> Option:
    """Return an option that is one of some words."""

    def read(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
        if not is_choice(value, choices):
            raise StateError(f"no {name} {value!r}{of}; {suggest(str(value), choices)}")
        if value != default:
            chosen.options[name] = value

    return Option(name, read, default)


def _flag(name: str, default: bool, of_method: bool = True) -> Option:
    """Return an option that is True or False."""

    def read(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
        if as_flag(value, name) is not default:
            chosen.options[name] = not default

    return Option(name, read, default, of_method=of_method)


def _link(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.options["link"] = check_link(robot, value)


def _point(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    if isinstance(value, str):
        if value != ORIGIN:
            raise StateError(
                f"no point {value!r}; expected three numbers in the link's frame [m], or 'origin' for that of the world"
            )
        chosen.options["point"] = ORIGIN
    else:
        chosen.options["point"], chosen.arguments["point"] = "given", value


def _momentum_point(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    if not is_choice(value, MOMENTUM_POINTS):
        raise StateError(f"momentum has no point {value!r}; {suggest(str(value), MOMENTUM_POINTS)}")
    if value != "com":
        chosen.options["point"] = value


def _external(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    acting = check_external(robot, value)
    if acting:
        chosen.arguments["external"] = packed(acting, "external wrenches")
        chosen.options["external"] = tuple((link, wrench.axes) for link, wrench in acting.items())


def _external_rates(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    rates = check_rates(robot, value, check_external(robot, values.get("external")))
    if rates:
        chosen.arguments["external_rates"] = packed(rates, "rates of external wrenches")
        chosen.options["changing"] = True


def _base_motion(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.arguments["base_motion"] = check_base_motion(value).packed()
    chosen.options["base_motion"] = True


def _base_jerk(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    _base_motion(robot, value, chosen, values)
    chosen.arguments["base_jerk"] = value.packed_jerk()


def _known(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.options["torque_known"] = tuple(bool(x) for x in torque_known(robot, value))


def _joints(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.options["joints"] = tuple(moving_joint(robot, name) for name in listed(value, "joints"))


def _components(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.options["components"] = tuple(component(name) for name in listed(value, "components"))


def _convention(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.options["convention"] = dh_convention(robot.model, value)


def _weights(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.arguments["weights"] = value


def _integral(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    chosen.arguments["integral"] = value


def _gain(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    gain = np.asarray(value, dtype=float) if not isinstance(value, (str, bytes)) else None
    if gain is None or not (gain > 0).all() or not np.isfinite(gain).all():
        raise StateError(f"gain must be positive numbers [1/s], one or one per joint torque, got {value!r}")
    chosen.arguments["gain"] = np.full(robot.nv, gain) if gain.ndim == 0 else gain


def _tangents(robot: RobotBase, value: Any, chosen: Chosen, values: Mapping[str, Any]) -> None:
    moves = dict(zip(STATE, by_name("tangents", value, STATE, optional=True), strict=True))
    along = tuple(name for name, move in moves.items() if move is not None)
    if not along:
        raise StateError("no tangent is given: give one of q, qd, qdd")
    if along != STATE:
        chosen.options["along"] = along
    chosen.arguments.update((f"d{name}", moves[name]) for name in along)


LINK = Option("link", _link, REQUIRED, "the name of a link", lambda robot: robot.model.links[-1].name)
LINK_AXES = _one_of("axes", AXES, "world")
POINT = Option("point", _point)
CLASSICAL = _flag("classical", True)
JOINT_AXES = _one_of("axes", WRENCH_AXES, "joint", " of joint wrenches")
MOMENTUM_POINT = Option("point", _momentum_point, "com")
EXTERNAL = Option("external", _external)
EXTERNAL_RATES = Option("external_rates", _external_rates)
BASE_MOTION = Option("base_motion", _base_motion)
BASE_MOTION_WITH_JERK = Option("base_motion", _base_jerk)
METHOD = _one_of("method", METHODS, None)
KNOWN = Option(
    "known", _known, REQUIRED, "which joints have their torque known, and which their acceleration", lambda robot: {"torque": ...}
)
SOME_KNOWN = Option("known", _known)
JOINTS = Option("joints", _joints)
COMPONENTS = Option("components", _components)
WEIGHTS = Option("weights", _weights, REQUIRED, "one per joint torque", lambda robot: np.ones(robot.nv), numbers=True)
INTEGRAL = Option("integral", _integral, REQUIRED, "of the observer, (..., nv)", lambda robot: np.zeros(robot.nv), numbers=True)
GAIN = Option("gain", _gain, REQUIRED, "of the observer [1/s]", lambda robot: np.ones(robot.nv), numbers=True)
TANGENTS = Option(
    "tangents",
    _tangents,
    REQUIRED,
    "the direction: (dq, dqd, dqdd), or by name",
    lambda robot: tuple(np.ones(robot.nv) for _ in STATE),
    numbers=True,
)
PACKED = _flag("packed", False)
DRIVES = _flag("drives", True)
PART = _one_of("part", PARTS, "origin", " of a joint")
CONVENTION = Option("convention", _convention)
REGROUPED = _flag("regrouped", True, of_method=False)
