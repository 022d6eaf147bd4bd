"""Energies, momenta and the Coriolis matrix, as methods."""

from __future__ import annotations

import numpy as np

from ..arrays import Out, Positions, Velocities
from .bound import bound
from .functions import Functions


class Energies(Functions):
    """Energies, center of mass and momentum of the whole robot. Links fixed to the base are not counted."""

    @bound
    def kinetic_energy(self, q: Positions, qd: Velocities, *, out: Out = None) -> np.ndarray:
        """Return the kinetic energy 1/2 qd' M(q) qd (...,) [J], rotors included."""
        return self._call("kinetic_energy", (q, qd), out)

    @bound
    def potential_energy(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the potential energy of gravity (...,) [J]; zero with the center of mass at the height of the base's origin."""
        return self._call("potential_energy", (q,), out)

    @bound
    def spring_energy(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the energy in springs of joints and drives, 1/2 K (q - rest)^2 each, and in force elements (...,) [J]."""
        return self._call("spring_energy", (q,), out)

    @bound
    def center_of_mass(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the center of mass of all links that move, in the world's frame (..., 3) [m]."""
        return self._call("center_of_mass", (q,), out)

    @bound
    def center_of_mass_jacobian(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return J (..., 3, nv) with the velocity of the center of mass J qd, along the world's axes [m/s]."""
        return self._call("center_of_mass_jacobian", (q,), out)

    @bound
    def momentum(self, q: Positions, qd: Velocities, *, point: str = "com", out: Out = None) -> np.ndarray:
        """Return the total momentum, linear [N s] and angular [N m s], along the world's axes (..., 6).

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            point: reference of the angular momentum: "com", the center of mass, or "origin", that of the world.
            out: float64 array (..., 6) for the result.
        """
        return self._call("momentum", (q, qd), out, point=point)

    @bound
    def centroidal_momentum_matrix(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return A (..., 6, nv) with momentum(q, qd) = A qd, about the center of mass."""
        return self._call("centroidal_momentum_matrix", (q,), out)

    @bound
    def coriolis_matrix(self, q: Positions, qd: Velocities, *, out: Out = None) -> np.ndarray:
        """Return C (..., nv, nv) with C qd + gravity_torques(q) = bias_torques(q, qd), without friction and damping of springs.

        It is the matrix of Christoffel's symbols: the rate of the mass matrix minus 2 C is skew-symmetric.
        """
        return self._call("coriolis_matrix", (q, qd), out)
