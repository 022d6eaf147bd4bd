"""Checks of the files a command writes: never over an input, never one over another."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from ..errors import FileError
from ..files import csv_line, is_read_only, open_stream, write_whole
from .record import wrote

PICTURES = (".png", ".svg", ".pdf")
REPORTS = (".html", ".htm")


def is_stream(path: Path) -> bool:
    """Return whether a path names a device, a pipe or an open stream such as /dev/stdout: its name gives no format."""
    return open_stream(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def check_ending(path: Path, endings: Sequence[str], option: str) -> None:
    """Raise a FileError if the ending of a file is not one that `option` writes; streams have none."""
    if not is_stream(path) and path.suffix.lower() not in endings:
        given = f"not {path.suffix!r}" if path.suffix else "and the file has no ending"
        raise FileError(f"{option} writes {', '.join(endings)}, {given}", path)


def refuse_overwriting(out: Path, *inputs: str | Path) -> None:
    """Raise a FileError if `out` is one of `inputs`, under any name."""
    for source in inputs:
        if out.exists() and Path(source).exists() and os.path.samefile(out, source):
            raise FileError(f"the output would overwrite the input {source}; choose another name", out)


def refuse_same(*outputs: Path) -> None:
    """Raise a FileError if two of `outputs` are the same file, under any name; devices and pipes may be."""
    for k, out in enumerate(outputs):
        for other in outputs[:k]:
            if is_stream(out):
                continue
            if os.path.realpath(out) == os.path.realpath(other) or (
                out.exists() and other.exists() and os.path.samefile(out, other)
            ):
                raise FileError("is named for two outputs, and one would overwrite the other; choose two names", out)


def refuse_existing(target: Path, command: str) -> None:
    """Raise a FileError for an existing file unless this command wrote it and it is unchanged since."""
    if target.is_file() and not is_stream(target) and not wrote(target, command):
        raise FileError(
            f"exists already and was not written by `lissom {command}`, or was changed since; --force overwrites it", target
        )


def refuse_unwritable(target: Path) -> None:
    """Raise a FileError if a file cannot be written, before its content is computed."""
    if (number := open_stream(target)) is not None:
        _refuse_closed(target, number)
        return
    try:
        status = os.stat(target)
    except FileNotFoundError:
        _refuse_folder(target)
        return
    except NotADirectoryError:
        folder = next(parent for parent in target.absolute().parents if parent.exists())
        raise FileError(f"cannot be written: {folder} is not a folder", target) from None
    except (OSError, ValueError) as error:
        raise FileError(f"cannot be written: {getattr(error, 'strerror', None) or error}", target) from None
    if stat.S_ISDIR(status.st_mode):
        raise FileError("is a folder; give the name of a file to write", target)
    if is_read_only(status, target):
        raise FileError("cannot be written: it is read-only, or belongs to somebody else; give another file", target)


def _refuse_closed(target: Path, number: int) -> None:
    try:
        import fcntl

        takes = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
    except ImportError:  # Windows, where no path names a stream
        takes = True
    except OSError:
        takes = False
    if not takes:
        raise FileError("cannot be written: this stream is closed, or open for reading only", target)


def _refuse_folder(target: Path) -> None:
    """Raise a FileError for a new file whose folder can neither be written nor made."""
    real = Path(os.path.realpath(target))  # the target of a dangling link
    folder = next(parent for parent in real.parents if parent.exists())
    if not folder.is_dir():
        raise FileError(f"cannot be written: {folder} is not a folder", target)
    try:
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "permission denied")
        tempfile.TemporaryFile(dir=folder).close()  # permissions are not enough: the disk may be read-only
    except OSError as error:
        text = f"cannot be written: {(error.strerror or str(error)).lower()}; give another file"
        raise FileError(text, target) from None


def write_table(path: Path, header: Sequence[str], table: np.ndarray) -> None:
    """Write a CSV with a header and exact numbers; an interrupted run leaves no partial file."""

    def write(file: IO[bytes]) -> None:
        file.write(csv_line(header))
        np.savetxt(file, table, fmt="%.17g", delimiter=",")

    write_whole(path, write, folders=True)
