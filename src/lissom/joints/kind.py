"""Kind: the interface of a kind of joint. Each kind is one file of this folder.

Kinds that the recursions use directly have `directions` and `motion`, in frames that follow Khalil: z is the joint's axis. A kind
that is a chain of such motions names them in `parts` instead. The defaults here are for kinds with additive coordinates:
velocities are rates of coordinates, and a step is a sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..spatial.scalar import Scalar, add, sub
from ..spatial.twist import Twist
from .chart import Path
from .motion import Axis, JointMotion, Part

if TYPE_CHECKING:
    from ..model.joint import Joint, Limits

Inertia = tuple[float, np.ndarray, np.ndarray]  # mass [kg], first moments [kg m] and inertia [kg m^2] about the frame's origin
WIDE = 1.0  # [m] range of translations without limits, to either side of zero


class Kind:
    """A kind of joint.

    Attributes:
        coordinates, velocities: suffixes that follow the joint's name in the names of its coordinates and velocities.
        units: of coordinates: "rad", "m", or nothing for the entries of a quaternion.
        rate_units: of velocities, times seconds: "rad" or "m".
        has_axis: whether the joint's `axis` is used; its frame then has z along it.
        places: how many of the first coordinates are positions in space without a range.
        adds_up: whether velocities are rates of coordinates, and a step is a sum; other kinds define their own maps.
        winds: whether angles of many turns are usual.
        columns: suffixes of the columns of a path, one per velocity, whose units are `rate_units`; None where coordinates add up
            and are the columns themselves.
        own: fields of a joint that only joints of this kind have.
        slides: whether the child slides on its parent.
        loose: whether nothing holds the child: it is a free body, if only in a plane.
        ball: whether it turns in every way about a point, so that its torque is a vector.
        marker: what stands for it in pictures of links without shapes: "cylinder" along its axis, "box" on a rail, or "ball".
        in_urdf: whether URDF has a word for it.
        directions: motions (linear, angular) of unit velocities, in the child's axes.
    """

    coordinates: ClassVar[tuple[str, ...]] = ("",)
    velocities: ClassVar[tuple[str, ...]] = ("",)
    units: ClassVar[tuple[str, ...]] = ("rad",)
    rate_units: ClassVar[tuple[str, ...]] = ("rad",)
    has_axis: ClassVar[bool] = True
    places: ClassVar[int] = 0
    adds_up: ClassVar[bool] = True
    winds: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...] | None] = None
    own: ClassVar[tuple[str, ...]] = ()
    slides: ClassVar[bool] = False
    loose: ClassVar[bool] = False
    ball: ClassVar[bool] = False
    marker: ClassVar[str] = "ball"
    in_urdf: ClassVar[bool] = True
    directions: ClassVar[tuple[Twist, ...]] = ()

    @property
    def neutral(self) -> tuple[float, ...]:
        """Coordinates of the zero position."""
        return (0.0,) * len(self.coordinates)

    def units_of(self, joint: Joint) -> tuple[str, ...]:
        """Return the units of a joint's coordinates."""
        return self.units

    def rate_units_of(self, joint: Joint) -> tuple[str, ...]:
        """Return the units of a joint's velocities, times seconds."""
        return self.rate_units

    def parts(self, joint: Joint) -> tuple[Part, ...]:
        """Return the simple motions that it consists of, in order; empty for a kind with its own `motion`."""
        return ()

    def axes(self, joint: Joint) -> tuple[Axis, ...]:
        """Return its axes, those of one velocity each in their order; empty for a kind that may turn about any."""
        return ()

    def check(self, joint: Joint) -> str | None:
        """Return the error of an invalid joint of this kind, or None."""
        return None

    def motion(self, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0) -> JointMotion:
        """Return the motion at coordinates, velocities and accelerations.

        `zero` [rad] is the angle of a revolute joint at q = 0, if a pass has rotated the body's frame.
        """
        raise AssertionError(f"{type(self).__name__} does not define motion")

    def rates(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return the time derivatives of the coordinates, over any scalar."""
        return list(v)

    def step(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """Return the coordinates reached from q along v, a velocity times the length of the step, over any scalar.

        Exact to rounding for rotations of up to one radian; beyond, still a rotation, but not the exact one.
        """
        return [add(a, b) for a, b in zip(q, v, strict=True)]

    def unit(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Return coordinates with the quaternion, if any, normalized from a length near one."""
        return list(q)

    def error(self, q: Sequence[Scalar], target: Sequence[Scalar]) -> tuple[list[Scalar], list[list[Scalar]]]:
        """Return e, the velocity that leads from q to the target to first order, and D: along velocities v its rate is -D v."""
        n = len(q)
        return [sub(b, a) for a, b in zip(q, target, strict=True)], [[float(i == j) for j in range(n)] for i in range(n)]

    def of_path(self, path: Path) -> list[list[Scalar]]:
        """Return coordinates, velocities, accelerations and so on, given the columns of a path and as many of their rates."""
        return [list(x) for x in path]

    def to_path(self, q: np.ndarray) -> np.ndarray:
        """Return the columns of a path (..., nv) at coordinates (..., nq), with the shorter one of two rotations."""
        return q

    def integrate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the coordinates (..., nq) reached from q along v (..., nv), for rotations of any size."""
        return np.asarray(q + v)

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the velocity (..., nv) that leads from `start` to `end` (..., nq) in one second, along the shorter rotation."""
        return np.asarray(end - start)

    def random(self, rng: Any, lower: np.ndarray, upper: np.ndarray, units: Sequence[str], lead: tuple[int, ...]) -> np.ndarray:
        """Return random coordinates (*lead, nq), uniform between `lower` and `upper` (nq,).

        If both are infinite, over a full turn or from -1 to 1 m; if one is, over a range of that length from the other.
        """
        found = np.empty((*lead, len(units)))
        for k, unit in enumerate(units):
            wide = math.pi if unit == "rad" else WIDE
            low = lower[k] if np.isfinite(lower[k]) else min(-wide, upper[k] - 2 * wide)
            high = upper[k] if np.isfinite(upper[k]) else max(wide, lower[k] + 2 * wide)
            found[..., k] = 2.0 * rng.uniform(low / 2, high / 2, lead)  # high - low may overflow
        return found

    def travel(self, joint: Joint, limits: Limits) -> float:
        """Return the largest translation by a joint within limits [m]; infinite without a bound."""
        return math.inf

    def unfelt(self, mass: float, ms: np.ndarray, J: np.ndarray) -> Inertia | None:
        """Return the part of a body's inertia without effect on its joint's torque; None if there is none."""
        return None
