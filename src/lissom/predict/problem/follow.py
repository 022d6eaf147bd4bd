"""What goals follow: a target and weights over the motion, checked when they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import StateError
from ..data.phases import Phases
from ..quantities.quantity import Quantity
from ..quantities.tracked import Curve, Tracked
from .check import scales


def followed(
    quantity: Quantity,
    which: np.ndarray,
    target: Any,
    weights: Any,
    scale: Any,
    square: bool,
    over: tuple[float, float] = (0.0, 1.0),
) -> Quantity:
    """Return a quantity relative to its target, weighted and divided by scales; as it is where none of them is given.

    Args:
        quantity: of the goal.
        which: numbers of its entries in the goal.
        target, weights: see `Curve`; None where not given.
        scale: of these entries, a number or one per entry; None for one.
        square: whether the goal is an integral of squares.
        over: places along the splines at which the fractions of target and weights are 0 and 1.
    """
    if target is None and weights is None and scale is None:
        return quantity
    if target is not None and not square:
        raise StateError(
            f"an integral of {quantity.name} - target with square=False has no least value; leave square= out, for squares"
        )
    labels = [quantity.labels[int(entry)] for entry in which]
    goal = None if target is None else Curve(target, labels, f"target of {quantity.name}")
    factors = None if weights is None else Curve(weights, labels, f"weights of {quantity.name}", by_time=True)
    size = None if scale is None else scales(quantity, which, scale, None, None)
    if goal is not None:
        goal.range()
    if factors is not None:
        least, most = factors.range()
        if least < 0.0 or not most > 0.0:
            raise StateError(f"{factors.what} are {least:g} to {most:g}, expected zero or more, and not zero all the time")
    return Tracked(quantity, which, goal, factors, size, square, over)


def span_of(phases: Phases, numbers: tuple[int, ...] | None) -> tuple[float, float]:
    """Return where some phases, None for all, begin and end along the splines."""
    return (0.0, 1.0) if numbers is None else (phases.ends[numbers[0]], phases.ends[numbers[-1] + 1])
