"""`lissom export`: functions of a robot as source code."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError, StateError
from ..export import render
from ..export.wasm.demo import demo_html
from ..files import write_whole
from ..view.page import check_ending
from ..wrench import BaseMotion, Wrench, WrenchRate
from .files import is_stream
from .outputs import Outputs
from .simulate_inputs import numbers_of

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot


def export_functions(
    robot: Robot | ClosedRobot,
    file: str,
    names: Sequence[str],
    folder: Path,
    how: Mapping[str, Any],
    options: Sequence[str],
    outputs: Outputs,
) -> None:
    """Write the files of an export into a folder."""
    if is_stream(folder) or (folder.exists() and not folder.is_dir()):
        raise FileError("this is a file, and an export needs a folder for several files", folder)
    files = render(robot, names, **how, **read_options(options))
    targets = {folder.joinpath(*name.split("/")): content for name, content in files.items()}
    outputs.check(list(targets), [file])
    outputs.report = {"robot": robot.name, "functions": list(names), "language": how["language"]}
    for path, content in targets.items():
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        outputs.save(path, functools.partial(write_whole, content=data), path.suffix, path.name)
    outputs.finish()


def write_web_demo(robot: Robot | ClosedRobot, file: str, out: Path, q: str | None, simd: bool, outputs: Outputs) -> None:
    """Write the page of `robot.web_demo`."""
    if not is_stream(out):
        check_ending(out)
    outputs.check([out], [file])
    start = None if q is None else numbers_of(q, "--q", robot.nq, robot.n_elastic)
    page = demo_html(robot, start, simd=simd).encode("utf-8", "xmlcharrefreplace")
    outputs.report = {"robot": robot.name}
    outputs.save(out, functools.partial(write_whole, content=page), ".html", out.name)
    outputs.finish()


def read_options(texts: Sequence[str]) -> dict[str, Any]:
    """Return options by name; `external_rates=true` stands for rates of all external wrenches."""
    found = dict(map(read_option, texts))
    if found.get("external_rates") is True and isinstance(found.get("external"), dict):
        found["external_rates"] = {link: WrenchRate() for link in found["external"]}
    return found


def read_option(text: str) -> tuple[str, Any]:
    """Return name and value of an option: a number, a flag, a list or a mapping as in JSON, otherwise a word.

    `external=hand:link,elbow` stands for wrenches on links along their own axes or, without a colon, the world's;
    `base_motion=true` for a motion of the base. Their numbers are arguments of the code.
    """
    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_")
    if not equals or not name:
        raise StateError(f"--set {text!r}: expected OPTION=VALUE, such as link=hand")
    try:
        found: Any = json.loads(value)
    except json.JSONDecodeError:
        found = value.strip()
    if name == "external" and isinstance(found, str):
        parts = (part.strip().rpartition(":") for part in found.split(","))
        return name, {link or axes: Wrench(axes=axes if link else "world") for link, _, axes in parts}
    if name == "base_motion" and found is True:
        return name, BaseMotion(jerk=(0.0, 0.0, 0.0), angular_jerk=(0.0, 0.0, 0.0))  # torque rates need them, others take none
    if name == "known" and isinstance(found, dict):
        return name, {key: ... if names == "..." else names for key, names in found.items()}
    return name, found
