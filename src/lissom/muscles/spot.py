"""Spots: the places of a path in one configuration, what carries each, and what moves it."""

from __future__ import annotations

from typing import NamedTuple

from ..algorithms.kinematics.kinematics import Frame
from ..joints.function import Function
from ..spatial.scalar import Scalar, add, less, mul, sub
from ..spatial.vector import ZERO, Matrix, Vector
from .path import Moving, Point
from .wrapped import either

EDGE = 1e-5  # by which OpenSim widens the range of a conditional point [rad or m]


class Spot(NamedTuple):
    """A place: in the frame of a link's body where it is fixed to one, and in the world's frame.

    Attributes:
        body, local: the body that carries it, and its place there; None where conditions choose among several bodies.
        world: its place in the world.
        carriers: by bodies, the condition that each carries it.
        drifts: by coordinates, the velocity in the world at which each moves it in its body.
    """

    body: int | None
    local: Vector
    world: Vector
    carriers: dict[int, Scalar]
    drifts: dict[str, Vector]


def pick(condition: Scalar, a: Spot, b: Spot) -> Spot:
    """Return the one or the other spot."""
    if type(condition) is float:
        return a if condition > 0 else b
    same = a.body is not None and a.body == b.body
    carriers = a.carriers
    if not same:
        no = sub(1.0, condition)
        pairs = {body: (a.carriers.get(body, 0.0), b.carriers.get(body, 0.0)) for body in (*a.carriers, *b.carriers)}
        carriers = {body: add(mul(condition, x), mul(no, y)) for body, (x, y) in pairs.items()}
    names = dict.fromkeys((*a.drifts, *b.drifts))
    drifts = {name: either(condition, a.drifts.get(name, ZERO), b.drifts.get(name, ZERO)) for name in names}
    local = either(condition, a.local, b.local) if same else a.local
    return Spot(a.body if same else None, local, either(condition, a.world, b.world), carriers, drifts)


class Bodies:
    """Places of links in bodies, and frames of bodies in the world, in one configuration.

    Args:
        places: link -> body, rotation and origin of its frame in that of the body.
        frames: of bodies in the world.
        coordinates: values by name.
    """

    def __init__(
        self, places: dict[str, tuple[int, Matrix, Vector]], frames: dict[int, Frame], coordinates: dict[str, Scalar]
    ) -> None:
        self.places, self.frames, self.coordinates = places, frames, coordinates

    def at(self, body: int, local: Vector) -> Spot:
        """Return a place in a body's frame."""
        frame = self.frames[body]
        return Spot(body, local, frame.p + frame.R @ local, {body: 1.0}, {})

    def within(self, body: int, spot: Spot) -> Vector:
        """Return a place in the frame of a body."""
        if spot.body == body:
            return spot.local
        frame = self.frames[body]
        return frame.R.T @ (spot.world - frame.p)

    def point(self, point: Point) -> Spot:
        """Return the place of a point of a path."""
        body, R, p = self.places[point.link]
        spot = self.at(body, p + R @ Vector(*(self._component(x) for x in point.place)))
        slopes: dict[str, list[Scalar]] = {}
        for k, x in enumerate(point.place):
            if isinstance(x, Moving):
                function: Function = x.function
                slopes.setdefault(x.coordinate, [0.0] * 3)[k] = function.derivatives(self.coordinates[x.coordinate], 1)[1]
        turn = self.frames[body].R
        return spot._replace(drifts={name: turn @ (R @ Vector(*slope)) for name, slope in slopes.items()})

    def _component(self, x: float | Moving) -> Scalar:
        if isinstance(x, float):
            return x
        function: Function = x.function
        return function.derivatives(self.coordinates[x.coordinate], 0)[0]

    def active(self, point: Point) -> Scalar:
        """Return whether a point is part of its path."""
        if point.when is None:
            return 1.0
        x, when = self.coordinates[point.when.coordinate], point.when
        return (1.0 - less(x, when.low - EDGE)) * (1.0 - less(when.high + EDGE, x))
