"""Problem and scenario files: a path, or a built-in name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..errors import FileError, suggest
from ..read.source import exists
from .builtin import PREFIX

ROBOTS = (".urdf", ".xml", ".mjcf")


def find_file(path: str | os.PathLike[str], known: Mapping[str, Path], what: str) -> Path:
    """Return the file named by `path`: a file, or else a built-in one, even if a folder has that name.

    Args:
        path: a file, or a name in `known`.
        known: built-in files by name.
        what: "problem" or "scenario", for messages.
    """
    file = Path(path)
    if str(path).startswith(PREFIX) or file.suffix.lower() in ROBOTS:
        listed = f"the name of a built-in one: {', '.join(known)}"
        raise FileError(f"this is a robot, not a {what}; a {what} is a .yaml file that names its robot, or {listed}", path)
    if str(path) in known and (file.is_dir() or not exists(file)):
        return known[str(path)]
    if not exists(file) and not file.suffix and len(file.parts) == 1:
        raise FileError(f"neither a file nor a built-in {what}; {suggest(str(path), known)}", path)
    return file
