"""Balance: the equations of motion of undriven columns, which a problem gets when it is solved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import StateError
from ...spline import SplinePath
from ..data.motion import idle
from ..problem.contradiction import refuse_contradiction
from ..problem.parts import Limit
from ..problem.problem import MotionProblem
from ..problem.undriven import weight_of
from ..transcription.of_problem import transcribed


def with_balance(problem: MotionProblem) -> MotionProblem:
    """Return a problem with the equations of motion of its undriven columns, a copy; itself where there are none.

    Raises:
        StateError: there are more equations than unknowns.
    """
    if not problem.undriven or problem.balanced:
        return problem
    ground, during = problem.quantities.ground, None
    if ground is not None:  # which gives what the root needs, where something stands on it
        if not (flight := ground.numbers(count=0)):
            return problem
        during = ground.during(flight)
    other = problem.copy()
    other.balanced = True
    quantity, which = problem.quantities.get("torque"), np.array(problem.undriven, dtype=int)
    zero, scale = np.zeros(len(which)), np.full(len(which), weight_of(problem.robot))
    limit = Limit(quantity, which, zero, zero, scale, knots=True, during=during)
    refuse_contradiction(limit, problem.parts.limits, problem.ends, problem.timing)
    other.parts.limits.append(limit)
    if not problem.contacts:  # of which some equations follow from others: they are counted when they are found
        _expect_unknowns(other)
    return other


def _expect_unknowns(problem: MotionProblem) -> None:
    """Raise StateError where equations are more than unknowns."""
    path = SplinePath(np.zeros((problem.basis.count, problem.n)), problem.duration[0], basis=problem.basis)
    equal = [limit for limit in problem.parts.limits if limit.peak is None and (limit.lower == limit.upper).any()]
    parts = replace(problem.parts, limits=equal, integrals=[], peaks=[])
    program = transcribed(problem, idle(path, problem.channels, problem.timing), parts)
    low, high = program.bounds()
    unknowns, rows = int((program.lower < program.upper).sum()), int((low == high).sum()) - len(program.slopes.settled())
    if rows > unknowns:
        names = problem.undriven_names
        raise StateError(
            f"{rows} equations for {unknowns} unknowns: {', '.join(names)} of {problem.robot.name!r} "
            f"{'has' if len(names) == 1 else 'have'} no drive, so that too little is left to choose; free an end (None), add "
            "control points, a channel that pushes, or a drive (driven=)"
        )
