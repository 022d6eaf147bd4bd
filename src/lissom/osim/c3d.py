"""Markers of C3D files, read by the package ezc3d (extra `osim`)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ..errors import FileError, MissingExtraError
from ..read.number import shown
from ..read.source import read_bytes
from .trc import UNITS, Markers


def read_c3d(path: str | os.PathLike[str]) -> Markers:
    """Return the markers of a C3D file in m, along the laboratory's axes of the file; NaN where a marker was not seen.

    OpenSim's y axis points up; turn places whose z axis does, with `places[..., [1, 2, 0]]`.

    Raises:
        FileError: the file cannot be read, has no markers, or an unknown unit.
        MissingExtraError: the package ezc3d is not installed.
    """
    try:
        import ezc3d
    except ImportError:
        raise MissingExtraError("ezc3d", "osim", "reading C3D files") from None
    read_bytes(path, 1 << 32)  # a missing file or a folder has a better message here
    try:
        content = ezc3d.c3d(str(Path(path)))
        point = content["parameters"]["POINT"]
        labels = [str(name).strip() for name in point["LABELS"]["value"]]
        unit, rate = str((point["UNITS"]["value"] or [""])[0]).strip(), float(point["RATE"]["value"][0])
        points = np.array(content["data"]["points"], dtype=float)
        first = int(content["header"]["points"]["first_frame"])
    except Exception as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(f"is no C3D file of markers: {what}", path) from None
    if unit not in UNITS:
        raise FileError(f"the unit of its points must be {', '.join(UNITS)}, got {shown(unit)}", path)
    if not labels or points.shape[1:] != (len(labels), points.shape[-1]) or not points.shape[-1] or not rate > 0:
        raise FileError(f"{len(labels)} names, points of shape {points.shape} at {rate:g} per second are no markers", path)
    if len(set(labels)) != len(labels):
        twice = next(name for name in labels if labels.count(name) > 1)
        raise FileError(f"two markers are called {twice!r}", path)
    places = points[:3].transpose(2, 1, 0) * UNITS[unit]
    times = (first + np.arange(len(places))) / rate
    return Markers(tuple(labels), times, places, rate, path)
