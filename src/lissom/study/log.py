"""Logs of rows: one line of JSON each, with a checksum, on the disk before the next case counts as done.

A line that a crash or a full disk cut short is no row: its case is run again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .job import Row

ENDING = ".rows"


class Log:
    """A new file to which rows are appended.

    Args:
        path: the file; it must not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self.handle = os.open(path, flags, 0o666)
        self.size = 0
        sync_folder(path.parent)

    def append(self, rows: Iterable[Row]) -> None:
        """Write rows and wait until they are on the disk; raise OSError where they are not, and leave the file as it was."""
        data = b"".join(map(line_of, rows))
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self.handle, view) :]
            os.fsync(self.handle)
        except OSError:
            os.ftruncate(self.handle, self.size)
            os.lseek(self.handle, self.size, os.SEEK_SET)
            raise
        self.size += len(data)

    def close(self) -> None:
        """Close the file."""
        os.close(self.handle)


def line_of(row: Row) -> bytes:
    """Return a row as a line: a checksum, and JSON, in which numbers keep all their digits."""
    text = json.dumps(row.plain(), separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def read_log(path: Path) -> Iterator[Row]:
    """Yield the whole rows of a file."""
    with open(path, "rb") as file:
        for line in file:
            row = _row(line)
            if row is not None:
                yield row


def _row(line: bytes) -> Row | None:
    head, space, text = line.partition(b" ")
    if not line.endswith(b"\n") or not space or head != b"%08x" % zlib.crc32(text[:-1]):
        return None
    fields: dict[str, Any] = json.loads(text)
    return Row(**fields)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can say so."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
