"""The robot of a problem file: a built-in one with its arguments, or a file; with a payload, and joints that are held."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from .. import robots
from ..doubts import known_doubts
from ..errors import suggest
from ..model import Model
from ..model.lock import locked
from ..model.payload import with_payload
from ..read import load_model
from ..read.entry import Entry
from ..read.fields import read_inertia
from ..read.number import parse_expression
from ..read.source import exists
from ..read.values import line_of, number
from ..robot import Robot

PREFIX = "robots:"
_CALL = re.compile(r"(\w+)\s*(?:\((.*)\))?\s*", re.ASCII)

KEYS = ("model", "mimic", "friction", "lock", "payload")


TREES = (
    "problem files are for robots whose joints form a tree, and {name!r} has loops; in Python, "
    "lissom.closed.ClosedMotionProblem(robot, ...) predicts its motions"
)


def read_robot(entry: Entry, folder: Path, other: str | None = None, closed: str = TREES) -> Robot:
    """Return the robot of `robot:`, either its name alone or {model, mimic, friction, lock, payload}.

    Args:
        entry: what the file says.
        folder: of the problem's file; a robot's file is looked for from there.
        other: name or file of a robot in the place of the file's own, from the working directory.
        closed: what to say of a robot that has loops, with its {name!r}.
    """
    if isinstance(entry.node, yaml.MappingNode):
        keys = entry.mapping(KEYS, required=("model",))
    else:
        keys = {"model": entry}
    mimic = keys["mimic"].flag() if "mimic" in keys else True
    friction = keys["friction"].flag() if "friction" in keys else None
    text = keys["model"].text() if other is None else other
    if text.startswith(PREFIX):
        if "mimic" in keys or friction:
            raise entry.error("'mimic' and 'friction: true' are for robots in files; built-in ones are as they are")
        with line_of(keys["model"]):
            model = _builtin(keys["model"], text.removeprefix(PREFIX), closed)
    else:
        if other is None and not exists(folder / text):
            raise keys["model"].error(
                f"there is no file {folder / text}; files of robots are looked for from the folder of the problem's; "
                f"put it there, or name another with --robot"
            )
        with line_of(keys["model"]):
            model = load_model(folder / text if other is None else text, mimic=mimic, friction=friction)
    with known_doubts():  # of the inertias: given when the file was read
        if friction is False:
            model = model.without_friction()
        if "lock" in keys:
            model = _lock(model, keys["lock"])
        if "payload" in keys:
            model = _payload(model, keys["payload"])
    if model.loops:
        raise keys["model"].error(closed.format(name=model.name))
    return Robot(model)


def _lock(model: Model, entry: Entry) -> Model:
    names = [joint.name for joint in model.independent_joints]
    held = {name: number(value, angles=True) for name, value in entry.mapping(names).items()}
    with line_of(entry):
        return locked(model, held)


def _builtin(entry: Entry, text: str, closed: str) -> Model:
    """Return a built-in model from "rp" or "rp(theta2=0)"."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise entry.error(f"{text!r} is no built-in robot; write robots:rr, or robots:rp(theta2=0) with arguments")
    name, given = match[1], match[2]
    if name in robots.CLOSED:
        raise entry.error(closed.format(name=name))
    if name not in robots.BUILTIN:
        raise entry.error(f"no built-in robot {name!r}; {suggest(name, robots.BUILTIN)}")
    make = robots.BUILTIN[name]
    known = {
        key: parameter.default
        for key, parameter in inspect.signature(make).parameters.items()
        if isinstance(parameter.default, (bool, float))
    }
    arguments: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in (given or "").split(","))):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or key not in known:
            raise entry.error(f"robot {name!r} has no argument {key!r}; {suggest(key, known)}")
        found: Any = parse_expression(value)
        if isinstance(known[key], bool):
            found = {"true": True, "false": False}.get(value.lower())
        if found is None:
            wanted = "true or false" if isinstance(known[key], bool) else "a number such as 0.5, pi/2 or 90deg"
            raise entry.error(f"argument {key!r} of robot {name!r} must be {wanted}, got {value!r}")
        arguments[key] = found
    return make(**arguments)


def _payload(model: Model, entry: Entry) -> Model:
    keys = entry.mapping(("link", "mass", "com", "inertia"), required=("link", "mass"))
    body = read_inertia(entry, {key: value for key, value in keys.items() if key != "link"})
    assert body is not None  # it has a mass
    with line_of(keys["link"]):
        return with_payload(model, keys["link"].text(), body.mass, body.com, np.array(body.tensor))
