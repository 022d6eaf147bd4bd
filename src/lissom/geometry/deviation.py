"""Distances between surfaces, measured at points of one of them."""

from __future__ import annotations

import numpy as np

from .weld import flat_normals

SAMPLES = 15_000  # points of a surface that are measured at most
NEAR, FAR = 4, 64  # candidates for the nearest triangle: at first, and where these are too far away


def points_on(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a vertex and the middle of each triangle, at most SAMPLES points (n, 3) spread evenly, and the face of each (n,)."""
    owner = np.concatenate([np.arange(len(faces)), np.arange(len(faces))])
    middle = np.repeat([False, True], len(faces))
    if len(owner) > SAMPLES:
        chosen = np.random.default_rng(0).choice(len(owner), SAMPLES, replace=False)
        owner, middle = owner[chosen], middle[chosen]
    corners = vertices[faces[owner]]
    return np.where(middle[:, None], corners.mean(axis=1), corners[:, 0]), owner


def distances(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray, enough: float = 0.0) -> np.ndarray:
    """Return the distances (n,) of points to a surface: to those of its triangles that are near, so never too short.

    Args:
        points: (n, 3).
        vertices, faces: of the surface.
        enough: distances above it are searched again, among more triangles.
    """
    from scipy.spatial import cKDTree

    dense, owner = _sample(vertices, faces, 2 * len(faces) + 2 * SAMPLES)
    tree, corners = cKDTree(dense), vertices[faces]
    found = _nearest(points, corners, owner[tree.query(points, k=min(NEAR, len(dense)))[1].reshape(len(points), -1)])
    far = np.flatnonzero(found > enough)
    if len(far):
        candidates = owner[tree.query(points[far], k=min(FAR, len(dense)))[1].reshape(len(far), -1)]
        found[far] = np.minimum(found[far], _nearest(points[far], corners, candidates))
    return found


def _nearest(points: np.ndarray, corners: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    """Return the distance of each point to the nearest of its candidates (n, k), triangles of `corners` (F, 3, 3)."""
    found = np.full(len(points), np.inf)
    for k in range(candidates.shape[1]):
        found = np.minimum(found, to_triangles(points, corners[candidates[:, k]]))
    return found


def _sample(vertices: np.ndarray, faces: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points on triangles: the middle of small ones, more on large ones, about `number` in all; and the face of each."""
    area = flat_normals(vertices, faces)[1]
    each = 1 + np.floor((number - len(faces)) * area / max(float(area.sum()), 1e-300)).astype(np.int64)
    owner = np.repeat(np.arange(len(faces)), each)
    u, v = np.random.default_rng(1).random((2, len(owner)))
    u, v = np.where(u + v > 1.0, 1.0 - u, u), np.where(u + v > 1.0, 1.0 - v, v)
    single = each[owner] == 1
    u[single] = v[single] = 1.0 / 3.0
    a, b, c = (vertices[faces[owner, k]] for k in range(3))
    return a + u[:, None] * (b - a) + v[:, None] * (c - a), owner


def to_triangles(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return the distances (n,) of points (n, 3) to triangles (n, 3, 3), one each."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    normal /= np.maximum(length, 1e-300)[:, None]
    inside = length > 0
    edges = np.full(len(points), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        along, out = end - start, points - start
        inside &= np.einsum("ij,ij->i", np.cross(along, out), normal) >= 0
        share = np.einsum("ij,ij->i", along, out) / np.maximum(np.einsum("ij,ij->i", along, along), 1e-300)
        edges = np.minimum(edges, np.linalg.norm(out - np.clip(share, 0.0, 1.0)[:, None] * along, axis=1))
    return np.where(inside, np.abs(np.einsum("ij,ij->i", points - a, normal)), edges)
