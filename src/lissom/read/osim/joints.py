"""Joints and coordinates in an OpenSim file, of version 4 and before."""

from __future__ import annotations

from ...model.pose import Vector3
from ..xml import Element
from .ellipsoid import SIZES
from .frames import Frames, body_axes, read_offsets
from .functions import find_function
from .parts import AxisPart, CoordinatePart, FramePart, JointPart, WrapPart
from .values import Values, title

_AXES = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")


def read_joint(element: Element, values: Values, frames: Frames, wraps: list[WrapPart]) -> JointPart:
    """Return a joint of version 4, whose frames are sockets."""
    name = values.name(element)
    path = f"/jointset/{name}"
    for holder in element.all("frames"):
        wraps += read_offsets(holder, path, values, frames)
    parent, child = (
        values.text(element, f"socket_{role}_frame", f"socket_{role}_frame_connectee_name") for role in ("parent", "child")
    )
    for role, text in (("parent", parent), ("child", child)):
        if not text:
            raise values.source.error(f"{title(element)} has no element <socket_{role}_frame>", element.line)
    return _joint(element, name, parent, child, values)


def read_old_joint(element: Element, body: str, values: Values, frames: Frames) -> JointPart:
    """Return a joint of a version before 4, which stands in the body that it carries; its frames are OpenSim's."""
    name = values.name(element)
    path = f"/jointset/{name}"
    parent = values.text(element, "parent_body")
    if not parent:
        raise values.source.error(f"{title(element)} has no element <parent_body>", element.line)
    places = {"parent": (parent, "location_in_parent", "orientation_in_parent"), "child": (body, "location", "orientation")}
    made = {}
    for role, (owner, location, orientation) in places.items():
        pose = body_axes(values.vector(element, orientation), values.vector(element, location))
        made[role] = f"{path}/{owner}_offset" if role == "parent" or owner != parent else f"{path}/{owner}_child_offset"
        frames.add_offset(FramePart(made[role], owner, pose, element.line, element, location))
    if values.flag(element, "reverse", False):
        made = {"parent": made["child"], "child": made["parent"]}
    return _joint(element, name, made["parent"], made["child"], values)


def _joint(element: Element, name: str, parent: str, child: str, values: Values) -> JointPart:
    holders = [*element.all("coordinates"), *(inner for group in element.all("CoordinateSet") for inner in group.all("objects"))]
    coordinates = tuple(_coordinate(c, name, values) for holder in holders for c in holder.all("Coordinate"))
    axes: tuple[AxisPart, ...] = ()
    transform = element.only("SpatialTransform", values.source)
    if transform is not None:
        axes = _axes(transform, values)
    given = {size: values.numbers(element, size, count) for size, count in SIZES.get(element.tag, {}).items()}
    sizes = {size: numbers for size, numbers in given.items() if numbers is not None}
    return JointPart(element.tag, name, element.line, parent, child, coordinates, axes, sizes, element)


def _coordinate(element: Element, joint: str, values: Values) -> CoordinatePart:
    name = values.name(element)
    limits = values.numbers(element, "range", 2)
    if limits is not None and limits[0] > limits[1]:
        raise values.source.error(
            f"coordinate {name!r}: its range starts at {limits[0]:g}, above its end {limits[1]:g}", element.line
        )
    default = values.finite(element, "default_value", values.finite(element, "initial_value", 0.0))
    return CoordinatePart(
        name,
        joint,
        element.line,
        default,
        values.finite(element, "default_speed_value", 0.0),
        None if limits is None else (limits[0], limits[1]),
        values.flag(element, "clamped", False),
        values.flag(element, "locked", False),
        values.flag(element, "prescribed", False),
    )


def _axes(transform: Element, values: Values) -> tuple[AxisPart, ...]:
    given = {values.name(axis): axis for axis in transform.all("TransformAxis")}
    for name, axis in given.items():
        if name not in _AXES:
            raise values.source.error(f"{title(axis)}: the axes of a custom joint are {', '.join(_AXES)}", axis.line)
    standard: dict[str, Vector3] = {name: tuple(float(name[-1] == str(k + 1)) for k in range(3)) for name in _AXES}  # type: ignore[misc]
    found = []
    for name in _AXES:
        if name not in given:
            found.append(AxisPart(name, standard[name], (), None, transform.line))
            continue
        axis = given[name]
        direction = values.vector(axis, "axis", default=standard[name])
        coordinates = values.words(axis, "coordinates")
        found.append(AxisPart(name, direction, coordinates, find_function(axis, values, "function"), axis.line))
    return tuple(found)
