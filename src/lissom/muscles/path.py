"""Path: the points that a muscle runs through, straight or around surfaces.

A point is fixed to a link, or moves in it as functions of coordinates, and may be part of the path only while a coordinate is
within a range. Between two points that follow one another the path wraps around the surfaces of the path, where it would run
through them. Points and surfaces are the user's; `length.py` computes lengths.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ModelError, is_choice, suggest
from ..joints.function import Function
from ..model.pose import Pose, as_vector3

KINDS = {"sphere": 1, "cylinder": 2, "ellipsoid": 3, "torus": 2}  # number of sizes
SIDES = {"all": None, **{f"{sign}{axis}": (k, 1 if sign == "+" else -1) for k, axis in enumerate("xyz") for sign in "+-"}}
METHODS = ("hybrid", "axial", "midpoint")


@dataclass(frozen=True)
class When:
    """A coordinate and the range, its ends included, in which a point is part of the path [rad or m]."""

    coordinate: str
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ModelError(f"the range of coordinate {self.coordinate!r} goes from {self.low:g} to {self.high:g}: it is empty")


@dataclass(frozen=True)
class Moving:
    """A component of a point's place that is a function of a coordinate."""

    coordinate: str
    function: Function


@dataclass(frozen=True)
class Point:
    """A point of a path.

    Attributes:
        link: that carries it.
        place: in the link's frame: three numbers or `Moving` functions [m].
        when: the range in which it is part of the path; None: always.
        name: for messages and reports.
    """

    link: str
    place: tuple[float | Moving, float | Moving, float | Moving]
    when: When | None = None
    name: str = ""

    def __post_init__(self) -> None:
        place = tuple(self.place)
        if len(place) != 3:
            raise ModelError(f"point {self.name!r} on link {self.link!r} has a place of {len(place)} entries, expected x, y, z")
        plain = as_vector3([0.0 if isinstance(x, Moving) else x for x in place], f"the place of point {self.name!r}")
        object.__setattr__(
            self, "place", tuple(x if isinstance(x, Moving) else value for x, value in zip(place, plain, strict=True))
        )


@dataclass(frozen=True)
class Surface:
    """A surface that paths wrap around, fixed to a link.

    Attributes:
        name: unique among the surfaces of a path.
        kind: "sphere", "cylinder" (along its z axis), "ellipsoid" or "torus" (around its z axis).
        link: that carries it.
        pose: of its frame in the link's frame.
        sizes: [m] radius; radius and length; three radii; radius of the tube and radius of the circle that is its axis.
        side: "all", or the side that paths pass: "+x", "-x", "+y", ...
    """

    name: str
    kind: str
    link: str
    pose: Pose
    sizes: tuple[float, ...]
    side: str = "all"

    def __post_init__(self) -> None:
        where = f"surface {self.name!r}: "
        if not is_choice(self.kind, KINDS):
            raise ModelError(where + f"no kind {self.kind!r}; {suggest(str(self.kind), tuple(KINDS))}")
        if not is_choice(self.side, SIDES):
            raise ModelError(where + f"no side {self.side!r}; {suggest(str(self.side), tuple(SIDES))}")
        sizes = tuple(float(x) for x in self.sizes)
        if len(sizes) != KINDS[self.kind] or not all(math.isfinite(x) and x > 0 for x in sizes):
            raise ModelError(where + f"a {self.kind} needs {KINDS[self.kind]} positive sizes [m], got {self.sizes}")
        if self.kind == "torus" and sizes[0] >= sizes[1]:
            raise ModelError(where + f"the tube's radius {sizes[0]:g} m is not below that of its axis, {sizes[1]:g} m")
        if self.kind == "cylinder" and self.side.endswith("z"):
            raise ModelError(where + f"a cylinder has no side {self.side!r}: z is its axis")
        object.__setattr__(self, "sizes", sizes)

    @property
    def constraint(self) -> tuple[int, int] | None:
        """Index of the axis and sign of the side, or None."""
        return SIDES[self.side]


@dataclass(frozen=True)
class Wrap:
    """A surface that a path may wrap around.

    Attributes:
        surface: to wrap around. first, last: indices of the points of the path, from 0, between which it may; None: its first
        and last point. method: of an ellipsoid, how the plane of the wrap is found: "hybrid", "axial" or "midpoint". exact:
        whether the path around a cylinder or torus is a geodesic; otherwise it is the one that OpenSim takes, which touches
            the cylinder where a plane through both points and an apex does, and is up to millimeters longer.
    """

    surface: Surface
    first: int | None = None
    last: int | None = None
    method: str = "hybrid"
    exact: bool = False

    def __post_init__(self) -> None:
        if not is_choice(self.method, METHODS):
            raise ModelError(
                f"wrap around {self.surface.name!r}: no method {self.method!r}; {suggest(str(self.method), METHODS)}"
            )


@dataclass(frozen=True)
class Path:
    """Points from one end to the other, two at least, and wraps in the order in which they are tried."""

    points: tuple[Point, ...]
    wraps: tuple[Wrap, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", _all_of(Point, self.points))
        object.__setattr__(self, "wraps", _all_of(Wrap, self.wraps))
        n = len(self.points)
        if n < 2:
            raise ModelError(f"a path needs at least two points, got {n}")
        for k, point in ((0, self.points[0]), (n - 1, self.points[-1])):
            if point.when is not None and all(p.when is not None for p in self.points):
                raise ModelError(f"point {k} of a path, {point.name!r}, is conditional as all others: the path may have no point")
        for wrap in self.wraps:
            first, last = wrap.first or 0, n - 1 if wrap.last is None else wrap.last
            if not 0 <= first < last < n:
                raise ModelError(
                    f"wrap around {wrap.surface.name!r}: it goes from point {first} to point {last}, "
                    f"expected two indices from 0 to {n - 1}"
                )


def _all_of(kind: type, values: Iterable[object]) -> tuple[object, ...]:
    found = tuple(values)
    for value in found:
        if not isinstance(value, kind):
            raise ModelError(f"a path has {kind.__name__}s, got {type(value).__name__}")
    return found
