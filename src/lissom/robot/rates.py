"""Rates of torques and joint wrenches of a motion, as methods."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..arrays import Accelerations, Jerks, Out, Positions, Velocities
from ..wrench import BaseMotion, Wrenches, WrenchRate
from .bound import bound
from .functions import Functions


class Rates(Functions):
    """Exact time derivatives of joint torques and joint wrenches."""

    @bound
    def torque_rates(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        external_rates: Mapping[str, WrenchRate] | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the time derivative of inverse dynamics along a motion: d tau / dt [N m/s or N/s].

        Args:
            q: coordinates (..., nq) [rad or m].
            qd, qdd: velocities and accelerations (..., nv).
            qddd: time derivatives of the entries of qdd (..., nv).
            external: for a link's name, the wrench that acts on it, as in `inverse_dynamics`. Without a rate its components
                are constant: along the link's axes it moves with the link, along the world's it keeps its direction, and its
                point stays fixed in the link.
            external_rates: for the name of a link in `external`, the rate of its wrench.
            base_motion: prescribed motion of the base, with its jerk.
            out: float64 array (..., nv) for the result.

        Returns:
            d tau / dt (..., nv), with rates of viscous friction, springs and rotor inertia. Coulomb friction is constant, but
            jumps where a joint reverses; the rate of the jump counts as zero.

        Raises:
            StateError: a size, type or number is wrong; the message says which.
        """
        loads = {"external": external, "external_rates": external_rates, "base_motion": base_motion}
        return self._call("torque_rates", (q, qd, qdd, qddd), out, **loads)

    def torques_and_rates(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        external_rates: Mapping[str, WrenchRate] | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return tau and d tau / dt (..., nv), computed together: common parts are computed once.

        Args:
            q, qd, qdd, qddd, external, external_rates, base_motion: as in `torque_rates`.
            out: float64 array (..., 2, nv) for both; the results are views of it.
        """
        if external is None and external_rates is None and base_motion is None:
            quick = self._plain("torques_and_rates")
            both = quick(q, qd, qdd, qddd) if out is None else quick(q, qd, qdd, qddd, out=out)
        else:
            loads = {"external": external, "external_rates": external_rates, "base_motion": base_motion}
            both = self._call("torques_and_rates", (q, qd, qdd, qddd), out, **loads)
        return both[..., 0, :], both[..., 1, :]

    @bound
    def joint_wrench_rates(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        external_rates: Mapping[str, WrenchRate] | None = None,
        base_motion: BaseMotion | None = None,
        axes: str = "joint",
        out: Out = None,
    ) -> np.ndarray:
        """Return the time derivative of `joint_wrenches`, entry by entry: (..., n_joints, 6) [N/s, N m/s].

        Args:
            q, qd, qdd, qddd, external, external_rates, base_motion, out: as in `torque_rates`.
            axes: "joint", "link", "parent" or "world", as in `joint_wrenches`. Components along rotating axes change even where
                the wrench, seen from the world, does not.
        """
        loads = {"external": external, "external_rates": external_rates, "base_motion": base_motion}
        return self._call("joint_wrench_rates", (q, qd, qdd, qddd), out, axes=axes, **loads)
