"""Tasks for motion problems: places and turns of links, and distances of their points."""

from __future__ import annotations

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, mul
from ...spatial.vector import Vector
from ..loads import Situation, chain, laid_out_task
from .kinematics import Frame, frames_in_world, link_frame

Point = tuple[float, float, float]
ORIGIN = (0.0, 0.0, 0.0)


def point_position(model: Model, link: str, point: Point = ORIGIN) -> Task:
    """Position of a point of a link in the world (3) [m]; the point is given in the link's frame."""

    def text(s: Situation) -> list[Scalar]:
        return list(_place(frame_of(s, link), point))

    return laid_out_task(f"point_position[{link!r} {point}]", model, {"q": model.nq}, Port("position", 3), text)


def link_rotation(model: Model, link: str) -> Task:
    """Rotation matrix of a link in the world (9), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for row in frame_of(s, link).R.rows for x in row]

    return laid_out_task(f"link_rotation[{link!r}]", model, {"q": model.nq}, Port("rotation", 9), text)


def distance_squared(model: Model, link: str, point: Point, other: str | None, center: Point) -> Task:
    """Squared distance (1) [m^2] of a point of a link from a point of another link, or of the world."""

    def text(s: Situation) -> list[Scalar]:
        to = Vector.of(center) if other is None else _place(frame_of(s, other), center)
        between = _place(frame_of(s, link), point) - to
        return [between.dot(between)]

    key = f"distance_squared[{link!r} {point} {other!r} {center}]"
    return laid_out_task(key, model, {"q": model.nq}, Port("distance", 1), text)


def swing_product(model: Model, link: str, root: str, other: str, other_root: str, direction: Point) -> Task:
    """Product (1) [m^2] of how far two links are ahead of their roots along a direction of the world: positive where both swing
    to the same side.
    """

    def text(s: Situation) -> list[Scalar]:
        n = Vector.of(direction)
        one, two = ((frame_of(s, a).p - frame_of(s, b).p).dot(n) for a, b in ((link, root), (other, other_root)))
        return [mul(one, two)]

    key = f"swing_product[{link!r} {root!r} {other!r} {other_root!r} {direction}]"
    return laid_out_task(key, model, {"q": model.nq}, Port("product", 1), text)


def frame_of(s: Situation, link: str) -> Frame:
    """Return the frame of a link in the world."""
    return link_frame(s.tree, frames_in_world(s.tree, s["q"], chain(s.tree, s.tree.places[link][0])), link)


def _place(frame: Frame, point: Point) -> Vector:
    return frame.p + frame.R @ Vector.of(point)
