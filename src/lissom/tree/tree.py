"""Tree: a mechanism as the recursions see it.

Made from a Model by `lump`: moving bodies only, each with a frame whose z axis is its joint's axis (Khalil 2010, section 2.1).
Later passes may choose other frames and move inertia between bodies; `joint_pose` and `places` remember the user's frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..model.joint import JointKind
from ..model.pose import Pose, Vector3
from ..spatial.inertia import SpatialInertia, Symmetric
from ..spatial.vector import Matrix, Vector

BASE = -1  # index of the base among the bodies


@dataclass(frozen=True, eq=False)
class Body:
    """A moving body and the joint that carries it.

    Attributes:
        name: of the joint.
        kind: of the joint; never fixed.
        parent: index of the body it moves against; BASE for the base.
        pose: of this body's frame in the parent's, at zero motion.
        zero: angle of a revolute joint at q = 0 [rad]; see `reframe`.
        mass, ms, J: mass [kg], first moments [kg m] and inertia about the frame's origin [kg m^2], in the body's axes.
        iq, iv: where its coordinates start in q and its velocities in qd.
        ratio, offset: its coordinate is ratio * q + offset (1 and 0 but for coupled joints).
        rotor, viscous, coulomb: reflected inertia and friction of the joint.
        stiffness, rest, damping: of its spring; stiffness 0 where there is none.
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
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    joint_pose: Pose = field(default_factory=Pose)
    carried_mass: float = 0.0
    reach: float = 0.0

    @property
    def second_moments(self) -> Matrix:
        """K = trace(J)/2 - J, the integral of r r' dm about the origin [kg m^2]."""
        return Matrix.of(np.trace(self.J) / 2 * np.eye(3) - self.J)

    @property
    def inertia(self) -> SpatialInertia:
        """Its inertia about the origin, in six dimensions."""
        J = [[float(x) for x in row] for row in self.J]
        return SpatialInertia.rigid(
            self.mass, self.first_moments, Symmetric(J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2])
        )

    @property
    def first_moments(self) -> Vector:
        """The integral of r dm [kg m]."""
        return Vector.of(self.ms)


@dataclass(frozen=True, eq=False)
class Tree:
    """Bodies from the base outwards (a parent comes before its children), sizes, gravity, and where the user's links are.

    Attributes:
        places: for each link the body that it is part of and its pose in that body's frame.
    """

    bodies: tuple[Body, ...]
    nq: int
    nv: int
    gravity: Vector3
    places: Mapping[str, tuple[int, Pose]]

    def children(self, index: int) -> list[int]:
        """Indices of the bodies that move directly against body `index`."""
        return [j for j, body in enumerate(self.bodies) if body.parent == index]
