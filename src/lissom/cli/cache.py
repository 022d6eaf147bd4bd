"""The report of `lissom cache`."""

from __future__ import annotations

import os

from .text import say


def show_cache(clear: bool, path: bool) -> None:
    """Print where compiled programs are kept and how many there are, or delete them."""
    from ..compiler import cache

    if clear:
        say(f"deleted {_programs(cache.clear())} from {cache.folder()}")
    if path:
        say(cache.folder())
    if not clear and not path:
        count, size = cache.info()
        say(f"{_programs(count)}, {size / 1e6:.2f} MB, in {cache.folder()}")
        where = cache.folder()
        if os.path.lexists(where) and not (where.is_dir() and cache._is_private(where)):
            say("not used, because it is not a private folder of yours; set LISSOM_CACHE_DIR to one")


def _programs(count: int) -> str:
    return f"{count} compiled program" + ("" if count == 1 else "s")
