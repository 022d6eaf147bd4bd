"""Markers and force plates of C3D files, read by the package c3d (extra `osim`), which is Python alone."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..doubts import doubt
from ..errors import FileError, MissingExtraError, StateError
from ..read.number import shown
from ..read.source import read_bytes
from .force_plates import CHANNELS, ForcePlates, wrench_of
from .trc import UNITS, Markers

MAX_BYTES = 1 << 30
MOST = 100  # force plates
MOMENTS = {"nmm": 1e-3, "ncm": 1e-2, "nm": 1.0}  # units of moments, without what is no letter


def read_c3d(path: str | os.PathLike[str]) -> Markers:
    """Return the markers of a C3D file in m, along the laboratory's axes of the file; NaN where a marker was not seen.

    OpenSim's y axis points up; turn places whose z axis does, with `places[..., [1, 2, 0]]`.

    Raises:
        FileError: the file cannot be read, has no markers, or an unknown unit.
        MissingExtraError: the package c3d is not installed.
    """
    with _reader(path, "markers") as reader:
        labels = [str(name).strip() for name in reader.point_labels][: reader.point_used]
        unit = _unit(reader)
        rate, first = float(reader.point_rate), int(reader.first_frame)
        points = np.array([points for _, points, _ in reader.read_frames()], dtype=float)
    if unit not in UNITS:
        raise FileError(f"the unit of its points must be {', '.join(UNITS)}, got {shown(unit)}", path)
    if not labels or not len(points) or points.shape[1] != len(labels) or not 0 < rate < np.inf:
        raise FileError(f"{len(labels)} names, points of shape {points.shape} at {rate:g} per second are no markers", path)
    if len(set(labels)) != len(labels):
        twice = next(name for name in labels if labels.count(name) > 1)
        raise FileError(f"two markers are called {twice!r}", path)
    places = np.where(points[..., 3:4] < 0, np.nan, points[..., :3]) * UNITS[unit]
    return Markers(tuple(labels), (first + np.arange(len(places))) / rate, places, rate, path)


def read_force_plates(path: str | os.PathLike[str]) -> ForcePlates:
    """Return what the force plates of a C3D file measured, in the laboratory's axes of the file.

    Plates of the types 1 to 4 are read. The channels are taken as the force on the person, as laboratories record it: with a
    plate's z axis into the floor, its vertical channel is negative under load. The file's ZERO, frames whose mean is to be taken
    off, is not applied; one that is set is a warning.

    Raises:
        FileError: the file cannot be read, has no force plates, or one of another type.
        MissingExtraError: the package c3d is not installed.
    """
    with _reader(path, "force plates") as reader:
        lengths = UNITS.get(_unit(reader))
        rate, per, first = float(reader.point_rate), int(reader.analog_per_frame), int(reader.first_frame)
        count = int(reader.get("FORCE_PLATFORM:USED").uint16_value) if reader.get("FORCE_PLATFORM:USED") is not None else 0
        if not 0 <= count <= MOST:
            raise FileError(f"{count} force plates, expected at most {MOST}", path)
        kinds = _numbers(reader, "TYPE", path)[:count].astype(int).tolist() if count else []
        none = np.zeros((0, 4, 3))
        corners, origins, channels = (
            _numbers(reader, name, path) if count else none for name in ("CORNERS", "ORIGIN", "CHANNEL")
        )
        matrices = _numbers(reader, "CAL_MATRIX", path) if 4 in kinds else None
        zero = _numbers(reader, "ZERO", path).ravel().tolist() if reader.get("FORCE_PLATFORM:ZERO") is not None else []
        units = [str(name) for name in reader.get("ANALOG:UNITS").string_array] if reader.get("ANALOG:UNITS") is not None else []
        frames = [analog for _, _, analog in reader.read_frames()] if count else []
        samples = np.concatenate(frames, axis=1).T.astype(float) if frames else np.zeros((0, 0))
    if not count or not len(samples) or not (0 < rate < np.inf and per > 0):
        raise FileError(f"the file has {count} force plates with {len(samples)} samples", path)
    if lengths is None:
        raise FileError(f"the unit of its points must be {', '.join(UNITS)}", path)
    if len(zero) >= 2 and 0 < zero[0] <= zero[1]:
        doubt(str(FileError(f"ZERO asks to take off the mean of frames {zero[0]:g} to {zero[1]:g}; that is not done", path)))
    parts = []
    for k, kind in enumerate(kinds):
        if kind not in CHANNELS:
            raise FileError(
                f"force plate {k + 1} is of type {kind}; lissom reads the types {', '.join(map(str, CHANNELS))}", path
            )
        own = channels[k].astype(int).ravel()[: CHANNELS[kind]] - 1
        if len(own) < CHANNELS[kind] or own.min() < 0 or own.max() >= samples.shape[1]:
            raise FileError(f"force plate {k + 1} has channels {(own + 1).tolist()}, the file has 1 to {samples.shape[1]}", path)
        moment = "".join(c for c in units[own[-1]].lower() if c.isalpha()) if own[-1] < len(units) else ""
        unit = MOMENTS.get(moment, lengths)
        calibration = np.zeros((6, 6)) if matrices is None else matrices[k].T
        with _of_plate(k, path):
            parts.append(
                wrench_of(kind, samples[:, own], corners[k] * lengths, origins[k] * lengths, calibration, (lengths, unit))
            )
    forces, points, torques = (np.stack(part, axis=1) for part in zip(*parts, strict=True))
    for what, values in (("forces", forces), ("points", points)):
        if not np.isfinite(values).all():
            raise FileError(f"{what} of its force plates are not all numbers", path)
    times = first / rate + np.arange(len(samples)) / (rate * per)
    return ForcePlates(times, forces, points, torques, np.asarray(corners[:count]) * lengths, path)


@contextlib.contextmanager
def _reader(path: str | os.PathLike[str], what: str) -> Iterator[Any]:
    """Open a file by the package c3d, and name it in whatever a broken file leads to."""
    try:
        import c3d
    except ImportError:
        raise MissingExtraError("c3d", "osim", "reading C3D files") from None
    data = read_bytes(path, MAX_BYTES)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of groups that are not read
            yield c3d.Reader(io.BytesIO(data))
    except FileError:
        raise
    except Exception as error:  # whatever a broken file leads to
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(f"is no C3D file of {what}: {said}", path) from None


@contextlib.contextmanager
def _of_plate(k: int, path: object) -> Iterator[None]:
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            yield
    except (StateError, ValueError, IndexError) as error:
        raise FileError(f"force plate {k + 1}: {str(error).splitlines()[0]}", path) from None


def _unit(reader: Any) -> str:
    return str(reader.get_string("POINT:UNITS")).strip("\0 ").lower()


def _numbers(reader: Any, name: str, path: object) -> np.ndarray:
    """Return numbers of the group of force plates, those of the last index first."""
    found = reader.get(f"FORCE_PLATFORM:{name}")
    if found is None:
        raise FileError(f"the group FORCE_PLATFORM has no {name}", path)
    values = found.float_array if found.bytes_per_element == 4 else found.int_array
    return np.asarray(values, dtype=float)
