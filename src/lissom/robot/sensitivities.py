"""Sensitivities, as methods: derivatives of torques, joint wrenches and accelerations by the state."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algorithms.derivatives.tasks import derivatives_entries
from ..arrays import Accelerations, Out, Positions, Torques, Velocities
from ..derivatives import Derivatives
from ..locks import lazy_property
from ..wrench import BaseMotion, Wrenches
from .scatter import as_places
from .tables import Tables


class Sensitivities(Tables):
    """First derivatives by q, qd, qdd or tau, exact to rounding.

    Derivatives by q are by velocities: column k is the change along a small motion of velocity k, also where a joint's
    coordinates contain a quaternion. Coulomb friction counts as constant, at rest too.
    """

    def inverse_dynamics_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        packed: bool = False,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of the joint torques tau(q, qd, qdd): `d.dq`, `d.dqd`, `d.dqdd`.

        Args:
            q, qd, qdd, external, base_motion: as in `inverse_dynamics`. A wrench keeps its components along its axes: one
                given in the world's axes keeps its direction in space, and its point moves with the link.
            packed: return only the entries that can be non-zero, see `derivatives_entries`.
            out: float64 array for all three: (..., 3, nv, nv), packed (..., 3, n_entries).

        Returns:
            Derivatives of three arrays (..., nv, nv), torques in rows; packed (..., n_entries). `dqdd` is the mass matrix.

        Raises:
            StateError: an argument is wrong, or the result would be larger than the machine's memory.
        """
        return self._tables(
            "inverse_dynamics_derivatives", (q, qd, qdd), out, external=external, base_motion=base_motion, packed=packed
        )

    def forward_dynamics_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        tau: Torques,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of the accelerations qdd(q, qd, tau): `d.dq`, `d.dqd`, `d.dtau`.

        Args:
            q, qd, tau, external, base_motion: as in `forward_dynamics`.
            out: float64 array (..., 3, nv, nv) for all three.

        Returns:
            Derivatives of three arrays (..., nv, nv), accelerations in rows. `dtau` is the inverse of the mass matrix.
        """
        return self._tables("forward_dynamics_derivatives", (q, qd, tau), out, external=external, base_motion=base_motion)

    def joint_wrench_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        axes: str = "joint",
        joints: Sequence[str] | None = None,
        components: Sequence[str] | None = None,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of the force [N] and moment [N m] through joints: `d.dq`, `d.dqd`, `d.dqdd`.

        Args:
            q, qd, qdd, external, base_motion: as in `inverse_dynamics`.
            axes: of the wrenches, and with them the point, as in `joint_wrenches`; components along "parent" and "world" axes
                also change because the joint turns against those.
            joints: names of moving joints, in the order wanted; None for all of `moving_joint_names`.
            components: any of "fx", "fy", "fz", "mx", "my", "mz", in the order wanted; None for all six.
            out: float64 array (..., 3, n_joints, n_components, nv) for all three.

        Returns:
            Derivatives of three arrays (..., n_joints, n_components, nv). Others are not computed.

        Raises:
            NameLookupError: a joint does not exist, or does not move; the message suggests names.
            StateError: an argument is wrong, or the result would be larger than the machine's memory.
        """
        loads = {"external": external, "base_motion": base_motion}
        chosen = {"axes": axes, "joints": joints, "components": components}
        return self._tables("joint_wrench_derivatives", (q, qd, qdd), out, **loads, **chosen)

    @lazy_property
    def derivatives_entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the entries of packed derivatives: those where one joint carries the other.

        The order is by velocity: its row from the diagonal to the left, then its column from there upward.
        """
        return as_places(derivatives_entries(self.model))
