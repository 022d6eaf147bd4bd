"""Scenarios from YAML files; errors name the line.

    lissom: 1
    kind: scenario
    name: Hua's arm                                  # the file's name by default
    robot: robots:hua_arm                            # or a file, from the folder of this one; may be left to the command line
    start: {q: [0, 0, -25deg], qd: 0}                # motor_q: equilibrium, motor_qd: joints
    duration: 10                                     # [s]
    sample: 0.01                                     # [s]; method: adaptive, dt, rtol, atol as in Robot.simulate
    reference: {sine: {amplitude: 0.5, frequency: pi/2}}
    controller: {mixed: {slope: [13, 13, 3.4], damping: [30, 30, 10]}}
    hold: 0.001                                      # [s] sampling time of a digital controller; without it, continuous control
    external: {tip: {force: [0, 0, -3], axes: world, known: false}}

Numbers are in SI units; angles may be written as 90deg or pi/2. Values of joints are one number for all, a list, or by their
names: {q1: 13, q2: 13, q3: 3.4}. See `read_reference.py` and `read_controller.py` for references and controllers.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from ..errors import StateError
from ..loading.named_file import find_file
from ..loading.robot_section import read_robot
from ..protocol import DrivenRobot, expect_drives
from ..read.document import KINDS, read_header
from ..read.entry import Entry, compose_yaml
from ..read.source import Source, decode, read_bytes
from ..read.values import line_of, number
from ..simulate.problem import METHODS, check_times, check_tolerances
from .builtin import builtin_scenarios
from .read_controller import read_controller
from .read_reference import read_reference
from .read_start import read_external, read_start
from .scenario import Scenario

MAX_BYTES = 1 << 20
REQUIRED = ("start", "duration", "reference", "controller")
LONGEST = 1e6  # [s]: eleven days of simulated time
MOST = {"sample": 1e6, "dt": 1e8, "hold": 1e7}  # of these periods in the duration: hours of work, or gigabytes
TIMES = ("duration", "sample", "dt", "rtol", "atol", "hold")
KEYS = (*("name", "about", "robot", "start"), *TIMES, "method", "reference", "controller", "external")
_BEGINS = f"{KINDS['scenario'].begins}, and has {', '.join(REQUIRED)}"


def load_scenario(path: str | os.PathLike[str], robot: DrivenRobot | None = None) -> Scenario:
    """Read a scenario from a YAML file, or a built-in one by its name, such as "hua_arm".

    Args:
        path: the file; or a name from `lissom.control.builtin_scenarios()`, if there is no such file.
        robot: replaces the file's; joints and links that the scenario names must exist.

    Raises:
        FileError: with the line, for anything that is not a scenario; paths of robots and references start from the
            scenario's folder.
    """
    file = find_file(path, builtin_scenarios(), "scenario")
    scenario = parse(decode(read_bytes(file, MAX_BYTES), path), path, file.parent, robot, file.stem)
    return replace(scenario, sources=(file, *scenario.sources))


def about(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Return the name and the description of a scenario's file, without reading its robot."""
    keys = _header(compose_yaml(decode(read_bytes(path, MAX_BYTES), path), Source(path)))
    return keys["name"].text() if "name" in keys else Path(path).stem, keys["about"].text() if "about" in keys else ""


def robot_of(path: str | os.PathLike[str]) -> DrivenRobot:
    """Return the robot of a scenario's file, without the scenario."""
    document = compose_yaml(decode(read_bytes(path, MAX_BYTES), path), Source(path))
    return _robot(document, _header(document), Path(path).parent, None)[0]


def parse(
    text: str, path: object = "<text>", folder: Path | None = None, robot: DrivenRobot | None = None, name: str = "scenario"
) -> Scenario:
    """Return the scenario of YAML `text`; other files are looked for from `folder`. `path` is only used in messages."""
    return read_scenario(compose_yaml(text, Source(path)), folder or Path(), robot, name)


def read_scenario(document: Entry, folder: Path, robot: DrivenRobot | None = None, name: str = "scenario") -> Scenario:
    """Return the scenario of a document; see `parse`."""
    keys = _header(document)
    robot, sources = _robot(document, keys, folder, robot)
    options = _options(keys)
    external, known = read_external(keys["external"], robot) if "external" in keys else ({}, {})
    start = read_start(keys["start"], robot, external)
    reference = read_reference(keys["reference"], robot, folder, keys["controller"], start.q)
    controller = read_controller(keys["controller"], robot, reference, known)
    return Scenario(
        name=keys["name"].text() if "name" in keys else name,
        robot=robot,
        controller=controller,
        reference=reference.follow,
        q0=start.q0,
        qd0=start.qd0,
        duration=options.pop("duration"),
        options=options,
        external=external,
        unknown=tuple(link for link in external if link not in known),
        task=reference.text,
        assumed=(*start.assumed, *reference.assumed),
        sources=(*sources, *reference.sources),
    )


def _header(document: Entry) -> dict[str, Entry]:
    keys = read_header(document, ("scenario",), KEYS, REQUIRED, dict.fromkeys(REQUIRED, _BEGINS))
    return {key: value.called(f"'{key}'") for key, value in keys.items()}


def _robot(
    document: Entry, keys: dict[str, Entry], folder: Path, robot: DrivenRobot | None
) -> tuple[DrivenRobot, tuple[Path, ...]]:
    """Return the robot, and the file that it comes from, if any."""
    own = keys.get("robot")
    sources: tuple[Path, ...] = ()
    if robot is not None:
        if own is not None and isinstance(own.node, yaml.MappingNode):
            raise own.error(
                f"the scenario gives options of its robot, which {robot.name!r} would not get; write "
                "'robot: NAME', or put that robot into a file"
            )
    elif own is None:
        raise document.error(
            "the document has no key 'robot', and no other robot is given; write 'robot: robots:hua_arm' or the name of a "
            "file, or run: lissom simulate ROBOT --controller SCENARIO"
        )
    else:
        found = read_robot(own, folder, what="scenario")
        robot, sources = found.robot, () if found.file is None else (found.file,)
    assert robot is not None
    with line_of(own or document):
        expect_drives(robot, "a controller")
    return robot, sources


def _options(keys: dict[str, Entry]) -> dict[str, Any]:
    """Return the options of Robot.simulate that the file gives."""
    found: dict[str, Any] = {key: number(keys[key]) for key in TIMES if key in keys}
    if "method" in keys:
        found["method"] = keys["method"].choice(METHODS)
    method = found.get("method", METHODS[0])
    try:
        check_times(method, *(found.get(key) for key in ("duration", "dt", "sample", "hold")))
        check_tolerances(method, found.get("rtol"), found.get("atol"))
    except StateError as error:
        first = re.match(r"\w*", str(error))
        raise keys.get(first[0] if first else "", keys["duration"]).error(str(error)) from error
    if found["duration"] > LONGEST:
        raise keys["duration"].error(f"duration is {found['duration']:g} s, expected {LONGEST:g} s at most")
    for key, most in MOST.items():
        if key in found and (count := found["duration"] / found[key]) > most:
            what = f"{key} = {found[key]:g} s makes {count:.3g} of them in {found['duration']:g} s"
            raise keys[key].error(f"{what}, expected {most:.0e} at most; take a longer one, or a shorter duration")
    return found
