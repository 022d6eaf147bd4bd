"""Surfaces of boxes, spheres, ellipsoids, cylinders and capsules, also of tapered ones.

All are closed. Forms around an axis are a profile turned about z: pieces of (radius, z, normal outward, normal along z), a piece
for each smooth part, and an edge of the form between two pieces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .surface import Surface

DETAIL = 0.003  # largest distance from the true surface, as share of the diagonal of the box around the form
FEWEST, MOST = 12, 128  # sides of a circle


def sides(radius: float, diagonal: float, detail: float) -> int:
    """Return the number of sides of a circle, a multiple of 4, that is nowhere farther than detail * diagonal from it."""
    depth = detail * diagonal / radius if radius > 0 else 1.0  # 1 - cos(half the angle of a side)
    number = math.pi / math.acos(1.0 - depth) if depth < 1.0 else 0.0
    return int(min(max(4 * math.ceil(number / 4), FEWEST), MOST))


def box(size: Sequence[float]) -> Surface:
    """Return a box around the origin with edges of lengths `size` (3,) [m]: four vertices for each of its six faces."""
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    vertices, normals = np.empty((6, 4, 3)), np.zeros((6, 4, 3))
    for k in range(3):
        for side, sign in enumerate((1.0, -1.0)):
            face = 2 * k + side
            vertices[face, :, k] = sign
            vertices[face, :, (k + 1) % 3] = corners[:, 0]
            vertices[face, :, (k + 2) % 3] = corners[:, 1] * sign  # turns the other way round on the other side
            normals[face, :, k] = sign
    first = 4 * np.arange(6)[:, None, None]
    faces = (first + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)
    return Surface(vertices.reshape(-1, 3) * (0.5 * np.array(size)), faces, normals.reshape(-1, 3))


def ellipsoid(radii: Sequence[float], detail: float = DETAIL) -> Surface:
    """Return an ellipsoid around the origin with half axes `radii` (3,) [m]."""
    axes = np.array(radii, dtype=float)
    largest = float(axes.max())
    around = sides(1.0, 2.0 * float(np.linalg.norm(axes / largest)), 0.5 * detail)  # half along each of two curvatures
    unit = turned([_arc(1.0, 0.0, -math.pi / 2, math.pi / 2, around // 2)], around)
    normals = unit.normals * (axes.min() / axes)
    return Surface(unit.vertices * axes, unit.faces, normals / np.linalg.norm(normals, axis=1, keepdims=True))


def cylinder(radius: float, length: float, detail: float = DETAIL) -> Surface:
    """Return a cylinder around z, its middle at the origin [m]."""
    half = 0.5 * length
    profile = [
        np.array([(0.0, -half, 0.0, -1.0), (radius, -half, 0.0, -1.0)]),
        np.array([(radius, -half, 1.0, 0.0), (radius, half, 1.0, 0.0)]),
        np.array([(radius, half, 0.0, 1.0), (0.0, half, 0.0, 1.0)]),
    ]
    return turned(profile, sides(radius, math.hypot(2.0 * radius, 2.0 * radius, length), detail))


def capsule(radius: float, length: float, detail: float = DETAIL) -> Surface:
    """Return a cylinder around z with half spheres on its ends, its middle at the origin; `length` between their centers [m]."""
    return tapered_capsule(radius, radius, -0.5 * length, 0.5 * length, detail)


def tapered_capsule(first: float, second: float, low: float, high: float, detail: float = DETAIL) -> Surface:
    """Return the hull of two spheres on the z axis.

    Args:
        first, second: radii of the spheres [m].
        low, high: z of their centers [m], ascending.
        detail: see DETAIL.
    """
    largest, length = max(first, second), high - low
    diagonal = math.hypot(2.0 * largest, 2.0 * largest, length + first + second)
    around = sides(largest, diagonal, 0.5 * detail)
    if abs(first - second) >= length:  # one sphere is inside of the other
        return turned([_arc(largest, low if first > second else high, -math.pi / 2, math.pi / 2, around // 2)], around)
    tilt = math.asin((first - second) / length)  # of the common tangent's normal, above the horizontal
    each = max(around // 4, 2)
    lower = _arc(first, low, -math.pi / 2, tilt, each)
    return turned([np.concatenate([lower, _arc(second, high, tilt, math.pi / 2, each)])], around)


def _arc(radius: float, center: float, start: float, end: float, steps: int) -> np.ndarray:
    """Return the profile (steps + 1, 4) of part of a sphere, from latitude `start` to `end` [rad]."""
    angle = np.linspace(start, end, steps + 1)
    across, along = np.cos(angle), np.sin(angle)
    across[np.abs(np.abs(angle) - math.pi / 2) < 1e-12] = 0.0  # a pole is one vertex
    return np.column_stack([radius * across, center + radius * along, across, along])


def turned(profile: Sequence[np.ndarray], around: int) -> Surface:
    """Return the surface of a profile turned about z, with `around` sides.

    Args:
        profile: pieces (k, 4) of radius, z, and the normal's parts away from and along the axis; from below to above. A radius
            of zero is one vertex, and only at the ends of the profile.
        around: number of sides.
    """
    turn = 2.0 * math.pi * np.arange(around) / around
    circle = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(around)])
    vertices, normals, faces, count = [], [], [], 0
    for piece in profile:
        rings = []
        for radius, height, across, along in piece:
            number = around if radius > 0 else 1
            directions = circle if radius > 0 else np.zeros((1, 3))
            vertices.append(radius * directions + (0.0, 0.0, height))
            normals.append(across * directions + (0.0, 0.0, along))
            rings.append(count + np.arange(around) % number)
            count += number
        for low, high in zip(rings[:-1], rings[1:], strict=True):
            a, b, c, d = low, np.roll(low, -1), np.roll(high, -1), high
            if a[0] != a[1]:
                faces.append(np.column_stack([a, b, c if c[0] != c[1] else d]))
            if c[0] != c[1]:
                faces.append(np.column_stack([a, c, d]))
    return Surface(np.concatenate(vertices), np.concatenate(faces), np.concatenate(normals))
