"""The Unimation PUMA 560.

Numbers: Corke and Armstrong-Helouvry, A search for consensus among model parameters reported for the PUMA 560 robot, IEEE ICRA
1994, pp. 1608-1613; the inertial ones were measured by Armstrong, Khatib and Burdick, IEEE ICRA 1986, on a dismantled arm. Joint
ranges: Wang and Chen, IEEE Trans. Robotics and Automation 7(4), 1991. Frames: standard Denavit-Hartenberg.

Not given by the sources:
- Link 1 was never weighed: only its inertia about the vertical axis is known, 0.35 kg m^2. Here it is a ball of that inertia with
  a mass of 13 kg on the axis. Joint torques do not depend on either choice; the wrench on the base does.
- The measured moments of link 3 violate the triangle inequality by 0.0075 kg m^2, as no rigid body can; they are kept as
  published, without the warning for such a link.
- Coulomb friction differs between the two directions; lissom's is symmetric, so it is the mean of the two.
"""

from __future__ import annotations

import math

from ..doubts import known_doubts
from ..model import Friction, Inertia, Limits, Model
from ..robot import Robot
from .dh_chain import Row, dh_chain

SHOULDER_HEIGHT = 0.672  # of axis 2 above the mounting surface [m]
QUARTER = math.pi / 2

ROWS = (
    Row(d=SHOULDER_HEIGHT, alpha=QUARTER),
    Row(a=0.4318),
    Row(d=0.15005, a=0.0203, alpha=-QUARTER),
    Row(d=0.4318, alpha=QUARTER),
    Row(alpha=-QUARTER),
    Row(),
)

# mass [kg]; center of mass in the link's frame [m]; Ixx, Iyy, Izz about it [kg m^2]
BODIES = (
    (13.0, (0.0, 0.0, 0.0), (0.35, 0.35, 0.35)),
    (17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    (0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)

# at the motor: rotor inertia [kg m^2]; gear ratio (its sign is that of the motor's turning, and cancels in everything below);
# viscous friction [N m s/rad]; Coulomb friction forward and backward [N m]; range of the joint [degrees]
MOTORS = (
    (200e-6, -62.6111, 1.48e-3, (0.395, 0.435), (-160, 160)),
    (200e-6, 107.815, 0.817e-3, (0.126, 0.071), (-45, 225)),
    (200e-6, -53.7063, 1.38e-3, (0.132, 0.105), (-225, 45)),
    (33e-6, 76.0364, 71.2e-6, (11.2e-3, 16.9e-3), (-110, 170)),
    (33e-6, 71.923, 82.6e-6, (9.26e-3, 14.5e-3), (-100, 100)),
    (33e-6, 76.686, 36.7e-6, (3.96e-3, 10.5e-3), (-266, 266)),
)


def puma560(friction: bool = True) -> Robot:
    """Return the PUMA 560 as a Robot; for the argument see `puma560_model`."""
    return Robot(puma560_model(friction))


def puma560_model(friction: bool = True) -> Model:
    """Return the Unimation PUMA 560 with its drives: rotor inertia Jm G^2, viscous friction B G^2, Coulomb friction Tc |G|.

    Args:
        friction: whether the joints have friction.
    """
    inertias = [Inertia(mass, com, ((x, 0, 0), (0, y, 0), (0, 0, z))) for mass, com, (x, y, z) in BODIES]
    with known_doubts():  # of link 3, see the head of this file
        model = dh_chain("puma560", ROWS, inertias, "standard", drives=[_drive(*motor) for motor in MOTORS])
        return model if friction else model.without_friction()


def _drive(Jm: float, G: float, B: float, Tc: tuple[float, float], degrees: tuple[float, float]) -> dict[str, object]:
    """Return the fields of a Joint: the motor's data reflected to the joint."""
    lower, upper = (math.radians(angle) for angle in degrees)
    return {
        "rotor_inertia": Jm * G**2,
        "friction": Friction(viscous=B * G**2, coulomb=sum(Tc) / 2 * abs(G)),
        "limits": Limits(lower, upper),
    }
