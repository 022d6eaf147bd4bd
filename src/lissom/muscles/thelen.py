"""Thelen 2003: curves of a muscle and its tendon, over any scalar. Normalized as in `degroote.py`.

    active     exp(-(l - 1)^2 / width)
    passive    (exp(k (l - 1) / e0) - 1) / (exp(k) - 1) where l > 1, otherwise 0
    velocity   the factor depends on the activation a; with s = 1/4 + 3/4 a, shortening (v <= 0) and lengthening
                   (s + v) / (s - v / Af)          (s + c v Flen) / (s + c v),  c = (2 + 2 / Af) / (Flen - 1)
    tendon     toe region Ft (exp(3 e / et) - 1) / (exp(3) - 1) up to the strain et, then a line
(Thelen 2003, equations 1 to 8.) The factors solve the paper's equation (6) for the force. OpenSim ends the lengthening side at
95 % of Flen with a line, and so does this file; the toe of the tendon ends at Ft = 1/3 by default.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..spatial.scalar import Scalar, exp, less, select

TOE = 3.0  # exponent of the tendon's toe region
TOE_FORCE = 0.33  # where it ends
NEAR = 0.95  # of the largest force of a lengthening fiber, beyond which its curve is a line


@dataclass(frozen=True)
class Thelen:
    """Curves of Thelen 2003.

    Attributes:
        width: of the active curve, KshapeActive.
        passive_shape, passive_strain: of the passive curve, KshapePassive and FmaxMuscleStrain.
        curvature: of the velocity's factor, Af.
        lengthening: largest force of a lengthening fiber, Flen.
        tendon_strain: at the maximum isometric force, FmaxTendonStrain.
    """

    width: float = 0.45
    passive_shape: float = 5.0
    passive_strain: float = 0.6
    curvature: float = 0.25
    lengthening: float = 1.4
    tendon_strain: float = 0.04

    damping = 0.0
    linear = False  # the velocity's factor depends on the activation

    def active(self, length: Scalar) -> Scalar:
        """Return the active force of a fiber at rest and fully active."""
        return exp((length - 1.0) * (length - 1.0) * (-1.0 / self.width))

    def passive(self, length: Scalar) -> Scalar:
        """Return the passive force."""
        k = self.passive_shape
        force = (exp((length - 1.0) * (k / self.passive_strain)) - 1.0) * (1.0 / (math.exp(k) - 1.0))
        return select(less(1.0, length), force, 0.0)

    def velocity(self, velocity: Scalar, activation: Scalar = 1.0) -> Scalar:
        """Return the factor of the active force at a velocity and an activation; never negative."""
        s = activation * 0.75 + 0.25
        c = (2.0 + 2.0 / self.curvature) / (self.lengthening - 1.0)
        shortening = (s + velocity) / (s - velocity * (1.0 / self.curvature))
        shortening = select(less(velocity, -s), 0.0, shortening)
        lengthening = (s + velocity * (c * self.lengthening)) / (s + velocity * c)
        near = self._near(s)
        slope = (self.lengthening - 1.0) * c * s / ((s + near * c) * (s + near * c))
        lengthening = select(less(near, velocity), NEAR * self.lengthening + slope * (velocity - near), lengthening)
        return select(less(0.0, velocity), lengthening, shortening)

    def inverse_velocity(self, factor: Scalar, activation: Scalar = 1.0) -> Scalar:
        """Return the velocity at which the active force has a factor."""
        s = activation * 0.75 + 0.25
        c = (2.0 + 2.0 / self.curvature) / (self.lengthening - 1.0)
        shortening = s * (factor - 1.0) / (factor * (1.0 / self.curvature) + 1.0)
        lengthening = s * (factor - 1.0) / (c * (self.lengthening - factor))
        near = self._near(s)
        slope = (self.lengthening - 1.0) * c * s / ((s + near * c) * (s + near * c))
        lengthening = select(
            less(NEAR * self.lengthening, factor), near + (factor - NEAR * self.lengthening) / slope, lengthening
        )
        return select(less(1.0, factor), lengthening, shortening)

    def _near(self, s: Scalar) -> Scalar:
        """Return the velocity where the factor is NEAR of the largest."""
        c = (2.0 + 2.0 / self.curvature) / (self.lengthening - 1.0)
        return s * ((NEAR * self.lengthening - 1.0) / (c * self.lengthening * (1.0 - NEAR)))

    @property
    def _toe(self) -> tuple[float, float]:
        """Strain at the end of the toe region, and stiffness beyond."""
        end = 0.99 * self.tendon_strain * math.exp(3.0) / (1.66 * math.exp(3.0) - 0.67)
        return end, 0.67 / (self.tendon_strain - end)

    def tendon(self, length: Scalar) -> Scalar:
        """Return the tendon's force; zero where it is slack."""
        end, stiffness = self._toe
        strain = length - 1.0
        toe = (exp(strain * (TOE / end)) - 1.0) * (TOE_FORCE / (math.exp(TOE) - 1.0))
        force = select(less(end, strain), (strain - end) * stiffness + TOE_FORCE, toe)
        return select(less(0.0, strain), force, 0.0)
