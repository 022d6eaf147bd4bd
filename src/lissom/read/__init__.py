"""Readers of robot descriptions; errors name the file and the line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..doubts import Remark, collected_doubts, doubt, known_doubts
from ..errors import FileError, ModelError, similar
from ..model import Model
from .build import check_base
from .mesh_paths import MeshPath
from .source import FOLDER, check_source, is_folder

__all__ = [
    "load_model",
]

if TYPE_CHECKING:
    from .loops import Home

_YAML, _XML = (".yaml", ".yml"), (".xml", ".mjcf", ".urdf", ".osim")
_READ = ".urdf, .xml and .mjcf (URDF or MuJoCo), .osim (OpenSim), .yaml and .yml (lissom's own)"
_HINTS = {
    ".xacro": "expand it first: xacro robot.xacro > robot.urdf",
    ".csv": "a table of states belongs to a robot: lissom torque ROBOT TABLE",
}


def load_model(
    path: str | os.PathLike[str],
    base: str = "fixed",
    mimic: bool = True,
    friction: bool | None = None,
    strict: bool = False,
    loops: str | os.PathLike[str] | None = None,
    trusted: bool = False,
    active: Sequence[str] | None = None,
    closure_tolerance: float | None = None,
    mesh_path: MeshPath = None,
) -> Model:
    """Read a robot description.

    Args:
        path: a .urdf, .xml, .mjcf, .osim, .yaml or .yml file, or the text of one; URDF and MJCF are distinguished by content.
        base: "fixed", or "floating" to let the base move freely (a joint "root_joint", first in q).
        mimic: whether mimic joints are coupled to their leaders; False leaves them independent.
        friction: whether to include the friction of joints and motors; None follows the format: URDF without (as Pinocchio), the
            others with.
        strict: True raises an error where there would be a ModelWarning, such as for inertias that no rigid body has. Shapes do
            not count.
        loops: a YAML file with the loops, active joints and posture of the robot, for formats without them.
        trusted: True lets an MJCF file read files outside its folder and have any size, and meshes of all formats lie anywhere.
        active: names of the active joints of a closed robot, replacing those of the file.
        closure_tolerance: largest closure error of the loops [m], replacing that of the file.
        mesh_path: a folder or several, in which mesh files and their packages are searched too (`mesh_paths.py`).

    Raises:
        FileError: the file cannot be read or is not a robot; with the line if known.
        ModelError: `strict` is set and the description is doubtful, or `base` is unknown.
        MissingExtraError: an MJCF file, and the package mujoco is not installed.
    """
    check_source(path)
    check_base(base)
    given = {"active": active, "closure_tolerance": closure_tolerance}
    if not strict:
        return _with_given(_with_loops(*_read(path, base, mimic, friction, trusted, mesh_path), loops), given)
    with collected_doubts() as doubts:
        model = _with_given(_with_loops(*_read(path, base, mimic, friction, trusted, mesh_path), loops), given)
    for remark in (text for text in doubts if isinstance(text, Remark)):
        doubt(remark, stacklevel=3)
    if doubts := [text for text in doubts if not isinstance(text, Remark)]:
        from .text import NAME, is_description

        name = NAME if is_description(path) else path
        parts = "1 doubtful part" if len(doubts) == 1 else f"{len(doubts)} doubtful parts"
        raise ModelError(f"{name}: strict=True rejects {parts}:\n  " + "\n  ".join(doubts))
    return model


def _with_loops(model: Model, home: Home, loops: str | os.PathLike[str] | None) -> Model:
    if loops is None:
        return model
    from .loops import with_companion

    with known_doubts():
        return with_companion(model, loops, home)


def _with_given(model: Model, given: Mapping[str, object]) -> Model:
    """Return the model with the caller's options for its loops."""
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        return model
    with known_doubts():
        return model.replace(**changes)


def _read(
    path: str | os.PathLike[str], base: str, mimic: bool, friction: bool | None, trusted: bool, mesh_path: MeshPath
) -> tuple[Model, Home]:
    """Return the model of a description, and its active joints and posture for loops given by another file."""
    from .loops import Home
    from .text import is_description, read_text

    # each reader is imported on first use, so that `import lissom` stays fast
    if is_description(path):
        return read_text(str(path), base, mimic, friction, mesh_path)
    ending = Path(path).suffix.lower()
    if ending in _YAML:
        from .yaml import read_yaml

        model = read_yaml(path, base, mimic, friction is not False, mesh_path, trusted)
        return model, Home(model.active, model.posture)
    if ending not in _XML:
        if is_folder(path):
            raise FileError(FOLDER, path)
        hint = similar(ending, (*_YAML, *_XML)) if ending else "the name has no ending"
        hint = _HINTS.get(ending, hint)
        raise FileError(f"lissom reads {_READ}" + (f"; {hint}" if hint else ""), path)
    if ending != ".urdf":
        from .xml import read_xml

        root = read_xml(path)
        if root.tag == "OpenSimDocument" or ending == ".osim":
            from .osim.read import read_osim

            return read_osim(path, base, mimic, root), Home()
        if root.tag != "robot":
            from .mjcf import read_with_home

            return read_with_home(path, root, base, mimic, friction is not False, trusted, None, mesh_path)
    from .urdf import read_urdf

    return read_urdf(path, base, mimic, friction is True, mesh_path, trusted), Home()


def __dir__() -> list[str]:
    return __all__
