"""Rates of forces at the front door: how fast the forces of a motion change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algorithms.rates import tasks as tasks
from ..arrays import Accelerations, Jerks, Out, Positions, Velocities
from ..errors import StateError
from ..wrench import BaseMotion, Wrench, Wrenches, WrenchRate, side_by_side
from .base import RobotBase, TaskMaker, check_wrench_axes
from .bound import bound

_LOADS = "*, external=None, external_rates=None, base_motion=None, out=None"


class Rates(RobotBase):
    """Exact time derivatives of joint forces and joint wrenches."""

    @bound(tasks.joint_torque_rates, lambda robot: (robot.nv,), _LOADS)
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
            external: for a link's name, the wrench that acts on it, as in `inverse_dynamics`. Without a rate it changes as
                little as it can: along the link's axes it moves with the link, along the world's it keeps its direction, and
                the point where it acts stays with the link.
            external_rates: for the name of a link in `external`, how its wrench changes.
            base_motion: prescribed motion of the base, with its jerk.
            out: float64 array (..., nv) for the result.

        Returns:
            d tau / dt (..., nv), with rates of viscous friction, springs and rotor inertia. Coulomb friction is constant, but
            jumps as a joint turns round; the jump has no rate and counts as zero.

        Raises:
            StateError: a size, type or number is wrong; the message says which.
        """
        state = (q, qd, qdd, qddd)
        return self._rates(tasks.joint_torque_rates, state, (self.nv,), out, external, external_rates, base_motion)

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
        """Return tau and d tau / dt (..., nv), computed together: what they have in common is computed once.

        Args:
            q, qd, qdd, qddd, external, external_rates, base_motion: as in `torque_rates`.
            out: float64 array (..., 2, nv) for both; what is returned are views of it.
        """
        if external is None and external_rates is None and base_motion is None:
            quick = self._quick(tasks.torques_and_rates, (2, self.nv))
            both = quick(q, qd, qdd, qddd) if out is None else quick(q, qd, qdd, qddd, out=out)
        else:
            loads = (external, external_rates, base_motion)
            both = self._rates(tasks.torques_and_rates, (q, qd, qdd, qddd), (2, self.nv), out, *loads)
        return both[..., 0, :], both[..., 1, :]

    def joint_wrench_rates(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        external_rates: Mapping[str, WrenchRate] | None = None,
        axes: str = "joint",
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the time derivative of what `joint_wrenches` returns, entry by entry: (..., n_joints, 6) [N/s, N m/s].

        Args:
            q, qd, qdd, qddd, external, external_rates, base_motion, out: as in `torque_rates`.
            axes: "joint", "link", "parent" or "world", as in `joint_wrenches`. Components along axes that turn change even where
                the wrench itself, seen from the world, does not.
        """
        check_wrench_axes(axes)
        shape, state = (len(self.moving_joint_names), 6), (q, qd, qdd, qddd)
        return self._rates(tasks.joint_wrench_rates, state, shape, out, external, external_rates, base_motion, axes=axes)

    def _rates(
        self,
        maker: TaskMaker,
        state: tuple[Any, ...],
        shape: tuple[int, ...],
        out: Any,
        external: Any,
        external_rates: Any,
        base_motion: Any,
        **options: Any,
    ) -> np.ndarray:
        """Evaluate a task with the rates of its loads behind the state."""
        if isinstance(base_motion, BaseMotion):
            state = (*state, base_motion.packed_jerk())
        acting = self._check_external(external)
        changes = self._check_rates(external_rates, acting)
        if changes:
            parts = {link: changes[link].packed() if link in changes else np.zeros(9) for link in acting}
            state, options["changing"] = (*state, side_by_side(parts, "rates of external wrenches")), True
        return self._evaluate(maker, state, shape, out, external, base_motion, **options)

    def _check_rates(self, rates: Any, acting: Mapping[str, Wrench]) -> dict[str, WrenchRate]:
        if rates is None:
            return {}
        if not isinstance(rates, Mapping):
            raise StateError(
                f"external_rates must map links to rates, {{'tool': lissom.WrenchRate(...)}}, got {type(rates).__name__}"
            )
        for link, rate in rates.items():
            self.model.link(link)  # a wrong name raises
            if not isinstance(rate, WrenchRate):
                raise StateError(
                    f"the rate of the external wrench on {link!r} must be a lissom.WrenchRate(force, moment), "
                    f"got {type(rate).__name__}"
                )
            if link not in acting:
                raise StateError(
                    f"external_rates names {link!r}, on which no external wrench acts; "
                    "give its wrench in external too, which may be zero and names the axes"
                )
        return dict(rates)
