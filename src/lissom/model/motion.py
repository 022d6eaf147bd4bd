"""The motion of a custom joint: translations and rotations as functions of its coordinate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import ModelError, is_choice, suggest
from ..joints.function import Function
from .pose import Vector3, as_vector3

UNITS = ("rad", "m")
MOST = 3  # translations, and as many rotations

Along = tuple[Vector3, Function]


@dataclass(frozen=True)
class Motion:
    """T(t1 a1 + t2 a2 + ...) R(b1, r1) R(b2, r2) ..., every t [m] and r [rad] a function of the joint's coordinate.

    Attributes:
        translations: up to three pairs of an axis in the joint frame and a function.
        rotations: up to three pairs of an axis and a function; each rotation moves the axes of those after it.
        unit: of the coordinate, "rad" or "m".
    """

    translations: tuple[Along, ...] = ()
    rotations: tuple[Along, ...] = ()
    unit: str = "rad"

    def __post_init__(self) -> None:
        for name in ("translations", "rotations"):
            object.__setattr__(self, name, _checked(getattr(self, name), name))
        if not is_choice(self.unit, UNITS):
            raise ModelError(
                f"the unit of a custom joint's coordinate is 'rad' or 'm', got {self.unit!r}; {suggest(str(self.unit), UNITS)}"
            )


def _checked(pairs: object, name: str) -> tuple[Along, ...]:
    form = "pairs of an axis (three numbers) and a Polynomial, Spline, Polyline or Composed"
    if not isinstance(pairs, Sequence) or isinstance(pairs, str):
        raise ModelError(f"{name} of a motion must be {form}, got {pairs!r}")
    if len(pairs) > MOST:
        raise ModelError(f"a motion has at most {MOST} {name}, got {len(pairs)}")
    found: list[Along] = []
    for pair in pairs:
        if not isinstance(pair, Sequence) or len(pair) != 2 or not isinstance(pair[1], Function):
            raise ModelError(f"{name} of a motion must be {form}, got {pair!r}")
        axis = as_vector3(pair[0], f"axis of {name}")
        norm = math.sqrt(sum(x * x for x in axis))
        if not 1e-12 <= norm < math.inf:
            raise ModelError(f"an axis of the {name} has length {norm:g}; give a unit vector")
        # a unit axis is kept to the last bit, so that writing and reading a model is exact
        unit = axis if abs(norm - 1.0) < 1e-15 else (axis[0] / norm, axis[1] / norm, axis[2] / norm)
        found.append((unit, pair[1]))
    return tuple(found)
