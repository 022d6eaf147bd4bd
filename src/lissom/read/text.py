"""Descriptions as texts instead of files: recognized by their content."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from ..errors import FileError
from ..model import Model
from .loops import Home
from .source import exists

NAME = "<text>"  # instead of a file name in messages
_YAML = re.compile(r"""^[\s{]*["']?(?:lissom|kind)["']?\s*:""", re.MULTILINE)


def is_description(source: object) -> bool:
    """Return whether `source` is a description, not a file name: it has several lines, or opens a tag or a mapping."""
    if not isinstance(source, str):
        return False
    return ("\n" in source or source.lstrip().startswith(("<", "{", "lissom:"))) and not exists(Path(source))


def read_text(text: str, base: str, mimic: bool, friction: bool | None) -> tuple[Model, Home]:
    """Return the model of a text in URDF, MJCF or lissom's YAML, and its active joints and posture.

    Args:
        text: the description. MJCF text cannot name other files: it has no folder.
        base, mimic: as in `load_model`.
        friction: whether to include friction; None follows the format.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        from .xml import parse_xml

        root = parse_xml(text.lstrip(), NAME)
        if root.tag == "robot":
            from .urdf import parse_urdf

            return parse_urdf(text.lstrip(), base, mimic, friction is True, NAME), Home()
        from .mjcf import read_with_home

        with tempfile.TemporaryDirectory(prefix="lissom-") as folder:  # MuJoCo reads files
            file = Path(folder) / "text.xml"
            file.write_text(text.lstrip(), encoding="utf-8")
            return read_with_home(file, root, base, mimic, friction is not False, False, NAME)
    if not _YAML.search(text):
        raise FileError(
            "this text is not a robot: expected URDF (<robot ...>), MJCF (<mujoco ...>) or YAML that starts with 'lissom: 1'",
            NAME,
        )
    from .yaml import parse_yaml

    model = parse_yaml(text, base, mimic, friction is not False, NAME)
    return model, Home(model.active, model.posture)
