"""The controller without exact rates: quantities other than positions and velocities by finite differences.

The paper does not say where theta_d', theta_d'' and the accelerations of (39) and (49) come from. Backward differences at the
controller's period need no model of the load: where a force acts that the controller does not know of, they see what it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...control.gains import as_gains
from ...control.reference import Reference

if TYPE_CHECKING:
    from ...robot import Robot


class Differences:
    """Eqs (37)-(49) for one elastic drive, the last of the joints, called at every multiple of `period`.

    Args:
        robot: `robots.hua_arm`, or one like it.
        reference: of the joints.
        slope, damping, motor_slope, motor_damping: as of `control.MixedControl`.
        period: [s].
    """

    def __init__(
        self,
        robot: Robot,
        reference: Reference,
        slope: Any,
        damping: Any,
        motor_slope: float,
        motor_damping: float,
        period: float,
    ) -> None:
        names = robot.joint_names[:3]
        self.robot, self.reference, self.period = robot, reference, period
        self.slope, self.damping = as_gains(slope, "slope", names), as_gains(damping, "damping", names)
        self.motor_slope, self.motor_damping = motor_slope, motor_damping
        self.stiffness = robot._elastic_drives[0].stiffness
        self.reset()

    def reset(self) -> None:
        """Reset: the first differences are zero."""
        self._before: list[np.ndarray] = []  # theta_d, theta_d', velocities

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return tau (4,)."""
        parts = self.robot.elastic_blocks(q, qd)
        q_d, qd_d, qdd_d = self.reference.derivatives(t, 2)
        e, de = q_d - q[:3], qd_d - qd[:3]
        sigma, qd_r, qdd_r = de + self.slope * e, qd_d + self.slope * e, qdd_d + self.slope * de  # (37), (38)
        links = parts.M @ qdd_r + parts.C @ qd_r + parts.C1 @ qd[3:] + parts.G + self.damping * sigma  # (39)
        theta_d = links[2:] / self.stiffness + q[2:3]  # (43)
        rate, second, accelerations = self._differences(theta_d, qd)
        e, de = theta_d - q[3:], rate - qd[3:]  # (44)
        sigma_m = de + self.motor_slope * e + sigma[2:]  # (47)
        theta_rr = second + self.motor_slope * de + (qdd_r - accelerations[:3])[2:]  # rate of (45)
        motor = parts.S.T @ accelerations[:3] + parts.B @ theta_rr + parts.C2 @ qd[:3]  # (49)
        motor += self.stiffness * (theta_d - q[2:3]) + self.motor_damping * sigma_m
        links += parts.S @ accelerations[3:]
        return np.array([*links[:2], 0.0, *motor])

    def _differences(self, theta_d: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return theta_d', theta_d'' and the accelerations."""
        rate, second, accelerations = np.zeros(1), np.zeros(1), np.zeros(4)
        if self._before:
            old, old_rate, old_qd = self._before
            rate, accelerations = (theta_d - old) / self.period, (qd - old_qd) / self.period
            # the rate before the first difference is not known
            second = (rate - old_rate) / self.period if np.isfinite(old_rate).all() else second
        self._before = [theta_d, rate if self._before else np.full(1, np.nan), qd.copy()]
        return rate, second, accelerations
