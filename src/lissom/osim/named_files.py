"""Files that an OpenSim file names: they lie in its folder, or below it."""

from __future__ import annotations

import os
from pathlib import Path

from ..read.osim.values import Values, title
from ..read.xml import Element

NONE = ("", "unassigned")


def named_file(element: Element, tag: str, values: Values, what: str) -> Path:
    """Return the path of the file that the property `tag` of an element names.

    Raises:
        FileError: it names none, or one outside the folder of the file that names it: a stranger's file could read any. The
            message says what to give instead, such as "the data with data=".
    """
    found = optional_file(element, tag, values, what)
    if found is None:
        raise values.source.error(f"{title(element)} names no <{tag}>; give {what}", element.line)
    return found


def optional_file(element: Element, tag: str, values: Values, what: str) -> Path | None:
    """Return the path of a file that may not be named, or None."""
    name = values.text(element, tag)
    if name.lower() in NONE:
        return None
    folder = Path(os.fspath(values.source.path)).resolve().parent  # type: ignore[call-overload]
    file = (folder / name.replace("\\", "/")).resolve()
    if not file.is_relative_to(folder):
        raise values.source.error(f"the <{tag}> {name!r} lies outside this file's folder; give {what}", element.line)
    return Path(file)
