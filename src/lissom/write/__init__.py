"""Writing models to files."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import FileError
from ..files import write_whole
from ..model import Model
from .dh import to_dh as to_dh
from .urdf import to_urdf as to_urdf
from .urdf import urdf_losses as urdf_losses
from .yaml import to_yaml as to_yaml

__all__ = [
    "save",
    "to_dh",
    "to_urdf",
    "to_yaml",
    "urdf_losses",
]

ENDINGS = (".yaml", ".yml", ".urdf")


def save(model: Model, path: str | os.PathLike[str], lossy: bool = False) -> None:
    """Write `model` to a .yaml or .yml file, which keeps everything, or to a .urdf file.

    The file is written completely or not at all: an existing one stays unchanged if anything fails. Meshes stay where they are:
    the file names them by their packages or by paths relative to it, where it can find them again (`meshes.py`).

    Args:
        model: the model.
        path: the file; its ending selects the format.
        lossy: True drops what URDF cannot express.

    Raises:
        FileError: the ending is unknown, or the file cannot be written.
        ModelError: URDF cannot express the model.
    """
    write_whole(path, to_bytes(model, check_ending(path), lossy, path))


def check_ending(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file in lower case; raise a FileError if it is not a format for models."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise FileError(f"lissom writes .yaml, .yml and .urdf files, not {ending or 'names without an ending'!r}", path)
    return ending


def to_bytes(model: Model, ending: str, lossy: bool = False, path: str | os.PathLike[str] | None = None) -> bytes:
    """Return the content of a file with this ending for `model`; see `save`. Without `path`, meshes have absolute paths."""
    return (to_urdf(model, lossy, path) if ending == ".urdf" else to_yaml(model, path)).encode("utf-8")


def __dir__() -> list[str]:
    return __all__
