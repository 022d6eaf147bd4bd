"""Goals: the terms that a problem minimizes, with their labels and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .parts import Integral, Limit

if TYPE_CHECKING:
    from .problem import MotionProblem


NAMED = 4  # entries at most that a label names; it counts more of them


def goal_labels(problem: MotionProblem, named: float = NAMED) -> list[tuple[str, float]]:
    """Return the label and the weight of every goal, in the order in which they were given; "time" counts once.

    Args:
        problem: the problem.
        named: names of entries in a label, at most.
    """
    return [(label, weight) for label, weight, _ in goal_terms(problem, named)]


def with_weights(problem: MotionProblem, weights: Sequence[float]) -> MotionProblem:
    """Return a copy of a problem with other weights of its goals, in the order of `goal_labels`; compiled code is shared."""
    given = dict(zip((id(part) for *_, part in goal_terms(problem)), map(float, weights), strict=True))
    parts = problem.parts
    integrals = [replace(integral, weight=given[id(integral)]) for integral in parts.integrals]
    peaks = [given[id(limit)] for limit in _peaks(problem)]
    other = problem.copy()
    other.parts = replace(other.parts, integrals=integrals, peaks=peaks, time=given.get(id(None), 0.0))
    return other


def goal_terms(problem: MotionProblem, named: float = NAMED) -> list[tuple[str, float, Integral | Limit | None]]:
    """Return label, weight and part of every goal; the part of the time is None."""
    joints = problem.robot.joint_names
    integrals, peaks = iter(problem.parts.integrals), iter(zip(_peaks(problem), problem.parts.peaks, strict=True))
    found: list[tuple[str, float, Integral | Limit | None]] = []
    for name in problem.goals:
        if name == "time":
            if not any(part is None for *_, part in found):
                found.append(("time [s]", problem.parts.time, None))
        elif name.startswith("peak"):
            limit, weight = next(peaks)
            found.append((_peak_label(limit, joints, named), weight, limit))
        else:
            integral = next(integrals)
            found.append((_integral_label(integral, joints, named), integral.weight, integral))
    return found


def _peaks(problem: MotionProblem) -> list[Limit]:
    return sorted((x for x in problem.parts.limits if x.peak is not None), key=lambda x: x.peak or 0)


def _integral_label(integral: Integral, joints: Sequence[str], named: float) -> str:
    quantity, which = integral.quantity, np.flatnonzero(integral.factors)
    units = [quantity.units()[int(k)] for k in which]
    if integral.square:
        units = [f"({unit})^2" if " " in unit or "/" in unit else unit and f"{unit}^2" for unit in units]
    of = f"{quantity.name}^2" if integral.square else quantity.name
    return f"integral of {of}{_some(quantity.labels, which, joints, named)} [{_joined(f'{unit} s'.strip() for unit in units)}]"


def _peak_label(limit: Limit, joints: Sequence[str], named: float) -> str:
    quantity = limit.quantity
    units = _joined(quantity.units()[int(k)] for k in limit.entries) if (limit.scale == 1.0).all() else "of its scale"
    return f"peak of |{quantity.name}|{_some(quantity.labels, limit.entries, joints, named)} [{units}]"


def _some(labels: Sequence[str], which: np.ndarray, joints: Sequence[str], named: float) -> str:
    """Return the names of the entries, if not all are meant; of many, how many joints or entries they are."""
    own = [labels[int(k)] for k in which]
    if len(own) == len(labels):
        return ""
    if len(own) <= named:
        return f" of {', '.join(own)}"
    return f" of {len(own)} {'joints' if set(own) <= set(joints) else 'entries'}"


def _joined(units: object) -> str:
    return " or ".join(dict.fromkeys(units))  # type: ignore[call-overload]
