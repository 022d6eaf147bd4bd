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
    """Return the names of the built-in robots without required arguments: then closed ones, then those of another package."""
    return (*robots.BUILTIN, *robots.CLOSED, *robots.BORROWED)


def robot_descriptions() -> dict[str, str]:
    """Return one line about each built-in robot, by robots:NAME: the first line of the docstring of its model's function."""
    docs = {name: getattr(robots, f"{name}_model").__doc__ for name in builtin_names()}
    return {PREFIX + name: doc.splitlines()[0].removeprefix("Return ").rstrip(".") for name, doc in docs.items()}


def builtin_robot(text: str) -> Robot | ClosedRobot:
    """Return the robot of "robots:rp" or "robots:rp(theta2=0)"; numbers may be written as 0.5, pi/2 or 90deg, words as they are.

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
    # only numbers, flags and words: other arguments need Python
    known = {
        key: kind
        for key, parameter in inspect.signature(getattr(robots, f"{name}_model")).parameters.items()
        if (kind := str(parameter.annotation).partition("|")[0].strip()) in ("bool", "float", "str")
    }
    arguments: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in (match[2] or "").split(","))):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or key not in known:
            raise ModelError(f"robot {name!r} has no argument {key!r}; {suggest(key, known)}")
        if key in arguments:
            raise ModelError(f"argument {key!r} of robot {name!r} is given twice; give it once")
        arguments[key] = _value(name, key, value, known[key])
    return getattr(robots, name)(**arguments)  # type: ignore[no-any-return]


def _value(name: str, key: str, text: str, kind: str) -> float | bool | str:
    if kind == "str":
        return text
    found = {"true": True, "false": False}.get(text.lower()) if kind == "bool" else parse_expression(text)
    if found is None:
        wanted = "true or false" if kind == "bool" else "a number such as 0.5, pi/2 or 90deg"
        raise ModelError(f"argument {key!r} of robot {name!r} must be {wanted}, got {text!r}")
    return found
