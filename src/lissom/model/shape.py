"""Shapes of links, to draw them and to see how far they reach. The equations of motion do not depend on them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ..errors import ModelError, suggest
from .pose import IDENTITY, Pose, Vector3, as_number, as_vector3, expect

ROLES = ("visual", "collision", "both")
Color = tuple[float, float, float, float]


@dataclass(frozen=True)
class Geometry:
    """A form in a frame of its own; lengths in m. Subclasses: Box, Sphere, Ellipsoid, Cylinder, Capsule, Mesh."""

    kind: ClassVar[str]


@dataclass(frozen=True)
class Box(Geometry):
    """A box around the origin, with edges along the axes.

    Attributes:
        size: lengths of the edges along x, y and z [m].
    """

    kind: ClassVar[str] = "box"
    size: Vector3

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", _lengths(self.size, "size of a box"))


@dataclass(frozen=True)
class Sphere(Geometry):
    """A sphere around the origin.

    Attributes:
        radius: [m].
    """

    kind: ClassVar[str] = "sphere"
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _length(self.radius, "radius of a sphere"))


@dataclass(frozen=True)
class Ellipsoid(Geometry):
    """An ellipsoid around the origin.

    Attributes:
        radii: half axes along x, y and z [m].
    """

    kind: ClassVar[str] = "ellipsoid"
    radii: Vector3

    def __post_init__(self) -> None:
        object.__setattr__(self, "radii", _lengths(self.radii, "radii of an ellipsoid"))


@dataclass(frozen=True)
class Cylinder(Geometry):
    """A cylinder around the z axis, its middle at the origin.

    Attributes:
        radius: [m].
        length: along z [m].
    """

    kind: ClassVar[str] = "cylinder"
    radius: float
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _length(self.radius, "radius of a cylinder"))
        object.__setattr__(self, "length", _length(self.length, "length of a cylinder"))


@dataclass(frozen=True)
class Capsule(Geometry):
    """A cylinder around the z axis with half spheres on both ends, its middle at the origin.

    Attributes:
        radius: [m].
        length: of the cylinder, between the centers of the half spheres [m].
    """

    kind: ClassVar[str] = "capsule"
    radius: float
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _length(self.radius, "radius of a capsule"))
        object.__setattr__(self, "length", _length(self.length, "length of a capsule"))


@dataclass(frozen=True)
class Mesh(Geometry):
    """Triangles in a file.

    Attributes:
        source: the address as written in the robot's file, such as "package://panda/link0.stl".
        file: path of the file; None where it was not found, or must not be read.
        scale: factors along x, y and z; negative ones mirror.
    """

    kind: ClassVar[str] = "mesh"
    source: str
    file: str | None = None
    scale: Vector3 = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        expect(self.source, str, "the source of a mesh", "text")
        if self.file is not None:
            expect(self.file, str, "the file of a mesh", "a path as text, or None")
        scale = as_vector3(self.scale, "scale of a mesh")
        if 0.0 in scale:
            raise ModelError(f"the scale of a mesh must not be zero, got {scale}")
        object.__setattr__(self, "scale", scale)


GEOMETRIES: dict[str, type[Geometry]] = {c.kind: c for c in (Box, Sphere, Ellipsoid, Cylinder, Capsule, Mesh)}


@dataclass(frozen=True)
class Shape:
    """A form attached to a link.

    Attributes:
        link: name of the link.
        geometry: Box, Sphere, Ellipsoid, Cylinder, Capsule or Mesh.
        origin: pose of the form in the link's frame.
        color: red, green, blue and opacity, from 0 to 1; None: not given.
        role: "visual", "collision", or "both".
        name: for people; may be empty.
    """

    link: str
    geometry: Geometry
    origin: Pose = IDENTITY
    color: Color | None = None
    role: str = "visual"
    name: str = ""

    def __post_init__(self) -> None:
        expect(self.link, str, "the link of a shape", "a name")
        expect(self.geometry, Geometry, f"the geometry of a shape of {self.link!r}", "Box, Sphere, ..., Mesh")
        expect(self.origin, Pose, f"the origin of a shape of {self.link!r}", "a Pose")
        expect(self.name, str, f"the name of a shape of {self.link!r}", "text")
        if self.role not in ROLES:
            raise ModelError(f"the role of a shape of {self.link!r} is {self.role!r}; {suggest(str(self.role), ROLES)}")
        if self.color is not None:
            color = tuple(as_number(x, "color") for x in self.color) if isinstance(self.color, Iterable) else ()
            if len(color) != 4 or not all(0.0 <= x <= 1.0 for x in color):
                raise ModelError(f"the color of a shape of {self.link!r} must be four numbers from 0 to 1, got {self.color!r}")
            object.__setattr__(self, "color", color)


def _length(value: float, what: str) -> float:
    number = as_number(value, what)
    if not math.isfinite(number) or number <= 0:
        raise ModelError(f"the {what} must be positive, got {number:g}")
    return number


def _lengths(values: Vector3, what: str) -> Vector3:
    vector = as_vector3(values, what)
    if min(vector) <= 0:
        raise ModelError(f"the {what} must be positive, got {vector}")
    return vector
