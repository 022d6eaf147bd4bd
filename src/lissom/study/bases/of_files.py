"""Bases made in Python: of problem files and scenarios, of the arguments of a walk, of a recorded motion."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ...control.builtin import builtin_scenarios
from ...loading.named_file import find_file
from ...predict.problem_file.builtin import builtin_problems
from ...read.source import decode, read_bytes
from ..expression import Expression
from .document import Document, Settings, place
from .files import GaitFile, MotionFile, ScenarioFile
from .recorded import TorqueFile

MAX_BYTES = 1 << 20
Set = Mapping[str, str]


def motion(path: str | os.PathLike[str], set: Set) -> MotionFile:
    """Return a motion problem as a base.

    Args:
        path: a problem file, or the name of a built-in one.
        set: formulas of the study's parameters by places in the file: {"limits[0].within": "torque", "end.position[0]": "2*x"}.
    """
    return MotionFile(_read(path, builtin_problems(), "problem"), _settings(set))


def scenario(path: str | os.PathLike[str], set: Set) -> ScenarioFile:
    """Return a simulation under control as a base; see `motion`."""
    return ScenarioFile(_read(path, builtin_scenarios(), "scenario"), _settings(set))


def gait(set: Set, **arguments: Any) -> GaitFile:
    """Return a walk as a base: `lissom.gait.predict` with these arguments, or `run` with run=True; see `motion` for `set`."""
    return GaitFile(_written(arguments), _settings(set))


def torque(robot: str | Mapping[str, Any], motion: str | os.PathLike[str], set: Set, speed: float = 1.0) -> TorqueFile:
    """Return inverse dynamics of a recorded motion as a base; see `lissom.study.motion` for `set`.

    Args:
        robot: a file or robots:NAME, or a mapping with a payload and more, as in problem files.
        motion: CSV with columns t and q_<coordinate>; velocities and accelerations are those of a cubic spline.
        set: formulas by places: {"robot.payload.mass": "m", "speed": "s"}.
        speed: how many times as fast as recorded.
    """
    return TorqueFile(_written({"robot": robot, "motion": os.fspath(motion), "speed": speed}), _settings(set))


def _settings(given: Set) -> Settings:
    return Settings({place(where): Expression(str(formula)) for where, formula in given.items()})


def _read(path: str | os.PathLike[str], known: Mapping[str, Path], what: str) -> Document:
    file = find_file(path, known, what)
    return Document(decode(read_bytes(file, MAX_BYTES), path), str(path), str(file.parent.absolute()))


def _written(keys: Mapping[str, Any]) -> Document:
    return Document(yaml.safe_dump(dict(keys), sort_keys=False), "<base>", str(Path().absolute()))
