"""Figures of a solution: the check of every limit, and the rounds of solving."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..problem.description import bounds
from ..quantities.root import Root

ROUNDING = 1e-9  # of a limit's scale: a violation up to that does not count


@dataclass(frozen=True)
class LimitReport:
    """Check of one entry of a limit.

    Attributes:
        label, unit: of the limited entry.
        lower, upper: its bounds, in that unit.
        active: share of the time for which it is within 1 % of its scale from a bound, or beyond it; of limits at some instants,
            the share of these at which it is at a bound. Of a limit of some phases, the share of their time. Friction counts
            where the point is loaded.
        violation: largest distance beyond a bound, on a grid ten times finer, in that unit.
        at: its time [s].
        multiplier: the sum of its multipliers: gain in the objective per unit by which both bounds are relaxed.
        scale: magnitude of a notable change, in that unit.
        shares: fractions of the duration at which it holds; empty for all the time.
        during: names of the phases in which it holds; empty for all.
        residual: of an equation at knots, how much it is missed between them, in that unit.
        root: where the entry is a square, what it is shown as: a distance, a speed.
        contact: name of the contact that it belongs to; empty for none.
    """

    label: str
    unit: str
    lower: float
    upper: float
    active: float
    violation: float
    at: float
    multiplier: float
    scale: float
    shares: tuple[float, ...] = ()
    during: tuple[str, ...] = ()
    residual: float = 0.0
    root: Root | None = None
    contact: str = ""

    @property
    def is_equation(self) -> bool:
        """Whether both bounds are one value."""
        return self.lower == self.upper

    @property
    def is_missed(self) -> bool:
        """Whether it is violated by more than rounding, 1e-9 of its scale."""
        return self.violation > ROUNDING * self.scale

    @property
    def when(self) -> str:
        """The phases in which it holds, and the fractions of the duration; empty for all the time."""
        at = f"at {', '.join(f'{x:g}' for x in self.shares)} of the duration" if self.shares else ""
        return ", ".join([*self.during, *([at] if at else [])])

    @property
    def bounds(self) -> str:
        """The bounds in words."""
        return bounds(self.lower, self.upper, self.unit)

    def shown(self) -> LimitReport:
        """Return the limit as people read it: of a square, that of its root, a distance [m] or a speed [m/s].

        Scale and multiplier are those of small changes at the bound, so that shares of the scale stay as they are.
        """
        found = None if self.root is None else self.root.bounds(self.lower, self.upper)
        if self.root is None or found is None:
            return self
        least = math.isfinite(self.lower) and self.lower > 0.0
        square = self.lower if least else self.upper
        size = math.sqrt(square)
        there = math.sqrt(max(0.0, square - self.violation if least else square + self.violation))
        return replace(
            self,
            label=self.root.label,
            unit=self.root.unit,
            lower=found[0],
            upper=found[1],
            violation=abs(there - size) if math.isfinite(self.violation) else self.violation,
            multiplier=self.multiplier * 2.0 * size,
            scale=self.scale / (2.0 * size),
            root=None,
        )


class Phase(NamedTuple):
    """A phase of a motion.

    Attributes:
        name: of the phase.
        start, end: its times [s].
    """

    name: str
    start: float
    end: float


@dataclass(frozen=True)
class Refinement:
    """One round of solving: control points, instants at which limits are enforced, objective, violation, iterations.

    The violation is the largest, also between instants, relative to the limit's scale.
    """

    control_points: int
    instants: int
    objective: float
    violation: float
    iterations: int
    seconds: float
