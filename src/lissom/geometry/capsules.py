"""Capsules around links: of their collision shapes, else of their visual shapes, else of the forms that stand for them.

Spheres and capsules are kept as they are. Around any other shape, and around all shapes of a link with more than MOST of them, is
the smallest of the capsules along its principal axes and along those of the link. It holds every vertex, and the true surface
as far as `surface` follows it. Links without shapes get the axes and radii of their stand-ins, which are guessed from joints and
masses: they show where a link is, not how thick it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..model import Model
from ..model.shape import Capsule, Shape, Sphere
from .load import surface
from .primitives import DETAIL
from .stand_in import stand_in_axes

MOST = 4  # shapes of a link with a capsule each


class LinkCapsule(NamedTuple):
    """A capsule on a link.

    Attributes:
        link: name of the link.
        start, end: of its axis, in the link's frame [m]; the same point for a sphere.
        radius: [m].
    """

    link: str
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float


def link_capsules(model: Model) -> tuple[LinkCapsule, ...]:
    """Return capsules around the links of a robot; links that are bare frames have none.

    In a model with shapes, links without any are bare frames, unless all their meshes are missing.
    """
    found: list[LinkCapsule] = []
    lost: list[str] = []
    for link in model.links:
        shapes = [shape for shape in model.shapes if shape.link == link.name]
        own = [shape for shape in shapes if shape.role != "visual"] or shapes
        made = _around_shapes(link.name, own)
        if made:
            found += made
        elif own or not model.shapes:
            lost.append(link.name)
    axes = stand_in_axes(model) if lost else {}
    for name in lost:
        found += [_capsule(name, *axis) for axis in axes.get(name, ())]
    return tuple(found)


def _around_shapes(link: str, shapes: Sequence[Shape]) -> list[LinkCapsule]:
    """Return the capsules around shapes of one link; nothing if one of them cannot be read."""
    found: list[LinkCapsule] = []
    clouds: list[tuple[np.ndarray, float]] = []
    for shape in shapes:
        form, pose = shape.geometry, shape.origin
        if isinstance(form, Sphere | Capsule) and len(shapes) <= MOST:
            half = 0.5 * form.length * pose.R[:, 2] if isinstance(form, Capsule) else np.zeros(3)
            found.append(_capsule(link, pose.p - half, pose.p + half, form.radius))
            continue
        triangles = surface(form)
        if triangles is None or not len(triangles.vertices):
            return []
        points = np.asarray(triangles.vertices, dtype=float)
        off = DETAIL * float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
        clouds.append((points @ pose.R.T + pose.p, off))
    if len(shapes) > MOST:
        clouds = [(np.concatenate([points for points, _ in clouds]), max(off for _, off in clouds))]
    for points, off in clouds:
        start, end, radius = bounding_capsule(points)
        found.append(_capsule(link, start, end, radius + off))
    return found


def bounding_capsule(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return start (3,), end (3,) and radius of a capsule around points (N, 3): the one of least volume along six axes."""
    middle = points - points.mean(axis=0)
    principal = np.linalg.eigh(middle.T @ middle)[1].T
    best: tuple[float, np.ndarray, np.ndarray, float] | None = None
    for axis in (*principal, *np.eye(3)):
        along = points @ axis
        across = points - along[:, None] * axis
        center = 0.5 * (across.max(axis=0) + across.min(axis=0))
        center = center - (center @ axis) * axis
        distance = np.linalg.norm(across - center, axis=1)
        radius = float(distance.max())
        reach = np.sqrt(np.maximum(radius**2 - distance**2, 0.0))
        low, high = float((along + reach).min()), float((along - reach).max())
        if low > high:  # a sphere is enough
            low = high = 0.5 * (low + high)
        volume = math.pi * radius**2 * (high - low + 4.0 / 3.0 * radius)
        if best is None or volume < best[0]:
            best = volume, center + low * axis, center + high * axis, radius
    assert best is not None
    return best[1:]


def _capsule(link: str, start: np.ndarray, end: np.ndarray, radius: float) -> LinkCapsule:
    (a, b, c), (x, y, z) = np.asarray(start, dtype=float).tolist(), np.asarray(end, dtype=float).tolist()
    return LinkCapsule(link, (a, b, c), (x, y, z), float(radius))
