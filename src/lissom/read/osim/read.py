"""OpenSim's models as lissom's: bodies become links, coordinates joints, and markers links without mass.

Each coordinate is a joint of its own, called as the coordinate: one that turns or slides by it where it moves one axis in
proportion, and a custom one where it moves several axes, or by functions. A joint of several coordinates is a chain of these.
Where a coordinate moves something in another place of the chain too, or another coordinate is coupled to it, a joint that follows
does that (`assemble.py`). The order of coordinates is that of the chain, translations first; they are called as in OpenSim.

Locked coordinates are fixed at their default. Angles of ball and free joints turn about x, y and z, and velocities are their
rates. What does not change the equations, and forces that lissom has no words for, are named as doubts; the rest is an error.
"""

from __future__ import annotations

import os
from dataclasses import replace

from ...model import Model
from ...model.lock import locked
from ..build import Draft, check_base, finish
from ..source import Source
from ..xml import Element, read_xml
from .assemble import Assembly
from .coordinates import Leading, leaders, named_apart, standing
from .file import parts_of
from .parts import OsimParts
from .tree import with_free_bodies
from .unsupported import name_what_is_left


def read_osim(path: str | os.PathLike[str], base: str = "fixed", mimic: bool = True, root: Element | None = None) -> Model:
    """Return the model of the .osim file at `path`.

    Args:
        path: the file.
        base: "fixed", or "floating" to let the ground itself move.
        mimic: whether coupled coordinates follow their leaders; False leaves them independent.
        root: the file's document, if it has been read already; `path` is then only used in messages.
    """
    source = Source(path)
    parts = complete(parts_of(root if root is not None else read_xml(path), source), source)
    return model_of(parts, source, base, mimic)


def complete(parts: OsimParts, source: Source) -> OsimParts:
    """Return the parts with the coordinates and free joints that the file leaves out."""
    parts = replace(parts, joints=with_free_bodies(parts, source))
    return replace(parts, joints=named_apart(parts.joints, source))


def model_of(
    parts: OsimParts, source: Source, base: str = "fixed", coupled: bool = True, hold: bool = True, tell: bool = True
) -> Model:
    """Return the model of complete parts.

    Args:
        parts: those of a file.
        source: for errors.
        base: "fixed" or "floating".
        coupled: whether coupled coordinates follow their leaders.
        hold: whether locked coordinates stand still.
        tell: whether doubts name what is left out.
    """
    check_base(base)
    moving = leaders(parts, source)
    stands = standing(parts, moving, source)
    if not coupled:
        moving = {name: Leading(name) for name in moving}
    if tell:
        name_what_is_left(parts, source)
    draft = Draft(parts.name, gravity=parts.gravity)
    Assembly(parts, source, moving, draft).build()
    model = finish(draft, source, base, True, True)
    if hold and stands:
        with source.at():
            model = locked(model, stands)
    return model
