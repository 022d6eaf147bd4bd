"""Problems that come with lissom, by name."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "problems"


def builtin_problems() -> dict[str, Path]:
    """Return the files of the built-in problems by name; `lissom.predict.load(name)` reads one."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}
