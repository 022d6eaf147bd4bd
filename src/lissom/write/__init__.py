"""Writers: a Model in, a file out."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import FileError
from ..files import write_whole
from ..model import Model
from .urdf import to_urdf as to_urdf
from .yaml import to_yaml as to_yaml


def save(model: Model, path: str | os.PathLike[str], lossy: bool = False) -> None:
    """Write `model` to a .yaml or .yml file, which keeps everything, or to a .urdf file.

    The file appears whole or not at all: an older one stays as it was if anything fails.

    Args:
        model: what to write.
        path: where to; the ending chooses the form.
        lossy: True lets a URDF drop what it cannot express.

    Raises:
        FileError: the ending is unknown, or the file cannot be written.
        ModelError: URDF cannot express the model.
    """
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (".yaml", ".yml", ".urdf"):
        raise FileError(f"lissom writes .yaml, .yml and .urdf files, not {ending or 'names without an ending'!r}", path)
    text = to_urdf(model, lossy) if ending == ".urdf" else to_yaml(model)
    write_whole(target, text.encode("utf-8"))
