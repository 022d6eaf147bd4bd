"""Robots named on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def open_robot(
    file: str,
    base: str = "fixed",
    mimic: bool = True,
    friction: bool | None = None,
    strict: bool = False,
    loops: Path | None = None,
    active: list[str] | None = None,
    closure_tolerance: float | None = None,
) -> Any:
    """Load `file` with the options of `lissom.load`; names in `active` may also be separated by commas."""
    from ..loading.load import load

    names = [name.strip() for text in active or () for name in text.split(",")] or None
    return load(
        file,
        base=base,
        mimic=mimic,
        friction=friction,
        strict=strict,
        loops=loops,
        active=names,
        closure_tolerance=closure_tolerance,
    )
