"""One run of the experiment, and what the paper leaves open for it.

Given are masses, inertias and stiffness of the arm (`robots.hua_arm`), the reference 0.5 sin(0.5 pi t) of all joints, the start
(0, 0, -0.4363) rad of the links, 10 s, and a payload of (0, 0, -3) N at the tip, in the axes of the base.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...control.mixed import MixedControl
from ...control.reference import Sine
from ...locks import lazy_property
from ...model import Model
from ...robot import Robot
from ...robots.hua_arm import PAYLOAD
from ...simulate import Trajectory
from ...wrench import Wrench
from .arm import arm
from .differences import Differences

START = (0.0, 0.0, -0.4363)  # of the links [rad]
DURATION, SAMPLE = 10.0, 0.01  # [s]
REFERENCE = Sine(0.5, 0.5 * np.pi, n=3)
# root mean square errors of the three joints that the paper prints [rad], by whether there is a payload
PAPER = {False: (0.0026819, 0.003619, 0.052678), True: (0.0026903, 0.0061066, 0.052422)}


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open. The defaults are the choice made here; `readings.py` says why, and what the others change.

    Attributes:
        slope, damping: Lambda_q [1/s] and K_Dq [N m s/rad], one number for all joints or three.
        motor_slope, motor_damping: Lambda_theta [1/s] and K_Dtheta [N m s/rad] of the motor of joint 3.
        moving: whether the links, and the motor with them, start as fast as the reference; otherwise at rest.
        theta: of the motor at the start [rad]; None where its spring carries the arm and the payload at rest.
        period: None for the motor's desired motion exactly; otherwise by differences at this period [s].
        model: the arm, with its geometry, gear ratios and rotors.
    """

    slope: Any = 10.0
    damping: Any = 50.0
    motor_slope: float = 20.0
    motor_damping: float = 20.0
    moving: bool = False
    theta: float | None = None
    period: float | None = None
    model: Model = field(default_factory=arm)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A run of the experiment.

    Attributes:
        trajectory: the motion; q is q1, q2, q3 and the motor's angle.
        controller: the controller.
        force: on the tip [N], in the axes of the base.
        known: whether the controller knew of it.
    """

    trajectory: Trajectory
    controller: MixedControl | Differences
    force: tuple[float, float, float]
    known: bool

    @lazy_property
    def desired(self) -> np.ndarray:
        """Desired positions of the links (T, 3) [rad]."""
        return np.array([REFERENCE.derivatives(t, 0)[0] for t in self.trajectory.t])

    @property
    def rms(self) -> np.ndarray:
        """Root mean squares of the errors of the three joints [rad]."""
        return np.asarray(np.sqrt(np.mean((self.desired - self.trajectory.q[:, :3]) ** 2, axis=0)))

    @property
    def torques(self) -> np.ndarray:
        """Of motors 1, 2 and 3, at the joints' side of their gears (T, 3) [N m]."""
        return self.trajectory.tau[:, [0, 1, 3]]

    @lazy_property
    def desired_motor(self) -> np.ndarray:
        """Desired position of motor 3, eq. (43) (T,) [rad]."""
        assert isinstance(self.controller, MixedControl)
        return np.array([self.controller.motor_reference(*state)[0, 0] for state in self._states()])

    @lazy_property
    def lyapunov(self) -> np.ndarray:
        """V of eq. (51) (T,) [J]."""
        assert isinstance(self.controller, MixedControl)
        return np.array([float(self.controller.lyapunov(*state)) for state in self._states()])

    @lazy_property
    def bound(self) -> np.ndarray:
        """Bound of V where the controller knows all forces (T,) [J]: V' <= -c V, c from the inertia on the way."""
        assert isinstance(self.controller, MixedControl)
        c = self.controller.decay(self.trajectory.q)
        fallen = np.minimum(c[1:], c[:-1]) * np.diff(self.trajectory.t)  # the lesser of both ends of a step
        return np.asarray(self.lyapunov[0] * np.exp(-np.concatenate([[0.0], np.cumsum(fallen)])))

    def _states(self) -> zip[tuple[float, np.ndarray, np.ndarray]]:
        return zip(self.trajectory.t, self.trajectory.q, self.trajectory.qd, strict=True)


def run(payload: bool = False, known: bool = False, reading: Reading | None = None, force: Any = PAYLOAD) -> Experiment:
    """Return the experiment as simulated.

    Args:
        payload: whether the force acts on the tip.
        known: whether the controller knows of it.
        reading: of what the paper leaves open.
        force: [N], in the axes of the base.
    """
    reading = reading or Reading()
    robot = Robot(reading.model)
    acting = tuple(float(x) for x in force) if payload else (0.0, 0.0, 0.0)
    load = {"tip": Wrench(force=acting, axes="world")} if payload else None
    q, qd = robot.at_rest(START, external=load), np.zeros(4)
    if reading.theta is not None:
        q[3] = reading.theta
    if reading.moving:
        speeds = REFERENCE.derivatives(0.0, 1)[1]
        qd = np.array([*speeds, speeds[2]])
    gains = (reading.slope, reading.damping, reading.motor_slope, reading.motor_damping)
    controller: MixedControl | Differences
    how: dict[str, Any]
    if reading.period is None:
        controller, how = MixedControl(robot, REFERENCE, *gains, external=load if known else None), {"method": "implicit"}
    else:
        controller, how = Differences(robot, REFERENCE, *gains, reading.period), {"method": "rk4", "dt": reading.period}
    motion = robot.simulate(q, qd, DURATION, controller, external=load, sample=SAMPLE, **how)
    return Experiment(motion, controller, (acting[0], acting[1], acting[2]), known)
