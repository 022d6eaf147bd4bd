"""The arm of Hua, Poursina and Sanfilippo 2024: two rigid joints and an elastic one, motors 2 and 3 on link 1.

Dynamic Modeling of Mixed Rigid-Flexible Joint Robotic Manipulator Using Recursive Newton-Euler Formulation, Table I and
section V. Masses, inertias, stiffness and the links that carry the motors are the paper's. Not given there, and chosen here:
- geometry: an elbow arm, base frame z up; joint 1 turns about z, joints 2 and 3 about a horizontal axis, positive upward;
  joint 2 lies 0.3 m above joint 1, links 2 and 3 are 0.5 m long; at q = 0 the arm is stretched out along x.
- centers of mass in the middle of the links; inertias about them, along the axes of the link's frame, x along the link.
- motors: 1 in the base's origin, axis z; 2 and 3 in joint 2, on link 1, along the axis of joint 2. Gear ratios 10.
Principal moments of links 2 and 3 violate the triangle inequality, by 0.27 and 0.37 kg m^2, as printed: no rigid body has them,
but the equations of motion exist.
"""

from __future__ import annotations

from ..doubts import known_doubts
from ..model import Inertia, Joint, JointKind, Link, Model, Motor, Pose, Spring
from ..robot import Robot

OFFSET, LENGTH = 0.3, 0.5  # height of joint 2, and length of links 2 and 3 [m]
RATIO = 10.0
STIFFNESS = 100.0  # of the elastic joint [N m/rad]
PAYLOAD = (0.0, 0.0, -3.0)  # force on the tip, in the axes of the base [N]

_LINK_1 = Inertia(2.5, (0.0, 0.0, OFFSET / 2), ((0.4, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.4)))
_LINK_2 = Inertia(1.5, (LENGTH / 2, 0.0, 0.0), ((0.35, 0.15, 0.1), (0.15, 0.4, 0.2), (0.1, 0.2, 0.3)))
_LINK_3 = Inertia(1.0, (LENGTH / 2, 0.0, 0.0), ((0.3, 0.15, 0.13), (0.15, 0.25, 0.2), (0.13, 0.2, 0.25)))
_ROTOR = Inertia(1.0, (0.0, 0.0, 0.0), ((0.006, 0.0, 0.0), (0.0, 0.006, 0.0), (0.0, 0.0, 0.004)))
_UP = (0.0, -1.0, 0.0)  # rotates x toward z
_TO_UP = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))  # a frame whose z is that axis


def hua_arm(ratio: float = RATIO, stiffness: float = STIFFNESS, rotor: str = "full") -> Robot:
    """Return the arm as a Robot; see `hua_arm_model`."""
    return Robot(hua_arm_model(ratio, stiffness, rotor))


def hua_arm_model(ratio: float = RATIO, stiffness: float = STIFFNESS, rotor: str = "full") -> Model:
    """Return the arm of Hua et al. 2024: joints q1, q2, q3, and motor_3, which drives q3 through a spring (fourth coordinate).

    Args:
        ratio: gear ratio of all motors.
        stiffness: of the spring between motor 3 and joint 3 [N m/rad].
        rotor: "full" or "reflected", see Motor.
    """
    links = (Link("base"), Link("link_1", _LINK_1), Link("link_2", _LINK_2), Link("link_3", _LINK_3), Link("tip"))
    joints = (
        Joint("q1", JointKind.REVOLUTE, "base", "link_1"),
        Joint("q2", JointKind.REVOLUTE, "link_1", "link_2", Pose(translation=(0.0, 0.0, OFFSET)), _UP),
        Joint("q3", JointKind.REVOLUTE, "link_2", "link_3", Pose(translation=(LENGTH, 0.0, 0.0)), _UP),
        Joint("tip_joint", JointKind.FIXED, "link_3", "tip", Pose(translation=(LENGTH, 0.0, 0.0))),
    )
    elbow = Pose(_TO_UP, (0.0, 0.0, OFFSET))
    motors = (
        Motor("motor_1", "q1", "base", ratio, _ROTOR, rotor=rotor),
        Motor("motor_2", "q2", "link_1", ratio, _ROTOR, elbow, rotor=rotor),
        Motor("motor_3", "q3", "link_1", ratio, _ROTOR, elbow, Spring(stiffness), rotor=rotor),
    )
    with known_doubts():  # of the triangle inequality: see above
        return Model("hua_arm", links, joints, motors=motors)
