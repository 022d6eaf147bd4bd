"""Robots as the command line names them: what `lissom.load` takes, with the options of the commands."""

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
    """Return the Robot or ClosedRobot that `file` names; the options are those of `lissom.load`, --active with commas too."""
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
