"""The robot section of a problem or scenario file: a built-in robot or a file, with payload, locked joints and free boxes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import yaml

from ..doubts import known_doubts
from ..model import Model
from ..model.free_body import with_box
from ..model.lock import locked
from ..model.payload import with_payload
from ..read.entry import Entry
from ..read.fields import read_inertia
from ..read.source import exists
from ..read.values import line_of, number, vector
from .builtin import PREFIX
from .load import load, with_model

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot

KEYS = ("model", "base", "mimic", "friction", "lock", "payload", "boxes")
BASES = ("fixed", "floating")


class Section(NamedTuple):
    """The robot of a file, and the robot's own file; None for a built-in robot."""

    robot: Robot | ClosedRobot
    file: Path | None


def read_robot(entry: Entry, folder: Path, other: str | None = None, what: str = "problem") -> Section:
    """Return the robot of `robot:`, either its name alone or {model, base, mimic, friction, lock, payload, boxes}.

    Args:
        entry: the section.
        folder: folder of the file with the section; paths of robot files are relative to it.
        other: name or file of a robot that replaces the file's, relative to the working directory.
        what: kind of file, for messages.
    """
    keys = entry.mapping(KEYS, required=("model",)) if isinstance(entry.node, yaml.MappingNode) else {"model": entry}
    named = keys["model"]
    mimic = keys["mimic"].flag() if "mimic" in keys else True
    friction = keys["friction"].flag() if "friction" in keys else None
    text, file = named.text() if other is None else other, None
    if text.startswith(PREFIX):
        if "mimic" in keys or friction:
            raise entry.error("'mimic' and 'friction: true' apply to robots from files, not to built-in ones")
    else:
        file = Path(text) if other is not None else folder / text
        if other is None and not exists(file):
            raise named.error(
                f"no file {file}; robot files are searched from the folder of the {what}; put it there, or write "
                f"robots:NAME for a built-in robot"
            )
    with line_of(named):
        base = keys["base"].choice(BASES) if "base" in keys else BASES[0]
        robot = load(text if file is None else file, base=base, mimic=mimic, friction=friction)
    model = robot.model
    with known_doubts():  # warned about when the robot was read
        if "lock" in keys:
            model = _lock(model, keys["lock"])
        if "payload" in keys:
            model = _payload(model, keys["payload"])
        for box in keys["boxes"].items() if "boxes" in keys else ():
            model = _box(model, box)
    return Section(with_model(robot, model), file)


def _lock(model: Model, entry: Entry) -> Model:
    names = [joint.name for joint in model.independent_joints]
    held = {name: number(value, angles=True) for name, value in entry.mapping(names).items()}
    with line_of(entry):
        return locked(model, held)


def _payload(model: Model, entry: Entry) -> Model:
    keys = entry.mapping(("link", "mass", "com", "inertia"), required=("link", "mass"))
    body = read_inertia(entry, {key: value for key, value in keys.items() if key != "link"})
    assert body is not None  # the payload has a mass
    with line_of(keys["link"]):
        return with_payload(model, body.mass, body.com, np.array(body.tensor), keys["link"].text())


def _box(model: Model, entry: Entry) -> Model:
    keys = entry.mapping(("name", "mass", "size"), required=("name", "mass", "size"))
    with line_of(entry):
        return with_box(model, keys["name"].text(), number(keys["mass"]), vector(keys["size"]))
