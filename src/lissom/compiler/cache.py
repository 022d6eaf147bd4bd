"""Cache: compiled code on disk, private to the user.

A file is trusted only if this user wrote it: it lies in a folder that belongs to the user and that no one else may write, and it
carries a keyed digest (HMAC-SHA256) made with a random key that only the user can read. Anything else (cut off, altered, from
another user, machine or version) is ignored and made again. Files are written under another name and then renamed, so
that processes running at once never see half of one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import os
import secrets
import stat
import sys
import tempfile
from pathlib import Path

_MAGIC = b"lissom-1"
_DIGEST = 32
_SUFFIX = ".code"


def folder() -> Path:
    """Return where compiled code is kept: $LISSOM_CACHE_DIR, or `lissom` in the user's cache folder."""
    chosen = os.environ.get("LISSOM_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "lissom" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "lissom"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lissom"


@functools.cache
def code_fingerprint() -> str:
    """Return a digest over lissom's own source, so that a changed algorithm never runs from an old entry."""
    digest = hashlib.sha256()
    root = Path(__file__).parent.parent
    for part in ("model", "tree", "spatial", "algorithms", "compiler"):
        for path in sorted((root / part).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def entry_name(*parts: str) -> str:
    """Return the name of the entry for everything that compiled code depends on."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest() + _SUFFIX


def read(name: str) -> bytes | None:
    """Return the code of an entry, or None if there is none that can be trusted."""
    try:
        where = folder()
        key = _key(where, create=False)
        path = where / name
        if key is None or not _is_private(path):
            return None
        content = path.read_bytes()
    except OSError:
        return None
    head, digest, code = content[: len(_MAGIC)], content[len(_MAGIC) : len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
    if head != _MAGIC or not hmac.compare_digest(digest, _sign(key, name, code)):
        return None
    return code


def write(name: str, code: bytes) -> None:
    """Keep code under a name; a folder that cannot be written or is not private only costs the time to compile again."""
    try:
        where = folder()
        where.mkdir(parents=True, mode=0o700, exist_ok=True)
        key = _key(where, create=True)
        if key is None:
            return
        _replace(where / name, _MAGIC + _sign(key, name, code) + code)
    except OSError:
        return


def clear() -> int:
    """Delete every entry; return how many there were."""
    count = 0
    for path in folder().glob("*" + _SUFFIX):
        try:
            path.unlink()
            count += 1
        except OSError:
            continue
    return count


def info() -> tuple[int, int]:
    """Return the number of entries and their size in bytes."""
    sizes = []
    for path in folder().glob("*" + _SUFFIX):
        with contextlib.suppress(FileNotFoundError):  # another process may clear meanwhile
            sizes.append(path.stat().st_size)
    return len(sizes), sum(sizes)


def _sign(key: bytes, name: str, code: bytes) -> bytes:
    return hmac.new(key, name.encode() + b"\0" + code, hashlib.sha256).digest()


def _replace(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # readable by the user only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _key(where: Path, create: bool) -> bytes | None:
    """Return the user's key, or None where the folder or the key is open to others."""
    path = where / "key"
    if not where.is_dir() or not _is_private(where):
        return None
    if create and not path.exists():
        try:
            # link, unlike rename, fails if another process was first: then its key holds
            handle, temporary = tempfile.mkstemp(dir=where)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(32))
            try:
                os.link(temporary, path)
            finally:
                Path(temporary).unlink()
        except FileExistsError:
            pass
    if not path.exists() or not _is_private(path):
        return None
    key = path.read_bytes()
    return key if len(key) == 32 else None


def _is_private(path: Path) -> bool:
    """Tell whether a file or folder is the user's own, not a link, and no one else may write it (nor read a file)."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: the user's own profile is private by its access lists
        return True
    others = 0o022 if stat.S_ISDIR(status.st_mode) else 0o077
    return status.st_uid == os.getuid() and not status.st_mode & others
