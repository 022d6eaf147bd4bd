"""Inverse dynamics, as methods: torques and joint wrenches of a motion."""

from __future__ import annotations

import numpy as np

from ..arrays import Accelerations, Out, Positions, Velocities
from ..wrench import BaseMotion, Wrenches
from .bound import bound
from .functions import Functions


class InverseDynamics(Functions):
    """Joint torques and joint wrenches of a motion."""

    @bound
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
        """Return the joint torques that produce an acceleration: tau = M(q) qdd + h(q, qd) [N m or N].

        They are those of the drives, parallel to the springs of elastic joints: h has K (q - rest) + D qd of each.

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
        return self._call("inverse_dynamics", (q, qd, qdd), out, external=external, base_motion=base_motion)

    @bound
    def bias_torques(
        self,
        q: Positions,
        qd: Velocities,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return h(q, qd) = inverse_dynamics(q, qd, 0): Coriolis, centrifugal, gravity, friction, spring torques (..., nv)."""
        return self._call("bias_torques", (q, qd), out, external=external, base_motion=base_motion)

    @bound
    def gravity_torques(
        self,
        q: Positions,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return g(q) = inverse_dynamics(q, 0, 0): torques that hold the robot still, springs included (..., nv)."""
        return self._call("gravity_torques", (q,), out, external=external, base_motion=base_motion)

    @bound
    def joint_wrenches(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        axes: str = "joint",
        out: Out = None,
    ) -> np.ndarray:
        """Return the force [N] and moment [N m] through every moving joint, on its child: (..., n_joints, 6).

        Args:
            q, qd, qdd, external, base_motion, out: as in `inverse_dynamics`.
            axes: of the components. "joint": the joint's frame, moved with the child; "link": the child link's frame
                (another one in standard Denavit-Hartenberg tables); "parent": the parent link's; "world". Moments are
                about the joint's origin, for "link" about the link's.
        """
        return self._call("joint_wrenches", (q, qd, qdd), out, external=external, base_motion=base_motion, axes=axes)
