"""Paths of points, and ghosts: earlier poses that stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import NameLookupError, StateError
from .scene import Color, Lines
from .stage import Stage

PATH: Color = (0.8, 0.25, 0.2, 1.0)
FAINT = 0.22  # opacity of a ghost
MOST_TIPS = 6  # ends of a robot whose paths are drawn unasked
MOST_GHOSTS = 200
Paths = Sequence[str | tuple[str, Sequence[float]]]


def draw_paths(stage: Stage, paths: Paths | bool | None) -> None:
    """Draw the ways of points over the whole motion.

    Args:
        stage: the robot.
        paths: names of links, whose origins are followed, or (link, point in its frame [m]); True for the tips of the robot;
            None for the tips if there are not many, False for none.
    """
    if len(stage.times) < 2 or paths is False:
        if paths:
            raise StateError(f"paths is {paths!r:.60}, and only motions have paths; one pose is shown")
        return
    chosen = tips(stage) if paths is None or paths is True else _checked(stage, paths)
    if paths is None and len(chosen) > MOST_TIPS:
        return
    for link, point in chosen:
        pose = stage.pose(link)
        way = pose[:, :3, :3] @ point + pose[:, :3, 3]
        if np.ptp(way, axis=0).max() > 1e-6 * stage.size:
            stage.add(0, Lines(np.stack([way[:-1], way[1:]], axis=1)), "paths", PATH, f"path of {link}")


def draw_ghosts(stage: Stage, ghosts: int | Sequence[float] | None) -> None:
    """Draw the robot faintly at some times: a number of them, evenly from start to end, or the times themselves [s]."""
    if ghosts is None or len(stage.times) < 2:
        if ghosts is not None and np.size(ghosts) and np.any(ghosts):
            raise StateError(f"ghosts is {ghosts!r:.60}, and only motions have earlier poses; one pose is shown")
        return
    solid = [part for part in stage.parts if part.layer == "visual"]
    times = stage.times
    for t in _ghost_times(ghosts, float(times[0]), float(times[-1])):
        k = int(np.argmin(np.abs(times - t)))
        for part in solid:
            pose = stage.poses[k, part.body - 1] @ part.pose
            color = (*part.color[:3], FAINT * part.color[3])
            name = f"{part.name} at {times[k]:.4g} s"
            stage.parts.append(replace(part, body=0, layer="ghosts", pose=pose, color=color, name=name))


def tips(stage: Stage) -> list[tuple[str, np.ndarray]]:
    """Return the ends of branches: links that carry no joint, with their origin or, further out, their center of mass."""
    model, found = stage.model, []
    used = {joint.parent for joint in model.joints} | {link for loop in model.loops for link in (loop.first, loop.second)}
    held = {joint.child: joint.tail.inverse().p for joint in model.joints}
    for link in model.links:
        if link.name not in used and link.name in held:
            com = np.zeros(3) if link.inertia is None else np.array(link.inertia.com)
            further = np.linalg.norm(com - held[link.name]) > np.linalg.norm(held[link.name])
            found.append((link.name, com if further else np.zeros(3)))
    return found


def _checked(stage: Stage, paths: Any) -> list[tuple[str, np.ndarray]]:
    if isinstance(paths, (str, bytes)) or not isinstance(paths, Sequence):
        raise StateError(f"paths is {paths!r}, expected a list of links or of (link, [x, y, z]); write paths=[...]")
    found = []
    for path in paths:
        link, point = (path, (0.0, 0.0, 0.0)) if isinstance(path, str) else _pair(path)
        if link not in stage.body:
            raise NameLookupError("link", link, stage.body, f" in {stage.model.name!r} (of paths)")
        found.append((link, point_of(point, f"paths has the point {point!r} of link {link!r}")))
    return found


def _pair(path: Any) -> tuple[str, Any]:
    if isinstance(path, Sequence) and len(path) == 2 and isinstance(path[0], str):
        return path[0], path[1]
    raise StateError(f"paths has {path!r}, expected the name of a link, or (link, [x, y, z])")


def point_of(value: Any, what: str) -> np.ndarray:
    """Return three finite numbers, or raise a StateError that begins with `what`."""
    try:
        point = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise StateError(f"{what}, expected three numbers [m]")
    return point


def _ghost_times(ghosts: Any, start: float, end: float) -> np.ndarray:
    """Return the times of ghosts [s]."""
    if isinstance(ghosts, (int, np.integer)) and not isinstance(ghosts, bool):
        if 0 <= ghosts <= MOST_GHOSTS:
            return np.linspace(start, end, ghosts)
        raise StateError(f"ghosts is {ghosts}, expected a number from 0 to {MOST_GHOSTS}")
    try:
        times = np.asarray(ghosts, dtype=float)
    except (TypeError, ValueError):
        times = np.empty((0, 0))
    if isinstance(ghosts, bool) or times.ndim != 1 or len(times) > MOST_GHOSTS:
        raise StateError(f"ghosts is {ghosts!r}, expected a number of poses, or a list of times [s]")
    if len(times) and not (np.isfinite(times).all() and times.min() >= start and times.max() <= end):
        raise StateError(f"ghosts has times {times.tolist()} s, expected times between {start:g} and {end:g} s")
    return times
