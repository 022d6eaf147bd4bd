"""Muscles with their paths, and other forces in an OpenSim file."""

from __future__ import annotations

import math

from ..number import parse_number
from ..xml import Element
from .frames import Frames
from .functions import read_function
from .parts import ActuatorPart, FunctionPart, MusclePart, NamedPart, PathPointPart, PathWrapPart
from .values import Values, title

_CURVES = ("Curve",)  # endings of the classes of a muscle's force curves


def read_muscle(element: Element, path: Element, values: Values, frames: Frames) -> MusclePart:
    """Return a force along a path, such as a muscle."""
    name = values.name(element)
    points = tuple(_point(point, f"/forceset/{name}", values, frames) for point in values.objects(path, "PathPointSet"))
    wraps = tuple(_wrap(wrap, values) for wrap in values.objects(path, "PathWrapSet"))
    numbers, flags = _properties(element, values)
    if (base := values.defaults.get(element.tag)) is not None:
        more, switches = _properties(base, values)
        numbers, flags = {**more, **numbers}, {**switches, **flags}
    curves = {child.tag: _properties(child, values)[0] for child in element.children if child.tag.endswith(_CURVES)}
    acts = values.acts(element, "appliesForce")
    return MusclePart(element.tag, name, element.line, points, wraps, numbers, flags, curves, acts, element)


def read_actuator(element: Element, values: Values) -> ActuatorPart:
    """Return a coordinate actuator."""
    coordinate = values.text(element, "coordinate").rsplit("/", 1)[-1]
    if not coordinate:
        raise values.source.error(f"{title(element)} has no element <coordinate>", element.line)
    return ActuatorPart(
        values.name(element),
        element.line,
        coordinate,
        values.finite(element, "optimal_force", 1.0),
        values.number(element, "min_control", -math.inf),
        values.number(element, "max_control", math.inf),
        values.acts(element, "appliesForce"),
    )


def read_named(element: Element, values: Values, on: str = "appliesForce") -> NamedPart:
    """Return a part of which only class, name and line are read."""
    return NamedPart(element.tag, element.attributes.get("name", ""), element.line, values.acts(element, on), element)


def _properties(element: Element, values: Values) -> tuple[dict[str, float], dict[str, bool]]:
    """Return the properties of an object that are one number, and those that are true or false."""
    numbers, flags = {}, {}
    for child in element.children:
        text = child.text.strip()
        if child.children or not text:
            continue
        if text.lower() in ("true", "false"):
            flags[child.tag] = text.lower() == "true"
        elif (value := parse_number(text, infinite=True)) is not None:
            if child.tag in numbers:
                raise values.source.error(f"{title(element)} has two elements <{child.tag}>", child.line)
            numbers[child.tag] = value
    return numbers, flags


def _point(element: Element, owner: str, values: Values, frames: Frames) -> PathPointPart:
    name = values.name(element)
    given = values.text(element, "socket_parent_frame", "socket_parent_frame_connectee_name", "body")
    if not given:
        raise values.source.error(f"{title(element)} has no element <socket_parent_frame>", element.line)
    frame = frames.find(given, f"{owner}/{name}", element)
    place = values.vector(element, "location")
    if element.tag == "ConditionalPathPoint":
        coordinate = values.text(element, "socket_coordinate", "socket_coordinate_connectee_name", "coordinate").rsplit("/", 1)[
            -1
        ]
        limits = values.numbers(element, "range", 2)
        if not coordinate or limits is None:
            raise values.source.error(f"{title(element)} needs a <coordinate> and a <range>", element.line)
        return PathPointPart(name, frame, element.line, place, (coordinate, (limits[0], limits[1])), None, element)
    if element.tag == "MovingPathPoint":
        moving = tuple(_moving(element, x, values) for x in "xyz")
        return PathPointPart(name, frame, element.line, place, None, moving, element)
    if element.tag != "PathPoint":
        raise values.source.error(
            f"{title(element)}: lissom knows PathPoint, ConditionalPathPoint, MovingPathPoint", element.line
        )
    return PathPointPart(name, frame, element.line, place, element=element)


def _moving(element: Element, x: str, values: Values) -> tuple[str, FunctionPart] | None:
    holder = values.child(element, f"{x}_location")
    if holder is None or not holder.children:
        return None
    function = read_function(holder.children[0], values)
    names = (f"socket_{x}_coordinate", f"socket_{x}_coordinate_connectee_name", f"{x}_coordinate")
    coordinate = values.text(element, *names).rsplit("/", 1)[-1]
    if not coordinate and function.kind != "Constant":
        raise values.source.error(f"{title(element)} has a function for {x}, but no <{x}_coordinate>", element.line)
    return coordinate, function


def _wrap(element: Element, values: Values) -> PathWrapPart:
    wrap = values.text(element, "wrap_object")
    if not wrap:
        raise values.source.error(f"{title(element)} has no element <wrap_object>", element.line)
    first, last = values.numbers(element, "range", 2) or (-1.0, -1.0)
    for end in (first, last):
        if not math.isfinite(end) or end != int(end):
            raise values.source.error(
                f"{title(element)}: its range must be two whole numbers, got {first:g} {last:g}", element.line
            )
    method = values.text(element, "method") or "hybrid"
    return PathWrapPart(element.attributes.get("name", wrap), wrap, method, (int(first), int(last)), element.line)
