"""Contradictions: two limits that exclude each other, or one that the start or the end breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import ContradictionError, StateError
from ..quantities.box_clearances import BoxClearances
from ..quantities.by_name import LINEAR
from ..quantities.clearances import Clearances
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State
from .parts import Limit

ROUNDING = 1e-6  # share of a limit's scale by which an end may pass it: a pose from inverse kinematics is not exact


def refuse_contradiction(
    limit: Limit, others: Sequence[Limit], ends: Mapping[str, Mapping[str, np.ndarray]], phases: int = 1
) -> None:
    """Raise where bounds contradict those of other limits, or where the start or the end breaks them.

    `phases` is the number of phases: limits may hold in some of them only.
    """
    quantity = limit.quantity
    if limit.peak is not None:
        return
    there = {side: _known(quantity, given, 0.0 if side == "start" else 1.0) for side, given in ends.items()}
    for e, entry in enumerate(limit.entries):
        label, unit = limit.label(e), quantity.units()[int(entry)]
        low, high = limit.lower[e], limit.upper[e]
        for number, other in enumerate(others):
            if other.quantity is not quantity or other.peak is not None or entry not in other.entries:
                continue
            if not _meet(limit, other):
                continue
            k = int(np.flatnonzero(other.entries == entry)[0])
            if other.lower[k] > high or other.upper[k] < low:
                one, two = (in_words(*pair, unit) for pair in ((low, high), (other.lower[k], other.upper[k])))
                raise ContradictionError(f"limits contradict each other: {label} {one}, and {two}", number)
        for side, values in there.items():
            if values is not None and limit.holds_at(side, phases):
                value, beyond = values[int(entry)], ROUNDING * limit.scale[e]
                if value < low - beyond or value > high + beyond:
                    if isinstance(quantity, Clearances | BoxClearances):
                        raise StateError(quantity.breach(side, int(entry), float(value), float(low)))
                    said, least, most, its = limit.shown(e)  # of a square, its root
                    if said != label:
                        value = np.sqrt(max(float(value), 0.0))
                    asked = in_words(least, most, its)
                    raise StateError(f"the {side}'s {said}, {value:g} {its}, breaks a limit: it must be {asked}")


def _meet(one: Limit, two: Limit) -> bool:
    """Return whether two limits hold at a common instant, as far as it is plain; None is all the time."""
    if one.during is not None and two.during is not None and not set(one.during) & set(two.during):
        return False
    if one.at is None and two.at is None:
        return True
    if one.during == two.during:
        return one.at is None or two.at is None or bool(np.isin(one.at, two.at).any())
    return False


def _known(quantity: Quantity, given: Mapping[str, np.ndarray], s: float) -> np.ndarray | None:
    """Return a quantity (size,) at an end, if everything it depends on is given there."""
    if quantity.channels:  # unknown there
        return None
    orders = range(max(ORDERS, max(quantity.orders) + 1))
    rates = [given.get(LINEAR[order]) if order < len(LINEAR) else None for order in orders]
    if any(rates[order] is None for order in quantity.orders):
        return None
    none = np.zeros(quantity.depends.shape[1])
    return quantity.values(State(tuple((none if rate is None else rate)[None] for rate in rates), np.array([s])))[0]


def in_words(low: float, high: float, unit: str) -> str:
    """Return the bounds in words."""
    if low == high:
        return f"exactly {low:g} {unit}"
    if np.isinf(low):
        return f"at most {high:g} {unit}"
    return f"at least {low:g} {unit}" if np.isinf(high) else f"between {low:g} and {high:g} {unit}"
