"""Shapes as <visual> and <collision> of a URDF.

A shape of both roles is written twice. URDF has no capsules: a capsule becomes a cylinder and two spheres, which have the same
surface together. Ellipsoids have no such form. Colors belong to visuals only.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Pose, Shape, Sphere
from .meshes import Addresses
from .urdf_values import numbers, origin_lines, quoted

ROLES = {"visual": ("visual",), "collision": ("collision",), "both": ("visual", "collision")}


def shape_lines(shapes: Iterable[Shape], addresses: Addresses, colors: dict[tuple[float, ...], str]) -> list[str]:
    """Return the elements of the shapes of one link, without ellipsoids.

    Args:
        shapes: of one link.
        addresses: of mesh files.
        colors: names of materials by color, in which new ones are entered.
    """
    lines = []
    for shape in shapes:
        for geometry, offset in _parts(shape.geometry):
            for role in ROLES[shape.role]:
                name = f" name={quoted(shape.name)}" if shape.name else ""
                lines += [f"    <{role}{name}>", *origin_lines(shape.origin @ offset, "      ")]
                lines.append(f"      <geometry>{_form(geometry, addresses)}</geometry>")
                if shape.color is not None and role == "visual":
                    material = colors.setdefault(shape.color, f"color_{len(colors) + 1}")
                    lines.append(f'      <material name="{material}"><color rgba={numbers(shape.color)}/></material>')
                lines.append(f"    </{role}>")
    return lines


def _parts(geometry: Geometry) -> list[tuple[Geometry, Pose]]:
    if isinstance(geometry, Ellipsoid):
        return []
    if not isinstance(geometry, Capsule):
        return [(geometry, Pose())]
    ends = [(Sphere(geometry.radius), Pose(translation=(0.0, 0.0, side * geometry.length / 2))) for side in (-1, 1)]
    return [(Cylinder(geometry.radius, geometry.length), Pose()), *ends]


def _form(geometry: Geometry, addresses: Addresses) -> str:
    if isinstance(geometry, Box):
        return f"<box size={numbers(geometry.size)}/>"
    if isinstance(geometry, Sphere):
        return f'<sphere radius="{geometry.radius!r}"/>'
    if isinstance(geometry, Cylinder):
        return f'<cylinder radius="{geometry.radius!r}" length="{geometry.length!r}"/>'
    assert isinstance(geometry, Mesh)
    scale = "" if geometry.scale == (1.0, 1.0, 1.0) else f" scale={numbers(geometry.scale)}"
    return f"<mesh filename={quoted(addresses.of(geometry))}{scale}/>"
