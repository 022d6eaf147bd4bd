"""From the end of a solver's run to the Solution that is returned, or the error that is raised."""

from __future__ import annotations

import contextlib

from ..errors import Interrupted
from .evaluator import Evaluator
from .solution import Best, Iterate, Point, Solution
from .status import Status


def conclude(
    evaluator: Evaluator, best: Best, last: Point, status: Status, history: tuple[Iterate, ...], iterations: int, seconds: float
) -> Solution:
    """Return the solution, or raise the error of a function of the program, with the best point attached.

    Raises:
        Interrupted: after Ctrl-C, with the solution as its `result`.
    """
    error, evaluator.error = evaluator.error, None
    if isinstance(error, KeyboardInterrupt):  # a second Ctrl-C, or one inside a function of the program
        status = Status.INTERRUPTED
    elif error is not None:
        status = Status.FAILED
    if error is None and status is not Status.EVALUATION_FAILED:  # there, f and g need not belong to the last point
        best.offer(last)
    # where the solver succeeded, or proved infeasibility, its last point is the answer
    point = last if status.ok or status is Status.INFEASIBLE else best.point
    message = status.meaning
    if status is Status.INFEASIBLE:
        missed = best.nlp.violation(last.x, last.constraints)
        message += f" The largest violation of a constraint or bound is {missed:.3g}."
    if evaluator.not_finite:
        message += f" {evaluator.not_finite} results were not finite; {evaluator.trouble}."
    solution = Solution(*point, status, message, iterations, seconds, evaluator.evaluations(), history)
    if status is Status.INTERRUPTED:
        try:
            raise Interrupted(message, solution) from error
        finally:
            del error
    if error is None:
        return solution
    with contextlib.suppress(AttributeError, TypeError):  # some errors take neither attributes nor notes
        error.add_note(
            f"raised by {evaluator.failing} of a nonlinear program, after {iterations} iterations and {evaluator.points} points; "
            "the best point before is the attribute `solution` of this error"
        )
        error.solution = solution  # type: ignore[attr-defined]
    try:
        raise error
    finally:
        del error  # the traceback holds this frame: no cycle must keep the program alive
