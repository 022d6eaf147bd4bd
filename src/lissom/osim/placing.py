"""Placing markers: a model's markers move to where they were measured in a static trial, the last step of OpenSim's ScaleTool."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..doubts import doubt
from ..errors import StateError
from ..model.pose import Vector3
from ..model.show import by_shape
from ..read.osim.parts import MarkerPart
from .inverse_kinematics import Fit, inverse_kinematics
from .model import OsimModel
from .scaling import frames_of
from .tasks import Tasks
from .trc import Markers


@dataclass(frozen=True, eq=False)
class Placement:
    """The result of `place_markers`.

    Attributes:
        model: whose markers are where they were measured; those that the trial does not have are gone, as in OpenSim.
        fit: the static pose, and the distances of markers in it before they were moved.
        moved: by how much each marker moved in its frame [m], by its name; zero for fixed ones.
        gone: names of markers that the trial does not have.
    """

    model: OsimModel
    fit: Fit
    moved: dict[str, float]
    gone: tuple[str, ...]
    __repr__ = by_shape


def place_markers(
    model: OsimModel,
    markers: Markers,
    tasks: Tasks | None = None,
    time: tuple[float, float] | None = None,
    most: float | None = None,
) -> Placement:
    """Return a model whose markers are where they were measured, in the pose that fits the mean of a static trial best.

    Args:
        model: of the person's size, from `lissom.osim.scale`.
        markers: of the static trial.
        tasks: weights of markers and coordinates in the pose; None gives those that model and trial share the weight one.
        time: first and last time of the trial [s]; None takes all of it.
        most: distance [m] that a marker may move in that time; one that moves more is a warning. None: any.

    Raises:
        StateError: no frames in the time, or weights of unknown names.
        FileError: a marker with a weight was not measured.
    """
    span = frames_of(markers, time)
    if most is not None:
        _check_still(span, most)
    start = span.times[0] if time is None else min(max(time[0], markers.times[0]), markers.times[-1])
    # OpenSim finds the pose by the frames inside the time, and moves markers to the mean of one more at either end
    inside = span if time is None or not len(markers.between(*time)) else markers.between(*time)
    still, target = (
        Markers(part.names, np.array([start]), _mean(part)[None], markers.rate, markers.path) for part in (inside, span)
    )
    kept = [marker for marker in model.parts.markers if marker.name in still.names]
    gone = tuple(marker.name for marker in model.parts.markers if marker.name not in still.names)
    without = replace(model, parts=replace(model.parts, markers=tuple(kept)))
    if tasks is not None and (lost := [name for name in tasks.markers if name in gone]):
        doubt(f"the trial has no markers {', '.join(map(repr, lost))}: their weights count for nothing")
        tasks = replace(tasks, markers={name: weight for name, weight in tasks.markers.items() if name not in gone})
    fit = inverse_kinematics(without, still, tasks)
    pose = dict(zip(model.coordinates, fit.values[0], strict=True))
    q = np.array([pose[name] for name in model.names])
    moved: dict[str, float] = {}
    placed = []
    for marker in kept:
        to = _place_in_frame(model, marker, q, target.of([marker.name])[0, 0])
        moved[marker.name] = float(np.linalg.norm(np.subtract(to, marker.location)))
        placed.append(replace(marker, location=to))
    return Placement(replace(model, parts=replace(model.parts, markers=tuple(placed))), fit, moved, gone)


def _place_in_frame(model: OsimModel, marker: MarkerPart, q: np.ndarray, place: np.ndarray) -> Vector3:
    """Return where a marker is in its frame if it is at a place in the ground; where it was if it is fixed or was not seen."""
    if marker.fixed:
        return marker.location
    if not np.isfinite(place).all():
        doubt(f"marker {marker.name!r} was never seen in the static trial, and is not moved")
        return marker.location
    body, seat = model.parts.seat(marker.frame)
    link = np.eye(4) if body == "ground" else model.tree.link_pose(q, body)
    frame = link @ np.vstack([np.column_stack([seat.R, seat.p]), [0.0, 0.0, 0.0, 1.0]])
    x, y, z = (float(value) for value in frame[:3, :3].T @ (place - frame[:3, 3]))
    return x, y, z


def _mean(span: Markers) -> np.ndarray:
    """Return the mean place of each marker where it was seen (M, 3) [m]; NaN where it never was."""
    seen = np.isfinite(span.places).all(axis=2)
    total = np.where(seen[..., None], span.places, 0.0).sum(axis=0)
    return np.where(seen.any(axis=0)[:, None], total / np.maximum(seen.sum(axis=0), 1)[:, None], np.nan)


def _check_still(span: Markers, most: float) -> None:
    if not most > 0.0:
        raise StateError(f"the distance that markers may move must be positive, got {most:g} m")
    for k, name in enumerate(span.names):
        places = span.places[np.isfinite(span.places[:, k]).all(axis=1), k]
        if len(places) and (range_ := float(np.ptp(places, axis=0).max())) > most:
            doubt(f"marker {name!r} moves {range_:.3g} m in the static trial, more than {most:.3g} m")
