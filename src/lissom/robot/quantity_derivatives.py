"""Derivatives of energies, momenta and the motion of links, as methods."""

from __future__ import annotations

from ..arrays import Accelerations, Out, PointOnLink, Positions, Velocities
from ..derivatives import Derivatives
from .tables import Tables


class QuantityDerivatives(Tables):
    """Derivatives of energies, momenta and link motions, as matrices; those by q are by velocities.

    The last axis of every array (..., nv) is that of the variables, those before it are of the quantity.
    """

    def kinetic_energy_derivatives(self, q: Positions, qd: Velocities, *, out: Out = None) -> Derivatives:
        """Return the derivatives of the kinetic energy: dq and dqd (..., nv); dqd is M(q) qd."""
        return self._tables("kinetic_energy_derivatives", (q, qd), out)

    def potential_energy_derivatives(self, q: Positions, *, out: Out = None) -> Derivatives:
        """Return the derivatives of the potential energy: dq (..., nv), which is gravity_torques(q) without springs."""
        return self._tables("potential_energy_derivatives", (q,), out)

    def spring_energy_derivatives(self, q: Positions, *, out: Out = None) -> Derivatives:
        """Return the derivatives of the energy in springs: dq (..., nv), the springs' part of gravity_torques(q)."""
        return self._tables("spring_energy_derivatives", (q,), out)

    def center_of_mass_derivatives(self, q: Positions, *, out: Out = None) -> Derivatives:
        """Return the derivatives of the center of mass: dq (..., 3, nv), which is center_of_mass_jacobian(q)."""
        return self._tables("center_of_mass_derivatives", (q,), out)

    def momentum_derivatives(self, q: Positions, qd: Velocities, *, point: str = "com", out: Out = None) -> Derivatives:
        """Return the derivatives of the total momentum: dq and dqd (..., 6, nv); dqd is the momentum matrix.

        Args:
            q, qd, point: as in `momentum`.
        """
        return self._tables("momentum_derivatives", (q, qd), out, point=point)

    def link_velocity_derivatives(
        self, q: Positions, qd: Velocities, link: str, *, axes: str = "world", point: PointOnLink | None = None, out: Out = None
    ) -> Derivatives:
        """Return the derivatives of a link's velocity J qd: dq and dqd (..., 6, nv); dqd is the Jacobian J.

        Args:
            q, qd, link, axes, point: as in `link_velocity`.
        """
        return self._tables("link_velocity_derivatives", (q, qd), out, link=link, axes=axes, point=point)

    def link_acceleration_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        classical: bool = True,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of a link's acceleration J qdd + J-dot qd: dq, dqd and dqdd (..., 6, nv); dqdd is J.

        Args:
            q, qd, qdd, link, axes, point, classical: as in `link_acceleration`.
        """
        more = {"link": link, "axes": axes, "point": point, "classical": classical}
        return self._tables("link_acceleration_derivatives", (q, qd, qdd), out, **more)
