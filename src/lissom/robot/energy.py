"""Energies, momenta and the Coriolis matrix at the front door."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms.dynamics import coriolis, energy, momentum
from ..arrays import Out, Positions, Velocities
from ..errors import ModelError, StateError, is_choice, suggest
from ..locks import lazy_property
from .base import RobotBase


class Energies(RobotBase):
    """What the mass of a robot does as a whole. Links that are fixed to the base never move and are not counted."""

    def kinetic_energy(self, q: Positions, qd: Velocities, *, out: Out = None) -> np.ndarray:
        """Return the kinetic energy 1/2 qd' M(q) qd (...,) [J], rotors included."""
        return self._number(self._evaluate(energy.kinetic_energy, (q, qd), (), out), out)

    def potential_energy(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the potential energy in gravity (...,) [J]; zero where the center of mass is level with the base's origin."""
        return self._number(self._evaluate(energy.potential_energy, (q,), (), out), out)

    def spring_energy(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the energy 1/2 sum K (q - rest)^2 in the springs of elastic joints (...,) [J]; not in `potential_energy`."""
        return self._number(self._evaluate(energy.spring_energy, (q,), (), out), out)

    @lazy_property
    def total_mass(self) -> float:
        """Mass of all links that move [kg]."""
        return momentum.total_mass(self.model)

    def center_of_mass(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the center of mass of all links that move, in the world's frame (..., 3) [m]."""
        self._need_mass()
        return self._evaluate(momentum.center_of_mass, (q,), (3,), out)

    def center_of_mass_jacobian(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return J (..., 3, nv) with the velocity of the center of mass J qd, along the world's axes [m/s]."""
        self._need_mass()
        return self._evaluate(momentum.center_of_mass_jacobian, (q,), (3, self.nv), out)

    def momentum(self, q: Positions, qd: Velocities, *, point: str = "com", out: Out = None) -> np.ndarray:
        """Return the total momentum, linear [N s] and angular [N m s], along the world's axes (..., 6).

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            point: what the angular momentum is about: "com", the center of mass, or "origin", that of the world.
            out: float64 array (..., 6) for the result.
        """
        self._check_momentum_point(point)
        return self._evaluate(momentum.momentum, (q, qd), (6,), out, point=point)

    def centroidal_momentum_matrix(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return A (..., 6, nv) with momentum(q, qd) = A qd, about the center of mass."""
        self._need_mass()
        return self._evaluate(momentum.centroidal_momentum_matrix, (q,), (6, self.nv), out)

    def coriolis_matrix(self, q: Positions, qd: Velocities, *, out: Out = None) -> np.ndarray:
        """Return C (..., nv, nv) with C qd + gravity_torques(q) = bias_torques(q, qd), friction and damping of springs apart.

        Of the many such matrices it is the one of Christoffel's symbols: the rate of the mass matrix less 2 C is skew-symmetric.
        """
        return self._evaluate(coriolis.coriolis_matrix, (q, qd), (self.nv, self.nv), out)

    def _check_momentum_point(self, point: Any) -> None:
        if not is_choice(point, momentum.MOMENTUM_POINTS):
            raise StateError(f"momentum has no point {point!r}; {suggest(str(point), momentum.MOMENTUM_POINTS)}")
        if point == "com":
            self._need_mass()

    def _need_mass(self) -> None:
        if not self.total_mass > 0:
            raise ModelError(f"robot {self.name!r} has no center of mass: no link that moves has inertia; give one an Inertia")

    @staticmethod
    def _number(result: np.ndarray, out: np.ndarray | None) -> np.ndarray:
        """Return a number instead of an array without axes."""
        return result if out is not None else result[()]
