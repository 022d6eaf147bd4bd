"""Every kind of trouble, one after the other: the harness has to survive them and name them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import lissom

from ..reader import Reader


def _mutate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    return rng.choice((b"good", b"refused", b"raw", b"nan", b"hang", b"memory", b"abort"))


def _follow(path: Path, rng: Random) -> Iterator[Any]:
    what = path.read_text()
    if what == "refused":
        raise lissom.StateError("refused")
    if what == "raw":
        raise ZeroDivisionError("raw")
    if what == "abort":
        os.abort()
    if what == "memory":
        yield bytearray(3 << 30)
    while what == "hang":
        pass
    yield float("nan") if what == "nan" else 1.0


TROUBLE = Reader("trouble", ".txt", lambda: [b"good"], _mutate, _follow)
