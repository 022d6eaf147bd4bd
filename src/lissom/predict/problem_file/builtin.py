"""Problems that come with lissom, by name."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import FileError, suggest
from ...read.source import exists

FOLDER = Path(__file__).parent / "problems"


def builtin_problems() -> dict[str, Path]:
    """Return the files of the built-in problems by name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def find_problem(path: str | os.PathLike[str]) -> Path:
    """Return the file that `path` names: a file, or else a built-in problem; a folder of that name does not hide it."""
    file, known = Path(path), builtin_problems()
    if str(path) in known and file.is_dir():
        return known[str(path)]
    if exists(file) or file.suffix or len(file.parts) != 1:
        return file
    if str(file) not in known:
        raise FileError(f"neither a file nor a built-in problem; {suggest(str(file), known)}", path)
    return known[str(file)]
