"""Markers of C3D files, read by the package c3d (extra `osim`), which is Python alone."""

from __future__ import annotations

import io
import os
import warnings

import numpy as np

from ..errors import FileError, MissingExtraError
from ..read.number import shown
from ..read.source import read_bytes
from .trc import UNITS, Markers

MAX_BYTES = 1 << 30


def read_c3d(path: str | os.PathLike[str]) -> Markers:
    """Return the markers of a C3D file in m, along the laboratory's axes of the file; NaN where a marker was not seen.

    OpenSim's y axis points up; turn places whose z axis does, with `places[..., [1, 2, 0]]`.

    Raises:
        FileError: the file cannot be read, has no markers, or an unknown unit.
        MissingExtraError: the package c3d is not installed.
    """
    try:
        import c3d
    except ImportError:
        raise MissingExtraError("c3d", "osim", "reading C3D files") from None
    data = read_bytes(path, MAX_BYTES)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of analog channels, which are not read
            reader = c3d.Reader(io.BytesIO(data))
            labels = [str(name).strip() for name in reader.point_labels][: reader.point_used]
            unit = str(reader.get_string("POINT:UNITS")).strip("\0 ").lower()
            rate, first = float(reader.point_rate), int(reader.first_frame)
            frames = [points for _, points, _ in reader.read_frames()]
        points = np.array(frames, dtype=float)
    except Exception as error:  # whatever a broken file leads to
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(f"is no C3D file of markers: {what}", path) from None
    if unit not in UNITS:
        raise FileError(f"the unit of its points must be {', '.join(UNITS)}, got {shown(unit)}", path)
    if not labels or not len(points) or points.shape[1] != len(labels) or not 0 < rate < np.inf:
        raise FileError(f"{len(labels)} names, points of shape {points.shape} at {rate:g} per second are no markers", path)
    if len(set(labels)) != len(labels):
        twice = next(name for name in labels if labels.count(name) > 1)
        raise FileError(f"two markers are called {twice!r}", path)
    places = np.where(points[..., 3:4] < 0, np.nan, points[..., :3]) * UNITS[unit]
    return Markers(tuple(labels), (first + np.arange(len(places))) / rate, places, rate, path)
