"""Spherical: any rotation, a quaternion x y z w; its velocity is the child's own angular velocity, in the child's axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..spatial.quaternion import conjugate, quaternion_exp, quaternion_log, quaternion_product, unit
from ..spatial.rotation import TurnInSpace
from ..spatial.scalar import Scalar, add, mul
from ..spatial.twist import unit_twist
from ..spatial.vector import Vector
from .chart import Path, by_order, in_time, quaternion_of, rotation_columns, turning
from .kind import Inertia, Kind
from .motion import JointMotion
from .series import HALF_COSINE, HALF_SINE, crossed, product, series

QUATERNION = ("_qx", "_qy", "_qz", "_qw")

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits


class Spherical(Kind):
    """Any rotation about the origin."""

    coordinates = QUATERNION
    velocities = ("_wx", "_wy", "_wz")
    units = ("",) * 4
    rate_units = ("rad",) * 3
    has_axis = False
    adds_up = False
    ball = True
    columns = ("_rx", "_ry", "_rz")
    directions = (unit_twist(3), unit_twist(4), unit_twist(5))

    @property
    def neutral(self) -> tuple[float, ...]:
        """No rotation."""
        return (0.0, 0.0, 0.0, 1.0)

    def motion(self, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0) -> JointMotion:
        """Return the rotation of a quaternion of any length, and its rates."""
        return JointMotion(TurnInSpace.by(q), w=Vector(*qd), dw=Vector(*qdd))

    def rates(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return u . (w, 0) / 2."""
        return product(q, [*(mul(0.5, w) for w in v), 0.0])

    def step(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return u . exp(w)."""
        t2 = Vector(*v).dot(Vector(*v))
        half = series(HALF_SINE, t2)
        return self.unit(product(q, [*(mul(half, w) for w in v), series(HALF_COSINE, t2)]))

    def unit(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Return the quaternion normalized, from a length near one.

        The factor 2 / (1 + n^2) needs no square root: of a length 1 + e it leaves an error of e^2 / 2, and none grows.
        """
        n2 = add(add(add(mul(q[0], q[0]), mul(q[1], q[1])), mul(q[2], q[2])), mul(q[3], q[3]))
        factor = 2.0 / add(1.0, n2)
        return [mul(factor, x) for x in q]

    def error(self, q: Sequence[Scalar], target: Sequence[Scalar]) -> tuple[list[Scalar], list[list[Scalar]]]:
        """Return twice the vector of the quaternion from q to the target."""
        u, t = Vector(*q[:3]), Vector(*target[:3])
        s = t * q[3] - u * target[3] - u.cross(t)
        c = add(mul(q[3], target[3]), u.dot(t))
        # (w x s)_i = -(s x w)_i
        return [mul(2.0, x) for x in s], [[c if i == j else x for j, x in enumerate(row)] for i, row in enumerate(crossed(s))]

    def of_path(self, path: Path) -> list[list[Scalar]]:
        """Return the quaternion of exp(r), its angular velocity and further rates."""
        u, count = quaternion_of(in_time(path)), len(path)
        return [by_order(u, 1)[0], *(by_order(turning(u, count - 1), count - 1) if count > 1 else [])]

    def to_path(self, q: np.ndarray) -> np.ndarray:
        """Return the rotation as exponential coordinates r."""
        return rotation_columns(q)

    def integrate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return u . exp(w); any length in, length one out."""
        return quaternion_product(unit(q), quaternion_exp(v))

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return log(start^-1 . end)."""
        return quaternion_log(quaternion_product(conjugate(unit(start)), unit(end)))

    def random(self, rng: Any, lower: np.ndarray, upper: np.ndarray, units: Sequence[str], lead: tuple[int, ...]) -> np.ndarray:
        """Return uniform rotations."""
        u = rng.normal(size=(*lead, 4))
        return np.asarray(u / np.linalg.norm(u, axis=-1, keepdims=True))

    def unfelt(self, mass: float, ms: np.ndarray, J: np.ndarray) -> Inertia:
        """Return the mass in the center, which does not move."""
        return mass, np.zeros(3), np.zeros((3, 3))

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return zero: it only rotates."""
        return 0.0
