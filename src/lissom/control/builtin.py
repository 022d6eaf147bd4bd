"""Scenarios that come with lissom, by name."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..errors import NameLookupError

FOLDER = Path(__file__).parent / "scenarios"
PREFIX = "scenarios:"
HEAD = 1 << 20  # bytes; scenarios are not longer
_KIND = re.compile(rb"""^(?:\{.*?)?["']?kind["']?\s*:\s*["']?scenario\b""", re.MULTILINE)


def builtin_scenarios() -> dict[str, Path]:
    """Return the files of the built-in scenarios by name; `load_scenario("scenarios:<name>")` reads one."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def find_scenario(path: str | os.PathLike[str]) -> Path:
    """Return the file that `path` names: a file, or "scenarios:<name>"."""
    if not str(path).startswith(PREFIX):
        return Path(path)
    name, known = str(path).removeprefix(PREFIX), builtin_scenarios()
    if name not in known:
        raise NameLookupError("built-in scenario", name, known)
    return known[name]


def is_scenario(path: str | os.PathLike[str]) -> bool:
    """Tell whether `path` names a built-in scenario, or a file that says of itself that it is one."""
    if str(path).startswith(PREFIX):
        return True
    if Path(path).suffix.lower() not in (".yaml", ".yml") or not Path(path).is_file():
        return False
    with open(path, "rb") as file:
        return _KIND.search(file.read(HEAD)) is not None
