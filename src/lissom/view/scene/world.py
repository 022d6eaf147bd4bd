"""What stands around a robot: obstacles and targets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...geometry import surface
from ...model.shape import Capsule
from .forms import box, sphere, triad
from .poses import along, placed
from .scene import Color, Triangles
from .shapes import HULL
from .stage import Stage

OBSTACLE: Color = (0.75, 0.3, 0.25, 0.45)
TARGET: Color = (0.15, 0.6, 0.3, 0.7)


class Obstacle(NamedTuple):
    """A ball, a capsule or a box that parts of the robot have to stay outside of, or such a part itself.

    Attributes:
        center: (3,) in the world's frame, or in that of `link` [m]; of a capsule, one end of its axis.
        radius: [m]; 0 for a box.
        name: shown on hover.
        link: name of the link that carries it; None for the world.
        end: of a capsule, the other end of its axis (3,) [m]; None for a ball.
        layer: "obstacles", or "collision" for a part of the robot.
        size: of a box, the lengths of its edges (3,) [m]; `center` is its center then.
        axes: of a box, the rotation (3, 3) whose columns they are along.
    """

    center: tuple[float, ...]
    radius: float
    name: str
    link: str | None = None
    end: tuple[float, ...] | None = None
    layer: str = "obstacles"
    size: tuple[float, ...] | None = None
    axes: tuple[tuple[float, ...], ...] | None = None


class Target(NamedTuple):
    """A place that a point of the robot should reach.

    Attributes:
        position: (3,) in the world's frame [m].
        rotation: (3, 3) wanted axes of the link, as columns; None: any.
        name: shown on hover.
    """

    position: np.ndarray
    rotation: np.ndarray | None
    name: str


def draw_obstacles(stage: Stage, obstacles: Iterable[Obstacle]) -> None:
    """Draw obstacles, and the capsules of links that avoid them."""
    for each in obstacles:
        body = 0 if each.link is None else stage.body[each.link]
        color, start = OBSTACLE if each.layer == "obstacles" else HULL, np.array(each.center)
        if each.size is not None:
            axes = np.eye(3) if each.axes is None else np.array(each.axes)
            stage.add(body, box(), each.layer, color, each.name, placed(start, axes), tuple(each.size))
            continue
        way = np.zeros(3) if each.end is None else np.array(each.end) - start
        length = float(np.linalg.norm(way))
        if length <= 1e-9 * each.radius:
            stage.add(body, sphere(), each.layer, color, each.name, placed(start), each.radius)
            continue
        form = surface(Capsule(each.radius, length))
        assert form is not None
        stage.add(body, Triangles(*form), each.layer, color, each.name, along(way, start + 0.5 * way))


def draw_targets(stage: Stage, targets: Iterable[Target]) -> None:
    """Draw a small ball at each target, and the wanted axes where they are given."""
    for each in targets:
        stage.ball(0, np.asarray(each.position), 0.012 * stage.size, "targets", TARGET, each.name)
        if each.rotation is not None:
            pose = placed(np.asarray(each.position), np.asarray(each.rotation))
            stage.add(0, triad(), "targets", (1.0, 1.0, 1.0, 1.0), each.name, pose, 0.12 * stage.size)
