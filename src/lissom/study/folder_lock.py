"""A lock on a folder: one study at a time works in it. The system frees it when the process ends, however that happens."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from ..errors import FileError

NAME = "lock"


class FolderLock:
    """Holds the folder from its making to `release`.

    Raises:
        FileError: another study works in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        # opened for appending: the words of its holder stay
        self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            _take(self.handle)
        except OSError:
            words = os.pread(self.handle, 200, 0).decode("utf-8", "replace").strip() if hasattr(os, "pread") else ""
            os.close(self.handle)
            by = f" ({words})" if words else ""
            raise FileError(f"another study is running in this folder{by}; wait for it, or name another folder", folder) from None
        os.ftruncate(self.handle, 0)
        os.lseek(self.handle, 0, os.SEEK_SET)
        os.write(self.handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())

    def release(self) -> None:
        """Let others in."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def _take(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        os.lseek(handle, 1 << 20, os.SEEK_SET)  # beyond the words, which others may then read
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
