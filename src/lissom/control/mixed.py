"""The mixed rigid-elastic inverse-dynamics controller of Hua 2024, section IV."""

from __future__ import annotations

import numpy as np

from ..algorithms.elastic.mixed_control import mixed_control
from ..arrays import Gains, Positions, Velocities
from ..errors import StateError
from ..robot import Robot
from ..wrench import Wrenches
from .compiled import Compiled, expect_tree
from .gains import as_gains, gains_text
from .reference import ReferenceLike, as_reference, packed


class MixedControl(Compiled):
    """Tracking control of rigid and elastic joints: eqs (37)-(49), with the exact desired motion of the motors.

    With an exact model, V of eq. (51) falls at the rate (52) from any state, for all positive gains, and all errors converge to
    zero exponentially: V' <= -c V with c from `decay`. For robots without springs it is the passivity-based controller of
    Slotine and Li.

    Args:
        robot: joints of one axis; springs of drives without damping, and none of their rotors on a link that turns behind
            another spring (rotor="reflected" avoids that).
        reference: with four derivatives: a Reference, a SplinePath of degree 5 or more, an array (a constant posture), or a
            function of time.
        slope: Lambda_q [1/s], K_P / K_D of the joints; one number or one per joint.
        damping: K_D of the joints [N m s/rad or N s/m].
        motor_slope: Lambda_theta [1/s] of elastic drives, in their order; None for those of the joints that they drive.
        motor_damping: K_D of elastic drives, in the same forms.
        external: known constant wrenches on links.
    """

    order = 4

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of {self.robot.name!r}: slope {gains_text(self.slope)}, damping {gains_text(self.damping)}>"
        )

    def __init__(
        self,
        robot: Robot,
        reference: ReferenceLike,
        slope: Gains,
        damping: Gains,
        motor_slope: Gains | None = None,
        motor_damping: Gains | None = None,
        *,
        external: Wrenches | None = None,
    ) -> None:
        expect_tree(self, robot)
        n, motors = robot.link_nv, robot.velocity_names[robot.link_nv :]
        names = robot.velocity_names[:n]
        self.slope, self.damping = as_gains(slope, "slope", names), as_gains(damping, "damping", names)
        if not motors and not (motor_slope is None and motor_damping is None):
            raise StateError(f"{robot.name!r} has no elastic drives: leave out motor_slope and motor_damping")
        driven = [drive.joint for drive in robot._elastic_drives]
        # defaults: the motors as the joints that they drive
        self.motor_slope = self.slope[driven] if motor_slope is None else as_gains(motor_slope, "motor_slope", motors)
        self.motor_damping = self.damping[driven] if motor_damping is None else as_gains(motor_damping, "motor_damping", motors)
        self.reference = as_reference(reference, n, self.order)
        self._compile(robot, mixed_control, robot.nv + 3 * len(motors) + 2, external)

    def torque(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return tau (..., nv): of rigid joints and of motors; zero at joints behind springs."""
        return self._all(t, q, qd)[..., : self.robot.nv]

    def motor_reference(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return desired positions, velocities and accelerations of elastic drives (3, ..., n_elastic): (43) and its rates."""
        e, nv = self.robot.n_elastic, self.robot.nv
        found = self._all(t, q, qd)[..., nv : nv + 3 * e]
        return np.moveaxis(found.reshape(*found.shape[:-1], 3, e), -2, 0)

    def lyapunov(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V (...,) of eq. (51) [J]."""
        return self._all(t, q, qd)[..., -2]

    def lyapunov_rate(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V' (...,) of eq. (52) [W]."""
        return self._all(t, q, qd)[..., -1]

    def decay(self, q: Positions) -> np.ndarray:
        """Return the rate c (...,) [1/s] with V' <= -c V at configurations q (..., nq), from the inertia there.

        In x = (Lambda e, e') of the joints and (e, sigma) of the motors both V and -V' are quadratic: c is the least ratio.
        """
        n, e = self.robot.link_nv, self.robot.n_elastic
        whole = self.robot.mass_matrix(q)
        V = np.zeros((*whole.shape[:-2], 2 * n, 2 * n))
        for rows in (slice(0, n), slice(n, 2 * n)):
            for columns in (slice(0, n), slice(n, 2 * n)):
                V[..., rows, columns] = 0.5 * whole[..., :n, :n]
        places = np.arange(n)
        V[..., places, places] += self.damping / self.slope
        fall = np.concatenate([self.damping, self.damping]) ** -0.5
        most = np.linalg.eigvalsh(fall[:, None] * V * fall)[..., -1]
        for k in range(e):
            B = whole[..., n + k, n + k]
            most = np.maximum(most, np.maximum(0.5 * B / self.motor_damping[k], 0.5 / self.motor_slope[k]))
        return np.asarray(1.0 / most)

    def _all(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        return self._function(q, qd, *self._numbers(t), *self._loads)

    def _numbers(self, t: float) -> list[np.ndarray]:
        gains = np.concatenate([self.slope, self.damping, self.motor_slope, self.motor_damping])
        return [packed(self.reference, t, self.order), gains]
