"""Simplification of surfaces to fewer triangles within a stated error.

The package fast-simplification collapses edges in the order of their quadric error. That is a distance to planes, not to
triangles, so its result is measured: vertices and middles of triangles of either surface must be within the error of the other
one (where there are more than 15,000, so many are drawn). Pieces that hang together and have one color are simplified one by
one, and those that fail stay as they were. Borders of pieces are kept, so that no gaps open.
"""

from __future__ import annotations

import math

import numpy as np

from ..errors import MissingExtraError
from ..locks import Lock
from .deviation import distances, points_on
from .surface import Surface
from .weld import compact, shaded, welded

TRIANGLES = 30_000
ERROR = 0.003
SMALL = 50  # triangles of a piece that stays as it is
PIECES = 2000  # where there are more, such as colors that differ from vertex to vertex, nothing is simplified
VALENCE = 5000  # triangles around a vertex above which a piece stays as it is: time grows with their square
ROUNDS = 4
_lock = Lock()  # fast-simplification works in global variables

Faces = tuple[np.ndarray, np.ndarray, np.ndarray | None]  # vertices (V, 3), faces (F, 3), colors (F, 3) of faces or None


def simplified(surface: Surface, triangles: int = TRIANGLES, error: float = ERROR) -> Surface:
    """Return a surface of fewer triangles.

    Args:
        surface: to simplify; it is returned as it is where it has few triangles already.
        triangles: about how many to reach; more remain where the error does not allow it.
        error: largest distance between the surfaces, as share of the diagonal of the box around them.

    Raises:
        MissingExtraError: the package fast-simplification is not installed.
    """
    if len(surface.faces) <= triangles:
        return surface
    vertices, faces, kept = welded(surface.vertices, surface.faces)
    if not len(faces):
        return surface
    colors = None if surface.colors is None else surface.colors[surface.faces[kept]].mean(axis=1)
    return shaded(*reduced((vertices, faces, colors), triangles, error))


def reduced(mesh: Faces, triangles: int, error: float) -> Faces:
    """Return welded triangles, fewer of them; see `simplified`."""
    try:
        import fast_simplification  # noqa: F401
    except ImportError:
        raise MissingExtraError("fast-simplification", "view", "simplification of meshes") from None
    vertices, faces, colors = mesh
    low = vertices.min(axis=0)
    diagonal = float(np.linalg.norm(vertices.max(axis=0) - low))
    unit = (vertices - low) / diagonal
    piece = _pieces(len(vertices), faces, colors)
    number = int(piece.max()) + 1
    if number > PIECES:
        return mesh
    order = np.argsort(piece, kind="stable")
    own = np.split(order, np.cumsum(np.bincount(piece))[:-1])  # faces of each piece
    parts = [_collapse(unit, faces[each], triangles / len(faces), error) for each in own]
    whole = np.zeros(number, bool)
    for _ in range(ROUNDS):
        shifts = np.cumsum([0, *(len(points) for points, _ in parts)])
        found = np.concatenate([points for points, _ in parts])
        corners = np.concatenate([triple + shift for (_, triple), shift in zip(parts, shifts[:-1], strict=True)])
        owner = np.repeat(np.arange(number), [len(triple) for _, triple in parts])
        wrong = _wrong((unit, faces, piece), (found, corners, owner), error)
        wrong = wrong[~whole[wrong]]  # distances may come out too long, and pieces that are the same on both sides have none
        if not len(wrong):
            return found * diagonal + low, corners, None if colors is None else colors[[each[0] for each in own]][owner]
        for k in wrong:
            parts[k] = compact(unit, faces[own[k]])
        whole[wrong] = True
    return mesh


def _pieces(count: int, faces: np.ndarray, colors: np.ndarray | None) -> np.ndarray:
    """Return for each face the number of its piece: faces that hang together and have one color."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ends = faces[:, [1, 2]].ravel(), faces[:, [0, 1]].ravel()
    links = coo_matrix((np.ones(len(ends[0]), bool), ends), shape=(count, count))
    label = connected_components(links, directed=False)[1][faces[:, 0]].astype(np.int64)
    if colors is not None:
        tints = np.round(colors * 255.0).astype(np.int64)
        label = label << 24 | tints[:, 0] << 16 | tints[:, 1] << 8 | tints[:, 2]
    return np.unique(label, return_inverse=True)[1].reshape(-1)


def _collapse(vertices: np.ndarray, faces: np.ndarray, share: float, error: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a piece of a mesh of size one with about `share` of its triangles."""
    import fast_simplification

    whole = compact(vertices, faces)
    wanted = max(int(share * len(faces)), SMALL)
    if len(faces) <= wanted or np.bincount(whole[1].reshape(-1)).max() > VALENCE:
        return whole
    # it collapses while the squared error is below 1e-9 (k + 3)^aggressiveness, in rounds k = 0 .. 99: the last reaches `error`
    aggressiveness = max(math.log(error * error / 1e-9) / math.log(102.0), 0.0)
    with _lock:
        points, corners = fast_simplification.simplify(
            whole[0], whole[1].astype(np.int32), target_count=wanted, agg=aggressiveness, preserve_border=True
        )
    points, corners = np.asarray(points, float), np.asarray(corners, np.int64).reshape(-1, 3)
    sound = len(corners) and np.isfinite(points).all() and corners.min() >= 0 and corners.max() < len(points)
    return (points, corners) if sound else whole


_Labeled = tuple[np.ndarray, np.ndarray, np.ndarray]  # vertices, faces, and the piece of each face


def _wrong(before: _Labeled, after: _Labeled, error: float) -> np.ndarray:
    """Return the pieces of which a point is farther than `error` from the other surface."""
    found = []
    for (vertices, faces, piece), other in ((before, after), (after, before)):
        points, owner = points_on(vertices, faces)
        far = distances(points, other[0], other[1], error) > error
        found.append(piece[owner[far]])
    return np.unique(np.concatenate(found))
