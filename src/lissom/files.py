"""Writing files: whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from .errors import FileError


def write_whole(path: str | os.PathLike[str], content: bytes | Callable[[IO[bytes]], object], folders: bool = False) -> Path:
    """Write a file that appears whole or not at all: an older one stays as it was if anything fails.

    A link is followed, a file keeps its permissions, and a device or a pipe is written into, never replaced.

    Args:
        path: where to.
        content: the bytes, or a function that writes them into the open file it is given.
        folders: whether to make the folders above the file.

    Returns:
        The path.

    Raises:
        FileError: the path is a folder, or the file cannot be written.
    """
    path = Path(path)
    try:
        if folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        mode = _mode(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise FileError("is a folder; give the name of a file to write", path)
        if mode is None or stat.S_ISREG(mode):
            _replace(os.path.realpath(path), content, mode)
        else:
            data = _bytes(content)  # before opening: a pipe has a reader from then on
            with open(path, "wb", buffering=0) as stream:
                while data:
                    data = data[stream.write(data) :]
    except OSError as error:
        raise FileError(f"cannot be written: {error.strerror or error}", path) from None
    return path


def _mode(path: Path) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _bytes(content: bytes | Callable[[IO[bytes]], object]) -> bytes:
    if isinstance(content, bytes):
        return content
    buffer = io.BytesIO()
    content(buffer)
    return buffer.getvalue()


def _replace(target: str, content: bytes | Callable[[IO[bytes]], object], mode: int | None) -> None:
    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name[:100]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            if isinstance(content, bytes):
                stream.write(content)
            else:
                content(stream)
            stream.flush()
            os.fsync(stream.fileno())
        # a temporary file is private; give this one the rights that a new file would get, or those of the file it replaces
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask if mode is None else stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
