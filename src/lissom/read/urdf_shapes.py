"""Shapes of a URDF's links: <visual> and <collision>.

A shape that cannot be read is left out with a warning: the motion does not depend on it. A material may be defined at the robot
or in any visual, before or after the visuals that name it; the first definition counts. A shape without a color has None.
Meshes that are not found are searched in the folder `<mujoco><compiler meshdir>`, as MuJoCo does.
"""

from __future__ import annotations

import contextlib
import posixpath
from typing import NamedTuple

from ..errors import FileError
from ..model import Box, Capsule, Color, Cylinder, Geometry, Mesh, Shape, Sphere
from .mesh_paths import MeshPaths
from .remarks import MOST_SHAPES, Remarks
from .source import Source
from .urdf_values import need_child, number, numbers, origin, vector
from .xml import Element

ROLES = ("visual", "collision")
KINDS = ("box", "sphere", "cylinder", "capsule", "mesh")


def read_shapes(robot: Element, source: Source, meshes: MeshPaths) -> list[Shape]:
    """Return the shapes of all links, in the order of the file, and warn of those that cannot be read or found."""
    remarks = Remarks(source)
    look = _Look(source, meshes, _materials(robot, source, remarks), *_mesh_folder(robot))
    shapes = []
    elements = [(link.attributes["name"], child) for link in robot.all("link") for child in link.children if child.tag in ROLES]
    for link, element in elements[:MOST_SHAPES]:
        try:
            shapes.append(_shape(element, link, look))
        except FileError as error:
            remarks.add(f"{error}; this <{element.tag}> of link {link!r} is left out")
    remarks.add_more(max(0, len(elements) - MOST_SHAPES))
    remarks.finish(f"shapes and materials are left out (at most {MOST_SHAPES} shapes are read)")
    meshes.report(source)
    return shapes


class _Look(NamedTuple):
    """What the shapes of a file share."""

    source: Source
    meshes: MeshPaths
    colors: dict[str, Color]
    folder: str | None  # MuJoCo's folder of meshes
    bare: bool  # whether it has them without their own folders

    def find(self, address: str, line: int) -> str | None:
        other = (
            None if self.folder is None else posixpath.join(self.folder, posixpath.basename(address) if self.bare else address)
        )
        return self.meshes.find(address, line, other)


def _mesh_folder(robot: Element) -> tuple[str | None, bool]:
    for mujoco in robot.all("mujoco"):
        for compiler in mujoco.all("compiler"):
            if folder := compiler.attributes.get("meshdir", compiler.attributes.get("assetdir")):
                return folder, compiler.attributes.get("strippath", "true") != "false"
    return None, True


def _shape(element: Element, link: str, look: _Look) -> Shape:
    source = look.source
    pose = origin(element, source)
    geometry = need_child(element, "geometry", source)
    forms = [child for child in geometry.children if child.tag in KINDS]
    if len(forms) != 1:
        there = ", ".join(f"<{child.tag}>" for child in geometry.children[:5]) or "nothing"
        wanted = ", ".join(f"<{kind}>" for kind in KINDS)
        raise source.error(f"<geometry> must have one of {wanted}, got {there}", geometry.line)
    with source.at(forms[0].line):
        form = _geometry(forms[0], look)
        return Shape(link, form, pose, _color(element, look), element.tag, element.attributes.get("name", ""))


def _geometry(form: Element, look: _Look) -> Geometry:
    source = look.source
    if form.tag == "box":
        x, y, z = numbers(form, "size", source, 3)
        return Box((x, y, z))
    if form.tag == "sphere":
        return Sphere(number(form, "radius", source))
    if form.tag == "mesh":
        address = form.need("filename", source).strip()
        scale = vector(form, "scale", source, (1.0, 1.0, 1.0))
        mesh = Mesh(address, None, scale)  # checks the scale before the file is searched
        return Mesh(address, look.find(address, form.line), mesh.scale)
    kind = Cylinder if form.tag == "cylinder" else Capsule
    return kind(number(form, "radius", source), number(form, "length", source))


def _materials(robot: Element, source: Source, remarks: Remarks) -> dict[str, Color]:
    """Return colors by the names of materials; the first definition of a name counts everywhere, as in urdfdom."""
    found: dict[str, Color] = {}
    visuals = (visual for link in robot.all("link") for visual in link.all("visual"))
    for holder in (robot, *visuals):
        for material in holder.all("material"):
            try:
                color = _rgba(material, source)
            except FileError as error:
                remarks.add(f"{error}; this color is left out")
                continue
            if color is not None and (name := material.attributes.get("name", "")):
                found.setdefault(name, color)
    return found


def _rgba(material: Element, source: Source) -> Color | None:
    element = material.only("color", source)
    if element is None:
        return None
    red, green, blue, opacity = (min(max(x, 0.0), 1.0) for x in numbers(element, "rgba", source, 4))
    return red, green, blue, opacity


def _color(visual: Element, look: _Look) -> Color | None:
    for material in visual.all("material"):
        name = material.attributes.get("name", "")
        if name in look.colors:
            return look.colors[name]
        with contextlib.suppress(FileError):  # has been remarked on
            return _rgba(material, look.source)
    return None
