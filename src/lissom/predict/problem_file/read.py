"""Motion problems from YAML files; errors name the line.

    lissom: 1
    kind: motion
    name: RR arm, minimum time
    robot: robots:rr                                 # or a file, from the folder of this one
    path: {control_points: 20}                       # degree: 3, points_per_span: 4
    duration: {lower: 0.05, upper: 2}                # [s]
    start: {position: [0, -2]}                       # [rad or m], at rest
    end: {position: [1, -1]}
    limits:
      - {quantity: torque, within: 10}               # [N m or N]
    minimize: time

Numbers are in SI units; angles may be written as 90deg or pi/2.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import FileError
from ...loading.named_file import find_file
from ...loading.robot_section import read_robot
from ...read.document import read_header
from ...read.entry import Entry, compose_yaml
from ...read.source import Source, decode, exists, read_bytes
from ...read.values import line_of, number, texts, whole
from ..problem.problem import MotionProblem
from ..search.solve import HESSIANS, SOLVERS
from .avoid import read_avoid
from .builtin import builtin_problems
from .channels import expect_use, read_channels
from .contacts import read_contacts
from .ends import read_end
from .ground import read_ground
from .parts import read_goals, read_limits, read_repeat
from .phases import read_duration, read_phases
from .reach import read_reach

if TYPE_CHECKING:
    from ...closed import ClosedRobot
    from ...robot import Robot

MAX_BYTES = 1 << 20
SOLVE = (
    "refine",
    "starts",
    "seed",
    "tolerance",
    "limit_tolerance",
    "iterations",
    "seconds",
    "restart",
    "feasible_first",
    "hessian",
    "solver",
)
MOST = {"starts": 1000, "refine": 20, "iterations": 1_000_000}  # of a file: more would be days of work
REQUIRED = ("name", "robot", "minimize")
KEYS = (
    "name",
    "about",
    "notes",
    "robot",
    "undriven",
    "driven",
    "path",
    "duration",
    "phases",
    "channels",
    "contacts",
    "ground",
    "start",
    "end",
    "limits",
    "reach",
    "avoid",
    "repeat",
    "minimize",
    "solve",
)
PARTS = {"limits": read_limits, "reach": read_reach, "avoid": read_avoid, "repeat": read_repeat}


def load(path: str | os.PathLike[str], robot: str | None = None) -> MotionProblem:
    """Read a motion problem from a YAML file, or a built-in one by its name.

    Args:
        path: the file; or a name from `lissom.predict.builtin_problems()`, such as "rr", if there is no such file.
        robot: a robot that replaces the file's: a file, or "robots:rr". Joints and links must have the same names.

    Returns:
        MotionProblem: its `settings` hold the file's options of `solve`.

    Raises:
        FileError: with the line, for anything that is not a motion problem.
    """
    file = find_file(path, builtin_problems(), "problem")
    if exists(file) and file.is_dir():
        raise FileError("is a folder; give the path of a problem file", path)
    return parse(decode(read_bytes(file, MAX_BYTES), path), path, file.parent, robot)


def parse(text: str, path: object = "<text>", folder: Path | None = None, robot: str | None = None) -> MotionProblem:
    """Return the problem of YAML `text`; a robot's file is looked for from `folder`. `path` is only used in messages."""
    return read_problem(compose_yaml(text, Source(path)), folder, robot)


def read_problem(
    document: Entry, folder: Path | None = None, robot: str | None = None, made: Robot | ClosedRobot | None = None
) -> MotionProblem:
    """Return the problem of a document; see `parse`. `made` is the robot of its section, where it was read before."""
    keys = _header(document)
    model = read_robot(keys["robot"], folder or Path(), robot).robot if made is None else made
    path_keys = _path(keys)
    smooth = path_keys.pop("smooth", None)
    settings: dict[str, Any] = {key: whole(value, 1) for key, value in path_keys.items()}
    settings |= {"duration": read_duration(keys["duration"])} if "duration" in keys else {}
    settings |= {key: texts(keys[key]) for key in ("undriven", "driven") if key in keys}
    name = keys["name"].text()
    with line_of(keys.get("path", keys["robot"])):
        problem = MotionProblem(model, name=name, **settings)
    if "phases" in keys:
        read_phases(problem, keys["phases"], smooth)
    elif smooth is not None:
        raise smooth.error("'smooth' is of phases, and there are none; leave it out, or add 'phases'")
    if "channels" in keys:
        read_channels(problem, keys["channels"])
    if "contacts" in keys:
        read_contacts(problem, keys["contacts"])
    if "ground" in keys:
        read_ground(problem, keys["ground"])
    for side in ("start", "end"):
        if side in keys:
            read_end(problem, side, keys[side])
    for key, read in PARTS.items():
        if key in keys:
            read(problem, keys[key])
    read_goals(problem, keys["minimize"], folder or Path())
    if "channels" in keys:
        expect_use(problem, keys["channels"])
    if "notes" in keys:
        problem.notes = tuple(texts(keys["notes"]))
    if "solve" in keys:
        problem.settings = _solve(keys["solve"])
    return problem


def about(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Return the name and the description of a problem's file, without reading its robot."""
    keys = _header(compose_yaml(decode(read_bytes(path, MAX_BYTES), path), Source(path)))
    return keys["name"].text(), keys["about"].text() if "about" in keys else ""


def robot_of(path: str | os.PathLike[str]) -> Robot | ClosedRobot:
    """Return the robot of a problem's file, without the problem."""
    keys = _header(compose_yaml(decode(read_bytes(path, MAX_BYTES), path), Source(path)))
    return read_robot(keys["robot"], Path(path).parent).robot


def _header(document: Entry) -> dict[str, Entry]:
    keys = read_header(document, ("motion",), KEYS, REQUIRED)
    if "duration" not in keys and "phases" not in keys:
        raise document.error(f"{document.label} has no key 'duration'; it needs bounds: write {{lower: 0.1, upper: 5}} [s]")
    return keys


def _path(keys: dict[str, Entry]) -> dict[str, Entry]:
    return keys["path"].mapping(("control_points", "degree", "points_per_span", "smooth")) if "path" in keys else {}


def _solve(entry: Entry) -> dict[str, Any]:
    """Read some options of `MotionProblem.solve`."""
    keys = entry.mapping(SOLVE)
    found: dict[str, Any] = {}
    for key, value in keys.items():
        if key in ("restart", "feasible_first"):
            found[key] = value.flag()
        elif key == "solver":
            found[key] = value.choice(SOLVERS)
        elif key == "hessian":
            found[key] = value.choice(HESSIANS)
        elif key == "tolerance":
            found[key] = number(value)
            if not 0 < found[key] < 1:
                raise value.error(f"'tolerance' must be between 0 and 1, got {found[key]:g}")
        elif key == "limit_tolerance":
            found[key] = number(value, infinite=True)
            if not found[key] > 0:
                raise value.error(f"'limit_tolerance' must be more than 0, such as 1e-3, got {found[key]:g}")
        elif key == "seconds":
            found[key] = number(value)
            if not found[key] > 0:
                raise value.error(f"'seconds' must be more than 0, got {found[key]:g}")
        elif key == "refine" and value.text() in ("true", "false"):
            found[key] = value.flag()
        else:
            found[key] = whole(value, 0 if key in ("refine", "seed") else 1)
            if found[key] > MOST.get(key, found[key]):
                raise value.error(f"{value.label} must be {MOST[key]} at most, got {value.node.value}")
    return found
