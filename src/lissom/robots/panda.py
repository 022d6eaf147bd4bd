"""The Franka Emika Panda, an arm of seven joints, without a hand.

Inertias: Gaz, Cognetti, Oliva, Robuffo Giordano and De Luca, Dynamic identification of the Franka Emika Panda robot with
retrieval of feasible parameters using penalty-based optimization, IEEE Robotics and Automation Letters 4(4), 2019, pp. 4147-4154.
Frames and limits: the manufacturer's interface documentation; modified Denavit-Hartenberg.

Not given by the sources:
- The inertias were identified from joint torques, so only their effect on these is known; for link 1, its moment about the
  vertical axis. The rest is one choice of many, and the wrench on the base depends on it.
- The paper models friction by sigmoids of the velocities, which lissom does not have; joints are without friction here.
- Rotors are not modeled separately: the torques are those at the joint, behind the gear.
"""

from __future__ import annotations

import math

from ..model import Inertia, Joint, JointKind, Limits, Link, Model, Pose
from ..robot import Robot
from .dh_chain import Row, dh_chain

QUARTER = math.pi / 2

ROWS = (
    Row(d=0.333),
    Row(alpha=-QUARTER),
    Row(d=0.316, alpha=QUARTER),
    Row(a=0.0825, alpha=QUARTER),
    Row(d=0.384, a=-0.0825, alpha=-QUARTER),
    Row(alpha=QUARTER),
    Row(a=0.088, alpha=QUARTER),
)
FLANGE = 0.107  # from frame 7 along its z [m]

# mass [kg]; center of mass in the link's frame [m]; Ixx, Iyy, Izz, Ixy, Ixz, Iyz about it [kg m^2]
BODIES = (
    (4.970684, (0.003875, 0.002081, -0.1750), (0.70337, 0.70661, 0.009117, -0.000139, 0.006772, 0.019169)),
    (0.646926, (-0.003141, -0.02872, 0.003495), (0.007962, 0.02811, 0.025995, -0.003925, 0.010254, 0.000704)),
    (3.228604, (0.027518, 0.039252, -0.066502), (0.037242, 0.036155, 0.01083, -0.004761, -0.011396, -0.012805)),
    (3.587895, (-0.05317, 0.104419, 0.027454), (0.025853, 0.019552, 0.028323, 0.007796, -0.001332, 0.008641)),
    (1.225946, (-0.011953, 0.041065, -0.038437), (0.035549, 0.029474, 0.008627, -0.002117, -0.004037, 0.000229)),
    (1.666555, (0.060149, -0.014117, -0.010517), (0.001964, 0.004354, 0.005433, 0.000109, -0.001158, 0.000341)),
    (0.735522, (0.010517, -0.004252, 0.061597), (0.012516, 0.010027, 0.004815, -0.000428, -0.001196, -0.000741)),
)

# lower and upper [rad], velocity [rad/s], torque [N m]
LIMITS = (
    (-2.8973, 2.8973, 2.175, 87.0),
    (-1.7628, 1.7628, 2.175, 87.0),
    (-2.8973, 2.8973, 2.175, 87.0),
    (-3.0718, -0.0698, 2.175, 87.0),
    (-2.8973, 2.8973, 2.61, 12.0),
    (-0.0175, 3.7525, 2.61, 12.0),
    (-2.8973, 2.8973, 2.61, 12.0),
)


def panda() -> Robot:
    """Return the Panda as a Robot; see `panda_model`."""
    return Robot(panda_model())


def panda_model() -> Model:
    """Return the Franka Emika Panda: seven joints with limits, and a massless link "flange" for tools."""
    inertias = [Inertia(mass, com, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))) for mass, com, (xx, yy, zz, xy, xz, yz) in BODIES]
    arm = dh_chain("panda", ROWS, inertias, "modified", drives=[{"limits": Limits(*limits)} for limits in LIMITS])
    tip = Joint("flange_joint", JointKind.FIXED, "link_7", "flange", Pose(translation=(0.0, 0.0, FLANGE)))
    return arm.replace(links=(*arm.links, Link("flange")), joints=(*arm.joints, tip))
