"""Points of a link relative to a surface: gaps of a contact, heights, and the point at which its pressure acts.

A point x of a link has the coordinates (u, v, h) along t1, t2, n of a surface, from the surface's origin. A contact at a place
(x, y, heading) holds where the gap is zero. Its rows, without those that are redundant for a rigid link:
    one point       u1 - x, v1 - y, h1
    two points      and h2, and (v2 - v1) cos(heading) - (u2 - u1) sin(heading), which turns the link about n
    three or more   and h3, of the point that is farthest from the line through the first two
Where all points lie on one line, the link may turn about it, and the last row is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sincos, sub
from ...spatial.vector import Matrix, Vector
from ..derivatives import directional
from .loads import ZERO3, Places, Point, Touch, position_of, rotation_of

GIVEN = "given"


def contact_gap(
    model: Model, touch: Touch, origin: Point, places: Places, tips: tuple[int, ...], place: tuple[float | None, ...]
) -> Task:
    """Gap of a contact, one row per row of the header [m].

    Args:
        model: the robot.
        touch: link, points and surface.
        origin: of the surface's coordinates, in the world, or in the frame of its link [m].
        places: of the links along the path.
        tips: numbers of the one, two or three points of the rows.
        place: x, y [m] and heading [rad], the latter where there are two points or more; where None, an input "given".
    """

    def text(values: Mapping[str, Sequence[Scalar]]) -> list[Scalar]:
        given = iter(values.get(GIVEN, ()))
        at = [next(given) if x is None else x for x in place]
        seen = on_surface(model, touch, origin, places, values, tips)
        rows = [sub(seen[0].x, at[0]), sub(seen[0].y, at[1]), seen[0].z]
        if len(tips) > 1:
            way, (sine, cosine) = seen[1] - seen[0], sincos(at[2])
            rows += [seen[1].z, sub(mul(way.y, cosine), mul(way.x, sine))]
        if len(tips) > 2:
            rows.append(seen[2].z)
        return rows

    size = sum(x is None for x in place)
    own = [Port(GIVEN, size)] if size else []
    key = f"contact_gap[{touch!r} {origin} {tips} {place}]"
    return _along(model, key, touch, places, own, Port("gap", (3, 5, 6)[len(tips) - 1]), text)


def surface_positions(model: Model, touch: Touch, origin: Point, places: Places, tips: tuple[int, ...]) -> Task:
    """Coordinates u, v, h of some points on the surface, one point after the other [m]."""

    def text(values: Mapping[str, Sequence[Scalar]]) -> list[Scalar]:
        return [x for point in on_surface(model, touch, origin, places, values, tips) for x in point]

    key = f"surface_positions[{touch.link!r} {touch.points} {touch.axes} {touch.surface!r} {origin} {tips}]"
    return _along(model, key, touch, places, [], Port("positions", 3 * len(tips)), text)


def heights(model: Model, touch: Touch, origin: Point, places: Places) -> Task:
    """Height of every point above the surface [m]."""

    def text(values: Mapping[str, Sequence[Scalar]]) -> list[Scalar]:
        return [point.z for point in on_surface(model, touch, origin, places, values, range(len(touch.points)))]

    key = f"heights[{touch.link!r} {touch.points} {touch.axes} {touch.surface!r} {origin}]"
    return _along(model, key, touch, places, [], Port("heights", len(touch.points)), text)


def pressure_point(model: Model, touches: tuple[Touch, ...], origin: Point, places: Places) -> Task:
    """Point of a surface at which the normal forces of contacts act, u and v [m]: the mean of their points, weighted by force.

    The input "given" has the forces of all contacts, as under `under_loads`; all of them are on one surface.
    """

    def text(values: Mapping[str, Sequence[Scalar]]) -> list[Scalar]:
        u, v, total, start = 0.0, 0.0, 0.0, 0
        for touch in touches:
            forces = touch.forces(values[GIVEN][start : start + touch.size])
            start += touch.size
            for point, force in zip(on_surface(model, touch, origin, places, values, range(len(forces))), forces, strict=True):
                u, v = add(u, mul(point.x, force.z)), add(v, mul(point.y, force.z))
                total = add(total, force.z)
        share = 1.0 / total
        return [mul(u, share), mul(v, share)]

    size = sum(touch.size for touch in touches)
    return _along(model, f"pressure_point[{touches!r} {origin}]", touches[0], places, [Port(GIVEN, size)], Port("point", 2), text)


def rate_along_path(model: Model, inner: Callable[..., Task], **options: Any) -> Task:
    """Rate of a task of q along a path: its derivative along qd. Numbers that are given are constants."""
    task = inner(model, **options)
    along = directional.jvp(model, of=inner, along=("q",), **options)
    q, *others = task.inputs

    def run(*arguments: Sequence[Any]) -> Sequence[Sequence[Any]]:
        first, velocity, *rest = arguments
        return along.texts[0](first, *rest, velocity)

    inputs = (q, Port("qd", along.inputs[-1].size), *others)
    return Task(f"rate of {task.key}", inputs, along.outputs, [run], of_columns=task.of_columns)


def on_surface(
    model: Model,
    touch: Touch,
    origin: Point,
    places: Places,
    values: Mapping[str, Sequence[Scalar]],
    which: Sequence[int],
) -> list[Vector]:
    """Return u, v, h of points of a contact's link, given the inputs of a path task by name."""
    to_surface, zero = Matrix.of(touch.axes).T, Vector.of(origin)
    found = [position_of(model, places, touch.link, values, touch.points[k]) for k in which]
    if touch.surface is not None:
        R, p = rotation_of(model, places, touch.surface, values), position_of(model, places, touch.surface, values)
        found = [R.T @ (x - p) for x in found]
    return [to_surface @ (x - zero) for x in found]


def _along(
    model: Model,
    key: str,
    touch: Touch,
    places: Places,
    more: Sequence[Port],
    output: Port,
    text: Callable[[Mapping[str, Sequence[Scalar]]], list[Scalar]],
) -> Task:
    """Return a task with the inputs that give the links' motion along a path, and more."""
    maker, options = places.position
    place = maker(model, **{**dict(options), "link": touch.link, "point": ZERO3})
    inputs = (*place.inputs, *more)

    def run(*arguments: Sequence[Any]) -> list[list[Any]]:
        return [text(dict(zip((port.name for port in inputs), arguments, strict=True)))]

    return Task(f"{key} by {place.key}", inputs, (output,), [run], of_columns=place.of_columns)
