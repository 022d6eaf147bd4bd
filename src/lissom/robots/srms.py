"""The Shuttle Remote Manipulator System (SRMS, Canadarm): the arm on whose data Nasser 1990 compared two forward dynamics.

Six turning joints on the orbiter's port longeron: shoulder yaw and pitch, elbow pitch, wrist pitch, yaw and roll. At q = 0 the
arm is stretched out along x; y is the axis of the pitch joints, z points from the arm to the orbiter. Positive pitch lifts.

Where the numbers come from:
[1] Nguyen and Hughes, Teleoperation: from the Space Shuttle to the Space Station, Progress in Astronautics and Aeronautics 161,
    1994, p. 353: masses, inertias, lengths, joint ranges, rates and torques. Taken from the transcription SRMS_Canadarm.urdf in
    github.com/vyas-shubham/TraceableRobotModels (commit 2f5c333); the paper itself was not at hand.
[2] NASA, Shuttle reference manual, payload deployment and retrieval system: 50 ft 3 in long, 905 lb, payloads up to 65,000 lb.
    Here: 15.317 m (50 ft 3 in) from shoulder pitch to tip, and 421.8 kg (930 lb), 63.2 kg of them the mount.
[3] Joint positions in orbiter coordinates [in], as in the RMS of the Orbiter add-on SSV: along the arm shoulder 679.5, elbow
    930.55, wrist pitch 1208.5, yaw 1226.5, tip 1282.5; yaw 12 below pitch, elbow 6 below the line from shoulder to wrist. The
    lengths are those of [1].
[4] On the Canadarm's mechanisms, doi 10.1116/1.572085, abstract: payloads of up to 65,000 lb, 15 ft in diameter and 60 ft long.

Not given by the sources:
- The elbow. The transcription of [1] steps to the same side at both ends of the lower boom, which would put the wrist 0.3 m off
  the shoulder's line. Here the elbow's hinge is 0.1524 m (6 in) toward the orbiter and the wrist is back on the line, as in
  [3]; an elbow that folds by 157 degrees toward the orbiter needs its hinge on that side.
- About which point are the inertias? The transcription says about the link's frame, and has no centers of mass. That can hardly
  be: about the elbow's hinge the lower boom, most of whose 87 kg lie 0.15 m beside it, would have some 2 kg m^2 about x from
  that alone, and it has 1.59. So they are about the centers of mass here. Where these are was not to be found: half way between
  the joints.
- Products of inertia are read as integrals of xy, xz and yz (off-diagonal entries have the opposite sign): only so the mass at
  the elbow lies on the elbow's side of both booms.
- No figures for the drives (friction, rotors) and none for bending: rigid links, ideal joints.
"""

from __future__ import annotations

import math

from ..model import Inertia, Joint, JointKind, Limits, Link, Model, Pose
from ..model.pose import Vector3
from ..robot import Robot

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

# the mount between longeron and first joint: does not move
MOUNT = (63.24, (3.664, 3.803, 0.686), (0.0044, 0.0047, 0.506), (0.0, 0.0, -0.5172))

# joint; its axis; range [degrees]; rate [rad/s]; torque [N m]
JOINTS = (
    ("shoulder_yaw", Z, (-177.4, 177.4), 0.03997, 1570.0),
    ("shoulder_pitch", Y, (0.0, 142.4), 0.03997, 1570.0),
    ("elbow_pitch", Y, (-157.6, 0.0), 0.0560, 1074.0),
    ("wrist_pitch", Y, (-116.4, 116.4), 0.0831, 470.0),
    ("wrist_yaw", Z, (-116.4, 116.4), 0.0831, 470.0),
    ("wrist_roll", X, (-442.0, 442.0), 0.0831, 470.0),
)

# link; mass [kg]; Ixx, Iyy, Izz; products xy, xz, yz [kg m^2]; from its joint to the next, of the last one to the tip [m]
LINKS = (
    ("shoulder", 32.12, (1.115, 1.417, 0.595), (-0.019, -0.08, -0.037), (0.0, 0.0, -0.3048)),
    ("upper_boom", 139.35, (3.225, 998.63, 997.18), (-1.928, 9.185, -0.0302), (6.377, 0.0, 0.1524)),
    ("lower_boom", 87.42, (1.59, 632.9, 632.51), (0.8021, -3.786, -0.08), (7.06, 0.0, -0.1524)),
    ("wrist_pitch_link", 8.48, (0.0893, 0.402, 0.402), (0.0, 0.0, 0.0), (0.4572, 0.0, 0.0)),
    ("wrist_yaw_link", 45.94, (0.408, 4.68, 4.68), (0.0, 0.0, 0.0), (0.762, 0.0, 0.0)),
    ("end_effector", 45.21, (1.903, 3.816, 2.823), (0.385, 0.966, 0.353), (0.6604, 0.0, 0.0)),
)

POUND, FOOT = 0.45359237, 0.3048  # [kg], [m]


def largest_payload() -> Inertia:
    """Return the largest payload, 65,000 lb in a cylinder of 15 ft by 60 ft [4], grappled in the middle of its side.

    In the frame of the tip: x points into the payload, whose axis is along y.
    """
    mass, radius, length = 65000 * POUND, 7.5 * FOOT, 60 * FOOT
    across = mass * (radius**2 / 4 + length**2 / 12)
    return Inertia(mass, (radius, 0.0, 0.0), ((across, 0, 0), (0, mass * radius**2 / 2, 0), (0, 0, across)))


def srms(payload: Inertia | None = None, gravity: Vector3 = (0.0, 0.0, 0.0)) -> Robot:
    """Return the Shuttle Remote Manipulator System as a Robot; for the arguments see `srms_model`."""
    return Robot(srms_model(payload, gravity))


def srms_model(payload: Inertia | None = None, gravity: Vector3 = (0.0, 0.0, 0.0)) -> Model:
    """Return the Shuttle Remote Manipulator System on an orbiter that does not move.

    Args:
        payload: inertia in the frame of the tip (x out of the end effector); see `largest_payload`.
        gravity: gravitational acceleration in the base frame [m/s^2]; none in orbit.
    """
    mass, moments, products, tip = MOUNT
    links = [Link("orbiter"), Link("mount", _inertia(mass, moments, products, tip))]
    joints = [Joint("longeron", JointKind.FIXED, "orbiter", "mount")]
    for (joint, axis, degrees, rate, torque), (link, mass, moments, products, reach) in zip(JOINTS, LINKS, strict=True):
        lower, upper = (math.radians(angle) for angle in degrees)
        limits = Limits(lower, upper, velocity=rate, effort=torque)
        place = Pose(translation=tip)
        joints.append(Joint(joint, JointKind.REVOLUTE, links[-1].name, link, place, axis=axis, limits=limits))
        links.append(Link(link, _inertia(mass, moments, products, reach)))
        tip = reach
    links.append(Link("tip", payload))
    joints.append(Joint("grapple", JointKind.FIXED, "end_effector", "tip", Pose(translation=tip)))
    return Model("srms", tuple(links), tuple(joints), gravity)


def _inertia(mass: float, moments: Vector3, products: Vector3, reach: Vector3) -> Inertia:
    """Return the inertia of a link whose far end is at `reach`."""
    (xx, yy, zz), (xy, xz, yz) = moments, products
    center = (reach[0] / 2, reach[1] / 2, reach[2] / 2)
    return Inertia(mass, center, ((xx, -xy, -xz), (-xy, yy, -yz), (-xz, -yz, zz)))
