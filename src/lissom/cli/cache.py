"""The report of `lissom cache`."""

from __future__ import annotations

import os


def show_cache(clear: bool, path: bool) -> None:
    """Print where compiled programs are kept and how many there are, or delete them."""
    from ..compiler import cache

    if path:
        print(cache.folder())
    elif clear:
        print(f"deleted {_programs(cache.clear())} from {cache.folder()}")
    else:
        count, size = cache.info()
        print(f"{_programs(count)}, {size / 1e6:.2f} MB, in {cache.folder()}")
        if os.path.lexists(cache.folder()) and not cache._is_private(cache.folder()):
            print("not used: the folder is a link, belongs to another user, or others may write it; try chmod go-w, or another")
            print("folder in LISSOM_CACHE_DIR")


def _programs(count: int) -> str:
    return f"{count} compiled program" + ("" if count == 1 else "s")
