"""Markers of a model from a file of their own: OpenSim's MarkerSet."""

from __future__ import annotations

import os
from dataclasses import replace

from ..errors import suggest
from ..read.osim.parts import GROUND, MarkerPart, OsimParts
from ..read.osim.values import Values, opened, title
from ..read.xml import Element
from .model import OsimModel

_FRAMES = ("socket_parent_frame", "socket_parent_frame_connectee_name", "body")


def with_markers(model: OsimModel, path: str | os.PathLike[str]) -> OsimModel:
    """Return a model with the markers of a file too; those of the same name take the place of the model's.

    Raises:
        FileError: the file is no <MarkerSet>, or a marker is on a body that the model does not have; with the line.
    """
    root, values = opened(path)
    holder = root.only("MarkerSet", values.source)
    if holder is None:
        raise values.source.error("<OpenSimDocument> has no <MarkerSet>", root.line)
    found: dict[str, MarkerPart] = {}
    for element in values.objects(root, "MarkerSet"):
        if element.tag != "Marker":
            raise values.source.error(f"{title(element)} among the markers; expected <Marker>", element.line)
        name = values.name(element)
        if name in found:
            raise values.source.error(f"two markers are called {name!r} (the first at line {found[name].line})", element.line)
        frame = _frame(element, model.parts, values)
        place, fixed = values.vector(element, "location"), values.flag(element, "fixed", False)
        found[name] = MarkerPart(name, frame, place, fixed, element.line)
    old = tuple(found.pop(marker.name, marker) for marker in model.parts.markers)
    return replace(model, parts=replace(model.parts, markers=(*old, *found.values())))


def _frame(element: Element, parts: OsimParts, values: Values) -> str:
    """Return the path of the frame that carries a marker: a path, or the name of a body."""
    text = values.text(element, *_FRAMES)
    paths = [GROUND, *(body.path for body in parts.bodies), *parts.frames]
    if text in paths:
        return text
    last = text.rsplit("/", 1)[-1]
    for path in paths:
        if last and path.rsplit("/", 1)[-1] == last:
            return path
    names = ["ground", *(body.name for body in parts.bodies)]
    raise values.source.error(
        f"{title(element)} is on {text!r}, which no body or frame is called; {suggest(text, names)}", element.line
    )
