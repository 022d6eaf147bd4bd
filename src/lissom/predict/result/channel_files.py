"""Channels of a prediction as arrays of its file: names, links, entries with units, points of application, control points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...spline import SplinePath
from ..data.channels import Channel, new_channel
from ..data.part import AnyPath, channel_basis, on_basis
from .touch_files import read_touch, touch_text

if TYPE_CHECKING:
    from ...protocol import DrivenRobot

# kind and shape, as in ARRAYS of `files.py`: name, link and axes; label and unit of every entry; number of entries and degree;
# first phase and the one after the last, or twice -1 for all; of a contact's forces, where they act and their friction, as JSON
CHANNEL_ARRAYS = {
    "channels": ("U", "k3"),
    "channel_entries": ("U", "e2"),
    "channel_sizes": ("i", "k2"),
    "channel_runs": ("i", "k2"),
    "channel_touches": ("U", "k"),
    "channel_at": ("f", "k3"),
    "channel_points": ("f", "v"),
}


def channel_arrays(channels: Sequence[Channel], splines: Mapping[str, AnyPath]) -> dict[str, Any]:
    """Return the channels of a prediction by the names of CHANNEL_ARRAYS."""
    entries = [pair for channel in channels for pair in zip(channel.labels, channel.units, strict=True)]
    named = [(channel.name, channel.link or "", channel.axes) for channel in channels]
    return {
        "channels": np.array(named, dtype=str).reshape(-1, 3),
        "channel_entries": np.array(entries, dtype=str).reshape(-1, 2),
        "channel_sizes": np.array([(len(channel.labels), channel.degree) for channel in channels], dtype=int).reshape(-1, 2),
        "channel_runs": np.array([channel.run or (-1, -1) for channel in channels], dtype=int).reshape(-1, 2),
        "channel_touches": np.array([touch_text(channel.touch, channel.friction) for channel in channels], dtype=str),
        "channel_at": np.array([channel.point for channel in channels], dtype=float).reshape(-1, 3),
        "channel_points": np.concatenate([np.zeros(0), *(splines[channel.name].points.ravel() for channel in channels)]),
    }


def read_channels(
    found: Mapping[str, np.ndarray], robot: DrivenRobot, path: SplinePath, ends: Sequence[float] = (0.0,)
) -> tuple[tuple[Channel, ...], dict[str, AnyPath]]:
    """Return the channels of a file and their splines; ValueError where they do not fit the path.

    `ends` are where phases begin and end, as fractions of the duration.
    """
    sizes, entries, points = found["channel_sizes"], found["channel_entries"], found["channel_points"]
    if (sizes < [1, 0]).any() or (sizes > len(points)).any() or sizes[:, 0].sum() != len(entries):
        raise ValueError("the entries of channels do not fit their number")
    runs = [None if first == last == -1 else (first, last) for first, last in found["channel_runs"].tolist()]
    if any(run is not None and not 0 <= run[0] < run[1] < len(ends) for run in runs):
        raise ValueError("channels name phases that the motion does not have")
    parts = [(0.0, 1.0) if run is None else (ends[run[0]], ends[run[1]]) for run in runs]
    bases = [channel_basis(path.basis, degree, *part) for degree, part in zip(sizes[:, 1].tolist(), parts, strict=True)]
    counts = [(basis.count, size) for basis, size in zip(bases, sizes[:, 0].tolist(), strict=True)]
    if sum(count * size for count, size in counts) != len(points):
        raise ValueError("the control points of channels do not fit the path")
    made: list[Channel] = []
    splines: dict[str, AnyPath] = {}
    for k, (name, link, axes) in enumerate(found["channels"].tolist()):
        (count, size), degree = counts[k], int(sizes[k, 1])
        own, entries = entries[:size], entries[size:]
        unit = "" if link else str(own[0, 1])
        where: Any = tuple(found["channel_at"][k].tolist())
        acts = (link or None, axes, where, runs[k])
        channel = new_channel(robot, list(splines), name, own[:, 0].tolist(), unit, degree, *acts)
        touch, friction = read_touch(str(found["channel_touches"][k]), robot)
        if touch is not None and (link or touch.size != size):
            raise ValueError(f"the forces of {name!r} do not fit its points")
        made.append(channel if link else replace(channel, units=tuple(own[:, 1].tolist()), touch=touch, friction=friction))
        splines[name] = on_basis(bases[k], points[: count * size].reshape(count, size), path.duration)
        points = points[count * size :]
    return tuple(made), splines
