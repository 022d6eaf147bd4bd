"""De Groote and Fregly 2016: smooth curves of a muscle and its tendon, over any scalar.

Lengths and velocities are normalized: fiber length over the optimal one, fiber velocity over the fastest shortening (negative
where the fiber shortens), tendon length over its slack length; forces over the maximum isometric force.
    active     sum of b1 exp(-(l - b2)^2 / (2 (b3 + b4 l)^2))                                      De Groote 2016, (S1)
    passive    (exp(k (l - 1) / e0) - exp(k (0.2 - 1) / e0)) / (exp(k) - exp(k (0.2 - 1) / e0))     zero at l = 0.2
    velocity   d1 ln(d2 v + d3 + sqrt((d2 v + d3)^2 + 1)) + d4                                     (S3), and its inverse
    tendon     0.2 exp(kT (l - 1)) - 0.2                                                           (S2)
Numbers of the active curve and of the velocity are those of OpenSim's muscle of this name, whose curves pass through 1 at l = 1
and through 0 and 1 at v = -1 and 0 exactly; the paper prints three digits of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..spatial.scalar import Scalar, exp, log, sqrt

ACTIVE = (  # b1, b2, b3, b4
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.5 * math.sqrt(0.5), 0.0),
)
D1, D2, D3, D4 = -0.3211346127989808, -8.149, -0.374, 0.8825327733249912
SHORTEST = 0.2  # normalized length at which the passive force is zero
STIFFNESS = 4.0  # k of the passive curve
SHARE = 0.2  # of the tendon's curve


@dataclass(frozen=True)
class DeGrooteFregly:
    """Curves of De Groote and Fregly 2016.

    Attributes:
        width: scale of the active curve's width about the optimal length.
        passive_strain: of the fiber, at which its passive force is the maximum isometric one.
        tendon_strain: of the tendon at the maximum isometric force.
        damping: of the fiber, force over normalized velocity.
    """

    width: float = 1.0
    passive_strain: float = 0.6
    tendon_strain: float = 0.049
    damping: float = 0.0

    linear = True  # the fiber's force is linear in the activation

    def active(self, length: Scalar) -> Scalar:
        """Return the active force of a fiber at rest and fully active."""
        x = (length - 1.0) * (1.0 / self.width) + 1.0
        total: Scalar = 0.0
        for b1, b2, b3, b4 in ACTIVE:
            z = (x - b2) / (x * b4 + b3)
            total = total + b1 * exp(z * z * -0.5)
        return total

    def passive(self, length: Scalar) -> Scalar:
        """Return the passive force."""
        zero = math.exp(STIFFNESS * (SHORTEST - 1.0) / self.passive_strain)
        return (exp((length - 1.0) * (STIFFNESS / self.passive_strain)) - zero) * (1.0 / (math.exp(STIFFNESS) - zero))

    def velocity(self, velocity: Scalar, activation: Scalar = 1.0) -> Scalar:
        """Return the factor of the active force at a velocity, whatever the activation."""
        z = velocity * D2 + D3
        return D1 * log(z + sqrt(z * z + 1.0)) + D4

    def inverse_velocity(self, factor: Scalar, activation: Scalar = 1.0) -> Scalar:
        """Return the velocity at which the active force has a factor."""
        x = (factor - D4) * (1.0 / D1)
        return (0.5 * (exp(x) - exp(-x)) - D3) * (1.0 / D2)

    @property
    def tendon_stiffness(self) -> float:
        """The exponent kT of the tendon's curve."""
        return math.log((1.0 + SHARE) / SHARE) / self.tendon_strain

    def tendon(self, length: Scalar) -> Scalar:
        """Return the tendon's force; slightly negative where it is slack, never below -0.2."""
        return SHARE * exp((length - 1.0) * self.tendon_stiffness) - SHARE

    def inverse_tendon(self, force: Scalar) -> Scalar:
        """Return the length of a tendon with a force."""
        return log((force + SHARE) * (1.0 / SHARE)) * (1.0 / self.tendon_stiffness) + 1.0
