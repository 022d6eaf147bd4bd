"""Contradictions: two limits that exclude each other, or one that the start or the end breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import ContradictionError, StateError
from ..data.phases import Phases
from ..quantities.box_clearances import BoxClearances
from ..quantities.by_name import LINEAR
from ..quantities.channels import WithGiven
from ..quantities.clearances import Clearances
from ..quantities.ground import OfGround
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State
from .parts import Limit

HEADING, TURN = 2, 4  # of a contact's place, and the row of its gap that depends on it
ROUNDING = 1e-6  # share of a limit's scale by which an end may pass it: a pose from inverse kinematics is not exact


def refuse_contradiction(
    limit: Limit, others: Sequence[Limit], ends: Mapping[str, Mapping[str, np.ndarray]], timing: Phases
) -> None:
    """Raise where bounds contradict those of other limits, or where the start or the end breaks them.

    `timing` has the phases: limits may hold in some of them only.
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
            if (when := _meeting(limit, other, timing)) is None:
                continue
            k = int(np.flatnonzero(other.entries == entry)[0])
            if other.lower[k] > high or other.upper[k] < low:
                one, two = (in_words(*pair, unit) for pair in ((low, high), (other.lower[k], other.upper[k])))
                raise ContradictionError(f"limits contradict each other: {label} {one}, and {two}{when}", number)
        for side, values in there.items():
            if values is not None and limit.holds_at(side, len(timing)):
                value, beyond = values[int(entry)], ROUNDING * limit.scale[e]
                if value < low - beyond or value > high + beyond:
                    if isinstance(quantity, Clearances | BoxClearances):
                        raise StateError(quantity.breach(side, int(entry), float(value), float(low)))
                    if limit.contact is not None and quantity.name in ("gap", "gap_rate"):
                        raise StateError(_off(limit.contact, side, quantity.name, label, float(value), unit))
                    said, least, most, its = limit.shown(e)  # of a square, its root
                    if said != label:
                        value = np.sqrt(max(float(value), 0.0))
                    asked = in_words(least, most, its)
                    raise StateError(f"the {side}'s {said}, {value:g} {its}, breaks a limit: it must be {asked}")


def _off(contact: str, side: str, name: str, label: str, value: float, unit: str) -> str:
    """Return the message of an end at which the points of a contact are not at their place, or move."""
    what = "are not where it holds" if name == "gap" else "move there"
    return (
        f"contact {contact!r} does not hold at the {side}: its points {what}; {label} is {value:g} {unit}, expected 0; change "
        f"the {side}, the contact's surface, place or points, or the phases in which it holds (during)"
    )


def _meeting(one: Limit, two: Limit, timing: Phases) -> str | None:
    """Return when two limits of one quantity hold at a common instant, in words, as far as it is plain; None where they do not.

    Where two phases meet, a quantity of derivatives that are continuous there has one value.
    """
    every = range(len(timing))
    own, other = (set(every if limit.during is None else limit.during) for limit in (one, two))
    if own & other and one.at is None and two.at is None:
        return ""
    if one.at is not None and two.at is not None:
        if one.during == two.during and np.isin(one.at, two.at).any():
            return ""
    elif (own <= other and two.at is None) or (other <= own and one.at is None):
        return ""
    quantity = one.quantity
    smooth = quantity.path and not quantity.channels and not isinstance(quantity, OfGround)
    smooth &= timing.named and max(quantity.orders) <= timing.smooth
    ends = [_ends(limit, len(timing), smooth) for limit in (one, two)]
    if not (common := ends[0] & ends[1]):
        return None
    k, side = min(common)
    return f" where phase {timing.names[k - 1]!r} ends and {timing.names[k]!r} begins" if not side else ""


def _ends(limit: Limit, phases: int, smooth: bool) -> set[tuple[int, int]]:
    """Return ends of phases at which a limit holds: their number, and -1 before, 1 after it; 0 where both are the same."""
    own = range(phases) if limit.during is None else limit.during
    if limit.at is None:
        found = {(k, 1) for k in own} | {(k + 1, -1) for k in own}
    else:
        found = {(own[0], 1)} if 0.0 in limit.at else set()
        found |= {(own[-1] + 1, -1)} if 1.0 in limit.at else set()
    return {(k, 0 if smooth and 0 < k < phases else side) for k, side in found}


def _known(quantity: Quantity, given: Mapping[str, np.ndarray], s: float) -> np.ndarray | None:
    """Return a quantity (size,) at an end, if everything it depends on is given there."""
    gap = quantity if isinstance(quantity, WithGiven) and quantity.name in ("gap", "gap_rate") else None
    if quantity.channels and gap is None:  # unknown there
        return None
    orders = range(max(ORDERS, max(quantity.orders) + 1))
    rates = [given.get(LINEAR[order]) if order < len(LINEAR) else None for order in orders]
    if any(rates[order] is None for order in quantity.orders):
        return None
    if gap is not None:
        return _of_gap(gap, [given[LINEAR[order]] for order in quantity.orders])
    none = np.zeros(quantity.depends.shape[1])
    return quantity.values(State(tuple((none if rate is None else rate)[None] for rate in rates), np.array([s])))[0]


def _of_gap(quantity: WithGiven, rates: Sequence[np.ndarray]) -> np.ndarray:
    """Return the gap, or its rate, of a contact (rows,) whose place is to be found; NaN where that decides.

    Heights do not depend on the place, nor do rates on where it is. Along two headings at right angles, the rates of the row that
    turns are those of the way between two points: the turn is as large, where these points keep their height.
    """
    place = quantity.options["place"]
    unknown = [k for k, x in enumerate(place) if x is None]

    def at(heading: float) -> np.ndarray:
        own = np.array([heading if k == HEADING else 0.0 for k in unknown])
        more = [own, *(np.zeros_like(own) for _ in range(ORDERS - 1))]
        every = [*rates, *(np.zeros_like(rates[0]) for _ in range(ORDERS - len(rates)))]
        return quantity.values(State([np.concatenate(pair)[None] for pair in zip(every, more, strict=True)]))[0]

    found = at(0.0)
    if quantity.name == "gap":
        found[[k if k < HEADING else TURN for k in unknown]] = np.nan
    elif HEADING in unknown:
        found[TURN] = np.hypot(found[TURN], at(-0.5 * np.pi)[TURN])
    return found


def in_words(low: float, high: float, unit: str) -> str:
    """Return the bounds in words."""
    if low == high:
        return f"exactly {low:g} {unit}"
    if np.isinf(low):
        return f"at most {high:g} {unit}"
    return f"at least {low:g} {unit}" if np.isinf(high) else f"between {low:g} and {high:g} {unit}"
