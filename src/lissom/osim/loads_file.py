"""Loads as OpenSim's files: an <ExternalLoads> file, and the table of its data beside it."""

from __future__ import annotations

import os
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from ..errors import FileError
from ..files import write_whole
from .loads import XYZ, Load, Loads
from .storage import write_table


def write_loads(loads: Loads, path: str | os.PathLike[str], data: str | os.PathLike[str]) -> None:
    """Write loads as an <ExternalLoads> file, and their data as a table (.mot, .sto) that it names, in the same folder.

    Raises:
        FileError: the table is for another folder, or columns of a load have no common name that ends in x, y and z.
    """
    if Path(data).resolve().parent != Path(path).resolve().parent:
        raise FileError(f"the data {os.fspath(data)!r} must lie in the folder of the loads, which name it", path)
    forces = "".join(_force(load, path) for load in loads.loads)
    text = f"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000">
<ExternalLoads name="loads">
<objects>
{forces}</objects>
<datafile>{escape(Path(data).name)}</datafile>
</ExternalLoads>
</OpenSimDocument>
"""
    write_table(loads.data, data)
    write_whole(path, text.encode("utf-8"))


def _force(load: Load, path: object) -> str:
    parts = (("force", load.force), ("point", load.point), ("torque", load.torque))
    tags = {"applied_to_body": load.body, "force_expressed_in_body": load.force_in, "point_expressed_in_body": load.point_in}
    tags |= {f"{what}_identifier": _prefix(names, load, path) for what, names in parts if names is not None}
    lines = "".join(f"<{tag}>{escape(text)}</{tag}>\n" for tag, text in tags.items())
    return f"<ExternalForce name={quoteattr(load.name)}>\n{lines}</ExternalForce>\n"


def _prefix(names: tuple[str, ...], load: Load, path: object) -> str:
    prefix = names[0][:-1]
    if names != tuple(prefix + x for x in XYZ):
        raise FileError(
            f"load {load.name!r} has columns {', '.join(names)}, which are not one name that ends in x, y and z", path
        )
    return prefix
