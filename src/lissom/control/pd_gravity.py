"""PD control with gravity compensation: springs and dampers at the motors, and the gravity torques at the target."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Gains, Positions, Velocities
from ..compiler.run import as_array
from ..errors import StateError
from ..protocol import DrivenRobot, expect_drives
from ..robot import Robot
from ..simulate.law import Law
from ..spline.check import integer
from ..wrench import Wrenches
from . import law_tasks
from .gains import as_gains, gains_text
from .law import WithLaw


class PDGravity(WithLaw):
    """tau = kp (y_d - y) - kd y' + g(q_d), y the motors' coordinates: theta behind springs, q at rigid joints.

    Stable, and the robot comes to rest at q_d from any state, if springs and gains together are stiff enough against gravity
    (Tomei 1991): the smallest eigenvalue of the stiffness of (q, theta) must exceed alpha, the largest slope of the gravity
    torques over all configurations. For rigid robots that is kp > alpha. `margin` computes the difference. V falls wherever
    motors move: V' = -y' kd y', less friction. With Coulomb friction the robot may stop short of q_d.

    Args:
        robot: a Robot, rigid or elastic, without spherical, planar and floating joints; or a ClosedRobot with one drive per
            coordinate.
        target: where the joints should come to rest (link_nv,) [rad or m].
        kp, kd: [N m/rad or N/m], [N m s/rad or N s/m]; one number or one per joint.
        external: known constant wrenches on links. The condition is for those with a potential, such as forces along the
            world's axes.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.robot.name!r}: kp {gains_text(self.kp)}, kd {gains_text(self.kd)}>"

    def __init__(self, robot: DrivenRobot, target: Positions, kp: Gains, kd: Gains, *, external: Wrenches | None = None) -> None:
        expect_drives(robot, "PD control with gravity")
        self.robot, n = robot, robot.link_nv
        names = robot.velocity_names[:n]
        self.kp, self.kd = as_gains(kp, "kp", names), as_gains(kd, "kd", names)
        self.external = external
        self.goal = robot.at_rest(target, external=external)  # checks the target
        self._places = np.arange(n)
        for drive in robot._elastic_drives:
            if self._places[drive.joint] >= n:
                raise StateError(f"joint {names[drive.joint]!r} moves with another: two elastic drives share one coordinate")
            self._places[drive.joint] = drive.motor  # where each joint is driven
        self._hold = robot.gravity_torques(self.goal, external=external)[..., self._places]

    def torque(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return tau (..., nv)."""
        q, qd = as_array(q, "q", self.robot.nq, self.robot.name), as_array(qd, "qd", self.robot.nv, self.robot.name)
        y, dy = q[..., self._places], qd[..., self._places]
        tau = np.zeros(np.broadcast_shapes(q.shape, qd.shape, self.goal.shape))
        tau[..., self._places] = self.kp * (self.goal[..., self._places] - y) - self.kd * dy + self._hold
        return tau

    def _new_law(self) -> Law | None:
        if not isinstance(self.robot, Robot):
            return None
        n, places = len(self._places), self._places
        parts = np.broadcast_arrays(self.goal[..., places], self.kp, self.kd, self._hold)
        numbers = np.concatenate(parts, axis=-1)
        task = law_tasks.pd_gravity(self.robot.model, tuple(int(k) for k in places[:n]))
        return Law(self.robot.model, task, lambda t: [numbers])

    def lyapunov(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V (...,) [J]: kinetic energy, plus all potentials, the controller's too, relative to the goal."""
        self._refuse_external()
        (q, qd), goal = self.robot._together(q, qd), self.goal
        e = goal[..., self._places] - q[..., self._places]
        own = 0.5 * np.sum(self.kp * e * e, axis=-1) + np.sum(self._hold * e, axis=-1)
        return self.robot.kinetic_energy(q, qd) + self._stored(q) - self._stored(goal) + own

    def lyapunov_rate(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V' (...,) [W]: the power dissipated by the controller's dampers and friction."""
        self._refuse_external()
        (q, qd), robot = self.robot._together(q, qd), self.robot
        dy = qd[..., self._places]
        # gravity, springs and inertia are the same backward; friction and dampers change their sign
        friction = 0.5 * (robot.bias_torques(q, qd) - robot.bias_torques(q, -qd))
        return -np.sum(self.kd * dy * dy, axis=-1) - np.sum(friction * qd, axis=-1)

    def margin(self, samples: int = 2000, seed: int = 0) -> float:
        """Return stiffness minus alpha [N m/rad], the largest slope of gravity at random configurations.

        Positive: the condition above holds at all samples. They are within the joints' limits; joints without limits vary by
        half a turn, or 3.14 m, to either side; of a closed robot only samples whose loops close count.
        """
        robot, n = self.robot, self.robot.link_nv
        samples, rng = integer(samples, "samples", 1), np.random.default_rng(integer(seed, "seed", 0))
        ranges = [joint.limits for joint in robot.coordinate_joints for _ in range(joint.kind.nq)][:n]
        low, high = np.array([(x.lower, x.upper) if math.isfinite(x.upper - x.lower) else (-np.pi, np.pi) for x in ranges]).T
        q = np.concatenate([rng.uniform(low, high, (samples, n)), np.zeros((samples, robot.n_elastic))], axis=1)
        q = q[robot.reachable(q)]
        still = np.zeros((len(q), robot.nv))
        slopes = robot.inverse_dynamics_derivatives(q, still, still, external=self.external).dq
        stiffness = np.zeros((robot.nv, robot.nv))
        for d in robot._elastic_drives:
            share = np.zeros(robot.nv)
            share[d.motor], share[d.joint] = 1.0, -d.share
            stiffness += d.stiffness * np.outer(share, share)
        alpha = np.linalg.norm((slopes - stiffness)[:, :n, :n], ord=2, axis=(1, 2)).max()
        stiffness[self._places, self._places] += self.kp
        return float(np.linalg.eigvalsh(stiffness)[0] - alpha)

    def _refuse_external(self) -> None:
        if self.external:
            raise StateError("the Lyapunov function does not cover external wrenches; leave them out")

    def _stored(self, q: np.ndarray) -> np.ndarray:
        return np.asarray(self.robot.potential_energy(q) + self.robot.spring_energy(q))
