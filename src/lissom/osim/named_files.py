"""Files that an OpenSim file names: they lie in its folder, or below it."""

from __future__ import annotations

import os
from pathlib import Path

from ..read.osim.values import Values, opened, title
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
    return _inside(values.text(element, tag), tag, element, values, what)


def objects_of(element: Element, name: str, values: Values) -> tuple[list[Element], Values]:
    """Return the objects of a set called `name`, and the reader of their values: a setup may keep a set in a file of its own.

    Raises:
        FileError: that file lies outside the setup's folder, or has no such set; with the line.
    """
    holder = values.child(element, name)
    if holder is None or "file" not in holder.attributes:
        return values.objects(element, name), values
    file = _inside(holder.attributes["file"].strip(), name, holder, values, "a setup that has it inside")
    if file is None:
        return [], values
    root, own = opened(file)
    if root.only(name, own.source) is None:
        raise own.source.error(f"<OpenSimDocument> has no <{name}>", root.line)
    return own.objects(root, name), own


def _inside(name: str, tag: str, element: Element, values: Values, what: str) -> Path | None:
    if name.lower() in NONE:
        return None
    folder = Path(os.fspath(values.source.path)).resolve().parent  # type: ignore[call-overload]
    file = (folder / name.replace("\\", "/")).resolve()
    if not file.is_relative_to(folder):
        raise values.source.error(f"the <{tag}> {name!r} lies outside this file's folder; give {what}", element.line)
    return Path(file)
