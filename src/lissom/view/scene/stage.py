"""Stage: a robot in K poses, and the scene that is drawn on it, layer by layer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..stick import up_of
from .poses import along, placed
from .scene import Arrow, Color, Lines, Part, Scene, Span, Triangles

if TYPE_CHECKING:
    from ...model import Model

WORLD = "world"
LONGEST = 0.35  # of an arrow, in sizes of the robot
TINY = 1e-12  # [N or N m] of the largest arrow: rounding, not worth drawing


class Stage:
    """A robot whose links are bodies, in the order of the model, after the world.

    Attributes:
        model: of the robot.
        times: (K,) [s].
        poses: of the links (K, n_links, 4, 4).
        body: index of the body of each link, by name.
        up: (3,) unit vector upward.
        size: length of the robot [m], a measure for arrows and frames.
        parts, arrows, spans: drawn so far.
    """

    def __init__(self, model: Model, times: np.ndarray, poses: np.ndarray) -> None:
        self.model = model
        self.times = np.asarray(times, dtype=float)
        self.poses = poses
        self.body = {link.name: k for k, link in enumerate(model.links, 1)}
        self.up = up_of(model)
        self.parts: list[Part] = []
        self.arrows: list[Arrow] = []
        self.spans: list[Span] = []
        self._bodies = [WORLD, *self.body]
        still = np.broadcast_to(np.eye(4), (len(self.times), 1, 4, 4))
        self._tracks = [still, poses]
        self.size = _size(model, poses[0])

    def pose(self, link: str) -> np.ndarray:
        """Return the poses (K, 4, 4) of a link."""
        return np.asarray(self.poses[:, self.body[link] - 1])

    def add_body(self, name: str, poses: np.ndarray) -> int:
        """Add a body that is not a link, with poses (K, 4, 4); return its index."""
        self._bodies.append(name)
        self._tracks.append(poses[:, None])
        return len(self._bodies) - 1

    def add(
        self, body: int, form: Triangles | Lines, layer: str, color: Color, name: str, pose: Any = None, scale: Any = 1.0
    ) -> None:
        """Draw a form on a body; `scale` is one factor or three."""
        factors = (scale,) * 3 if np.ndim(scale) == 0 else tuple(scale)
        self.parts.append(Part(body, form, layer, color, name, np.eye(4) if pose is None else pose, factors))

    def rod(self, body: int, start: np.ndarray, end: np.ndarray, radius: float, layer: str, color: Color, name: str) -> None:
        """Draw a rod between two points (3,) of a body; one of no length is left out."""
        from .forms import cylinder

        way = np.asarray(end, dtype=float) - start
        length = float(np.linalg.norm(way))
        if length > 1e-9 * self.size:
            self.add(body, cylinder(), layer, color, name, along(way, start), (radius, radius, length))

    def ball(self, body: int, center: np.ndarray, radius: float, layer: str, color: Color, name: str) -> None:
        """Draw a sphere around a point (3,) of a body."""
        from .forms import sphere

        self.add(body, sphere(), layer, color, name, placed(center), radius)

    def arrow(self, name: str, layer: str, color: Color, unit: str, at: np.ndarray, vector: np.ndarray) -> None:
        """Draw a force [N] or moment [N m] (K, 3) that starts at points (K, 3) of the world; `scene` finds the scale."""
        self.arrows.append(Arrow(name, layer, color, unit, 0.0, at, vector))

    def scene(self, name: str, events: tuple[tuple[float, str], ...] = (), shown: frozenset[str] | None = None) -> Scene:
        """Return the scene; the largest arrow of each layer and unit is as long as LONGEST of the robot's size."""
        return Scene(
            name,
            tuple(self._bodies),
            np.concatenate(self._tracks, axis=1),
            self.times,
            tuple(self.parts),
            scaled(self.arrows, LONGEST * self.size),
            tuple(self.spans),
            self.up,
            events,
            shown,
        )


def scaled(arrows: Iterable[Arrow], longest: float) -> tuple[Arrow, ...]:
    """Return arrows with one scale for each layer and unit, such that the largest of them is drawn `longest` [m]."""
    largest: dict[tuple[str, str], float] = {}
    arrows = tuple(arrows)
    for arrow in arrows:
        size = float(np.linalg.norm(arrow.vector, axis=-1).max(initial=0.0))
        largest[arrow.layer, arrow.unit] = max(size, largest.get((arrow.layer, arrow.unit), 0.0))
    lengths = {key: longest / size if size > TINY else 1.0 for key, size in largest.items()}
    return tuple(replace(arrow, scale=lengths[arrow.layer, arrow.unit]) for arrow in arrows)


def _size(model: Model, poses: np.ndarray) -> float:
    """Return the diagonal of the box around all frames, joints and centers of mass in one pose (n_links, 4, 4) [m]."""
    place = {link.name: k for k, link in enumerate(model.links)}
    local = [(place[link.name], np.zeros(3)) for link in model.links]
    local += [(place[link.name], np.array(link.inertia.com)) for link in model.links if link.inertia is not None]
    local += [(place[joint.parent], joint.origin.p) for joint in model.joints]
    local += [(place[loop.first], loop.first_pose.p) for loop in model.loops]
    rows = [k for k, _ in local]
    points = np.einsum("nij,nj->ni", poses[rows, :3, :3], np.array([p for _, p in local])) + poses[rows, :3, 3]
    size = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    return size if size > 1e-9 else 1.0
