"""Solving motion problems: a start, the nonlinear program, a restart, finer splines, and the result."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from ...errors import Interrupted, PredictionError, StateError, suggest
from ...nlp.solution import Solution
from ...nlp.status import Status
from ...one_thread import one_thread
from ...robot.check import as_flag
from ...spline import SplinePath
from ...spline.check import integer
from ..data.motion import Motion
from ..problem.check import MOST_REFINED
from ..problem.goals import goal_labels
from ..problem.problem import MotionProblem
from ..problem.solve_options import Progress
from ..result.prediction import Prediction
from .advice import advice
from .balance import with_balance
from .end_positions import expect_freedom
from .feasible import feasible
from .first_motion import first_motion
from .least_broken import break_least
from .progress import Line, reporting
from .refine import mend
from .run import Found, Run
from .starts import perturbed

SOLVERS = ("ipopt", "uno")
HESSIANS = ("auto", "exact", "gauss-newton")
SETTLED = 1e-4  # relative change of the objective from which another doubling of knots is not worth it
DOUBLINGS = 8  # of the knots, at most
GROSS = 0.1  # share of its scale from which a broken limit makes a motion worse than one that costs more
IMPOSSIBLE = (Status.INFEASIBLE, Status.RESTORATION_FAILED)


def solve(
    problem: MotionProblem,
    *,
    start: SplinePath | Prediction | None = None,
    tolerance: float = 1e-8,
    limit_tolerance: float | None = 1e-3,
    iterations: int = 500,
    seconds: float | None = None,
    refine: bool | int = False,
    starts: int = 1,
    seed: int = 0,
    restart: bool = True,
    feasible_first: bool = False,
    magnitude: float | None = None,
    hessian: str = "auto",
    solver: str = "ipopt",
    options: Mapping[str, str | float] | None = None,
    progress: Progress | bool | None = None,
    throw: bool = True,
) -> Prediction:
    """Find the motion of a problem.

    Args:
        problem: the motion problem.
        start, tolerance, ...: see `lissom.predict.SolveOptions`.

    Returns:
        Prediction: the motion.

    Raises:
        PredictionError: the solver did not succeed, was stopped, or the motion breaks limits; its `prediction` is the best motion
            found, and a start for another solve.
        Interrupted: Ctrl-C, whatever `throw` is, so that a loop over problems ends. Its `result` is the best motion so far, of
            all rounds that were finished. Before the first solve begins, a plain KeyboardInterrupt.
    """
    problem = with_balance(problem)
    if solver not in SOLVERS:
        raise StateError(f"no solver {solver!r}; {suggest(str(solver), SOLVERS)}")
    if hessian not in HESSIANS:
        raise StateError(f"no hessian {hessian!r}; {suggest(str(hessian), HESSIANS)}")
    if not problem.goals:
        raise StateError("nothing is minimized; add a goal: problem.minimize('time'), or an integral of a quantity")
    if not any(weight for _, weight in goal_labels(problem)):
        raise StateError("every goal has weight 0, so every motion would be optimal; give a goal a weight")
    problem.expect_use(name for quantity in problem.parts.quantities for name in quantity.channels)
    expect_freedom(problem)
    for name, value, least, most in (
        ("starts", starts, 1, 1000),
        ("refine", refine, 0, 20),
        ("iterations", iterations, 0, 1_000_000),
    ):
        if not isinstance(value, int) or not least <= value <= most:
            raise StateError(f"{name} is {value!r}, expected a whole number from {least} to {most}")
    seed = integer(seed, "seed", 0, most=2**64 - 1)
    if not isinstance(tolerance, (int, float)) or not 0 < tolerance < 1:
        raise StateError(f"tolerance is {tolerance!r}, expected a number between 0 and 1, such as 1e-8")
    limit, throw = _limit_tolerance(limit_tolerance, tolerance), as_flag(throw, "throw")
    feasible_first = as_flag(feasible_first, "feasible_first")
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf):
        raise StateError(f"seconds is {seconds!r}, expected a positive number [s], or None for no limit")
    if magnitude is not None and (
        isinstance(magnitude, bool) or not isinstance(magnitude, (int, float)) or not 0 < magnitude < math.inf
    ):
        raise StateError(f"magnitude is {magnitude!r}, expected a positive number, the objective at the solution as far as known")
    began = perf_counter()
    # products of small matrices would wait for the library's threads longer than they take
    with reporting(progress, Line(problem.name)) as report, one_thread(sys.maxsize):
        run = Run(problem, solver, tolerance, iterations, dict(options or {}), report)
        run.magnitude = magnitude
        run.exact, run.switching = hessian != "gauss-newton", hessian == "auto"
        first = first_motion(problem, start, run.made)
        run.prepare(first)
        setup = perf_counter() - began
        run.deadline = math.inf if seconds is None else perf_counter() + seconds
        before = start.solution if isinstance(start, Prediction) else None
        motions = [first, *perturbed(problem, first, int(starts) - 1, seed)]
        with run.interrupt:
            try:
                if feasible_first:
                    motions, before = _feasible(run, motions), None
                _search(run, motions, before, restart, DOUBLINGS if refine is True else int(refine), limit)
            except KeyboardInterrupt:
                if run.best is None:
                    raise
                run.stopped = run.interrupted = True
    prediction = _prediction(run, limit, setup, perf_counter() - began - setup)
    if run.interrupted or run.interrupt.asked:
        raise Interrupted(f"stopped from the keyboard; the best motion so far is {prediction!r}", prediction)
    if throw and not prediction.success:
        raise failure(prediction)
    return prediction


def failure(prediction: Prediction) -> PredictionError:
    """Return the error of a prediction that did not succeed."""
    broken = prediction.status is Status.LIMITS_BROKEN
    what = "limits are broken" if broken else "no motion found"
    return PredictionError(f"{what}: {prediction.message}", prediction)


def _prediction(run: Run, limit: float, setup: float, seconds: float) -> Prediction:
    """Return the best motion of a run."""
    found = run.best
    assert found is not None
    broken = found.good and found.broken > limit
    return Prediction(
        problem=run.problem,
        path=found.motion.path,
        channels=dict(found.motion.channels),
        ends=found.motion.ends,
        objective=found.solution.objective,
        status=Status.LIMITS_BROKEN if broken else found.solution.status,
        message=advice(found, limit, run.stopped),
        iterations=run.iterations,
        seconds=seconds,
        setup_seconds=setup,
        limits=found.findings.reports,
        rounds=[round.refinement() for round in run.rounds],
        solution=found.solution,
        limit_tolerance=limit,
    )


def _feasible(run: Run, motions: Sequence[Motion]) -> list[Motion]:
    """Return motions that keep the limits, one for each; those that the solver did not come to are left as they are."""
    return [motion if run.stopped else feasible(run, motion) for motion in motions]


def _search(run: Run, motions: Sequence[Motion], known: Solution | None, restart: bool, doublings: int, limit: float) -> None:
    """Solve from every motion, from the best on finer splines, with more instants where limits are broken, and exactly."""
    run.rough = restart
    for motion in motions:
        found = run.begin(motion, known if motion is motions[0] else None)
        run.keep(found if run.best is None else min(run.best, found, key=_rank))
        if run.stopped:
            return
    assert run.best is not None
    if run.best.solution.status in IMPOSSIBLE and not run.stopped:
        run.keep(break_least(run, run.best))
    for _ in range(doublings):
        if run.stopped or not run.best.good:
            return
        if 2 * len(run.best.motion.path.points) > MOST_REFINED:
            break
        before, finer = run.best, run.solve(run.best.motion.refined())
        if not finer.good:
            break
        run.add(finer)
        change = abs(finer.solution.objective - before.solution.objective) / max(abs(finer.solution.objective), 1e-300)
        if change < SETTLED and finer.violation < SETTLED and finer.findings.slip < limit:
            break
    if run.best.good and not run.stopped:
        mend(run, limit)
    if restart and run.best.solution.status is Status.SOLVED:
        _exactly(run, limit)


def _exactly(run: Run, limit: float) -> None:
    """Solve again from the best motion, to the tolerance; it keeps its limits if it did before."""
    assert run.best is not None
    if run.stopped:
        run.keep(run.best.ended(Status.ACCEPTABLE))
        return
    held = run.best.broken <= limit
    run.keep(run.again(run.best))
    if held and run.best.good and not run.stopped:
        mend(run, limit)


def _limit_tolerance(value: Any, tolerance: float) -> float:
    """Return the tolerance of limits; infinite for None."""
    if value is None:
        return math.inf
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 10 * tolerance:
        raise StateError(
            f"limit_tolerance is {value!r}, expected a share of the limits' scales, such as 1e-3, that is ten times the solver's "
            f"tolerance ({tolerance:g}) or more; or None (inf in files and commands) to check the instants only"
        )
    return float(value)


def _rank(found: Found) -> tuple[int, float]:
    """Return the sort key of a solution: success first, gross violations later, then objective or violation."""
    if not found.good:
        return 2, found.violation
    return int(found.violation > GROSS), found.solution.objective
