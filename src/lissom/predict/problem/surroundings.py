"""Surroundings: obstacles and targets of a problem, found in its limits, to be drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.payload import moves
from ...protocol import DrivenRobot
from ..data.solids import Box
from ..data.solids import Obstacle as Solid
from ..quantities.box_clearances import BoxClearances
from ..quantities.clearances import Clearances
from ..quantities.compiled import OfRobot
from ..quantities.quantity import Quantity

if TYPE_CHECKING:
    from ...view.scene.world import Obstacle, Target
    from .parts import Limit
    from .problem import MotionProblem


def obstacles(problem: MotionProblem) -> tuple[Obstacle, ...]:
    """Return balls, capsules and boxes that points or capsules of links stay out of, and these capsules."""
    from ...view.scene.world import Obstacle

    found: dict[tuple[object, ...], tuple[Obstacle, list[str]]] = {}
    parts: dict[Obstacle, None] = {}
    for limit in problem.parts.limits:
        if isinstance(limit.quantity, Clearances | BoxClearances):
            for met in limit.quantity.meetings:
                parts[_drawn(met.body, met.link, inside=True)] = None
                if met.itself and met.other is not None:
                    parts[_drawn(met.solid, met.other, inside=True)] = None
                else:
                    solid = _drawn(met.solid, met.other)
                    found.setdefault(solid, (solid, []))[1].append(met.link)
        given = _options(limit.quantity, "distance_squared")
        if given and len(limit.lower) and 0.0 < limit.lower[0] < math.inf:
            other = given["other"]
            ball = Obstacle(given["center"], math.sqrt(limit.lower[0]), "", other)
            if other is not None and moves(problem.robot.model, other):  # no obstacle, but a part of the robot itself
                parts[ball._replace(name=f"ball of {other}", layer="collision")] = None
            else:
                found.setdefault(ball, (ball, []))[1].append(given["link"])
    named = (ball._replace(name=f"to be avoided by {', '.join(dict.fromkeys(links))}") for ball, links in found.values())
    return (*named, *parts)


def targets(problem: MotionProblem) -> tuple[Target, ...]:
    """Return the places where points of links have to be: positions whose three coordinates are fixed at some time.

    A target has axes if the link's rotation is fixed at the same time.
    """
    from ...view.scene.world import Target

    turns = {}
    for limit in problem.parts.limits:
        given = _options(limit.quantity, "link_rotation")
        if given and len(limit.entries) == 9 and (limit.lower == limit.upper).all():
            R = limit.lower[np.argsort(limit.entries)].reshape(3, 3)
            if np.allclose(R @ R.T, np.eye(3), atol=1e-6):
                turns[given["link"], _when(problem, limit)] = R
        given = _options(limit.quantity, "orientation")
        if given and len(limit.entries) == 3 and not (limit.lower.any() or limit.upper.any()):
            turns[given["link"], _when(problem, limit)] = np.array(given["target"])
    found = []
    for limit in problem.parts.limits:
        given = _options(limit.quantity, "link_pose")
        if given and len(limit.entries) == 6 and limit.at is not None and not (limit.lower.any() or limit.upper.any()):
            pose = np.array(given["target"])  # its upper rows
            name = f"target of {given['link']}{_when(problem, limit)}"
            found.append(Target(pose[:, 3], pose[:, :3], name))
        given = _options(limit.quantity, "link_position")
        if given and len(limit.entries) == 3 and (limit.lower == limit.upper).all():
            link, when = given["link"], _when(problem, limit)
            found.append(Target(limit.lower[np.argsort(limit.entries)], turns.get((link, when)), f"target of {link}{when}"))
    return tuple(found)


def surroundings_to_arrays(obstacles: Sequence[Obstacle], targets: Sequence[Target]) -> dict[str, np.ndarray]:
    """Return obstacles and targets as arrays of a file; NaN where a target has no axes, or an obstacle is a ball."""
    none = np.full((3, 3), np.nan)
    axes = [none if each.rotation is None else np.asarray(each.rotation) for each in targets]
    return {
        "obstacle_names": np.array([(x.name, x.link or "", x.layer) for x in obstacles], dtype=str).reshape(-1, 3),
        "obstacles": np.array([(*each.center, each.radius) for each in obstacles], dtype=float).reshape(-1, 4),
        "obstacle_ends": np.array([each.end or (np.nan,) * 3 for each in obstacles], dtype=float).reshape(-1, 3),
        "obstacle_sizes": np.array([each.size or (np.nan,) * 3 for each in obstacles], dtype=float).reshape(-1, 3),
        "obstacle_axes": np.array([each.axes or none for each in obstacles], dtype=float).reshape(-1, 3, 3),
        "target_names": np.array([each.name for each in targets], dtype=str),
        "targets": np.array([each.position for each in targets], dtype=float).reshape(-1, 3),
        "target_axes": np.array(axes, dtype=float).reshape(-1, 3, 3),
    }


def surroundings_from_arrays(
    found: Mapping[str, np.ndarray], robot: DrivenRobot
) -> tuple[tuple[Obstacle, ...], tuple[Target, ...]]:
    """Return obstacles and targets from arrays of a file; a ValueError or NameLookupError where they make no sense."""
    from ...view.scene.world import Obstacle, Target

    balls = []
    parts = (found[name].tolist() for name in ("obstacles", "obstacle_ends", "obstacle_sizes", "obstacle_axes"))
    for (name, link, layer), row, end, size, axes in zip(found["obstacle_names"], *parts, strict=True):
        if link:
            robot.model.link(str(link))
        box = not np.isnan(size).all()
        if not (np.isfinite(row).all() and (row[3] > 0.0 or box)) or (box and not _is_box(size, axes)):
            raise ValueError(f"an obstacle is {row}")
        ball = bool(np.isnan(end).all())
        if not (ball or np.isfinite(end).all()) or str(layer) not in ("obstacles", "collision"):
            raise ValueError(f"an obstacle is {row}, to {end}, in the layer {str(layer)!r}")
        shared = (str(name), str(link) or None, None if ball else tuple(end), str(layer))
        more = (tuple(size), tuple(map(tuple, axes))) if box else ()
        balls.append(Obstacle(tuple(row[:3]), row[3], *shared, *more))
    places = []
    for name, place, R in zip(found["target_names"], found["targets"], found["target_axes"], strict=True):
        free = bool(np.isnan(R).all())
        if not np.isfinite(place).all() or not (free or np.allclose(R @ R.T, np.eye(3), atol=1e-6)):
            raise ValueError(f"a target is {place.tolist()} with axes {R.tolist()}")
        places.append(Target(place, None if free else R, str(name)))
    return tuple(balls), tuple(places)


def _drawn(solid: Solid, link: str | None, inside: bool = False) -> Obstacle:
    """Return a solid to be drawn; `inside`: as a part of its link."""
    from ...view.scene.world import Obstacle

    if isinstance(solid, Box):
        return Obstacle(tuple(solid.center), 0.0, "", link, size=tuple(solid.size), axes=solid.rotation)
    start, end = solid.core
    name, layer = (f"capsule of {link}", "collision") if inside else ("", "obstacles")
    return Obstacle(start, solid.radius, name, link, None if start == end else end, layer)


def _is_box(size: Sequence[float], axes: Sequence[Sequence[float]]) -> bool:
    """Return whether lengths of edges are positive, and axes a rotation."""
    R = np.array(axes)
    return bool(np.isfinite(size).all() and min(size) > 0.0 and np.allclose(R @ R.T, np.eye(3), atol=1e-6))


def _options(quantity: Quantity, name: str) -> dict[str, Any]:
    """Return the options of lissom's own quantity of a name; nothing for others."""
    return quantity.options if isinstance(quantity, OfRobot) and quantity.name == name else {}


def _when(problem: MotionProblem, limit: Limit) -> str:
    phases = "" if limit.during is None else ", ".join(problem.timing.names[k] for k in limit.during)
    if limit.at is None:
        return f" during {phases}" if phases else ""
    return f" at {', '.join(f'{x:g}' for x in limit.at)} of {phases or 'the duration'}"
