"""Forms that scenes are drawn with: bodies of revolution, a box and a triad, each of size one, made once and shared."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .scene import Lines, Triangles

AROUND = 24  # corners of a circle
TINY = 1e-9  # radius of a point


@lru_cache
def cylinder() -> Triangles:
    """Return a cylinder of radius 1 about z, from z = 0 to z = 1."""
    return lathe(((0.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (1.0, 1.0)), ((1.0, 1.0), (0.0, 1.0)))


@lru_cache
def cone() -> Triangles:
    """Return a cone of radius 1 about z, from z = 0 to its tip at z = 1."""
    return lathe(((0.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (0.0, 1.0)))


@lru_cache
def ring() -> Triangles:
    """Return a ring of radius 1 about z, as thick as a tenth of it."""
    angle = np.linspace(-np.pi, np.pi, 9)
    profile = np.stack([1.0 + 0.1 * np.cos(angle), 0.1 * np.sin(angle)], axis=-1)
    return lathe(tuple(map(tuple, profile)), smooth=True)


@lru_cache
def sphere() -> Triangles:
    """Return a sphere of radius 1."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, AROUND // 2 + 1)
    return lathe(tuple(map(tuple, np.stack([np.cos(angle), np.sin(angle)], axis=-1))), smooth=True)


@lru_cache
def box() -> Triangles:
    """Return a cube with edges of length 1 around the origin."""
    vertices: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    faces: list[list[int]] = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            normal = np.zeros(3)
            normal[axis] = 2 * side
            u, v = np.roll(np.eye(3), axis, axis=1)[1:] / 2  # axis, u and v turn right
            corners = np.array([-u - v, u - v, u + v, -u + v]) + side * np.eye(3)[axis]
            start = len(vertices)
            vertices += list(corners if side > 0 else corners[::-1])
            normals += [normal] * 4
            faces += [[start, start + 1, start + 2], [start, start + 2, start + 3]]
    return Triangles(np.array(vertices), np.array(faces), np.array(normals))


@lru_cache
def triad() -> Lines:
    """Return the axes x, y and z of length 1 in red, green and blue."""
    points = np.stack([np.zeros((3, 3)), np.eye(3)], axis=1)
    return Lines(points, np.array([[0.85, 0.15, 0.15], [0.1, 0.6, 0.15], [0.15, 0.3, 0.9]]))


def lathe(*profiles: tuple[tuple[float, float], ...], smooth: bool = False) -> Triangles:
    """Return the surface that profiles describe about z.

    Args:
        profiles: points (radius, z) of each, with the outside to their right: from the bottom up.
        smooth: whether the normals of a profile's inner points are those between its two sides; else each side is flat.
    """
    vertices: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    start = 0
    angle = np.linspace(0.0, 2 * np.pi, AROUND + 1)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    for profile in profiles:
        points = np.array(profile)
        sides = np.diff(points, axis=0)
        outward = np.stack([sides[:, 1], -sides[:, 0]], axis=-1) / np.linalg.norm(sides, axis=1)[:, None]
        ends = np.concatenate([outward[:1], outward[:-1] + outward[1:], outward[-1:]]) if smooth else None
        if ends is not None and np.allclose(points[0], points[-1]):  # closed: its ends are one
            ends[0] = ends[-1] = ends[0] + ends[-1]
        for k in range(len(sides)):
            pair = points[k : k + 2]
            both = np.stack([outward[k], outward[k]]) if ends is None else ends[k : k + 2]
            both = both / np.linalg.norm(both, axis=1)[:, None]
            for found, (radius, height) in ((vertices, pair.T), (normals, both.T)):
                flat = radius[:, None, None] * circle
                found.append(np.concatenate([flat, np.broadcast_to(height[:, None, None], (*flat.shape[:2], 1))], axis=-1))
            low = start + np.arange(AROUND)
            high = low + AROUND + 1
            if pair[0, 0] > TINY:
                faces.append(np.stack([low, low + 1, high + 1], axis=-1))
            if pair[1, 0] > TINY:
                faces.append(np.stack([low, high + 1, high], axis=-1))
            start += 2 * (AROUND + 1)
    return Triangles(*(np.concatenate([x.reshape(-1, 3) for x in found]) for found in (vertices, faces, normals)))
