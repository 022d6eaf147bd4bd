"""Parts of a motion problem: limits, integrals to minimize, and linear equations in the unknowns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ..quantities.quantity import ORDERS, Quantity


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
        of: number of the limit that this one repeats at more instants, because it was broken between them.
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

    def beyond(self, y: np.ndarray) -> np.ndarray:
        """Return how far the values y (K, size) are beyond their bounds (K, E), negative within them."""
        own = y[:, self.entries]
        return np.maximum(self.lower - own, own - self.upper)

    def label(self, entry: int) -> str:
        """Return the label of an entry."""
        return self.quantity.entry_label(int(self.entries[entry]))


@dataclass(frozen=True, eq=False)
class Integral:
    """weight times the integral over time of a sum of entries, or of their squares.

    Attributes:
        quantity: the integrand.
        factors: of its entries (size,), applied after squaring.
        weight: of the whole term.
        square: whether entries are squared.
    """

    quantity: Quantity
    factors: np.ndarray
    weight: float
    square: bool = True

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


@dataclass(frozen=True, eq=False)
class Equation:
    """lower <= coefficients . x <= upper, with x the control points (m, n) one after the other, then the duration.

    Attributes:
        ends: of an equation between the two ends: order of the derivative, joint at the start, joint at the end, sign. Columns
            and coefficients belong to one basis; from these it is made for another.
    """

    columns: np.ndarray
    coefficients: np.ndarray
    lower: float
    upper: float
    label: str
    ends: tuple[int, int, int, float] | None = None


@dataclass(eq=False)
class Parts:
    """The parts of a problem.

    Attributes:
        time: weight of the duration itself in the objective.
        peaks: weights of the largest entries that are minimized, one variable each.
    """

    limits: list[Limit] = field(default_factory=list)
    integrals: list[Integral] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    time: float = 0.0
    peaks: list[float] = field(default_factory=list)

    def copy(self) -> Parts:
        """Return the same parts in new lists."""
        return replace(
            self,
            limits=list(self.limits),
            integrals=list(self.integrals),
            equations=list(self.equations),
            peaks=list(self.peaks),
        )

    @property
    def orders(self) -> int:
        """Number of derivatives that all quantities need, q counted."""
        limited, integrated = ([max(part.quantity.orders) for part in parts] for parts in (self.limits, self.integrals))
        return max([ORDERS - 1, *limited, *integrated]) + 1
