"""Computed torque: inverse dynamics with the acceleration that brings the error to zero."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_continuous_lyapunov

from ..arrays import Gains, Positions, Velocities
from ..compiler.run import as_array
from ..errors import StateError
from ..protocol import DrivenRobot, expect_drives
from ..robot import Robot
from ..simulate.law import Law
from ..wrench import Wrenches
from . import law_tasks
from .gains import as_gains, gains_text
from .law import WithLaw
from .reference import ReferenceLike, as_reference, packed


class ComputedTorque(WithLaw):
    """tau = inverse_dynamics(q, qd, qdd_d + kd e' + kp e), e = q_d - q.

    With an exact model the error of every joint obeys e'' + kd e' + kp e = 0 and converges to zero from any state, for every
    positive kp and kd; kd = 2 sqrt(kp) is the fastest without overshoot. Errors of the model act like a disturbance.

    Args:
        robot: a Robot without elastic drives and without spherical, planar and floating joints; or a ClosedRobot with one drive
            per coordinate.
        reference: a Reference, a SplinePath, an array (a constant posture), or a function of time.
        kp: [1/s^2], one number or one per joint.
        kd: [1/s]; None for 2 sqrt(kp).
        external: known wrenches on links.
    """

    order = 2

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.robot.name!r}: kp {gains_text(self.kp)}, kd {gains_text(self.kd)}>"

    def __init__(
        self,
        robot: DrivenRobot,
        reference: ReferenceLike,
        kp: Gains,
        kd: Gains | None = None,
        *,
        external: Wrenches | None = None,
    ) -> None:
        if robot.n_elastic:
            raise StateError(f"{robot.name!r} has elastic drives: use control.MixedControl or control.ElasticFeedback")
        expect_drives(robot, "computed torque")
        self.robot, self.external = robot, external
        self.kp = as_gains(kp, "kp", robot.velocity_names)
        self.kd = 2.0 * np.sqrt(self.kp) if kd is None else as_gains(kd, "kd", robot.velocity_names)
        self.reference = as_reference(reference, robot.nv, self.order)

    def torque(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return tau (..., nv)."""
        e, de, qdd = self._errors(t, q, qd)
        return self.robot.inverse_dynamics(q, qd, qdd + self.kd * de + self.kp * e, external=self.external)

    def _new_law(self) -> Law | None:
        robot = self.robot
        if not isinstance(robot, Robot):
            return None
        loads, options = robot._loads(self.external, None)
        gains = np.concatenate([self.kp, self.kd])
        task = law_tasks.computed_torque(robot.model, **options)
        return Law(robot.model, task, lambda t: [packed(self.reference, t, self.order), gains, *loads])

    def lyapunov(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V (...,) = sum x' P x over the joints, x = (e, e') in rad or m and s, with A' P + P A = -1."""
        x = np.stack(self._errors(t, *self.robot._together(q, qd))[:2], axis=-1)
        return np.einsum("...ni,nij,...nj->...", x, self._P, x)

    def lyapunov_rate(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V' (...,) = -x' x."""
        e, de, _ = self._errors(t, *self.robot._together(q, qd))
        return -np.sum(e * e + de * de, axis=-1)

    @property
    def decay(self) -> float:
        """Rate c [1/s] with V' <= -c V."""
        return float(1.0 / np.linalg.eigvalsh(self._P).max())

    @property
    def _P(self) -> np.ndarray:
        closed = np.array([[[0.0, 1.0], [-p, -d]] for p, d in zip(self.kp, self.kd, strict=True)])
        return np.array([solve_continuous_lyapunov(A.T, -np.eye(2)) for A in closed])

    def _errors(self, t: float, q: Positions, qd: Velocities) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        robot = self.robot
        q_d, qd_d, qdd_d = self.reference.derivatives(t, self.order)
        return q_d - as_array(q, "q", robot.nq, robot.name), qd_d - as_array(qd, "qd", robot.nv, robot.name), qdd_d
