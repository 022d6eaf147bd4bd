"""Tree: the moving bodies of a robot, for the recursions.

Made from a Model by `lump`: moving bodies only, each with a frame whose z axis is its joint's axis (Khalil 2010, section 2.1).
Later passes may choose other frames and move inertia between bodies; `joint_pose` and `places` keep the user's frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..joints.function import Function
from ..model.elements.element import ForceElement
from ..model.joint import SINGLE_DOF, JointKind
from ..model.pose import Pose, Vector3
from ..spatial.inertia import SpatialInertia, Symmetric
from ..spatial.scalar import Scalar, add, mul
from ..spatial.twist import Twist
from ..spatial.vector import Matrix, Vector

BASE = -1  # index of the base among the bodies


ROUNDING = 2e-15  # relative to the terms of a sum: rotations, shifts and sums of a few bodies, at 1.1e-16 each


def rounded(values: np.ndarray, size: float) -> np.ndarray:
    """Set values to zero that are below the rounding of numbers of this magnitude."""
    return np.where(np.abs(values) <= ROUNDING * size, 0.0, values)


@dataclass(frozen=True, eq=False)
class Body:
    """A moving body and the joint that carries it.

    Attributes:
        name: of the joint, or of the motor whose rotor it is.
        kind: of the joint; never fixed.
        parent: index of the body it moves relative to; BASE for the base.
        pose: of this body's frame in the parent's, at zero motion.
        zero: angle of a revolute joint at q = 0 [rad]; see `reframe`.
        mass, ms, J: mass [kg], first moments [kg m] and inertia about the frame's origin [kg m^2], in the body's axes.
        iq, iv: indices of its first coordinate in q and its first velocity in qd.
        ratio, offset: its coordinate is ratio * q + offset (1 and 0 except for coupled joints and rotors), or
        law: this function of ratio * q + offset.
        inner: whether it is a part of a joint of several simple motions, but not the last; it has no mass.
        drives: of a body with one coordinate, whether it has the inertia and the friction of the joint's drive.
        reflected: whether it is a rotor whose spin has no effect on the links.
        rotor, viscous, coulomb: reflected inertia and friction of the joint.
        spins: whether it is a rotor, round about z: its frame is fixed to the body that carries it.
        joint_pose: the user's joint frame, moved with the body, in the body's frame.
        carried_mass, reach: mass beyond the joint [kg] and the length over which it is spread [m]: the joint's natural scale.
    """

    name: str
    kind: JointKind
    parent: int
    pose: Pose
    mass: float
    ms: np.ndarray
    J: np.ndarray
    iq: int
    iv: int
    ratio: float = 1.0
    offset: float = 0.0
    zero: float = 0.0
    rotor: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    spins: bool = False
    law: Function | None = None
    inner: bool = False
    drives: bool = True
    reflected: bool = False
    joint_pose: Pose = field(default_factory=Pose)
    carried_mass: float = 0.0
    reach: float = 0.0

    @property
    def directions(self) -> tuple[Twist, ...]:
        """Motions (linear, angular) of unit velocities of its joint, in the body's axes."""
        return self.kind.traits.directions

    @property
    def second_moments(self) -> Matrix:
        """K = trace(J)/2 - J, the integral of r r' dm about the origin [kg m^2]."""
        return Matrix.of(rounded(np.trace(self.J) / 2 * np.eye(3) - self.J, float(np.abs(self.J).max())))

    @property
    def inertia(self) -> SpatialInertia:
        """Its spatial inertia about the origin."""
        J = [[float(x) for x in row] for row in self.J]
        return SpatialInertia.rigid(
            self.mass, self.first_moments, Symmetric(J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2])
        )

    @property
    def first_moments(self) -> Vector:
        """The integral of r dm [kg m]."""
        return Vector.of(self.ms)


@dataclass(frozen=True)
class Elastic:
    """A spring on one coordinate, or on the difference of two: its torque is K stretch + D times the rate of stretch.

    Attributes:
        name: of the joint or motor that it belongs to.
        shares: indices in q and in qd, and the factor of that coordinate in the stretch.
        offset, rest: the stretch at zero coordinates is offset - rest [rad or m].
        stiffness, damping: K [N m/rad or N/m] and D [N m s/rad or N s/m].
    """

    name: str
    shares: tuple[tuple[int, int, float], ...]
    offset: float
    rest: float
    stiffness: float
    damping: float

    def unloaded(self, q: Sequence[Scalar]) -> Scalar:
        """Return the stretch for zero rest [rad or m]."""
        total: Scalar = self.offset
        for iq, _, share in self.shares:
            total = add(total, mul(share, q[iq]))
        return total

    def stretch(self, q: Sequence[Scalar]) -> Scalar:
        """Return the stretch from rest [rad or m]."""
        return add(self.unloaded(q), -self.rest)

    def rate(self, qd: Sequence[Scalar]) -> Scalar:
        """Return the rate of the stretch; given accelerations, the second rate."""
        total: Scalar = 0.0
        for _, iv, share in self.shares:
            total = add(total, mul(share, qd[iv]))
        return total

    def force(self, stretch: Scalar, rate: Scalar) -> Scalar:
        """Return its torque at a stretch and a rate; given their rates, the rate of the torque [N m or N]."""
        return add(mul(self.stiffness, stretch), mul(self.damping, rate))


@dataclass(frozen=True, eq=False)
class Tree:
    """Bodies from the base outward (parents before children), sizes, gravity, and the places of the user's links.

    Rotors come last among the bodies; those before are the joints of the model, in chains where one has several parts.

    Attributes:
        places: for each link, its body and its pose in that body's frame.
        springs: of joints and drives.
        elements: force elements, which refer to links by name; `places` gives their poses.
    """

    bodies: tuple[Body, ...]
    nq: int
    nv: int
    gravity: Vector3
    places: Mapping[str, tuple[int, Pose]]
    springs: tuple[Elastic, ...] = ()
    elements: tuple[ForceElement, ...] = ()

    @property
    def jointed(self) -> tuple[int, ...]:
        """Indices of the bodies of the model's joints, in order: all but rotors and inner parts."""
        return tuple(j for j, body in enumerate(self.bodies) if not body.spins and not body.inner)

    def parts(self, index: int) -> tuple[int, ...]:
        """Indices of the bodies of the same joint as body `index`, inward, itself first."""
        found = [index]
        while (before := self.bodies[found[-1]].parent) != BASE and self.bodies[before].inner:
            found.append(before)
        return tuple(found)

    @property
    def driven(self) -> tuple[int, ...]:
        """Indices of the bodies with the inertia and the friction of a drive."""
        return tuple(j for j, body in enumerate(self.bodies) if body.drives and body.kind in SINGLE_DOF)

    def children(self, index: int) -> list[int]:
        """Indices of the bodies that move relative to body `index`."""
        return [j for j, body in enumerate(self.bodies) if body.parent == index]
