"""The two-link arms of Barman's thesis (Oklahoma State University, 2020, chapter IV): RR, and RP whose first joint slides.

Both move in a horizontal plane: gravity pulls along the normal of the plane, so it loads the bearings but no motor. The tables
are in standard Denavit-Hartenberg form (tables 4.1 and 4.3), the frame of each link at its tip. The thesis gives one moment of
inertia per link, about the normal of the plane; the others have no effect on a planar motion and are those of a thin rod.
"""

from __future__ import annotations

import math

from ..model import Inertia, JointKind, Limits, Model
from ..robot import Robot
from .dh_chain import Row, dh_chain

LENGTH = 0.4  # [m], tables 4.2 and 4.4, both links of both arms
MASS = 0.5  # [kg]
INERTIA = 0.1  # about the center of mass [kg m^2]
EFFORT = 10.0  # bound of torques [N m] and of the force [N]
DRIVES = ({"limits": Limits(effort=EFFORT)},) * 2


def rr() -> Robot:
    """Return the arm with two revolute joints as a Robot; see `rr_model`."""
    return Robot(rr_model())


def rp(theta2: float = math.pi / 2) -> Robot:
    """Return the arm with a prismatic and a revolute joint as a Robot; see `rp_model`."""
    return Robot(rp_model(theta2))


def rr_model() -> Model:
    """Return Barman's arm with two revolute joints: plane x-y of the base frame, z up (tables 4.1 and 4.2)."""
    rows = [Row(a=LENGTH), Row(a=LENGTH)]
    return dh_chain("barman_rr", rows, [_rod_along_x(), _rod_along_x()], "standard", drives=DRIVES)


def rp_model(theta2: float = math.pi / 2) -> Model:
    """Return Barman's arm whose first joint is prismatic and whose second is revolute (tables 4.3 and 4.4).

    Joint 1 slides along z of the base frame; joint 2 turns about x of the base frame, which therefore points up.

    Args:
        theta2: angle of link 2 at q2 = 0 [rad]. Table 4.3 prints pi/2, the default: the arm is then stretched out along the slide
            at q2 = 0. With 0, link 2 is normal to the slide at q2 = 0. The thesis does not state whether its column theta is a
            constant or only shows the pose, and the choice changes the optimal motions of section 4.2.
    """
    rows = [
        Row(theta=math.pi / 2, d=LENGTH, alpha=math.pi / 2, kind=JointKind.PRISMATIC),
        Row(theta=theta2, a=LENGTH),
    ]
    # frame 1 has its y along the slide: link 1 is a rod along -y
    sliding = Inertia(MASS, (0.0, -LENGTH / 2, 0.0), ((INERTIA, 0, 0), (0, 0, 0), (0, 0, INERTIA)))
    return dh_chain("barman_rp", rows, [sliding, _rod_along_x()], "standard", gravity=(-9.81, 0.0, 0.0), drives=DRIVES)


def _rod_along_x() -> Inertia:
    return Inertia(MASS, (-LENGTH / 2, 0.0, 0.0), ((0, 0, 0), (0, INERTIA, 0), (0, 0, INERTIA)))
