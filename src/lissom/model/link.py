"""Links: names and inertias."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ..errors import ModelError
from .pose import ZERO3, Matrix3, Vector3, as_matrix3, as_number, as_vector3, expect
from .show import vector

_ZERO33: Matrix3 = (ZERO3, ZERO3, ZERO3)


@dataclass(frozen=True)
class Inertia:
    """Mass distribution of a link.

    Attributes:
        mass: [kg], positive.
        com: center of mass in the link's frame [m].
        tensor: inertia about the center of mass, along the axes of the link's frame [kg m^2]. All zero is a point mass.
    """

    mass: float
    com: Vector3 = ZERO3
    tensor: Matrix3 = _ZERO33

    def __post_init__(self) -> None:
        mass = as_number(self.mass, "mass")
        if not math.isfinite(mass) or mass <= 0:
            raise ModelError(f"mass must be positive, got {mass:g}")
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "com", as_vector3(self.com, "center of mass"))
        tensor = as_matrix3(self.tensor, "inertia")
        object.__setattr__(self, "tensor", tensor)
        I = np.array(tensor)
        size = np.abs(I).max()
        with np.errstate(over="ignore"):
            if np.abs(I - I.T).max() > 1e-9 * size:
                raise ModelError("inertia is not symmetric")
        # joints carry the moments about the origin of the frame
        if not math.isfinite(mass * sum(x * x for x in self.com) + 9.0 * float(size)):
            raise ModelError(
                f"mass {mass:g}, center of mass {self.com} and inertia are too large to compute with; check the units"
            )

    def __repr__(self) -> str:
        moments = vector(self.tensor[k][k] for k in range(3))
        return f"<Inertia: {self.mass:.6g} kg at {vector(self.com)} m, Ixx Iyy Izz = {moments} kg m^2>"

    @property
    def principal_moments(self) -> tuple[float, float, float]:
        """Principal moments about the center of mass [kg m^2], ascending."""
        a, b, c = np.linalg.eigvalsh(np.array(self.tensor))
        return (float(a), float(b), float(c))

    @property
    def triangle_excess(self) -> float:
        """Largest principal moment minus the sum of the others [kg m^2]; no rigid body has a positive one."""
        a, b, c = self.principal_moments
        return c - a - b


@dataclass(frozen=True)
class Link:
    """A rigid body with a frame.

    Attributes:
        name: unique in the model.
        inertia: None for a frame without mass.
        massless: True suppresses the warning for a joint that moves only this link without mass. It does not change the
            mechanism: links that differ only in it are equal.
    """

    name: str
    inertia: Inertia | None = None
    massless: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        expect(self.massless, bool, f"link {self.name!r}: massless", "True or False")
        if self.inertia is not None:
            expect(self.inertia, Inertia, f"link {self.name!r}: inertia", "Inertia(mass, com, tensor) or None")
            if self.massless:
                raise ModelError(f"link {self.name!r} is marked massless but has a mass; remove one of the two")

    def __repr__(self) -> str:
        return f"<Link {self.name!r}: {'no mass' if self.inertia is None else f'{self.inertia.mass:.6g} kg'}>"
