"""Planar: Tx(x) Ty(y) Rz(angle), in the plane normal to the axis; its velocity is the child's own, in the child's axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..spatial.quaternion import sinc
from ..spatial.rotation import TurnZ
from ..spatial.scalar import Scalar, add, mul, sub
from ..spatial.twist import unit_twist
from ..spatial.vector import Vector
from .chart import Path, by_order, cut, in_time
from .kind import WIDE, Kind
from .motion import Axis, JointMotion, along_z
from .series import COSINE_REST, SINE, series

if TYPE_CHECKING:
    from ..model.joint import Joint


class Planar(Kind):
    """A translation in the plane normal to the axis, and a rotation about it."""

    coordinates = ("_x", "_y", "_angle")
    velocities = ("_vx", "_vy", "_w")
    units = rate_units = ("m", "m", "rad")
    places = 2
    adds_up = False
    slides = loose = True
    columns = ("_x", "_y", "_angle")
    directions = (unit_twist(0), unit_twist(1), unit_twist(5))

    def motion(self, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0) -> JointMotion:
        """Return Tx Ty Rz and its rates."""
        return JointMotion(
            TurnZ.by(q[2]),
            shift=Vector(q[0], q[1], 0.0),
            v=Vector(qd[0], qd[1], 0.0),
            w=along_z(qd[2]),
            a=Vector(qdd[0], qdd[1], 0.0),
            dw=along_z(qdd[2]),
        )

    def rates(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return Rz(angle) v, w."""
        x, y, _ = TurnZ.by(q[2]).to_parent(Vector(v[0], v[1], 0.0))
        return [x, y, v[2]]

    def step(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return x + Rz(angle) V v, angle + w, with V the mean of the rotation over the step."""
        t2 = mul(v[2], v[2])
        a, b = series(SINE, t2), mul(v[2], series(COSINE_REST, t2))
        mean = Vector(sub(mul(a, v[0]), mul(b, v[1])), add(mul(b, v[0]), mul(a, v[1])), 0.0)
        x, y, _ = TurnZ.by(q[2]).to_parent(mean)
        return [add(q[0], x), add(q[1], y), add(q[2], v[2])]

    def error(self, q: Sequence[Scalar], target: Sequence[Scalar]) -> tuple[list[Scalar], list[list[Scalar]]]:
        """Return the translation to the target along the child's axes, and the remaining angle."""
        x, y, _ = TurnZ.by(q[2]).to_child(Vector(sub(target[0], q[0]), sub(target[1], q[1]), 0.0))
        return [x, y, sub(target[2], q[2])], [[1.0, 0.0, sub(0.0, y)], [0.0, 1.0, x], [0.0, 0.0, 1.0]]

    def of_path(self, path: Path) -> list[list[Scalar]]:
        """Return x, y, angle, the child's own velocity Rz' p', w, and further rates."""
        count = len(path)
        if count == 1:
            return [list(path[0])]
        *_, angle = in_time(path)
        x, y, w = in_time(path, 1)
        vx, vy, _ = TurnZ.by(cut(angle, 0, count - 1)).to_child(Vector(x, y, 0.0))
        return [list(path[0]), *by_order([vx, vy, w], count - 1)]

    def integrate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return x + Rz(angle) V v, angle + w."""
        angle, turn = q[..., 2], v[..., 2]
        a, b = sinc(turn), np.sin(turn / 2) * sinc(turn / 2)  # V v: the mean of the turned velocity
        dx, dy = a * v[..., 0] - b * v[..., 1], b * v[..., 0] + a * v[..., 1]
        c, s = np.cos(angle), np.sin(angle)
        return np.stack([q[..., 0] + c * dx - s * dy, q[..., 1] + s * dx + c * dy, angle + turn], axis=-1)

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the velocity that `integrate` inverts, with an angle between -pi and pi."""
        turn = end[..., 2] - start[..., 2]
        turn = turn - 2 * np.pi * np.round(turn / (2 * np.pi))
        x, y = end[..., 0] - start[..., 0], end[..., 1] - start[..., 1]
        c, s = np.cos(start[..., 2]), np.sin(start[..., 2])
        x, y = c * x + s * y, c * y - s * x
        a, b = np.cos(turn / 2) / sinc(turn / 2), turn / 2  # V inverted
        return np.stack([a * x + b * y, a * y - b * x, turn], axis=-1)

    def axes(self, joint: Joint) -> tuple[Axis, ...]:
        """The normal of its plane."""
        return (Axis(joint.axis, turns=True, plane=True),)

    def random(self, rng: Any, lower: np.ndarray, upper: np.ndarray, units: Sequence[str], lead: tuple[int, ...]) -> np.ndarray:
        """Return positions within 1 m of zero along each axis, and uniform angles."""
        return np.asarray(rng.uniform(-1.0, 1.0, (*lead, 3)) * [WIDE, WIDE, np.pi])
