"""Solids made here rather than read: rods, cones and springs, and the arrows and spans that are made of them.

Sizes are those of the player. A solid is (vertices, normals, faces) of the world.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..scene.forms import cone, cylinder
from ..scene.scene import Triangles

WIRE_SIDES, PER_TURN, MOST_ROWS = 8, 28, 8000  # of a spring


class Solid(NamedTuple):
    """A surface.

    Attributes:
        vertices: (V, 3) [m].
        normals: (V, 3) unit vectors.
        faces: (F, 3) indices of vertices.
    """

    vertices: np.ndarray
    normals: np.ndarray
    faces: np.ndarray


def arrow(start: np.ndarray, vector: np.ndarray, heads: int, size: float) -> list[Solid]:
    """Return an arrow as a rod and cones; nothing where it has no length.

    Args:
        start: (3,) [m].
        vector: (3,) from its start to its tip [m].
        heads: 1 for a force, 2 for a moment.
        size: radius of the scene [m], by which the arrow is as thick.
    """
    length = float(np.linalg.norm(vector))
    if not length > 1e-4 * size:
        return []
    head, radius = min(0.075 * size, 0.4 * length), min(0.0085 * size, 0.045 * length)
    step = 0.62 * head
    neck = max(length - head - (heads - 1) * step, 0.1 * head) + 0.1 * head
    turn = _turn(vector / length)
    found = [_placed(cylinder(), turn, start, (radius, radius, neck))]
    for k in range(heads):
        at = start + turn[:, 2] * (length - head - k * step)
        found.append(_placed(cone(), turn, at, (2.7 * radius, 2.7 * radius, head)))
    return found


def span(first: np.ndarray, second: np.ndarray, radius: float, coils: int) -> list[Solid]:
    """Return a rod (no coils) or a spring between two points (3,); nothing where they are one."""
    way = second - first
    length = float(np.linalg.norm(way))
    if not length > 0.0:
        return []
    turn = _turn(way / length)
    if not coils:
        return [_placed(cylinder(), turn, first, (radius, radius, length))]
    return [_placed(_spring(radius, length, coils), turn, first, (1.0, 1.0, 1.0))]


def _spring(radius: float, length: float, coils: int) -> Solid:
    """Return a wire around a helix about z whose radius grows from zero at both ends, within half a turn."""
    rows = min(coils * PER_TURN, MOST_ROWS)
    u, around = np.meshgrid(np.linspace(0, 1, rows + 1), np.linspace(0, 2 * np.pi, WIRE_SIDES + 1), indexing="ij")
    angle = 2 * np.pi * coils * u
    r = radius * _smooth(u * 2 * coils) * _smooth((1 - u) * 2 * coils)
    off = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(u)], axis=-1)
    along = np.stack(
        [-r * 2 * np.pi * coils * off[..., 1], r * 2 * np.pi * coils * off[..., 0], np.full_like(u, length)], axis=-1
    )
    along /= np.linalg.norm(along, axis=-1, keepdims=True)
    normals = np.cos(around)[..., None] * off + np.sin(around)[..., None] * np.cross(along, off)
    middle = np.stack([r * off[..., 0], r * off[..., 1], length * u], axis=-1)
    wire = min(0.22 * radius, 0.3 * length / coils)
    return Solid((middle + wire * normals).reshape(-1, 3), normals.reshape(-1, 3), _strip(rows, WIRE_SIDES))


def _smooth(x: np.ndarray) -> np.ndarray:
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3 - 2 * x)


def _strip(rows: int, sides: int) -> np.ndarray:
    """Return the faces of rows + 1 rings of sides + 1 vertices, counter-clockwise seen from outside."""
    a = (np.arange(rows)[:, None] * (sides + 1) + np.arange(sides)).reshape(-1)
    b = a + sides + 1
    return np.concatenate([np.stack([a, a + 1, b], axis=-1), np.stack([a + 1, b + 1, b], axis=-1)]).astype(np.int32)


def _placed(form: Triangles | Solid, turn: np.ndarray, at: np.ndarray, scale: tuple[float, float, float]) -> Solid:
    """Return a solid scaled, turned and moved; its normals are scaled the other way, so that they are not of length one."""
    factors = np.array(scale)
    return Solid(form.vertices * factors @ turn.T + at, np.asarray(form.normals) / factors @ turn.T, form.faces.astype(np.int32))


def _turn(axis: np.ndarray) -> np.ndarray:
    """Return a rotation (3, 3) whose third column is the unit vector `axis`."""
    x = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = x - axis * (axis @ x)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])
