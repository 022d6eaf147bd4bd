"""Task space along a path: motion of points of links, and rotation of a link relative to a target.

Errors of rotations are smooth functions that are zero at the target alone. With the angle a between link and target:
    orientation   2 sin(a/2) n, twice the vector part of the quaternion of R_target' R, n the axis of rotation (target's axes)
    tilt          2 sin(a/2) times the direction, perpendicular to the target direction d, in which z of the link leans:
                  sqrt(2 / (1 + z.d)) (u.z, v.z), Lambert's projection of a sphere, of equal areas
For small angles both are angles in rad. Half a turn away the direction is arbitrary and jumps, but the size is 2: there is no
such point near the target. Smooth functions on all rotations would have further zeros, as the sine has, half a turn away.
"""

from __future__ import annotations

import math

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...model.pose import frame_with_z
from ...spatial.scalar import Scalar, add, less, mul, select, sqrt, sub
from ...spatial.twist import Twist
from ...spatial.vector import Matrix, Vector
from ..loads import Situation, laid_out_task
from .kinematics import link_acceleration_text, link_velocity_text
from .points_and_distances import ORIGIN, Point, frame_of

Rows = tuple[Point, Point, Point]
OPPOSITE = 1e-12  # of 1 + cos(a), a millionth of a rad from half a turn: the direction is lost there


def point_velocity(model: Model, link: str, point: Point = ORIGIN, axes: str = "world") -> Task:
    """Velocity of a point of a link, and the link's angular velocity (6) [m/s, rad/s]."""

    def text(s: Situation) -> list[Scalar]:
        return [x for part in _velocity(s, link, point, axes) for x in part]

    inputs = {"q": model.nq, "qd": model.nv}
    return laid_out_task(f"point_velocity[{link!r} {point} along {axes}]", model, inputs, Port("V", 6), text)


def speed_squared(model: Model, link: str, point: Point = ORIGIN) -> Task:
    """Squared speed of a point of a link (1) [m^2/s^2]."""

    def text(s: Situation) -> list[Scalar]:
        v, _ = _velocity(s, link, point, "link")  # in any axes
        return [v.dot(v)]

    inputs = {"q": model.nq, "qd": model.nv}
    return laid_out_task(f"speed_squared[{link!r} {point}]", model, inputs, Port("speed", 1), text)


def point_acceleration(model: Model, link: str, point: Point = ORIGIN, axes: str = "world") -> Task:
    """Acceleration of a point of a link, the rate of its velocity, and the link's angular one (6) [m/s^2, rad/s^2]."""

    def text(s: Situation) -> list[Scalar]:
        return [x for part in link_acceleration_text(_at(s, point), link, axes, classical=True) for x in part]

    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    return laid_out_task(f"point_acceleration[{link!r} {point} along {axes}]", model, inputs, Port("A", 6), text)


def orientation(model: Model, link: str, target: Rows | None) -> Task:
    """Rotation of a link from a target, 2 sin(a/2) n (3); the target is a rotation matrix, row by row.

    Where it is None, the target is an input (9) after q: one program for all targets.
    """
    inputs = {"q": model.nq, **({"target": 9} if target is None else {})}

    def text(s: Situation) -> list[Scalar]:
        to = Matrix(Vector(*s["target"][k : k + 3]) for k in (0, 3, 6)) if target is None else Matrix.of(target)
        return _turn(frame_of(s, link).R, to)

    return laid_out_task(f"orientation[{link!r} {target}]", model, inputs, Port("error", 3), text)


def link_pose(model: Model, link: str, target: tuple[tuple[float, ...], ...] | None, point: Point = ORIGIN) -> Task:
    """Displacement of a point of a link from a target position (3) [m], in the world, and the link's rotation from a target (3).

    The target is the upper three rows of a pose (4, 4). Where it is None, it is an input (12) after q.
    """
    inputs = {"q": model.nq, **({"target": 12} if target is None else {})}

    def text(s: Situation) -> list[Scalar]:
        rows = [s["target"][k : k + 4] for k in (0, 4, 8)] if target is None else target
        frame, to, place = frame_of(s, link), Matrix(Vector(*row[:3]) for row in rows), Vector(*(row[3] for row in rows))
        return [*(frame.p + frame.R @ Vector.of(point) - place), *_turn(frame.R, to)]

    return laid_out_task(f"link_pose[{link!r} {target} {point}]", model, inputs, Port("error", 6), text)


def _turn(R: Matrix, target: Matrix) -> list[Scalar]:
    """Return 2 sin(a/2) n of the rotation of R from a target."""
    to_target = target.T
    columns = [to_target @ column for column in R.T.rows]
    (_, d, g), (b, _, h), (c, f, _) = columns
    skew = (sub(h, f), sub(c, g), sub(d, b))  # 2 sin(a) n
    square = add(1.0, add(add(columns[0].x, columns[1].y), columns[2].z))  # 4 cos(a/2)^2
    there = less(OPPOSITE, square)
    share = 1.0 / sqrt(select(there, square, 1.0))
    return [select(there, mul(share, x), far) for x, far in zip(skew, (2.0, 0.0, 0.0), strict=True)]


def tilt(model: Model, link: str, axis: Point, direction: Point) -> Task:
    """Tilt of a link's axis away from a direction of the world, along two directions perpendicular to it (2)."""
    z = [x / math.hypot(*direction) for x in direction]
    u, v, d = (Vector.of(column) for column in frame_with_z((z[0], z[1], z[2])).T)
    own = Vector.of(x / math.hypot(*axis) for x in axis)

    def text(s: Situation) -> list[Scalar]:
        a = frame_of(s, link).R @ own
        twice = add(1.0, a.dot(d))
        there = less(OPPOSITE, twice)
        stretch = sqrt(2.0 / select(there, twice, 1.0))
        return [select(there, mul(stretch, a.dot(u)), 2.0), select(there, mul(stretch, a.dot(v)), 0.0)]

    return laid_out_task(f"tilt[{link!r} {axis} {direction}]", model, {"q": model.nq}, Port("tilt", 2), text)


def _at(s: Situation, point: Point) -> Situation:
    return s if point == ORIGIN else s.at(point=list(point))


def _velocity(s: Situation, link: str, point: Point, axes: str) -> Twist:
    return link_velocity_text(_at(s, point), link, axes)
