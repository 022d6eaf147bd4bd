"""Properties of surfaces, by sums over their triangles."""

from __future__ import annotations

import numpy as np

from lissom.geometry import Surface


def volume(surface: Surface) -> float:
    """Return the volume inside [m^3]: pyramids over all faces, their tips in the origin."""
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def area(surface: Surface) -> float:
    """Return the area [m^2]."""
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def is_closed(surface: Surface) -> bool:
    """Return whether every edge between two places belongs to one face on its left and one on its right."""
    _, place = np.unique(np.round(surface.vertices / surface.size, 9), axis=0, return_inverse=True)
    faces = place.reshape(-1)[surface.faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there, count = np.unique(edges, axis=0, return_counts=True)
    back = np.unique(edges[:, ::-1], axis=0)
    return bool((count == 1).all()) and np.array_equal(there, back)


def outward(surface: Surface) -> float:
    """Return the least cosine between the normal of a face and those of its vertices; positive where they agree."""
    a, b, c = np.moveaxis(surface.vertices[surface.faces] / surface.size, 1, 0)
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    return float(np.einsum("ij,ikj->ik", flat, surface.normals[surface.faces]).min())
