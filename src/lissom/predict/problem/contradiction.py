"""Contradictions: two limits that exclude each other, or one that the start or the end breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import ContradictionError, StateError
from ..quantities.by_name import LINEAR
from ..quantities.quantity import ORDERS, Quantity, State
from .parts import Limit

ROUNDING = 1e-6  # share of a limit's scale by which an end may pass it: a pose from inverse kinematics is not exact


def refuse_contradiction(limit: Limit, others: Sequence[Limit], ends: Mapping[str, Mapping[str, np.ndarray]]) -> None:
    """Raise where bounds contradict those of other limits, or where the start or the end breaks them."""
    quantity = limit.quantity
    if limit.peak is not None:
        return
    there = {side: _known(quantity, given) for side, given in ends.items()}
    for e, entry in enumerate(limit.entries):
        label, unit = limit.label(e), quantity.units()[int(entry)]
        low, high = limit.lower[e], limit.upper[e]
        for number, other in enumerate(others):
            if other.quantity is not quantity or other.peak is not None or entry not in other.entries:
                continue
            if not _meet(limit.at, other.at):
                continue
            k = int(np.flatnonzero(other.entries == entry)[0])
            if other.lower[k] > high or other.upper[k] < low:
                one, two = (in_words(*pair, unit) for pair in ((low, high), (other.lower[k], other.upper[k])))
                raise ContradictionError(f"limits contradict each other: {label} {one}, and {two}", number)
        for side, values in there.items():
            here = limit.at is None or (0.0 if side == "start" else 1.0) in limit.at
            if values is not None and here:
                value, beyond = values[int(entry)], ROUNDING * limit.scale[e]
                if value < low - beyond or value > high + beyond:
                    asked = in_words(low, high, unit)
                    raise StateError(f"the {side}'s {label}, {value:g} {unit}, breaks a limit: it must be {asked}")


def _meet(one: np.ndarray | None, two: np.ndarray | None) -> bool:
    """Return whether two limits hold at a common instant; None is all the time."""
    return one is None or two is None or bool(np.isin(one, two).any())


def _known(quantity: Quantity, given: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return a quantity (size,) at an end, if everything it depends on is given there."""
    orders = range(max(ORDERS, max(quantity.orders) + 1))
    rates = [given.get(LINEAR[order]) if order < len(LINEAR) else None for order in orders]
    if any(rates[order] is None for order in quantity.orders):
        return None
    none = np.zeros(quantity.depends.shape[1])
    return quantity.values(State(tuple((none if rate is None else rate)[None] for rate in rates)))[0]


def in_words(low: float, high: float, unit: str) -> str:
    """Return the bounds in words."""
    if low == high:
        return f"exactly {low:g} {unit}"
    if np.isinf(low):
        return f"at most {high:g} {unit}"
    return f"at least {low:g} {unit}" if np.isinf(high) else f"between {low:g} and {high:g} {unit}"
