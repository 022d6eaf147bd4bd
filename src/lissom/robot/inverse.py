"""Inverse dynamics at the front door: forces that go with a motion."""

from __future__ import annotations

import numpy as np

from ..algorithms.dynamics import inverse_dynamics as tasks
from ..arrays import Accelerations, Out, Positions, Velocities
from ..wrench import BaseMotion, Wrenches
from .base import RobotBase, check_wrench_axes
from .bound import bound

_LOADS = "*, external=None, base_motion=None, out=None"


def _of_joints(robot: RobotBase) -> tuple[int, ...]:
    return (robot.nv,)


def _of_wrenches(robot: RobotBase) -> tuple[int, ...]:
    return len(robot.moving_joint_names), 6


class InverseDynamics(RobotBase):
    """Joint forces and joint wrenches of a motion."""

    @bound(tasks.inverse_dynamics, _of_joints, _LOADS)
    def inverse_dynamics(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the joint forces that produce an acceleration: tau = M(q) qdd + h(q, qd) [N m or N].

        It is what drives have to supply beside the springs of elastic joints: h has K (q - rest) + D qd of each.

        Args:
            q: coordinates (..., nq) [rad or m].
            qd: velocities (..., nv).
            qdd: accelerations (..., nv).
            external: for a link's name, the wrench that acts on it; the Wrench names its axes and point.
            base_motion: prescribed motion of the base.
            out: float64 array (..., nv) for the result.

        Returns:
            tau (..., nv). The first six of a floating base are force and moment on it, in its own frame.

        Raises:
            StateError: a size, type or number is wrong; the message says which.
        """
        return self._evaluate(tasks.inverse_dynamics, (q, qd, qdd), (self.nv,), out, external, base_motion)

    @bound(tasks.bias_torques, _of_joints, _LOADS)
    def bias_torques(
        self,
        q: Positions,
        qd: Velocities,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return h(q, qd) = inverse_dynamics(q, qd, 0): Coriolis, centrifugal, gravity, friction, spring forces (..., nv)."""
        return self._evaluate(tasks.bias_torques, (q, qd), (self.nv,), out, external, base_motion)

    @bound(tasks.gravity_torques, _of_joints, _LOADS)
    def gravity_torques(
        self,
        q: Positions,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return g(q) = inverse_dynamics(q, 0, 0): joint forces that hold the robot still, against springs too (..., nv)."""
        return self._evaluate(tasks.gravity_torques, (q,), (self.nv,), out, external, base_motion)

    @bound(tasks.joint_wrenches, _of_wrenches, "*, external=None, axes='joint', base_motion=None, out=None")
    def joint_wrenches(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        axes: str = "joint",
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the force [N] and moment [N m] through every moving joint, on its child: (..., n_joints, 6).

        Args:
            q, qd, qdd, external, base_motion, out: as in `inverse_dynamics`.
            axes: those of the components. "joint": the joint's frame, moved with the child; "link": the child link's frame
                (another one in standard Denavit-Hartenberg tables); "parent": the parent link's; "world". Moments are
                about the joint's origin, for "link" about the link's.
        """
        check_wrench_axes(axes)
        options = {} if axes == "joint" else {"axes": axes}  # the same function as that of plain calls
        return self._evaluate(tasks.joint_wrenches, (q, qd, qdd), _of_wrenches(self), out, external, base_motion, **options)
