"""Jobs from YAML files; errors name the line.

    lissom: 1
    kind: work
    name: boxes onto a shelf
    worker: {stature: 1.75, mass: 75, sex: male, age: 40}
    hours: 2                              # of this work in a shift
    exoskeleton: {stiffness: 40, angle: 10deg}      # worn throughout; may be left out
    cobot: {robot: panda, base: [0.9, 0, 0.4], turn: 180deg, grip: top}     # holds every box, too; may be left out
    fatigue: true                         # lifts are repeated over the hours; may be left out
    tasks:
      - {name: up, lift: {mass: 10, origin: [0.4, 0.05], destination: [0.4, 1.2], frequency: 2, coupling: fair}}
      - {name: away, carry: {mass: 10, distance: 15, frequency: 0.5, how: both, speed: 1.2}}
    designs:
      - {name: lower shelf, tasks: {up: {destination: [0.4, 0.8]}}}
      - {name: with an exoskeleton, exoskeleton: {stiffness: 40}}

Numbers are in SI units, frequencies per minute; `knees` may be written as 90deg.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import suggest
from ..read.document import KINDS, open_document, read_header
from ..read.entry import Entry
from ..read.values import line_of
from ..robots import BUILTIN
from ..tasks.cobot import Cobot
from .job import CARRIED, MOTION, Carry, Design, Exoskeleton, Job, Lift, Worker
from .niosh import COUPLINGS

MAX_BYTES = 1 << 20
REQUIRED = ("tasks",)
KEYS = ("name", "worker", "hours", "exoskeleton", "cobot", "fatigue", "tasks", "designs")
LIFT = ("mass", "origin", "destination", "frequency", "coupling", "placed", "size", "duration", "stance", "knees")
CARRY = ("mass", "distance", "frequency", "speed", "how")
MOST = 100  # tasks, and designs


def load_job(path: str | os.PathLike[str]) -> Job:
    """Read a job from a YAML file.

    Raises:
        FileError: with the line, for anything that is not a job.
    """
    document = open_document(path, MAX_BYTES)
    keys = read_header(document, ("work",), KEYS, REQUIRED, dict.fromkeys(REQUIRED, f"{KINDS['work'].begins}, and has tasks"))
    tasks = tuple(_task(entry) for entry in _some(keys["tasks"]))
    worker = _worker(keys["worker"]) if "worker" in keys else Worker()
    own: dict[str, Any] = {"name": keys["name"].text() if "name" in keys else Path(path).stem, "worker": worker}
    if "hours" in keys:
        own["hours"] = keys["hours"].number()
    if "exoskeleton" in keys:
        own["exoskeleton"] = _exoskeleton(keys["exoskeleton"])
    if "cobot" in keys:
        own["cobot"] = _cobot(keys["cobot"], path)
    if "fatigue" in keys:
        own["fatigue"] = keys["fatigue"].flag()
    with line_of(document):
        job = Job(tasks=tasks, **own)
    for entry in _some(keys["designs"]) if "designs" in keys else ():
        design = _design(entry, {task.name: task for task in tasks}, path)
        with line_of(entry):
            job = replace(job, designs=(*job.designs, design))
    return job


def _some(entry: Entry) -> list[Entry]:
    items = entry.items()
    if len(items) > MOST:
        raise entry.error(f"{entry.label} has {len(items)} items, {MOST} at most")
    return items


def _worker(entry: Entry) -> Worker:
    keys = entry.mapping(("stature", "mass", "sex", "age"))
    found: dict[str, Any] = {name: keys[name].number() for name in ("stature", "mass", "age") if name in keys}
    if "sex" in keys:
        found["sex"] = keys["sex"].choice(("male", "female"))
    return Worker(**found)


def _exoskeleton(entry: Entry) -> Exoskeleton:
    keys = entry.mapping(("stiffness", "angle"), ("stiffness",))
    with line_of(entry):
        return Exoskeleton(**{name: value.number() for name, value in keys.items()})


def _cobot(entry: Entry, path: str | os.PathLike[str]) -> Cobot:
    keys = entry.mapping(("robot", "base", "turn", "grip", "link"), ("robot",))
    name = keys["robot"].text()
    file = Path(path).parent / name
    if name not in BUILTIN and not file.is_file():
        raise keys["robot"].error(f"there is no built-in robot and no file {name!r} beside the job; {suggest(name, BUILTIN)}")
    own: dict[str, Any] = {"robot": name if name in BUILTIN else str(file)}
    if "base" in keys:
        own["base"] = tuple(float(x) for x in keys["base"].numbers(3))
    if "turn" in keys:
        own["turn"] = keys["turn"].number()
    own |= {key: keys[key].text() for key in ("grip", "link") if key in keys}
    with line_of(entry):
        found = Cobot(**own)
        found.model()
    return found


def _task(entry: Entry) -> Lift | Carry:
    keys = entry.mapping(("name", "lift", "carry"), ("name",))
    name = keys["name"].text()
    if ("lift" in keys) == ("carry" in keys):
        raise entry.error(f"task {name!r} has to be either a lift or a carry; give it one of these keys")
    if "carry" in keys:
        own = keys["carry"].mapping(CARRY, ("mass", "distance", "frequency"))
        values = {key: _value(key, value) for key, value in own.items()}
        with line_of(entry):
            return Carry(name, **values)
    own = keys["lift"].mapping(LIFT, ("mass", "origin", "destination", "frequency"))
    values = {key: _value(key, value) for key, value in own.items()}
    motion = {key: values.pop(key) for key in MOTION if key in values}
    with line_of(entry):
        return Lift(name, motion=motion, **values)


def _value(key: str, entry: Entry) -> Any:
    if key in ("origin", "destination"):
        items = entry.items()
        if len(items) not in (2, 3):
            raise entry.error(f"{entry.label} must be x and height, or x, y (left) and height [m], got {len(items)} numbers")
        return tuple(item.number() for item in items)
    if key == "size":
        return tuple(float(x) for x in entry.numbers(3))
    if key == "coupling":
        return entry.choice(tuple(COUPLINGS))
    if key == "how":
        return entry.choice(CARRIED)
    if key == "placed":
        return entry.flag()
    return float(np.rad2deg(entry.number())) if key == "knees" else entry.number()


def _design(entry: Entry, tasks: dict[str, Lift | Carry], path: str | os.PathLike[str]) -> Design:
    keys = entry.mapping(("name", "tasks", "exoskeleton", "cobot"), ("name",))
    changes: dict[str, dict[str, Any]] = {}
    for task, change in keys["tasks"].mapping(tuple(tasks)).items() if "tasks" in keys else ():
        known = LIFT if isinstance(tasks[task], Lift) else CARRY
        changes[task] = {key: _value(key, value) for key, value in change.mapping(known).items()}
    worn = _exoskeleton(keys["exoskeleton"]) if "exoskeleton" in keys else None
    helps = _cobot(keys["cobot"], path) if "cobot" in keys else None
    return Design(keys["name"].text(), changes, worn, helps)
