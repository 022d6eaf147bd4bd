"""Welding of vertices at one place, and normals with creases.

Files repeat a vertex for every triangle or texture. Triangles around a place are smooth where they meet at less than CREASE;
where they do not, the place gets a vertex for each smooth side, and one for each color.
"""

from __future__ import annotations

import math

import numpy as np

from .surface import Surface

CREASE = math.radians(35.0)  # largest angle between the normals of two triangles that are shaded as one surface
TINY = 1e-150  # [m] size of a mesh whose triangles have no area: its square is below the smallest number
GRID = 1 << 21  # cells along the longest edge of the box around a mesh: vertices in one cell are one
MANY = 64  # triangles around a vertex above which they are compared with their mean only: all of them are smooth, or none


def welded(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Merge vertices at one place, and drop triangles without area and vertices without triangle.

    Returns:
        vertices (V, 3), faces (F, 3), and the index of each face in `faces` as given (F,).
    """
    low = vertices.min(axis=0)
    longest = float((vertices.max(axis=0) - low).max())
    if longest > TINY:
        cells = np.minimum((vertices - low) * ((GRID - 1) / longest) + 0.5, GRID - 1).astype(np.uint64)
        key = cells[:, 0] | cells[:, 1] << np.uint64(21) | cells[:, 2] << np.uint64(42)
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        vertices, faces = vertices[first], place.reshape(-1)[faces]
    flat = flat_normals(vertices, faces)[1]
    kept = np.flatnonzero(flat > 1e-13 * longest * longest)
    return (*compact(vertices, faces[kept]), kept)


def compact(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles with only the vertices that they use."""
    used = np.zeros(len(vertices), bool)
    used[faces] = True
    return (vertices, faces) if used.all() else (vertices[used], (np.cumsum(used) - 1)[faces])


def flat_normals(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return unit normals (F, 3) of faces, zero without area, and twice their areas (F,)."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    area = np.linalg.norm(normals, axis=1)
    return normals / np.where(area > 0, area, 1.0)[:, None], area


def shaded(vertices: np.ndarray, faces: np.ndarray, colors: np.ndarray | None = None) -> Surface:
    """Return welded triangles with normals, and the colors (F, 3) of faces on their vertices."""
    vertices, faces = compact(vertices, faces)
    size = float(np.abs(vertices - vertices[0]).max()) if len(vertices) else 0.0
    scaled = (vertices - vertices[0]) / size if size > 0 else vertices
    flat, _ = flat_normals(scaled, faces)
    corner = (_angles(scaled, faces)[:, :, None] * flat[:, None, :]).reshape(-1, 3)  # weighted by the angle of the corner
    own = np.repeat(flat, 3, axis=0)
    owner = faces.reshape(-1)
    order = np.argsort(owner, kind="stable")
    valence = np.bincount(owner, minlength=len(vertices))
    start = np.cumsum(valence) - valence
    mean = np.add.reduceat(corner[order], start)
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-300)
    normals = mean[owner]
    least = np.minimum.reduceat(np.einsum("ij,ij->i", own, normals)[order], start)
    # within half of the crease from their mean, any two are within the crease; of many triangles no pairs are compared
    rough = least < np.where(valence > MANY, math.cos(CREASE), math.cos(0.5 * CREASE))
    for number in np.unique(valence[rough]):
        at = order[start[rough & (valence == number)][:, None] + np.arange(number)]  # corners (n, number) around such vertices
        if number > MANY:
            normals[at] = own[at]
        else:
            near = np.einsum("nki,nji->nkj", own[at], own[at]) > math.cos(CREASE)
            normals[at] = np.einsum("nkj,nji->nki", near, corner[at])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(length > 1e-12, normals / np.maximum(length, 1e-300), own)
    return _split(vertices, owner, normals, None if colors is None else np.repeat(colors, 3, axis=0))


def _split(vertices: np.ndarray, owner: np.ndarray, normals: np.ndarray, colors: np.ndarray | None) -> Surface:
    """Return a vertex for each place, normal (to 1/127) and color (to 1/255) of the corners (3 F, ..)."""
    rounded = np.round(normals * 127.0).astype(np.int64) + 128
    key = (owner.astype(np.int64) << 24) | rounded[:, 0] << 16 | rounded[:, 1] << 8 | rounded[:, 2]
    if colors is not None:
        tints = np.round(colors * 255.0).astype(np.int64)
        _, tint = np.unique(tints[:, 0] << 16 | tints[:, 1] << 8 | tints[:, 2], return_inverse=True)
        _, dense = np.unique(key, return_inverse=True)
        key = dense.reshape(-1) * (int(tint.max()) + 1) + tint.reshape(-1)
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    shown = None if colors is None else colors[first]
    return Surface(vertices[owner[first]], index.reshape(-1, 3), normals[first], shown)


def _angles(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Return the angles (F, 3) of triangles at their corners [rad]."""
    corners = vertices[faces]
    found = np.empty(faces.shape)
    for k in range(3):
        one, two = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        found[:, k] = np.arctan2(np.linalg.norm(np.cross(one, two), axis=1), np.einsum("ij,ij->i", one, two))
    return found
