"""Clearances that a contact decides: points of its link are as high over its surface as they are in any pose that reaches it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...algorithms.contacts.loads import Touch
from ...errors import StateError
from ..data.contact import FLAT, Contact
from ..problem.contradiction import in_words
from ..problem.parts import Limit
from ..problem.problem import MotionProblem
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State

CLOSE = 1e-3  # [m], by which a bound may be missed: as much as contacts may move


def expect_clearances(problem: MotionProblem, contacts: Sequence[Contact], phase: int, q: np.ndarray) -> None:
    """Raise StateError where contacts that hold in a phase contradict a limit of clearance there.

    Args:
        problem: the problem.
        contacts: that hold in this phase.
        phase: its number.
        q: a pose (n,) that reaches them.
    """
    state, timing = State((q[None],) + (np.zeros((1, len(q))),) * (ORDERS - 1)), problem.timing
    for limit in problem.parts.limits:
        if limit.quantity.name != "clearance" or limit.peak is not None or not _holds(limit, phase, len(timing)):
            continue
        for contact in contacts:
            fixed = _decided(limit.quantity, contact)
            if not any(fixed):
                continue
            y = limit.quantity.values(state)[0]
            for e, entry in enumerate(limit.entries):
                low, high, value = float(limit.lower[e]), float(limit.upper[e]), round(float(y[entry]), 3)
                if fixed[entry] and not low - CLOSE <= value <= high + CLOSE:
                    when = f" in phase {timing.names[phase]!r}" if timing.named else ""
                    raise StateError(
                        f"contact {contact.name!r} contradicts a limit{when}: it holds {limit.label(e)} at {value:g} m, "
                        f"which must be {in_words(low, high, 'm')}; let the limit or the contact hold in other phases"
                    )


def _holds(limit: Limit, phase: int, phases: int) -> bool:
    """Return whether a limit holds in a phase at some instant."""
    if limit.during is None and limit.at is not None and phases > 1:
        return (phase == 0 and 0.0 in limit.at) or (phase == phases - 1 and 1.0 in limit.at)
    if limit.during is not None and limit.at is not None and len(limit.during) > 1:  # fractions of the whole run
        return (phase == limit.during[0] and 0.0 in limit.at) or (phase == limit.during[-1] and 1.0 in limit.at)
    return limit.during is None or phase in limit.during


def _decided(clearance: Quantity, contact: Contact) -> list[bool]:
    """Return which points of a clearance keep their height while a contact holds: those of its plane, line or point."""
    options = getattr(clearance, "options", {})
    own, touch = options.get("touch"), contact.touch
    if not isinstance(own, Touch) or (own.link, own.surface, own.axes[2]) != (touch.link, touch.surface, touch.axes[2]):
        return [False] * clearance.size
    if options["origin"] != contact.surface.origin:
        return [False] * clearance.size
    tips = np.array([touch.points[k] for k in contact.tips])
    ways, off = (tips[1:] - tips[0]).T, np.array(own.points) - tips[0]
    if len(tips) == 3:
        return [True] * clearance.size
    rest = off - (ways @ np.linalg.pinv(ways) @ off.T).T if len(tips) == 2 else off
    return [bool(x) for x in np.linalg.norm(rest, axis=1) < FLAT]
