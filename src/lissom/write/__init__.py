"""Writers: a Model in, a file out."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ..errors import FileError
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
    try:
        _replace(target, text.encode("utf-8"))
    except OSError as error:
        raise FileError(f"cannot be written: {error.strerror or error}", path) from None


def _replace(target: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # a temporary file is private; give this one the rights that a new file would get, or those of the file it replaces
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
