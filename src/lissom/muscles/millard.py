"""Millard 2012: curves of a muscle and its tendon, as quintic Bezier segments (`bezier.py`). Normalized as in `degroote.py`.

Points and slopes are those of Millard, Uchida, Seth and Delp 2013 and of OpenSim's curves of these names: the active curve has
two shoulders and a shallow slope before the plateau, and never falls below `least`; the passive curve starts flat and ends with
the stiffness 2 / strain; the tendon has a toe region up to two thirds of the maximum isometric force and the stiffness 1.375 /
strain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..spatial.scalar import Scalar
from .bezier import Bezier, Point


def nearness(curviness: float) -> float:
    """Return how near to its corner a segment of a curviness from 0 to 1 comes."""
    return 0.1 + 0.8 * curviness


@dataclass(frozen=True)
class Millard:
    """Curves of Millard 2012.

    Attributes:
        lengths: normalized lengths at which the active curve begins, turns to its shallow slope, and ends; its plateau is at 1.
        shallow: slope before the plateau.
        least: smallest value of the active curve.
        passive_strain: of the fiber, at which its passive force is the maximum isometric one; `passive_start`: where it begins.
        passive_foot, passive_stiffness: slopes of the passive curve where it begins to rise, and at its end; None: 2 / strain.
        concentric, isometric, eccentric: slopes of the velocity's factor at and near the fastest shortening, at rest, at and near
            the fastest lengthening.
        lengthening: factor at the fastest lengthening.
        tendon_strain: at the maximum isometric force.
        tendon_toe, tendon_stiffness: force at the end of the toe region, and slope from there on; None: 1.375 / strain.
        damping: of the fiber, force over normalized velocity.
        active_curviness, passive_curviness, concentric_curviness, eccentric_curviness, tendon_curviness: 0 to 1.
    """

    lengths: tuple[float, float, float] = (0.4441, 0.73, 1.8123)
    shallow: float = 0.8616
    least: float = 0.1
    passive_strain: float = 0.7
    passive_start: float = 0.0
    passive_foot: float = 0.2
    passive_stiffness: float | None = None
    concentric: tuple[float, float] = (0.0, 0.25)
    isometric: float = 5.0
    eccentric: tuple[float, float] = (0.0, 0.15)
    lengthening: float = 1.4
    tendon_strain: float = 0.049
    tendon_toe: float = 2.0 / 3.0
    tendon_stiffness: float | None = None
    damping: float = 0.1
    active_curviness: float = 1.0
    passive_curviness: float = 0.75
    concentric_curviness: float = 0.6
    eccentric_curviness: float = 0.9
    tendon_curviness: float = 0.5

    linear = True

    @cached_property
    def _active(self) -> Bezier:
        x0, x1, x3 = self.lengths
        half = 0.05  # of the plateau
        shoulder = 1.0 - half
        y1 = 1.0 - self.shallow * (shoulder - x1)
        steep = 1.25 * y1 / (x1 - x0)
        middle = (1.0 + half) + 0.5 * (x3 - (1.0 + half))
        fall = -1.0 / ((x3 - half) - (1.0 + half))
        points = (
            (x0, self.least, 0.0),
            (x0 + 0.5 * (x1 - x0), 0.5 * y1, steep),
            (x1 + 0.5 * (shoulder - x1), y1 + 0.5 * (1.0 - y1), self.shallow),
            (1.0, 1.0, 0.0),
            (middle, 0.5, fall),
            (x3, self.least, 0.0),
        )
        return Bezier(points, (nearness(self.active_curviness),) * 5)

    @cached_property
    def _passive(self) -> Bezier:
        x0, x1 = 1.0 + self.passive_start, 1.0 + self.passive_strain
        stiffness = self.passive_stiffness or 2.0 / (self.passive_strain - self.passive_start)
        low = x0 + min(0.1 / stiffness, 0.1 * (x1 - x0))
        foot = x0 + 0.5 * (low - x0)
        points: tuple[Point, ...] = (
            (x0, 0.0, 0.0),
            (low, self.passive_foot * (low - foot), self.passive_foot),
            (x1, 1.0, stiffness),
        )
        return Bezier(points, (nearness(self.passive_curviness),) * 2)

    @cached_property
    def _velocity(self) -> Bezier:
        (slow, near), (slow_e, near_e) = self.concentric, self.eccentric
        points: tuple[Point, ...] = (
            (-1.0, 0.0, slow),
            (-0.9, 0.05 * (near + slow), near),
            (0.0, 1.0, self.isometric),
            (0.9, self.lengthening - 0.05 * (near_e + slow_e), near_e),
            (1.0, self.lengthening, slow_e),
        )
        c, e = nearness(self.concentric_curviness), nearness(self.eccentric_curviness)
        return Bezier(points, (c, c, e, e))

    @cached_property
    def _tendon(self) -> Bezier:
        stiffness, one, end = self.tendon_stiffness or 1.375 / self.tendon_strain, 1.0 + self.tendon_strain, self.tendon_toe
        toe = (end - 1.0) / stiffness + one
        foot = 1.0 + (toe - 1.0) / 10.0
        middle = (0.5 * end - 1.0) / stiffness + one
        slope = 0.5 * end / (middle - foot)
        control = foot + 0.5 * (middle - foot)
        points: tuple[Point, ...] = ((1.0, 0.0, 0.0), (control, slope * (control - foot), slope), (toe, end, stiffness))
        return Bezier(points, (nearness(self.tendon_curviness),) * 2)

    def active(self, length: Scalar) -> Scalar:
        """Return the active force of a fiber at rest and fully active."""
        return self._active.value(length)

    def passive(self, length: Scalar) -> Scalar:
        """Return the passive force."""
        return self._passive.value(length)

    def velocity(self, velocity: Scalar, activation: Scalar = 1.0) -> Scalar:
        """Return the factor of the active force at a velocity, whatever the activation."""
        return self._velocity.value(velocity)

    def tendon(self, length: Scalar) -> Scalar:
        """Return the tendon's force; zero where it is slack."""
        return self._tendon.value(length)
