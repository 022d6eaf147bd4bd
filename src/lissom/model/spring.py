"""Springs of elastic joints of one axis."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..errors import ModelError
from .pose import as_number


@dataclass(frozen=True)
class Spring:
    """A spring parallel to the drive: torque `stiffness` * (q - `rest`) + `damping` * qd (Khalil 2010, eqs (69), (70)).

    q is the joint's own coordinate, of a coupled joint ratio * leader + offset. The joint that gets the spring checks it.

    Attributes:
        stiffness: positive [N m/rad or N/m].
        rest: position without torque [rad or m].
        damping: zero or positive [N m s/rad or N s/m]; part of the spring, so kept without friction.
    """

    stiffness: float
    rest: float = 0.0
    damping: float = 0.0

    def checked(self, where: str) -> Spring:
        """Return it with plain numbers; raise a ModelError that begins with `where` if it is invalid."""
        values = {name: as_number(value, f"{where}{name} of the spring") for name, value in vars(self).items()}
        if not (math.isfinite(values["stiffness"]) and values["stiffness"] > 0):
            raise ModelError(
                f"{where}stiffness of the spring must be positive and finite, got {values['stiffness']:g}; "
                "leave out a spring without stiffness, and use a fixed joint for a rigid one"
            )
        if not math.isfinite(values["rest"]):
            raise ModelError(f"{where}rest position of the spring must be finite, got {values['rest']:g}")
        if not (math.isfinite(values["damping"]) and values["damping"] >= 0):
            raise ModelError(f"{where}damping of the spring must be zero or positive, got {values['damping']:g}")
        return replace(self, **values)
