"""When a limit holds: all the time, at fractions of the duration, in some phases, or at knots."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import StateError
from ..data.channels import Channel
from ..data.phases import Phases
from ..quantities.quantity import Quantity
from .check import shares

KNOTS = "knots"


def when(
    phases: Phases, channels: dict[str, Channel], quantity: Quantity, at: Any, during: Any, equal: bool, hull: bool
) -> dict[str, Any]:
    """Return `at`, `during` and `knots` of a limit, after checks; `equal` says whether all its bounds are equations."""
    name, numbers = quantity.name, during_of(phases, channels, quantity, during)
    if hull and (during is not None or any(channels[own].part for own in quantity.channels)):
        raise StateError(f"limit of {name}: hull=True holds at all times, during= only in some phases; leave hull= out")
    if isinstance(at, str):
        if at != KNOTS:
            raise StateError(f"at is {at!r}, expected fractions of the duration from 0 (start) to 1 (end), or {KNOTS!r}")
        if not equal:
            raise StateError(
                f"limit of {name}: at={KNOTS!r} is for equations, lower and upper bounds that are equal; leave it out"
            )
        return {"during": numbers, "knots": True}
    fractions = shares(at)
    if fractions is None:
        return {"during": numbers}
    if numbers is not None and numbers[-1] - numbers[0] != len(numbers) - 1:
        raise StateError(f"limit of {name}: at= with during= needs one phase, or phases one after the other")
    several = phases.free and (numbers is None or len(numbers) > 1)
    if several and not np.isin(fractions, (0.0, 1.0)).all():
        raise StateError(
            f"limit of {name}: at={at!r} are fractions of a time whose phases have free durations; expected 0 and 1, or with "
            "during= fractions of one phase"
        )
    return {"at": fractions, "during": numbers}


def during_of(phases: Phases, channels: dict[str, Channel], quantity: Quantity, during: Any) -> tuple[int, ...] | None:
    """Return the numbers of phases of a limit or a goal: those named; of channels alone, those in which they live.

    Channels are zero elsewhere: sums of them (constant derivatives) are taken wherever one lives, others where all do.
    """
    numbers = phases.chosen(during)
    runs = [channels[name].run for name in quantity.channels]
    if numbers is not None or quantity.path or not any(runs):
        return numbers
    lives = [set(range(len(phases)) if run is None else range(*run)) for run in runs]
    alive = set.union(*lives) if quantity.constant else set.intersection(*lives)
    if len(alive) == len(phases):
        return None
    if not alive:
        raise StateError(f"{quantity.name} depends on channels that do not live in the same phases")
    return tuple(sorted(alive))
