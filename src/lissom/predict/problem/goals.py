"""Goals: the terms that a problem minimizes, each with its weight and value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ..quantities.state import State
from ..search.grid import Grid
from ..search.instants import along
from .motion import Motion
from .parts import Integral, Limit
from .problem import MotionProblem

if TYPE_CHECKING:
    from ...spline.basis import Basis


class Goal(NamedTuple):
    """A term of the objective: weight times value.

    Attributes:
        label: name, with the unit in brackets.
        weight: in the objective.
        value: without the weight.
    """

    label: str
    weight: float
    value: float


def goal_labels(problem: MotionProblem) -> list[tuple[str, float]]:
    """Return the label and the weight of every goal, in the order in which they were given; "time" counts once."""
    return [(label, weight) for label, weight, _ in _terms(problem)]


def goal_values(problem: MotionProblem, motion: Motion) -> list[Goal]:
    """Return all goals of a problem for a motion, with integrals on the problem's grid as in the solver."""
    phases, columns, points, durations = problem.timing, problem.columns, motion.points, motion.durations
    bases = motion.bases(phases.clock_ends)
    states: dict[tuple[int, ...] | None, tuple[Grid, State]] = {}

    def on(during: tuple[int, ...] | None) -> tuple[Grid, State]:
        if during not in states:
            instants = along(phases, cast("Basis", bases[0]), problem.points_per_span, during)
            grid = Grid(bases, columns, instants, problem.parts.orders, phases)
            states[during] = grid, grid.state(points, durations)
        return states[during]

    def values(part: Integral | Limit) -> np.ndarray:
        return part.quantity.values(on(part.during)[1].part(columns.of(part.quantity)))

    found = []
    for label, weight, part in _terms(problem):
        if part is None:
            value = motion.duration
        elif isinstance(part, Integral):
            grid = on(part.during)[0]
            value = float(durations @ grid.by_clock(grid.weights * part.rate(values(part))))
        else:
            value = float(np.abs(values(part)[:, part.entries] / part.scale).max())
        found.append(Goal(label, weight, value))
    return found


def with_weights(problem: MotionProblem, weights: Sequence[float]) -> MotionProblem:
    """Return a copy of a problem with other weights of its goals, in the order of `goal_labels`; compiled code is shared."""
    given = dict(zip((id(part) for *_, part in _terms(problem)), map(float, weights), strict=True))
    parts = problem.parts
    integrals = [replace(integral, weight=given[id(integral)]) for integral in parts.integrals]
    peaks = [given[id(limit)] for limit in _peaks(problem)]
    other = problem.copy()
    other.parts = replace(other.parts, integrals=integrals, peaks=peaks, time=given.get(id(None), 0.0))
    return other


def _terms(problem: MotionProblem) -> list[tuple[str, float, Integral | Limit | None]]:
    """Return label, weight and part of every goal; the part of the time is None."""
    integrals, peaks = iter(problem.parts.integrals), iter(zip(_peaks(problem), problem.parts.peaks, strict=True))
    found: list[tuple[str, float, Integral | Limit | None]] = []
    for name in problem.goals:
        if name == "time":
            if not any(part is None for *_, part in found):
                found.append(("time [s]", problem.parts.time, None))
        elif name.startswith("peak"):
            limit, weight = next(peaks)
            found.append((_peak_label(limit), weight, limit))
        else:
            integral = next(integrals)
            found.append((_integral_label(integral), integral.weight, integral))
    return found


def _peaks(problem: MotionProblem) -> list[Limit]:
    return sorted((x for x in problem.parts.limits if x.peak is not None), key=lambda x: x.peak or 0)


def _integral_label(integral: Integral) -> str:
    quantity, which = integral.quantity, np.flatnonzero(integral.factors)
    units = [quantity.units()[int(k)] for k in which]
    if integral.square:
        units = [f"({unit})^2" if " " in unit or "/" in unit else unit and f"{unit}^2" for unit in units]
    of = f"{quantity.name}^2" if integral.square else quantity.name
    return f"integral of {of}{_some(quantity.labels, which)} [{_joined(f'{unit} s'.strip() for unit in units)}]"


def _peak_label(limit: Limit) -> str:
    quantity = limit.quantity
    units = _joined(quantity.units()[int(k)] for k in limit.entries) if (limit.scale == 1.0).all() else "of its scale"
    return f"peak of |{quantity.name}|{_some(quantity.labels, limit.entries)} [{units}]"


def _some(labels: Sequence[str], which: np.ndarray) -> str:
    """Return the names of the entries, if not all are meant."""
    return "" if len(which) == len(labels) else f" of {', '.join(labels[int(k)] for k in which)}"


def _joined(units: object) -> str:
    return " or ".join(dict.fromkeys(units))  # type: ignore[call-overload]
