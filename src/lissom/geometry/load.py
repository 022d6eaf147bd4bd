"""The surface of a geometry of a model; meshes are kept by file, date and detail while the process lives."""

from __future__ import annotations

import contextlib
import os

from ..doubts import doubt
from ..errors import FileError, MissingExtraError
from ..locks import Lock
from ..model.shape import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Sphere
from .mesh import read_mesh
from .primitives import DETAIL, box, capsule, cylinder, ellipsoid
from .simplify import TRIANGLES, reduced
from .surface import Surface, scaled
from .weld import shaded, welded

KEPT = 6_000_000  # vertices of meshes that are kept, about 300 MB

_meshes: dict[tuple[str, int, int, float, int], Surface] = {}
_lock = Lock()


def surface(geometry: Geometry, *, detail: float = DETAIL, triangles: int = TRIANGLES) -> Surface | None:
    """Return the triangles of a geometry; None for a mesh without a file, or whose file cannot be read (a ModelWarning says why).

    Args:
        geometry: of a shape of a model.
        detail: largest distance between the triangles and the true surface, as share of the diagonal of the box around it.
        triangles: a mesh of more is simplified toward so many, as far as `detail` allows. This needs the extra `view`; without
            it meshes are drawn whole.
    """
    if isinstance(geometry, Box):
        return box(geometry.size)
    if isinstance(geometry, Sphere):
        return ellipsoid((geometry.radius,) * 3, detail)
    if isinstance(geometry, Ellipsoid):
        return ellipsoid(geometry.radii, detail)
    if isinstance(geometry, Cylinder):
        return cylinder(geometry.radius, geometry.length, detail)
    if isinstance(geometry, Capsule):
        return capsule(geometry.radius, geometry.length, detail)
    if not isinstance(geometry, Mesh) or geometry.file is None:
        return None
    try:
        return scaled(_mesh(geometry.file, detail, triangles), geometry.scale)
    except FileError as error:
        doubt(f"a mesh is not drawn: {error}", stacklevel=3)
        return None


def _mesh(file: str, detail: float, triangles: int) -> Surface:
    try:
        status = os.stat(file)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file) from None
    key = (file, status.st_mtime_ns, status.st_size, detail, triangles)
    with _lock:
        if key in _meshes:
            _meshes[key] = _meshes.pop(key)  # the latest used is the last
            return _meshes[key]
    found = load_mesh(file, detail, triangles)
    with _lock:
        _meshes[key] = found
        while len(_meshes) > 1 and sum(len(each.vertices) for each in _meshes.values()) > KEPT:
            del _meshes[next(iter(_meshes))]
    return found


def load_mesh(file: str, detail: float = DETAIL, triangles: int = TRIANGLES) -> Surface:
    """Return the surface in a mesh file, vertices merged, normals with creases; see `surface` for the arguments.

    Raises:
        FileError: it cannot be read, or has no triangle with an area.
    """
    soup = read_mesh(file)
    vertices, faces, kept = welded(soup.vertices, soup.faces)
    if not len(faces):
        raise FileError("no triangle of the mesh has an area", file)
    mesh = vertices, faces, None if soup.colors is None else soup.colors[kept]
    if len(faces) > triangles:
        with contextlib.suppress(MissingExtraError):
            mesh = reduced(mesh, triangles, detail)
    return shaded(*mesh)
