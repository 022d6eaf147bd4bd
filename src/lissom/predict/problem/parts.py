"""Parts of a motion problem: limits, integrals to minimize, and linear equations in the unknowns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS
from ..quantities.total import Total
from ..quantities.tracked import Tracked


@dataclass(frozen=True, eq=False)
class Limit:
    """Bounds of some entries of a quantity.

    Attributes:
        quantity: the quantity.
        entries: which of its entries, by number (E,).
        lower, upper: bounds (E,), in the quantity's unit; infinite where there is none.
        scale: magnitude of a notable change (E,), in the same unit: the solver sees entries divided by it.
        at: fractions of the duration (K,) at which it holds; None for all instants of the problem's grid.
        peak: the variable by which, times the scale, entries may pass their bounds, if that is minimized; with bounds of zero
            it is the largest |entry| / scale.
        hull: whether the control points of the quantity's spline are bounded instead of instants.
        of: number of the limit that this one repeats at more instants, because it was broken between them; `at` then has places
            along the splines.
        during: numbers of the phases in which it holds; None for all. Fractions `at` are then those of each phase.
        knots: whether it holds at as many instants as the acceleration has freedom: equations all the time, of that many rows.
        open: whether it is left out at the first and at the last instant of these, where something else says the same.
        fewer: how many of these next to the first and to the last one are left out, since an end of the motion says the same.
        contact: name of the contact that it belongs to, if any.
    """

    quantity: Quantity
    entries: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    scale: np.ndarray
    at: np.ndarray | None = None
    peak: int | None = None
    hull: bool = False
    of: int | None = None
    during: tuple[int, ...] | None = None
    knots: bool = False
    open: tuple[bool, bool] = (False, False)
    fewer: tuple[int, int] = (0, 0)
    contact: str | None = None

    def beyond(self, y: np.ndarray) -> np.ndarray:
        """Return how far the values y (K, size) are beyond their bounds (K, E), negative within them."""
        own = y[:, self.entries]
        return np.maximum(self.lower - own, own - self.upper)

    def holds_at(self, side: str, phases: int) -> bool:
        """Return whether it holds at the "start" or the "end" of a motion of so many phases."""
        first = side == "start"
        here = self.at is None or (0.0 if first else 1.0) in self.at
        return here and (self.during is None or (0 if first else phases - 1) in self.during)

    def label(self, entry: int) -> str:
        """Return the label of an entry."""
        return self.quantity.entry_label(int(self.entries[entry]))

    def shown(self, entry: int) -> tuple[str, float, float, str]:
        """Return label, lower, upper and unit of an entry as people read them: of a square, those of its root."""
        number, low, high = int(self.entries[entry]), float(self.lower[entry]), float(self.upper[entry])
        root = self.quantity.root(number)
        found = None if root is None else root.bounds(low, high)
        if root is None or found is None:
            return self.label(entry), low, high, self.quantity.units()[number]
        return root.label, *found, root.unit


@dataclass(frozen=True, eq=False)
class Integral:
    """weight times the integral over time of a sum of entries, or of their squares.

    Attributes:
        quantity: the integrand.
        factors: of its entries (size,), applied after squaring.
        weight: of the whole term.
        square: whether entries are squared.
        during: numbers of the phases over which it is taken; None for all.
    """

    quantity: Quantity
    factors: np.ndarray
    weight: float
    square: bool = True
    during: tuple[int, ...] | None = None

    def rate(self, y: np.ndarray) -> np.ndarray:
        """Return the integrand (K,) at entries y (K, size)."""
        return (y * y if self.square else y) @ self.factors

    def size(self, y: np.ndarray) -> np.ndarray:
        """Return the integrand (K,) without signs that cancel."""
        return (y * y if self.square else np.abs(y)) @ self.factors

    def slope(self, y: np.ndarray) -> np.ndarray:
        """Return its derivatives by the entries (K, size)."""
        return (2.0 * y if self.square else np.ones_like(y)) * self.factors

    def bend(self) -> np.ndarray:
        """Return its second derivatives by the entries (size,), the same everywhere."""
        return (2.0 if self.square else 0.0) * self.factors


Sum = tuple[tuple[int, float], ...]  # numbers of joints, each with its factor


class BothEnds(NamedTuple):
    """A condition between the two ends: sum of joints at the end = sign * sum of joints at the start + shift.

    Attributes:
        order: of the derivative by time.
        start, end: the sums.
        sign: 1 or -1.
        shift: [rad or m], zero for derivatives.
    """

    order: int
    start: Sum
    end: Sum
    sign: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, eq=False)
class Equation:
    """lower <= coefficients . x <= upper, with x the control points (m, n) one after the other, then the duration.

    Attributes:
        ends: of an equation between the two ends, what it says. Columns and coefficients belong to one basis; from this it is
            made for another.
    """

    columns: np.ndarray
    coefficients: np.ndarray
    lower: float
    upper: float
    label: str
    ends: BothEnds | None = None


@dataclass(eq=False)
class Parts:
    """The parts of a problem.

    Attributes:
        time: weight of the duration itself in the objective.
        peaks: weights of the largest entries that are minimized, one variable each.
        repeats: conditions between derivatives at both ends over several clocks.
        others: quantities that limits and goals may come to use, whose loads are settled.
    """

    limits: list[Limit] = field(default_factory=list)
    integrals: list[Integral] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    time: float = 0.0
    peaks: list[float] = field(default_factory=list)
    repeats: list[BothEnds] = field(default_factory=list)
    others: list[Quantity] = field(default_factory=list)

    def copy(self) -> Parts:
        """Return the same parts in new lists."""
        return replace(
            self,
            limits=list(self.limits),
            integrals=list(self.integrals),
            equations=list(self.equations),
            peaks=list(self.peaks),
            others=list(self.others),
        )

    @property
    def quantities(self) -> list[Quantity]:
        """Quantities of all limits and integrals, those that follow a target in them, and those that are summed."""
        found = [limit.quantity for limit in self.limits] + [integral.quantity for integral in self.integrals] + self.others
        found += [each.quantity for each in found if isinstance(each, Tracked)]
        return found + [part for each in found if isinstance(each, Total) for part in each.parts]

    @property
    def orders(self) -> int:
        """Number of derivatives that all quantities need, q counted."""
        return max([ORDERS - 1, *(max(quantity.orders) for quantity in self.quantities)]) + 1
