"""Soup: triangles as a file has them, checked before they are used."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import FileError

MAX_TRIANGLES = 1_000_000
MAX_VERTICES = 3 * MAX_TRIANGLES
FARTHEST = 1e12  # [m] largest coordinate
GRAY = 0.7


class Soup(NamedTuple):
    """Triangles of a file.

    Attributes:
        vertices: (V, 3).
        faces: (F, 3) indices of vertices.
        colors: (F, 3) red, green and blue of the faces from 0 to 1; None: the file has none.
    """

    vertices: np.ndarray
    faces: np.ndarray
    colors: np.ndarray | None = None


def check_counts(path: str, vertices: float = 0, triangles: float = 0) -> None:
    """Raise a FileError where a file has, or claims, more than the limits; called before arrays of that size are made."""
    if triangles > MAX_TRIANGLES:
        raise FileError(f"{triangles:.0f} triangles, the limit is {MAX_TRIANGLES}; simplify the mesh", path)
    if vertices > MAX_VERTICES:
        raise FileError(f"{vertices:.0f} vertices, the limit is {MAX_VERTICES}; simplify the mesh", path)


def checked(soup: Soup, path: str) -> Soup:
    """Return triangles that can be drawn: finite vertices, existing indices, colors from 0 to 1; else raise a FileError."""
    vertices, faces, colors = soup
    if not len(faces):
        raise FileError("the mesh has no triangles", path)
    check_counts(path, len(vertices), len(faces))
    if not len(vertices) or int(faces.min()) < 0 or int(faces.max()) >= len(vertices):
        wrong = int(faces.min()) if len(faces) and int(faces.min()) < 0 else int(faces.max())
        raise FileError(f"a triangle names vertex {wrong + 1} of {len(vertices)}", path)
    with np.errstate(invalid="ignore"):
        fine = np.abs(vertices).max(axis=1) <= FARTHEST  # False for NaN
    if not fine.all():
        wrong = int(np.argmin(fine))
        raise FileError(f"vertex {wrong + 1} is at {vertices[wrong].tolist()}, expected numbers up to {FARTHEST:g}", path)
    if colors is not None:
        colors = np.clip(np.nan_to_num(colors, nan=GRAY), 0.0, 1.0)
    return Soup(np.ascontiguousarray(vertices, dtype=float), np.ascontiguousarray(faces, dtype=np.int64), colors)


def fans(indices: np.ndarray, counts: np.ndarray, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles of polygons, each as a fan from its first corner, and the polygon that each comes from.

    Args:
        indices: of all corners, polygon after polygon.
        counts: corners of each polygon; those with fewer than three are left out.
        path: of the file, for messages.
    """
    ends = np.cumsum(counts)
    each = np.maximum(counts - 2, 0)
    check_counts(path, triangles=float(each.sum()))
    if len(counts) and (each == 1).all():
        return indices[: 3 * len(counts)].reshape(-1, 3), np.arange(len(counts))
    owner = np.repeat(np.arange(len(counts)), each)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(each) - each, each)
    first = (ends - counts)[owner]
    return np.column_stack([indices[first], indices[first + step + 1], indices[first + step + 2]]), owner


def joined(parts: list[Soup], path: str) -> Soup:
    """Return several parts as one; parts without color become gray where others have one."""
    check_counts(path, sum(len(p.vertices) for p in parts), sum(len(p.faces) for p in parts))
    if not parts:
        raise FileError("the mesh has no triangles", path)
    shifts = np.cumsum([0, *(len(part.vertices) for part in parts)])[:-1]
    colors = None
    if any(part.colors is not None for part in parts):
        colors = np.concatenate([np.full((len(p.faces), 3), GRAY) if p.colors is None else p.colors for p in parts])
    return Soup(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + shift for part, shift in zip(parts, shifts, strict=True)]),
        colors,
    )
