"""Built-in robots by name: robots:panda, or robots:rp(theta2=0) with arguments."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from .. import robots
from ..errors import ModelError, NameLookupError, suggest
from ..read.number import parse_expression

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot

PREFIX = "robots:"
_CALL = re.compile(r"(\w+)\s*(?:\((.*)\))?\s*", re.ASCII)


def builtin_names() -> tuple[str, ...]:
    """Return the names of the built-in robots without required arguments, closed robots last."""
    return (*robots.BUILTIN, *robots.CLOSED)


def builtin_robot(text: str) -> Robot | ClosedRobot:
    """Return the robot of "robots:rp" or "robots:rp(theta2=0)"; numbers may be written as 0.5, pi/2 or 90deg.

    Raises:
        NameLookupError: unknown robot.
        ModelError: unknown argument, or invalid value.
    """
    call = text.removeprefix(PREFIX)
    match = _CALL.fullmatch(call)
    if match is None:
        raise ModelError(f"{call!r} is not the name of a built-in robot; write robots:rr, or robots:rp(theta2=0) with arguments")
    name = match[1]
    if name not in builtin_names():
        raise NameLookupError("built-in robot", name, builtin_names())
    # only numbers and flags: other arguments need Python
    known = {
        key: parameter.default
        for key, parameter in inspect.signature(getattr(robots, f"{name}_model")).parameters.items()
        if isinstance(parameter.default, (bool, float))
    }
    arguments: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in (match[2] or "").split(","))):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or key not in known:
            raise ModelError(f"robot {name!r} has no argument {key!r}; {suggest(key, known)}")
        arguments[key] = _value(name, key, value, isinstance(known[key], bool))
    return getattr(robots, name)(**arguments)  # type: ignore[no-any-return]


def _value(name: str, key: str, text: str, flag: bool) -> float | bool:
    found = {"true": True, "false": False}.get(text.lower()) if flag else parse_expression(text)
    if found is None:
        wanted = "true or false" if flag else "a number such as 0.5, pi/2 or 90deg"
        raise ModelError(f"argument {key!r} of robot {name!r} must be {wanted}, got {text!r}")
    return found
