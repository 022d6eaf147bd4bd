"""Load a robot from a file, a text or a built-in name."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import lissom

from ..doubts import known_doubts
from ..errors import FileError, ModelError, suggest
from ..model import Model
from ..robot import Robot

StrPath = str | os.PathLike[str]


def load(
    source: StrPath,
    *,
    base: str = "fixed",
    mimic: bool = True,
    friction: bool | None = None,
    strict: bool = False,
    loops: StrPath | None = None,
    trusted: bool = False,
    active: Sequence[str] | None = None,
    closure_tolerance: float | None = None,
    mesh_path: StrPath | Sequence[StrPath] | None = None,
) -> Robot | lissom.ClosedRobot:
    """Load a robot from a file, a text or a built-in name.

    Args:
        source: a file: URDF (.urdf), MJCF (.xml, .mjcf) or lissom's YAML (.yaml, .yml; trees and Denavit-Hartenberg tables); or
            the text of one, recognized by its content; or "robots:panda", "robots:rp(theta2=0)".
        base: "fixed", or "floating" to let the base link move freely (7 coordinates and 6 velocities come first).
        mimic: True couples mimic joints to their leaders; False leaves them independent.
        friction: whether to include joint friction; None follows the format (URDF: no, as in Pinocchio; MJCF, YAML
            and built-in robots: yes).
        strict: raise an error for doubtful inertias instead of a warning.
        loops: a YAML file for a URDF or MJCF file, with the cut joints that close its loops and the active joints.
        trusted: True lets an MJCF file read files outside its folder and have any size, which are errors otherwise, and lets mesh
            files of all formats lie anywhere.
        active: names of the active joints of a closed robot, replacing those of the file.
        closure_tolerance: largest closure error of the loops of a closed robot with rounded lengths [m].
        mesh_path: a folder or several, in which mesh files are searched beside the robot's own folder and package: with the
            meshes themselves, or with packages for addresses such as package://NAME/arm.stl.

    Returns:
        A `lissom.Robot`, or a `lissom.ClosedRobot` if the description has loops; both have the functions of
        `lissom.protocol.DrivenRobot`. For functions that only one kind has, `isinstance(robot, lissom.Robot)` tells type checkers
        which it is.

    Raises:
        FileError: the description is invalid; the message names file and line.
        NameLookupError: unknown built-in robot.
        ModelError: an option does not fit the robot.
    """
    from ..read import load_model
    from ..read.source import exists
    from .builtin import PREFIX, builtin_names

    if isinstance(source, str):
        if source.startswith(PREFIX):
            only_files = {"base": base != "fixed", "mimic": not mimic, "loops": loops is not None, "trusted": trusted}
            only_files["mesh_path"] = mesh_path is not None
            return _builtin(source, only_files, friction, strict, active, closure_tolerance)
        if re.fullmatch(r"[\w-]+", source) and not exists(Path(source)):
            if source in builtin_names():
                raise FileError(f"no such file; the built-in robot is {PREFIX}{source}", source)
            raise FileError(f"neither a file nor a built-in robot, {PREFIX}NAME; {suggest(source, builtin_names())}", source)
    model = load_model(
        source,
        base=base,
        mimic=mimic,
        friction=friction,
        strict=strict,
        loops=loops,
        trusted=trusted,
        active=active,
        closure_tolerance=closure_tolerance,
        mesh_path=mesh_path,
    )
    return robot_of(model)


def robot_of(model: Model) -> Robot | lissom.ClosedRobot:
    """Return the robot of a model: a ClosedRobot if the model has loops."""
    if not model.loops:
        return Robot(model)
    from ..closed import ClosedRobot

    return ClosedRobot(model)


def with_model(robot: Robot | lissom.ClosedRobot, model: Model) -> Robot | lissom.ClosedRobot:
    """Return a robot of the same kind, with the same backend and choices, for another model."""
    return robot if model is robot.model else type(robot)(model, **robot._choices)


def _builtin(
    source: str,
    only_files: dict[str, bool],
    friction: bool | None,
    strict: bool,
    active: Sequence[str] | None,
    closure_tolerance: float | None,
) -> Robot | lissom.ClosedRobot:
    from ..model.check import find_problems
    from .builtin import builtin_robot

    for option, given in only_files.items():
        if given:
            raise ModelError(f"the option {option!r} applies to files; {source!r} is a built-in robot")
    robot = builtin_robot(source)
    model = robot.model
    if strict and (problems := find_problems(model)):
        raise ModelError(f"model {model.name!r}: {problems[0].text}")
    with known_doubts():
        if friction is False:
            model = model.without_friction()
        changes = {"active": active, "closure_tolerance": closure_tolerance}
        if any(value is not None for value in changes.values()):
            model = model.replace(**{key: value for key, value in changes.items() if value is not None})
    return with_model(robot, model)
