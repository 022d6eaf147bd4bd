"""Values of a problem's goals for a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ..data.motion import Motion
from ..problem.goals import goal_terms
from ..problem.parts import Integral, Limit
from ..problem.problem import MotionProblem
from ..quantities.state import State
from ..transcription.grid import Grid
from ..transcription.instants import along

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
    for label, weight, part in goal_terms(problem):
        if part is None:
            value = motion.duration
        elif isinstance(part, Integral):
            grid = on(part.during)[0]
            value = float(durations @ grid.by_clock(grid.weights * part.rate(values(part))))
        else:
            value = float(np.abs(values(part)[:, part.entries] / part.scale).max())
        found.append(Goal(label, weight, value))
    return found
