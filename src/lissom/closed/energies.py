"""Energies, center of mass and momentum of a closed robot, as methods."""

from __future__ import annotations

import numpy as np

from ..arrays import Out, Positions, TreePositions, Velocities
from .functions import ClosedFunctions


class ClosedEnergies(ClosedFunctions):
    """Energies, center of mass and momentum of the whole robot. Links fixed to the base are not counted.

    `near`, `tree_q` and `out` are as in `inverse_dynamics`.
    """

    def kinetic_energy(
        self,
        q: Positions | None,
        qd: Velocities,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the kinetic energy (...,) [J], rotors included."""
        return self._call("kinetic_energy", (q, qd), out, near=near, tree_q=tree_q)

    def potential_energy(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the potential energy of gravity (...,) [J]."""
        return self._call("potential_energy", (q,), out, near=near, tree_q=tree_q)

    def spring_energy(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the energy in springs and force elements (...,) [J]."""
        return self._call("spring_energy", (q,), out, near=near, tree_q=tree_q)

    def center_of_mass(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the center of mass of all links that move, in the world's frame (..., 3) [m]."""
        return self._call("center_of_mass", (q,), out, near=near, tree_q=tree_q)

    def center_of_mass_jacobian(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return J (..., 3, nv) with the velocity of the center of mass J qd, along the world's axes [m/s]."""
        return self._call("center_of_mass_jacobian", (q,), out, near=near, tree_q=tree_q)

    def momentum(
        self,
        q: Positions | None,
        qd: Velocities,
        *,
        point: str = "com",
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the total momentum, linear [N s] and angular [N m s], along the world's axes (..., 6).

        `point` is the reference of the angular momentum: "com", the center of mass, or "origin", that of the world.
        """
        return self._call("momentum", (q, qd), out, near=near, tree_q=tree_q, point=point)

    def centroidal_momentum_matrix(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return A (..., 6, nv) with momentum(q, qd) = A qd, about the center of mass."""
        return self._call("centroidal_momentum_matrix", (q,), out, near=near, tree_q=tree_q)
