"""Cache: compiled code on disk, private to the user.

A file is trusted only if this user wrote it: it is in a folder that belongs to the user and that no one else may write, and it
has a keyed digest (HMAC-SHA256) made with a random key that only the user can read. Anything else (truncated, altered, from
another user, machine or version) is ignored and made again. Files are written under another name and then renamed, so that
concurrent processes never see a partial one. If the entries exceed MAX_BYTES, the oldest are deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import LissomError
from ..version import VERSION

# all entries together; a program takes some tens of KiB
MAX_BYTES = 512 << 20

_MAGIC = b"lissom-1"
_DIGEST = 32
_KEY = 32
_SUFFIX = ".code"
_ENTRY = re.compile(r"[0-9a-f]{64}" + re.escape(_SUFFIX))
_BEGUN = "lissom-", ".part"  # around the name of a file that is being written
_LEFT = re.compile(r"lissom-\w+\.part")
_OLD = 3600.0  # [s] after which such a file was left by a process that was killed
_SELDOM = 100  # entries written by one process until the folder is looked through again: other processes write there too
_looked_at: dict[Path, tuple[int, int]] = {}  # by folder: bytes of its entries as far as known, and entries written since


def folder() -> Path:
    """Return the folder of compiled code: $LISSOM_CACHE_DIR, or `lissom` in the user's cache folder.

    Raises:
        LissomError: this user has no home folder; reading and writing then do nothing.
    """
    try:
        chosen = os.environ.get("LISSOM_CACHE_DIR")
        if chosen:
            return Path(chosen).expanduser()
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "lissom" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "lissom"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lissom"
    except RuntimeError as error:
        raise LissomError(f"compiled code is not kept ({error}); set LISSOM_CACHE_DIR to a folder") from None


def entry_name(*parts: str) -> str:
    """Return the name of the entry for everything that compiled code depends on; lissom's version is always part of it."""
    text = "\0".join((VERSION, *parts))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest() + _SUFFIX


def read(name: str) -> bytes | None:
    """Return the code of an entry, or None if there is none that can be trusted."""
    try:
        where = folder()
        key = _key(where, create=False)
        path = where / name
        if key is None or not _is_private(path):
            return None
        content = path.read_bytes()
    except (OSError, LissomError):
        return None
    head, digest, code = content[: len(_MAGIC)], content[len(_MAGIC) : len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
    if head != _MAGIC or not hmac.compare_digest(digest, _sign(key, name, code)):
        return None
    return code


def write(name: str, code: bytes) -> None:
    """Store code under a name; without a private, writable folder, it is compiled again next time."""
    try:
        where = folder()
        where.mkdir(parents=True, mode=0o700, exist_ok=True)
        key = _key(where, create=True)
        if key is None:
            return
        content = _MAGIC + _sign(key, name, code) + code
        _replace(where / name, content)
        _tidy(where / name, len(content))
    except (OSError, LissomError):
        return


def clear() -> int:
    """Delete all entries, and files left by killed processes; return the number of entries."""
    count = 0
    for path in _all(_LEFT):
        with contextlib.suppress(OSError):
            path.unlink()
    for path in _entries():
        with contextlib.suppress(OSError):
            path.unlink()
            count += 1
    return count


def info() -> tuple[int, int]:
    """Return the number of entries and their size in bytes."""
    sizes = [size for _, size, _ in _by_age()]
    return len(sizes), sum(sizes)


def _entries() -> Iterator[Path]:
    return _all(_ENTRY)


def _all(names: re.Pattern[str]) -> Iterator[Path]:
    # other files in the folder are not touched: the user may have chosen a folder with other files
    with contextlib.suppress(OSError, LissomError):
        yield from (path for path in folder().iterdir() if names.fullmatch(path.name))


def _by_age() -> list[tuple[float, int, Path]]:
    """Return time of writing, size and path of every entry, the oldest first."""
    found = []
    for path in _entries():
        with contextlib.suppress(OSError):  # another process may clear meanwhile
            status = path.lstat()
            found.append((status.st_mtime, status.st_size, path))
    return sorted(found)


def _tidy(newest: Path, size: int) -> None:
    """Look through the folder at the first entry of a process, at every hundredth, and where they may have grown too large.

    Looking takes longer than compiling a small program once there are thousands of entries.
    """
    known, writes = _looked_at.get(newest.parent, (MAX_BYTES, 0))
    if known + size > MAX_BYTES or writes >= _SELDOM:
        _drop_left()
        known, writes = _drop_oldest(newest) - size, -1
    _looked_at[newest.parent] = known + size, writes + 1


def _drop_left() -> None:
    for path in _all(_LEFT):
        with contextlib.suppress(OSError):
            if time.time() - path.lstat().st_mtime > _OLD:
                path.unlink()


def _drop_oldest(newest: Path) -> int:
    """Delete the oldest entries beyond MAX_BYTES; return the size of those that are left."""
    entries = _by_age()
    left = sum(size for _, size, _ in entries)
    for _, size, path in entries:
        if left <= MAX_BYTES:
            break
        if path != newest:
            with contextlib.suppress(OSError):
                path.unlink()
                left -= size
    return left


def _sign(key: bytes, name: str, code: bytes) -> bytes:
    return hmac.new(key, name.encode() + b"\0" + code, hashlib.sha256).digest()


def _replace(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(_BEGUN[1], _BEGUN[0], path.parent)  # readable by the user only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _key(where: Path, create: bool) -> bytes | None:
    """Return the user's key, or None where there is none or the folder is open to others.

    With `create`, a key that is missing is made, and one that is cut off or open to others is made anew: what it signed is lost.
    """
    path = where / "key"
    if not where.is_dir() or not _is_private(where):
        return None
    existed = os.path.lexists(path)
    key = _stored_key(path)
    if key is None and create:
        if existed:
            _replace(path, secrets.token_bytes(_KEY))
        else:
            _make_key(path)
        key = _stored_key(path)
    return key


def _stored_key(path: Path) -> bytes | None:
    try:
        key = path.read_bytes() if _is_private(path) else b""
    except FileNotFoundError:
        return None
    return key if len(key) == _KEY else None


def _make_key(path: Path) -> None:
    handle, temporary = tempfile.mkstemp(_BEGUN[1], _BEGUN[0], path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_KEY))
        # link, unlike rename, fails if another process was first: then its key holds
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _is_private(path: Path) -> bool:
    """Return whether a file or folder is the user's own, not a link, and no one else may write it (nor read a file)."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: the user's own profile is private by its access lists
        return True
    others = 0o022 if stat.S_ISDIR(status.st_mode) else 0o077
    return status.st_uid == os.getuid() and not status.st_mode & others
