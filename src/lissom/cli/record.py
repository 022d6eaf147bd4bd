"""Record of the files each command wrote, which it may overwrite while they are unchanged.

One small private file per output, beside the compiled code: named by a digest of the path, it holds the command's name and a
digest of the content. Where it cannot be kept (a read-only home), an existing file needs --force.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from ..compiler import cache
from ..errors import LissomError

MOST = 4096  # records; the oldest go
PIECE = 1 << 20


def remember(path: Path, command: str) -> None:
    """Note that `command` wrote `path` as it is now."""
    with contextlib.suppress(OSError, LissomError):
        folder = _folder()
        folder.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not _trusted(folder):
            return
        cache._replace(folder / _name(path), f"{command} {_digest(path)}".encode())
        _drop_oldest(folder)


def wrote(path: Path, command: str) -> bool:
    """Return whether `command` wrote `path`, and it is unchanged since."""
    try:
        folder = _folder()
        if not _trusted(folder):
            return False
        noted = (folder / _name(path)).read_bytes()
        return noted == f"{command} {_digest(path)}".encode()
    except (OSError, LissomError):
        return False


def _folder() -> Path:
    return cache.folder() / "written"


def _trusted(folder: Path) -> bool:
    return cache._is_private(folder) and cache._is_private(folder.parent)


def _name(path: Path) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _drop_oldest(folder: Path) -> None:
    entries = list(os.scandir(folder))
    if len(entries) > MOST:
        for entry in sorted(entries, key=lambda entry: entry.stat().st_mtime)[: len(entries) - MOST]:
            os.unlink(entry)
