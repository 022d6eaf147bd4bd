"""Shapes of links in a YAML document, in trees and Denavit-Hartenberg tables.

    shapes:
      - {link: arm, kind: box, size: [0.1, 0.1, 0.4]}                         # lengths along x, y, z [m]
      - {link: arm, kind: sphere, radius: 0.1}
      - {link: arm, kind: ellipsoid, radii: [0.1, 0.2, 0.1]}
      - {link: arm, kind: cylinder, radius: 0.1, length: 0.4}                 # around z
      - {link: arm, kind: capsule, radius: 0.1, length: 0.4}                  # length between the centers of its half spheres
      - {link: arm, kind: mesh, file: meshes/arm.stl, scale: [0.001, 0.001, 0.001]}

Each may have an origin (a pose in the link's frame), a color [red, green, blue, opacity] from 0 to 1, a role (visual, collision
or both; default visual) and a name. A mesh may have a source, its address in the file that it came from; it is searched there if
it is not at `file`. See `mesh_paths.py` for addresses.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..errors import suggest
from ..model import Color, Geometry, Mesh, Shape
from ..model.shape import GEOMETRIES, ROLES
from .build import Draft
from .entry import Entry
from .fields import read_pose
from .mesh_paths import MeshPaths
from .remarks import MOST_SHAPES
from .source import Source

KEYS = ("shapes",)
_OWN = ("link", "kind", "origin", "color", "role", "name")
_MESH = ("file", "source", "scale")


def read_shapes(keys: dict[str, Entry], draft: Draft, source: Source, meshes: MeshPaths) -> None:
    """Add the shapes among the entries of a document to `draft`, and warn of mesh files that are not found."""
    links = {link.name for link in draft.links}
    items = keys["shapes"].items() if "shapes" in keys else []
    if len(items) > MOST_SHAPES:
        raise keys["shapes"].error(f"{len(items)} shapes are too many to draw; expected at most {MOST_SHAPES}")
    for item in items:
        shape = _shape(item, meshes)
        if shape.link not in links:
            raise item.error(f"no link {shape.link!r}; {suggest(shape.link, sorted(links))}")
        draft.shapes.append(shape)
    meshes.report(source)


def _fields(kind: type[Geometry]) -> tuple[str, ...]:
    return _MESH if kind is Mesh else tuple(field.name for field in dataclasses.fields(kind))


def _shape(item: Entry, meshes: MeshPaths) -> Shape:
    every = dict.fromkeys((*_OWN, *(name for kind in GEOMETRIES.values() for name in _fields(kind))))
    kind = GEOMETRIES[item.mapping(every, required=("link", "kind"))["kind"].choice(GEOMETRIES)]
    own = _fields(kind)
    keys = item.mapping((*_OWN, *own), required=("file",) if kind is Mesh else own)
    color = _color(keys.get("color"))
    role = keys["role"].choice(ROLES) if "role" in keys else ROLES[0]
    name = keys["name"].text() if "name" in keys else ""
    origin = read_pose(keys.get("origin"))
    with item.source.at(item.line):
        form = _mesh(keys, meshes) if kind is Mesh else kind(**{key: _value(keys[key]) for key in own})
        return Shape(keys["link"].text(), form, origin, color, role, name)


def _value(entry: Entry) -> Any:
    three = entry.label.startswith(("'size'", "'radii'"))
    return entry.numbers(3).tolist() if three else entry.number()


def _mesh(keys: dict[str, Entry], meshes: MeshPaths) -> Mesh:
    address = keys["file"].text()
    source = keys["source"].text() if "source" in keys else address
    scale = keys["scale"].numbers(3).tolist() if "scale" in keys else (1.0, 1.0, 1.0)
    mesh = Mesh(source, None, scale)  # checks the scale before the file is searched
    return dataclasses.replace(mesh, file=meshes.find(address, keys["file"].line, source))


def _color(entry: Entry | None) -> Color | None:
    if entry is None:
        return None
    red, green, blue, opacity = entry.numbers(4).tolist()
    return red, green, blue, opacity
