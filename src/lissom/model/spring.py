"""Springs: what makes a joint of one axis elastic."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..errors import ModelError
from .pose import as_number


@dataclass(frozen=True)
class Spring:
    """A spring beside the drive of a joint: it needs `stiffness` * (q - `rest`) + `damping` * qd (Khalil 2010, eqs (69), (70)).

    q is the joint's own coordinate, of a coupled joint ratio * leader + offset. The joint that gets the spring checks it.

    Attributes:
        stiffness: positive [N m/rad or N/m].
        rest: position without force [rad or m].
        damping: zero or positive [N m s/rad or N s/m]; part of the spring, so leaving out friction keeps it.
    """

    stiffness: float
    rest: float = 0.0
    damping: float = 0.0

    def checked(self, where: str) -> Spring:
        """Return it with plain numbers; what cannot be is a ModelError that begins with `where`."""
        values = {name: as_number(value, f"{where}{name} of the spring") for name, value in vars(self).items()}
        if not (math.isfinite(values["stiffness"]) and values["stiffness"] > 0):
            raise ModelError(
                f"{where}stiffness of the spring must be positive and finite, got {values['stiffness']:g}; "
                "leave the spring out where there is none, and use a fixed joint where nothing gives way"
            )
        if not math.isfinite(values["rest"]):
            raise ModelError(f"{where}rest position of the spring must be finite, got {values['rest']:g}")
        if not (math.isfinite(values["damping"]) and values["damping"] >= 0):
            raise ModelError(f"{where}damping of the spring must be zero or positive, got {values['damping']:g}")
        return replace(self, **values)
