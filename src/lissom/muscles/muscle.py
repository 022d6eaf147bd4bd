"""Muscle: the parameters of a Hill-type muscle and tendon, beside its path."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from ..errors import ModelError
from ..spatial.scalar import Scalar
from .degroote import DeGrooteFregly
from .path import Path


class Curves(Protocol):
    """Curves of a muscle: `DeGrooteFregly`, `Thelen` or `Millard`.

    Attributes:
        linear: whether the fiber's force is linear in the activation.
        damping: of the fiber, force over normalized velocity.
        tendon_strain: at the maximum isometric force.
    """

    @property
    def linear(self) -> bool: ...  # noqa: D102
    @property
    def damping(self) -> float: ...  # noqa: D102
    @property
    def tendon_strain(self) -> float: ...  # noqa: D102

    def active(self, length: Scalar) -> Scalar: ...  # noqa: D102
    def passive(self, length: Scalar) -> Scalar: ...  # noqa: D102
    def velocity(self, velocity: Scalar, activation: Scalar = 1.0) -> Scalar: ...  # noqa: D102
    def tendon(self, length: Scalar) -> Scalar: ...  # noqa: D102


@dataclass(frozen=True)
class Muscle:
    """A muscle: fibers of one length at an angle to the tendon, in series with it.

    Attributes:
        name: unique among muscles.
        path: from origin to insertion.
        max_isometric_force: of the fibers at their optimal length [N].
        optimal_fiber_length: [m].
        tendon_slack_length: [m].
        pennation: angle between fibers and tendon at the optimal fiber length [rad]; the fibers' thickness stays the same.
        max_velocity: fastest shortening [optimal fiber lengths per second].
        curves: of fiber and tendon.
        rise, fall: time constants of activation [s].
    """

    name: str
    path: Path
    max_isometric_force: float
    optimal_fiber_length: float
    tendon_slack_length: float
    pennation: float = 0.0
    max_velocity: float = 10.0
    curves: Curves = DeGrooteFregly()
    rise: float = 0.015
    fall: float = 0.060

    def __post_init__(self) -> None:
        where = f"muscle {self.name!r}: "
        positive = ("max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "max_velocity", "rise", "fall")
        units = dict(zip(positive, ("N", "m", "m", "optimal lengths/s", "s", "s"), strict=True))
        for field in positive:
            value = getattr(self, field)
            if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
                raise ModelError(where + f"{field} is {value!r}, expected a positive number [{units[field]}]")
            object.__setattr__(self, field, float(value))
        if not 0 <= self.pennation < math.pi / 2:
            raise ModelError(where + f"pennation is {self.pennation!r}, expected an angle from 0 up to pi/2 [rad]")

    @property
    def thickness(self) -> float:
        """Distance of the fibers' ends across the tendon [m], the same at every length."""
        return self.optimal_fiber_length * math.sin(self.pennation)
