"""The report of `lissom cache`."""

from __future__ import annotations

import os
from pathlib import Path

from .json_output import print_json
from .text import say


def show_cache(clear: bool, path: bool, as_json: bool) -> None:
    """Print where compiled programs are kept and how many there are, or delete them."""
    from ..compiler import cache

    if as_json:
        deleted = cache.clear() if clear else 0
        count, size = cache.info()
        report = {"folder": cache.folder(), "used": _is_used(cache.folder()), "programs": count, "bytes": size}
        print_json(report | {"deleted": deleted})
        return
    if clear:
        say(f"deleted {_programs(cache.clear())} from {cache.folder()}")
    if path:
        say(cache.folder())
    if not clear and not path:
        count, size = cache.info()
        say(f"{_programs(count)}, {size / 1e6:.2f} MB, in {cache.folder()}")
        if not _is_used(cache.folder()):
            say("not used, because it is not a private folder of yours; set LISSOM_CACHE_DIR to one")


def _is_used(where: Path) -> bool:
    """Return whether the folder is one that only the user can write, or is yet to be made."""
    from ..compiler import cache

    return not os.path.lexists(where) or (where.is_dir() and cache._is_private(where))


def _programs(count: int) -> str:
    return f"{count} compiled program" + ("" if count == 1 else "s")
