"""Point spring: a spring and damper between two points of two links.

    d = p_b - p_a,  L = |d|         the force on a is  + (K (L - rest) + D L') d / L,  on b the opposite
    L' = d . (v_b - v_a) / L        energy  1/2 K (L - rest)^2
Written without L where possible: K d alone if rest and damping are zero, which is defined at L = 0 too. Otherwise a spring of
zero length has no direction, which is an error that names it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...errors import ModelError
from ...spatial.scalar import Scalar, add, guard, mul, sqrt, sub
from ...spatial.vector import Vector
from ..pose import Vector3
from .element import Ends, ForceElement

SHORTEST = 1e-9  # [m] below which the direction of a spring is lost in the rounding of its points


@dataclass(frozen=True)
class PointSpring(ForceElement):
    """A spring and damper between a point of one link and a point of another; either may be the base.

    It pulls its points together where it is longer than `rest` and pushes them apart where it is shorter.

    Attributes:
        name: unique among force elements.
        link_a, link_b: names of two links.
        point_a, point_b: where it is attached, in the frames of these links [m].
        stiffness: zero or positive [N/m]; zero for a damper alone.
        rest: length without force, zero or positive [m].
        damping: zero or positive [N s/m]; part of the spring, so kept without friction.
    """

    kind: ClassVar[str] = "point_spring"

    name: str
    link_a: str
    point_a: Vector3
    link_b: str
    point_b: Vector3
    stiffness: float
    rest: float = 0.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        where = self._plain()
        if self.link_a == self.link_b:
            raise ModelError(where + f"both ends are on link {self.link_a!r}; a spring acts between two links")
        for field, unit in (("stiffness", "N/m"), ("rest", "m"), ("damping", "N s/m")):
            value = getattr(self, field)
            if not (math.isfinite(value) and value >= 0):
                raise ModelError(where + f"{field} must be zero or positive and finite [{unit}], got {value:g}")
        if self.stiffness == 0.0 and self.damping == 0.0:
            raise ModelError(where + "stiffness and damping are both zero; give one of them, or leave the element out")

    @property
    def ends(self) -> Ends:
        """Link and point of each end."""
        return ((self.link_a, self.point_a), (self.link_b, self.point_b))

    @property
    def damped(self) -> bool:
        """Whether it has a damper."""
        return self.damping > 0

    def forces(self, p: Sequence[Vector], v: Sequence[Vector]) -> list[Vector]:
        """Return the forces on its two points [N]."""
        d = p[1] - p[0]
        pull: Scalar = self.stiffness  # force over length
        if self.stiffness and self.rest:
            pull = sub(pull, self.stiffness * self.rest / sqrt(self._square(d)))
        if self.damping:
            pull = add(pull, mul(mul(self.damping, d.dot(v[1] - v[0])), 1.0 / self._square(d)))
        on_a = d * pull
        return [on_a, on_a * -1.0]

    def energy(self, p: Sequence[Vector]) -> Scalar:
        """Return the energy of the spring [J]."""
        d = p[1] - p[0]
        if not self.rest:
            return mul(0.5 * self.stiffness, d.dot(d))
        stretch = sub(sqrt(d.dot(d)), self.rest)
        return mul(0.5 * self.stiffness, mul(stretch, stretch))

    def _square(self, d: Vector) -> Scalar:
        """Return L^2; where the length is zero, NaN, or an error for a constant."""
        square, least = d.dot(d), SHORTEST**2
        if type(square) is float and not square > least:
            raise ModelError(
                f"force element {self.name!r}: its points on links {self.link_a!r} and {self.link_b!r} coincide, so its force "
                "has no direction; keep the points apart, or attach the spring elsewhere (without rest length and damping it "
                "may have no length)"
            )
        return guard(square, least)
