"""Descriptions as texts instead of files: recognized by their content."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from ..errors import FileError
from ..model import Model
from .loops import Home
from .mesh_paths import MeshPath
from .source import exists

_BLANK = "\ufeff \t\r\n"  # may precede a description: a byte order mark, as editors write it, and white space
NAME = "<text>"  # instead of a file name in messages
_YAML = re.compile(r"""^[\s{]*["']?(?:lissom|kind)["']?\s*:""", re.MULTILINE)


def is_description(source: object) -> bool:
    """Return whether `source` is a description, not a file name: it has several lines, or opens a tag or a mapping."""
    if not isinstance(source, str):
        return False
    opens = source.lstrip(_BLANK).startswith(("<", "{", "lissom:"))
    return ("\n" in source or opens) and not exists(Path(source))


def read_text(text: str, base: str, mimic: bool, friction: bool | None, mesh_path: MeshPath = None) -> tuple[Model, Home]:
    """Return the model of a text in URDF, MJCF or lissom's YAML, and its active joints and posture.

    Args:
        text: the description. MJCF text cannot name other files: it has no folder.
        base, mimic: as in `load_model`.
        friction: whether to include friction; None follows the format.
        mesh_path: folders in which mesh files are searched; a text has no folder of its own.
    """
    xml = text.lstrip(_BLANK)
    if xml.startswith("<"):
        from .xml import parse_xml

        root = parse_xml(xml, NAME)
        if root.tag == "robot":
            from .urdf import parse_urdf

            return parse_urdf(xml, base, mimic, friction is True, NAME, mesh_path), Home()
        if root.tag == "OpenSimDocument":
            from .osim.read import read_osim

            return read_osim(NAME, base, mimic, root), Home()
        from .mjcf import read_with_home

        with tempfile.TemporaryDirectory(prefix="lissom-") as folder:  # MuJoCo reads files
            file = Path(folder) / "text.xml"
            file.write_text(xml, encoding="utf-8")
            return read_with_home(file, root, base, mimic, friction is not False, False, NAME, mesh_path)
    if not _YAML.search(text):
        raise FileError(
            "this text is not a robot: expected URDF (<robot ...>), MJCF (<mujoco ...>) or YAML that starts with 'lissom: 1'",
            NAME,
        )
    from .yaml import parse_yaml

    model = parse_yaml(text, base, mimic, friction is not False, NAME, mesh_path)
    return model, Home(model.active, model.posture)
