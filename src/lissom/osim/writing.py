"""Writing a model as an .osim file."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..errors import StateError, suggest
from ..files import write_whole
from ..write.osim import to_osim
from .model import OsimModel


def write(model: OsimModel, path: str | os.PathLike[str], ratios: Mapping[str, float] | None = None) -> None:
    """Write a model as an .osim file: the text of the file that it was read from, with the model's numbers.

    All else stays as it stands there, what lissom does not read too. The file is written completely or not at all.

    Args:
        model: from `lissom.osim.read`, `scale` or `place_markers`.
        path: the file.
        ratios: how many times longer the paths of muscles became, by their names, from `lissom.muscles.path_ratios(model)`: the
            fibers and tendons of a scaled model grow by them. None where nothing was scaled, or the model has no muscles.

    Raises:
        StateError: ratios are missing, or have names that no muscle of the model has.
        FileError: the file cannot be written.
    """
    if model.document is None:
        raise StateError("only models that lissom.osim.read has read can be written: this one has no file")
    names = [muscle.name for muscle in model.parts.muscles]
    if ratios is None and names and model.factors:
        raise StateError("muscles of a scaled model need ratios=lissom.muscles.path_ratios(model), by which fibers grow")
    given = ratios or {}
    for name in given:
        if name not in names:
            raise StateError(f"no muscle {name!r} has a path to grow; {suggest(name, names)}")
    missing = [name for name in names if name not in given] if model.factors else []
    if missing:
        raise StateError(f"ratios of {', '.join(map(repr, missing))} are missing")
    write_whole(path, to_osim(model.document, model.parts, model.factors, given).encode("utf-8"))
