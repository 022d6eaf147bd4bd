"""Writing files, completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import select
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from .errors import FileError

if TYPE_CHECKING:
    import numpy as np

LINKS = 40  # followed at most, as the system does


def write_whole(path: str | os.PathLike[str], content: bytes | Callable[[IO[bytes]], object], folders: bool = False) -> Path:
    """Write a file completely or not at all: an existing one stays unchanged if anything fails.

    Links are followed, and a file keeps its permissions and owner; a read-only file is an error. A device, a pipe or an open
    stream (/dev/stdout, /dev/fd/3) is written into, never replaced, even if it leads into a file.

    Args:
        path: the file.
        content: the bytes, or a function that writes them into an open file.
        folders: whether to make missing parent folders.

    Returns:
        The path.

    Raises:
        FileError: the path is a folder, or the file cannot be written.
    """
    path = Path(path)
    try:
        number = open_stream(path)
        if number is not None:
            write_stream(number, _bytes(content))
            return path
        if folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        status = _status(path)
        if status is not None and stat.S_ISDIR(status.st_mode):
            raise FileError("is a folder; give the name of a file to write", path)
        if status is None or stat.S_ISREG(status.st_mode):
            _write_file(os.path.realpath(path), content, status)
        else:
            data = _bytes(content)  # before opening: a pipe has a reader from then on
            with open(path, "wb", buffering=0) as stream:
                while data:
                    data = data[stream.write(data) :]
    except OSError as error:
        raise FileError(f"cannot be written: {error.strerror or error}", path) from None
    return path


def csv_line(cells: Iterable[str]) -> bytes:
    """Return a line of a CSV file that `read/table.py` reads back exactly, for any texts."""
    return (",".join(map(_cell, cells)) + "\n").encode("utf-8", "surrogatepass")


def npz_texts(texts: Sequence[str], path: object) -> np.ndarray:
    """Return texts as an array for a .npz file; raise a FileError for one that NumPy would shorten."""
    import numpy as np

    cut = next((text for text in texts if text.endswith("\0")), None)
    if cut is not None:
        raise FileError(f"the name {cut!r} ends in NUL, which .npz files drop; use .csv, or rename it", path)
    return np.array(texts, dtype=str)


def _cell(text: str) -> str:
    plain = text.isprintable() and text == text.strip() and not any(c in text for c in ',;"')
    return text if plain else f'"{text.replace(chr(34), chr(34) * 2)}"'


def open_stream(path: str | os.PathLike[str]) -> int | None:
    """Return the number of the open stream that a path names (/dev/stdout, /dev/fd/3, or a link to one), or None.

    Opened by name, a stream that leads into a file would start again at its beginning, or replace it.
    """
    text = os.fspath(path)
    for _ in range(LINKS):
        folder, name = os.path.split(os.path.abspath(text))
        text = os.path.join(folder, name)
        if re.fullmatch(r"/dev/fd|/proc/(self|thread-self|\d+)/fd", folder) and name.isdecimal():
            mine = not (process := re.match(r"/proc/(\d+)/", folder)) or int(process[1]) == os.getpid()
            return int(name) if mine else None
        if not os.path.islink(text):
            return None
        text = os.path.join(folder, os.readlink(text))
    return None


def write_stream(number: int, data: bytes) -> None:
    """Write bytes into an open stream, after flushing Python's own output to it."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(number, view) :]
        except BlockingIOError:  # opened in non-blocking mode
            select.select([], [number], [])


def is_read_only(status: os.stat_result, path: str | os.PathLike[str]) -> bool:
    """Return whether a file must not be written, by anybody or by this user."""
    return not status.st_mode & 0o222 or not os.access(path, os.W_OK)


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None
    except ValueError as error:  # an invalid file name
        raise FileError(f"cannot be written: {error}", repr(os.fspath(path))) from None


def _bytes(content: bytes | Callable[[IO[bytes]], object]) -> bytes:
    if isinstance(content, bytes):
        return content
    buffer = io.BytesIO()
    content(buffer)
    return buffer.getvalue()


def _write_file(target: str, content: bytes | Callable[[IO[bytes]], object], status: os.stat_result | None) -> None:
    if status is None:
        _replace(target, content, None)
        return
    if is_read_only(status, target):
        raise PermissionError(errno.EACCES, "it is read-only, or belongs to somebody else")
    foreign = hasattr(os, "geteuid") and status.st_uid != os.geteuid()  # a new file would be this user's
    if foreign or not os.access(os.path.dirname(target), os.W_OK | os.X_OK):
        _write_over(target, _bytes(content), status.st_size)
    else:
        _replace(target, content, status.st_mode)


def _write_over(target: str, data: bytes, size: int) -> None:
    """Write into a file that cannot be replaced; a full disk is detected before old content is lost."""
    handle = os.open(target, os.O_WRONLY)
    try:
        if len(data) > size and hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(handle, size, len(data) - size)
            except OSError:
                os.ftruncate(handle, size)
                raise
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.ftruncate(handle, len(data))
        os.fsync(handle)
    finally:
        os.close(handle)


def _replace(target: str, content: bytes | Callable[[IO[bytes]], object], mode: int | None) -> None:
    handle, temporary = _beside(target, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            if isinstance(content, bytes):
                stream.write(content)
            else:
                content(stream)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _beside(target: str, mode: int) -> tuple[int, str]:
    """Open a new file in the folder of `target`, with the permissions `mode` less the process's umask.

    The system applies the umask: reading it (`os.umask`) would change it for all threads meanwhile.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        path = os.path.join(os.path.dirname(target), f".lissom-{secrets.token_hex(8)}.part")
        with contextlib.suppress(FileExistsError):
            return os.open(path, flags, mode), path
