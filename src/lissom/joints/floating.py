"""Floating: a free body, T(x y z) and a quaternion x y z w; its velocity is the child's own, in the child's axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..spatial.quaternion import (
    conjugate,
    cotangent_rest,
    quaternion_exp,
    quaternion_log,
    quaternion_product,
    rotate,
    sinc,
    sine_rest,
    unit,
)
from ..spatial.rotation import TurnInSpace
from ..spatial.scalar import Scalar
from ..spatial.twist import unit_twist
from ..spatial.vector import Vector
from .chart import Path, by_order, cut, in_time, quaternion_of, rotation_columns, turning
from .kind import WIDE, Kind
from .motion import JointMotion
from .series import COSINE_REST, SINE_REST, crossed, series
from .spherical import QUATERNION, Spherical

BALL = Spherical()


class Floating(Kind):
    """Any motion."""

    coordinates = ("_x", "_y", "_z", *QUATERNION)
    velocities = ("_vx", "_vy", "_vz", "_wx", "_wy", "_wz")
    units = (*("m",) * 3, *("",) * 4)
    rate_units = (*("m",) * 3, *("rad",) * 3)
    has_axis = False
    places = 3
    adds_up = False
    loose = True
    columns = ("_x", "_y", "_z", "_rx", "_ry", "_rz")
    directions = tuple(unit_twist(d) for d in range(6))

    @property
    def neutral(self) -> tuple[float, ...]:
        """The origin, and no rotation."""
        return (0.0, 0.0, 0.0, *BALL.neutral)

    def motion(self, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0) -> JointMotion:
        """Return T(x y z), the rotation, and their rates."""
        return JointMotion(
            TurnInSpace.by(q[3:]),
            shift=Vector(*q[:3]),
            v=Vector(*qd[:3]),
            w=Vector(*qd[3:]),
            a=Vector(*qdd[:3]),
            dw=Vector(*qdd[3:]),
        )

    def rates(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return R(u) v and u . (w, 0) / 2."""
        linear = TurnInSpace.by(q[3:]).to_parent(Vector(*v[:3]))
        return [*linear, *BALL.rates(q[3:], v[3:])]

    def step(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return p + R(u) V v and u . exp(w), with V the mean of the rotation over the step."""
        linear, w = Vector(*v[:3]), Vector(*v[3:])
        t2 = w.dot(w)
        once = w.cross(linear)
        mean = linear + once * series(COSINE_REST, t2) + w.cross(once) * series(SINE_REST, t2)
        p = Vector(*q[:3]) + TurnInSpace.by(q[3:]).to_parent(mean)
        return [*p, *BALL.step(q[3:], v[3:])]

    def unit(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Return coordinates with the quaternion normalized, from a length near one."""
        return [*q[:3], *BALL.unit(q[3:])]

    def error(self, q: Sequence[Scalar], target: Sequence[Scalar]) -> tuple[list[Scalar], list[list[Scalar]]]:
        """Return the translation to the target along the child's axes, and the remaining rotation."""
        linear = TurnInSpace.by(q[3:]).to_child(Vector(*target[:3]) - Vector(*q[:3]))
        turn, D = BALL.error(q[3:], target[3:])
        upper = [[*(float(i == j) for j in range(3)), *row] for i, row in enumerate(crossed(linear))]
        return [*linear, *turn], [*upper, *([0.0, 0.0, 0.0, *row] for row in D)]

    def of_path(self, path: Path) -> list[list[Scalar]]:
        """Return the position and the quaternion of exp(r), the child's own velocity R' p', w, and further rates."""
        u, count = quaternion_of(in_time([x[3:] for x in path])), len(path)
        q = [*path[0][:3], *by_order(u, 1)[0]]
        if count == 1:
            return [q]
        turn = TurnInSpace.by([cut(x, 0, count - 1) for x in u])
        linear = turn.to_child(Vector(*in_time([x[:3] for x in path], 1)))
        return [q, *by_order([*linear, *turning(u, count - 1)], count - 1)]

    def to_path(self, q: np.ndarray) -> np.ndarray:
        """Return the position, and the rotation as exponential coordinates r."""
        return np.concatenate([q[..., :3], rotation_columns(q[..., 3:])], axis=-1)

    def integrate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return p + R(u) V v and u . exp(w)."""
        u, linear, w = unit(q[..., 3:]), v[..., :3], v[..., 3:]
        # V v = v + (1 - cos t)/t^2 w x v + (t - sin t)/t^3 w x (w x v)
        angle = np.linalg.norm(w, axis=-1, keepdims=True)
        once = np.cross(w, linear)
        moved = linear + 0.5 * sinc(angle / 2) ** 2 * once + sine_rest(angle) * np.cross(w, once)
        p, u_new = q[..., :3] + rotate(u, moved), quaternion_product(u, quaternion_exp(w))
        lead = np.broadcast_shapes(p.shape[:-1], u_new.shape[:-1])
        return np.concatenate([np.broadcast_to(p, (*lead, 3)), np.broadcast_to(u_new, (*lead, 4))], axis=-1)

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the velocity that `integrate` inverts, along the shorter rotation."""
        u = unit(start[..., 3:])
        w = quaternion_log(quaternion_product(conjugate(u), unit(end[..., 3:])))
        p = rotate(conjugate(u), end[..., :3] - start[..., :3])
        # V inverted: p - w x p / 2 + (1 - t/2 cot(t/2))/t^2 w x (w x p)
        angle = np.linalg.norm(w, axis=-1, keepdims=True)
        once = np.cross(w, p)
        return np.concatenate([p - 0.5 * once + cotangent_rest(angle) * np.cross(w, once), w], axis=-1)

    def random(self, rng: Any, lower: np.ndarray, upper: np.ndarray, units: Sequence[str], lead: tuple[int, ...]) -> np.ndarray:
        """Return positions within 1 m of zero along each axis, and uniform rotations."""
        turn = BALL.random(rng, lower, upper, units, lead)
        return np.concatenate([rng.uniform(-WIDE, WIDE, (*lead, 3)), turn], axis=-1)
