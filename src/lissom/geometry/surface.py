"""Surface: triangles as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Surface(NamedTuple):
    """Triangles in a frame.

    Attributes:
        vertices: (V, 3) [m].
        faces: (F, 3) indices of vertices, counter-clockwise seen from outside.
        normals: (V, 3) unit vectors, outward; vertices on an edge of the form appear once per smooth side.
        colors: (V, 3) red, green and blue from 0 to 1; None: not given.
    """

    vertices: np.ndarray
    faces: np.ndarray
    normals: np.ndarray
    colors: np.ndarray | None = None

    @property
    def size(self) -> float:
        """Length of the diagonal of the box around it [m]."""
        if not len(self.vertices):
            return 0.0
        edges = self.vertices.max(axis=0) - self.vertices.min(axis=0)
        longest = float(edges.max())
        return longest * float(np.linalg.norm(edges / longest)) if longest > 0 else 0.0  # squares of tiny edges would vanish


def moved(surface: Surface, rotation: np.ndarray, translation: np.ndarray) -> Surface:
    """Return a surface in another frame: R v + p, with R (3, 3) a rotation and p (3,) [m]."""
    vertices = surface.vertices @ rotation.T + translation
    return surface._replace(vertices=vertices, normals=surface.normals @ rotation.T)


def scaled(surface: Surface, scale: tuple[float, float, float]) -> Surface:
    """Return a surface with its coordinates times `scale`; a mirrored one is turned, so that its faces look outward again."""
    if scale == (1.0, 1.0, 1.0):
        return surface
    factors = np.array(scale)
    # a normal is orthogonal to tangents: it scales with the inverses, here times the largest to avoid overflow
    normals = surface.normals * (np.abs(factors).min() / factors)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, length, out=surface.normals.copy(), where=length > 0)
    faces = surface.faces[:, ::-1] if np.prod(np.sign(factors)) < 0 else surface.faces
    with np.errstate(over="ignore"):  # scenes refuse what is too large to be drawn
        vertices = surface.vertices * factors
    return surface._replace(vertices=vertices, faces=np.ascontiguousarray(faces), normals=normals)


def joined(surfaces: list[Surface]) -> Surface:
    """Return several surfaces as one."""
    shifts = np.cumsum([0, *(len(each.vertices) for each in surfaces)])
    colors = None
    if any(each.colors is not None for each in surfaces):
        colors = np.concatenate([np.full(each.vertices.shape, 0.7) if each.colors is None else each.colors for each in surfaces])
    return Surface(
        np.concatenate([each.vertices for each in surfaces]),
        np.concatenate([each.faces + shift for each, shift in zip(surfaces, shifts[:-1], strict=True)]),
        np.concatenate([each.normals for each in surfaces]),
        colors,
    )
