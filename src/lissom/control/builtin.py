"""Scenarios that come with lissom, by name."""

from __future__ import annotations

import os
from pathlib import Path

from ..read.document import is_kind
from ..read.source import exists

FOLDER = Path(__file__).parent / "scenarios"


def builtin_scenarios() -> dict[str, Path]:
    """Return the files of the built-in scenarios by name; `load_scenario(name)` reads one."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def is_scenario(path: str | os.PathLike[str]) -> bool:
    """Return whether `path` names a built-in scenario, or a file that declares itself to be one."""
    if str(path) in builtin_scenarios() and not exists(Path(path)):
        return True
    return is_kind(path, "scenario")
