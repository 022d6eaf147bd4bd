"""Tracked: a quantity relative to a given curve, weighted by time, as goals follow it.

    z = c(s) (y - y*(s)) / scale,   c = sqrt(w) where z is squared, otherwise w

Target and weight are known functions of s alone, so derivatives of z are those of y times c / scale.
Symbols: s fraction of the duration | y entries of the quantity | y* target | w weight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import StateError, suggest
from .quantity import Quantity
from .state import State

MOST = 1_000_000  # rows of a curve
PROBES = 21  # fractions at which functions are tried when they are given
KEPT = 16  # grids of instants whose values are kept


class Curve:
    """Given values over the motion: constant, at equal fractions of the duration with straight lines between, or a function.

    Args:
        value: a number, one per entry (E,), by name; rows (m, E) at equal fractions from the start to the end; or a function of
            the fraction s, from 0 to 1, which returns a number or (E,).
        labels: of the E entries.
        what: it is, for messages.
        by_time: whether numbers in a row (m,) are at equal fractions, the same for all entries.
    """

    def __init__(self, value: Any, labels: Sequence[str], what: str, by_time: bool = False) -> None:
        self.what, self.size, self.function = what, len(labels), value if callable(value) else None
        self._kept: dict[bytes, np.ndarray] = {}
        if self.function is None:
            self.rows = _rows(value, labels, what, by_time)

    def __call__(self, s: np.ndarray) -> np.ndarray:
        """Return values (K, E) at fractions (K,)."""
        key = s.tobytes()
        if key not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[key] = self._at(s)
        return self._kept[key]

    def range(self) -> tuple[float, float]:
        """Return the least and the largest value; of a function, at some instants."""
        found = self.rows if self.function is None else self(np.linspace(0.0, 1.0, PROBES))
        return float(found.min()), float(found.max())

    def _at(self, s: np.ndarray) -> np.ndarray:
        if self.function is not None:
            return np.stack([self._called(self.function, float(x)) for x in s])
        last = len(self.rows) - 1
        if not last:
            return np.broadcast_to(self.rows[0], (len(s), self.size))
        at = np.clip(s, 0.0, 1.0) * last
        k = np.minimum(at.astype(int), last - 1)
        share = (at - k)[:, None]
        return (1.0 - share) * self.rows[k] + share * self.rows[k + 1]

    def _called(self, function: Callable[[float], Any], s: float) -> np.ndarray:
        found = _array(function(s))
        if found is None or found.shape not in ((), (1,), (self.size,)) or not np.isfinite(found).all():
            some = "a finite number" if self.size == 1 else f"{self.size} finite numbers, or one for all"
            raise StateError(f"{self.what} at the fraction {s:g} is {found!r}, expected {some}")
        return np.broadcast_to(found, (self.size,))


class Tracked(Quantity):
    """A quantity minus its target, times a weight, divided by scales.

    Args:
        quantity: that follows the target.
        which: numbers of the entries that do; others are left alone.
        target: values of these entries; None for zero.
        weights: factors by time, zero or more; None for one.
        scale: of these entries (E,).
        square: whether the result is squared: then it is multiplied by the root of the weight.
        over: instants s at which the fractions of target and weights are 0 and 1.
    """

    def __init__(
        self,
        quantity: Quantity,
        which: np.ndarray,
        target: Curve | None = None,
        weights: Curve | None = None,
        scale: np.ndarray | None = None,
        square: bool = True,
        over: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        self.over = over
        self.quantity, self.which, self.target, self.weights, self.square = quantity, which, target, weights, square
        self.labels, self.orders, self.depends = quantity.labels, quantity.orders, quantity.depends
        self.path, self.channels, self._joined_by = quantity.path, quantity.channels, quantity._joined_by
        self.scale = np.ones(quantity.size)
        units = list(quantity.units())
        if scale is not None:
            self.scale[which] = scale
            units = ["" if k in which else unit for k, unit in enumerate(units)]
        self.unit = tuple(units)
        name = quantity.name if target is None else f"({quantity.name} - target)"
        name = name if scale is None else f"({name}/scale)"
        self.name = name if weights is None else f"weighted {name}"

    def values(self, state: State) -> np.ndarray:
        """Return c (y - y*) / scale."""
        factor, offset = self.line(fractions(state))
        return self.quantity.values(state) * factor - offset

    def derivatives(self, state: State) -> np.ndarray:
        """Return those of the quantity, times c / scale."""
        return self.quantity.derivatives(state) * self.line(fractions(state))[0][..., None]

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray | None:
        """Return that of the quantity for weights times c / scale."""
        return self.quantity.curvature(state, weights * self.line(fractions(state))[0])

    def line(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return factor and offset (K, size) at instants s (K,): z = factor y - offset."""
        low, high = self.over
        at = s if (low, high) == (0.0, 1.0) else np.clip((s - low) / (high - low), 0.0, 1.0)
        factor = np.tile(1.0 / self.scale, (len(s), 1))
        if self.weights is not None:
            w = self.weights(at)
            if (w < 0.0).any():
                raise StateError(f"{self.weights.what} are {w.min():g} at some time, expected zero or more")
            factor[:, self.which] *= np.sqrt(w) if self.square else w
        offset = np.zeros_like(factor)
        if self.target is not None:
            offset[:, self.which] = factor[:, self.which] * self.target(at)
        return factor, offset


def fractions(state: State) -> np.ndarray:
    """Return the instants of a state as fractions of the duration (K,)."""
    if state.s is None:
        raise StateError("this State has no fractions of the duration, State.s, at which a target or a weight could be taken")
    return state.s


def _rows(value: Any, labels: Sequence[str], what: str, by_time: bool) -> np.ndarray:
    """Return rows (m, E), one where the value is constant."""
    size = len(labels)
    if isinstance(value, Mapping):
        for name in value:
            if name not in labels:
                raise StateError(f"{what}: no entry {name!r}; {suggest(str(name), labels)}")
        missing = [label for label in labels if label not in value]
        if missing:
            raise StateError(f"{what} has no value for {missing[0]!r}; give one for each of {', '.join(labels)}")
        value = [value[label] for label in labels]
    found = _array(value)
    if found is not None and found.ndim == 1 and len(found) > 1 and (by_time or size == 1):
        found = np.broadcast_to(found[:, None], (len(found), size))
    elif found is not None and found.ndim < 2 and found.shape in ((), (1,), (size,)):
        found = np.broadcast_to(found, (1, size))
    if found is None or found.ndim != 2 or found.shape[1] != size or not 1 <= len(found) <= MOST:
        one = f"a number, ({size},), (m, {size})" if not by_time else f"a number, (m,), (m, {size})"
        got = "no array of numbers" if found is None else f"of shape {found.shape}"
        raise StateError(f"{what} is {got}, expected {one} over equal fractions of the duration, or a function of the fraction")
    if not np.isfinite(found).all():
        raise StateError(f"{what} is not finite in row {int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])}")
    return found


def _array(value: Any) -> np.ndarray | None:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
