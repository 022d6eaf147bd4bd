"""Derivatives of energies, momenta and the motion of links, as methods."""

from __future__ import annotations

from ..arrays import Accelerations, PointOnLink, Positions, Velocities
from ..derivatives import Derivatives
from .directional import Directional


class QuantityDerivatives(Directional):
    """Derivatives of energies, momenta and link motions, as matrices; those by q are by velocities.

    The last axis of every array (..., nv) is that of the variables, those before it are of the quantity.
    """

    def kinetic_energy_derivatives(self, q: Positions, qd: Velocities) -> Derivatives:
        """Return the derivatives of the kinetic energy: dq and dqd (..., nv); dqd is M(q) qd."""
        return self.vjp("kinetic_energy", (q, qd), 1.0)

    def potential_energy_derivatives(self, q: Positions) -> Derivatives:
        """Return the derivatives of the potential energy: dq (..., nv), which is gravity_torques(q) without springs."""
        return self.vjp("potential_energy", (q,), 1.0)

    def spring_energy_derivatives(self, q: Positions) -> Derivatives:
        """Return the derivatives of the energy in springs: dq (..., nv), the springs' part of gravity_torques(q)."""
        return self.vjp("spring_energy", (q,), 1.0)

    def center_of_mass_derivatives(self, q: Positions) -> Derivatives:
        """Return the derivatives of the center of mass: dq (..., 3, nv), which is center_of_mass_jacobian(q)."""
        return self.derivatives("center_of_mass", (q,))

    def momentum_derivatives(self, q: Positions, qd: Velocities, *, point: str = "com") -> Derivatives:
        """Return the derivatives of the total momentum: dq and dqd (..., 6, nv); dqd is the momentum matrix.

        Args:
            q, qd, point: as in `momentum`.
        """
        return self.derivatives("momentum", (q, qd), point=point)

    def link_velocity_derivatives(
        self, q: Positions, qd: Velocities, link: str, *, axes: str = "world", point: PointOnLink | None = None
    ) -> Derivatives:
        """Return the derivatives of a link's velocity J qd: dq and dqd (..., 6, nv); dqd is the Jacobian J.

        Args:
            q, qd, link, axes, point: as in `link_velocity`.
        """
        return self.derivatives("link_velocity", (q, qd), link=link, axes=axes, point=point)

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
    ) -> Derivatives:
        """Return the derivatives of a link's acceleration J qdd + J-dot qd: dq, dqd and dqdd (..., 6, nv); dqdd is J.

        Args:
            q, qd, qdd, link, axes, point, classical: as in `link_acceleration`.
        """
        more = {"link": link, "axes": axes, "point": point, "classical": classical}
        return self.derivatives("link_acceleration", (q, qd, qdd), **more)
