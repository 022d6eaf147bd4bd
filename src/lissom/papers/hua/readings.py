"""What the paper leaves open, what is chosen for it, and what other choices would change.

How the gains were found. They are not printed, but what is printed says something about them:
- With the payload the error of joint 2 rises from 0.0036 to 0.0061 rad, so the payload's own part is
  sqrt(0.0061^2 - 0.0036^2) = 0.0049 rad. The controller does not know of it, then: one that does follows as without payload. 3 N
  at 0.85 m, the arm's mean reach, over that error is K_P = K_D Lambda = 520 N m/rad. Chosen: 500.
- One Lambda and one K_D for all joints suffice, 10 / s and 50 N m s/rad. With two round numbers for the motor, 20 and 20, chosen
  among 2 to 50, all six printed errors come out within 14 %, and within 11 % where the payload has the sign of (20) and theta_d'
  comes from differences. Chosen by the result, they show that the paper's numbers can be reproduced; that is not a validation.
- Inertias in the paper's own frames matter for that: their products couple the start of joint 3 into joint 1, with the other sign
  where y and z are exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...robots.hua_arm import hua_arm_model
from .arm import arm
from .experiment import START, Reading, run

# (what is open, what is chosen)
ASSUMPTIONS = (
    ("geometry", "elbow arm, z up; joint 2 is 0.3 m above joint 1, links 2 and 3 are 0.5 m long, stretched out at q = 0"),
    ("signs", "positive q2 and q3 lift the arm"),
    ("centers of mass", "in the middle of the links"),
    (
        "axes of inertias",
        "about the centers of mass, x along the link, z along the next joint's axis, as in (25); taken as printed, though no "
        "rigid body has those of links 2 and 3",
    ),
    ("motors", "1 in the origin of the base; 2 and 3 in joint 2, on link 1, along its axis"),
    ("gear ratios", "10 for all motors"),
    ("stiffness", "100 N m/rad; printed as 100 N/m, but the joint turns"),
    ("gains of the joints", "Lambda = 10 / s and K_D = 50 N m s/rad, the same for all"),
    ("gains of the motor", "Lambda = 20 / s and K_D = 20 N m s/rad"),
    ("velocities at the start", "zero, of links and motor"),
    ("motor angle at the start", "static equilibrium: its spring carries the arm, and the payload where there is one"),
    ("theta_d', theta_d''", "exact, by series in time along the motion that the controller expects"),
    ("accelerations in (39) and (49)", "those that the controller expects, from (40) and (50)"),
    ("does the controller know the payload?", "no: joint 2 follows worse with it; the case that it does is shown beside"),
    ("sign of the payload", "(0, 0, -3) N acts on the tip; (20) as printed turns it round"),
    ("friction", "none, of joints and motors"),
    ("root mean square", "over 1001 samples in 10 s"),
)


@dataclass(frozen=True, eq=False)
class Row:
    """The experiment with one choice changed.

    Attributes:
        label: the choice.
        without, payload: root mean square errors of the joints (3,) [rad] without and with payload; None where it does not apply.
        torque: largest of motor 3, of the first of these [N m].
        note: comment.
    """

    label: str
    without: np.ndarray | None
    payload: np.ndarray
    torque: float
    note: str

    @property
    def cells(self) -> tuple[str, ...]:
        """Errors without and with payload [mrad] and torque [N m], seven texts."""
        free = ["", "", ""] if self.without is None else [f"{1e3 * x:.2f}" for x in self.without]
        return (*free, *(f"{1e3 * x:.2f}" for x in self.payload), f"{self.torque:.0f}")


def survey(progress: Callable[[str], None] | None = None) -> list[Row]:
    """Return the experiment as chosen, and with choices changed one at a time: some thirty simulations.

    Args:
        progress: called with the label of each before it runs.
    """
    rows = []
    for label, reading, known, force, note in _cases():
        if progress is not None:
            progress(label)
        loaded = run(True, known, reading, force)
        free = None if known or force != DOWN else run(False, reading=reading)
        largest = float(np.abs((free or loaded).torques[:, 2]).max())
        rows.append(Row(label, None if free is None else free.rms, loaded.rms, largest, note))
    return rows


DOWN, UP = (0.0, 0.0, -3.0), (0.0, 0.0, 3.0)  # [N]; the second is the payload with the sign of (20)


def _cases() -> list[tuple[str, Reading, bool, tuple[float, float, float], str]]:
    """Return label, reading, whether the controller knows of the payload, payload and note."""
    by_joint = Reading((13.0, 13.0, 3.4), (30.0, 30.0, 10.0), 3.4, 10.0)
    readings = [
        ("as chosen", Reading(), ""),
        ("inertias of robots.hua_arm: z up, not y", Reading(model=hua_arm_model()), "joint 1 follows twice as well"),
        ("gains 13, 13, 3.4 / s and 30, 30, 10 N m s/rad, motor as joint 3", by_joint, "joint 3 too slow"),
        ("the same, with the inertias of robots.hua_arm", replace(by_joint, model=hua_arm_model()), "joint 3 too slow"),
        ("weak motor: 5 / s, 2 N m s/rad", Reading(motor_slope=5.0, motor_damping=2.0), "joint 3 swings; a smaller motor does"),
        ("links start as fast as the reference", Reading(moving=True), "joints 1 and 2 too good: the paper starts at rest"),
        ("spring relaxed at the start, theta = q3", Reading(theta=START[2]), "hardly a difference; joint 3 as in print"),
        ("theta = 0 at the start", Reading(theta=0.0), "the spring throws joint 3 toward its goal"),
        ("theta_d' by differences, 1 kHz", Reading(period=1e-3), "the payload does not touch joint 3, as in print"),
        ("gear ratios 20", Reading(model=arm(20.0)), "rotors of 1.6 kg m^2 at the joints"),
        ("reflected rotors", Reading(model=arm(rotor="reflected")), "the same: no joint turns the rotors about another axis"),
        ("links 0.6 m", Reading(model=arm(length=0.6)), "a longer lever of the payload, most of all"),
    ]
    return [
        *((label, reading, False, DOWN, note) for label, reading, note in readings),
        ("payload known to the controller", Reading(), True, DOWN, "the errors without payload: so it was not known"),
        ("payload with the sign of (20)", Reading(), False, UP, "lifts the arm: torques are lower, as the paper says"),
        ("the same, theta_d' by differences, 1 kHz", Reading(period=1e-3), False, UP, "closest to print"),
    ]
