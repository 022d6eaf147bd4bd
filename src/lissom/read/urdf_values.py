"""Values in a URDF: numbers, vectors and poses in attributes; errors name the line."""

from __future__ import annotations

from ..model import IDENTITY, Pose
from ..model.pose import EYE3, ZERO3, Vector3, as_matrix3, rotation_from_quaternion, rotation_from_rpy
from .number import parse_number, shown
from .source import Source
from .xml import Element


def origin(parent: Element, source: Source) -> Pose:
    """Return the pose in the <origin> of an element; the identity without one."""
    element = parent.only("origin", source)
    if element is None:
        return IDENTITY
    angles = vector(element, "rpy", source, ZERO3)
    rotation = as_matrix3(rotation_from_rpy(*angles), "rotation") if any(angles) else EYE3
    if "quat_xyzw" in element.attributes:
        if "rpy" in element.attributes:
            raise source.error("<origin> has both rpy and quat_xyzw; remove one", element.line)
        with source.at(element.line):
            rotation = as_matrix3(rotation_from_quaternion(numbers(element, "quat_xyzw", source, 4)), "rotation")
    return Pose(rotation, vector(element, "xyz", source, ZERO3))


def need_child(element: Element, tag: str, source: Source) -> Element:
    """Return the only child called `tag`; a missing one is an error."""
    child = element.only(tag, source)
    if child is None:
        name = f" {element.attributes['name']!r}" if "name" in element.attributes else ""
        raise source.error(f"<{element.tag}>{name} has no element <{tag}>", element.line)
    return child


def number(element: Element, name: str, source: Source, default: float | None = None, infinite: bool = False) -> float:
    """Return the number in the attribute `name`, or the default if there is none."""
    if default is not None and name not in element.attributes:
        return default
    text = element.need(name, source)
    value = parse_number(text, infinite)
    if value is None:
        raise source.error(f"attribute {name!r} of <{element.tag}> must be a number, got {shown(text)}", element.line)
    return value


def numbers(element: Element, name: str, source: Source, count: int) -> list[float]:
    """Return `count` numbers in the attribute `name`."""
    words = element.need(name, source).split()
    values = [parse_number(word) for word in words]
    good = [value for value in values if value is not None]
    if len(words) != count or len(good) != count:
        text = " ".join(words)
        raise source.error(f"attribute {name!r} of <{element.tag}> must be {count} numbers, got {shown(text)}", element.line)
    return good


def vector(element: Element, name: str, source: Source, default: Vector3) -> Vector3:
    """Return three numbers in the attribute `name`, or the default if there is none."""
    if name not in element.attributes:
        return default
    x, y, z = numbers(element, name, source, 3)
    return (x, y, z)
