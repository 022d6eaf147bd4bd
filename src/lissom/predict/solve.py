"""Solving motion problems: a start, the nonlinear program, a second look, finer splines, and what to tell of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from ..errors import ConvergenceError, StateError, suggest
from ..nlp import ipopt
from ..nlp.solution import Iterate, Solution
from ..nlp.status import Status
from ..spline import SplinePath
from ..spline.basis import Basis
from .advice import advice, limit_reports
from .parts import Parts
from .problem import MotionProblem
from .result import FOUND, Prediction, Refinement
from .starts import perturbed, straight
from .transcription import Transcription

SOLVERS = ("ipopt", "uno")
SETTLED = 1e-4  # relative change of the objective from which another doubling of knots is not worth it
RESTART = 1e-6  # relative change of the objective that a restart may find
IMPOSSIBLE = (Status.INFEASIBLE, Status.RESTORATION_FAILED)
IPOPT = {"mu_strategy": "adaptive", "bound_relax_factor": 0.0}

Progress = Callable[[Iterate], Any]


def solve(
    problem: MotionProblem,
    *,
    start: SplinePath | Prediction | None = None,
    tolerance: float = 1e-8,
    iterations: int = 500,
    refine: bool | int = False,
    starts: int = 1,
    seed: int = 0,
    restart: bool = True,
    solver: str = "ipopt",
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    throw: bool = False,
) -> Prediction:
    """Find the motion of a problem.

    Args:
        problem: what is sought.
        start: a path, or an earlier prediction, to begin with; None for a straight line at a duration that keeps the limits.
        tolerance: of the solver, on limits divided by their scales and on the optimality conditions.
        iterations: at most, of each solve.
        refine: double the knots until the objective and the violation between instants settle; a number says how often at most.
        starts: from how many starts, the straight line and random ones around it; the best result counts.
        seed: of the random starts.
        restart: solve again from a solution, and go on if that finds a better one.
        solver: "ipopt" or "uno".
        options: of the solver, by its own names.
        progress: called with every iterate; a true result stops.
        throw: raise ConvergenceError where the solver did not succeed, with the best point as its `result`.

    Returns:
        Prediction: the best motion found, also where the solver stopped early; `status` and `message` tell.
    """
    if solver not in SOLVERS:
        raise StateError(f"no solver {solver!r}; {suggest(str(solver), SOLVERS)}")
    if not problem.goals:
        raise StateError("nothing is minimised; add a goal: problem.minimise('time'), or an integral of a quantity")
    for name, value, least in (("starts", starts, 1), ("refine", refine, 0), ("iterations", iterations, 0)):
        if not isinstance(value, int) or value < least:
            raise StateError(f"{name} is {value!r}, expected a whole number from {least} on")
    if not isinstance(tolerance, (int, float)) or not 0 < tolerance < 1:
        raise StateError(f"tolerance is {tolerance!r}, expected a number between 0 and 1, such as 1e-8")
    began = perf_counter()
    run = _Run(problem, solver, tolerance, iterations, dict(options or {}), progress)
    first = _first_path(problem, start)
    run.prepare(first)
    setup = perf_counter() - began
    paths = [first, *perturbed(problem, first, int(starts) - 1, seed)]
    found = min(run.solve_each(paths), key=_rank)
    if restart and not run.stopped and found.solution.status is Status.SOLVED:
        found = run.again(found)
    if not run.stopped and found.solution.status in IMPOSSIBLE:
        found = run.break_least(found)
    rounds = [found.told()]
    for _ in range(8 if refine is True else int(refine)):
        if run.stopped or found.solution.status not in FOUND:
            break
        finer = run.solve(found.path.refined())
        change = abs(finer.solution.objective - found.solution.objective) / max(abs(finer.solution.objective), 1e-12)
        if finer.solution.status not in FOUND:
            break
        found = finer
        rounds.append(found.told())
        if change < SETTLED and found.violation < SETTLED:
            break
    prediction = Prediction(
        problem=problem,
        path=found.path,
        objective=found.solution.objective,
        status=found.solution.status,
        message=advice(problem, found.transcription, found.solution, found.reports) + run.told(found),
        iterations=run.iterations,
        seconds=perf_counter() - began - setup,
        setup_seconds=setup,
        limits=found.reports,
        rounds=rounds,
        solution=found.solution,
    )
    if throw and not prediction.success:
        raise ConvergenceError(f"no motion found: {prediction.message}", prediction)
    return prediction


class _Found:
    """A solution on one basis."""

    def __init__(self, problem: MotionProblem, transcription: Transcription, solution: Solution) -> None:
        self.transcription, self.solution = transcription, solution
        P, T = transcription.split(solution.x)
        self.path = SplinePath(P, T, transcription.basis.degree)
        self.reports = limit_reports(problem, transcription, solution)
        self.violation = max((r.violation / r.scale for r in self.reports), default=0.0)

    def told(self) -> Refinement:
        """Return the figures of this round."""
        s = self.solution
        return Refinement(self.transcription.basis.count, s.objective, self.violation, s.iterations, s.seconds)


class _Run:
    """Solves with the same settings, keeping what was compiled."""

    def __init__(
        self, problem: MotionProblem, solver: str, tolerance: float, iterations: int, options: dict[str, Any], progress: Any
    ) -> None:
        self.problem, self.solver, self.progress = problem, solver, progress
        self.settings: dict[str, Any] = {"tolerance": tolerance, "iterations": iterations}
        self.options = {**(IPOPT if solver == "ipopt" else {}), **options}
        self.iterations = 0
        self.stopped = False  # by Ctrl-C or by the progress function: nothing more is begun
        self.made: dict[int, Transcription] = {}

    def prepare(self, path: SplinePath) -> None:
        """Compile all that will be asked for."""
        transcription = self._transcription(path)
        x = self._x(transcription, path)
        transcription.evaluate(x)
        transcription.gradient(x)
        transcription.jacobian(x)
        transcription.hessian(x, 1.0, np.ones(transcription.rows))

    def solve(self, path: SplinePath) -> _Found:
        """Solve from a path."""
        transcription = self._transcription(path)
        x = self._x(transcription, path)
        solution = self._solver()(transcription.nlp(), x, options=self.options, progress=self.progress, **self.settings)
        self.iterations += solution.iterations
        self.stopped = solution.status in (Status.INTERRUPTED, Status.STOPPED)
        return _Found(self.problem, transcription, solution)

    def _solver(self) -> Callable[..., Solution]:
        if self.solver == "ipopt":
            return ipopt.solve
        from ..nlp import uno

        return uno.solve

    def solve_each(self, paths: Sequence[SplinePath]) -> list[_Found]:
        """Solve from several paths, until all are done or one is stopped."""
        found: list[_Found] = []
        for path in paths:
            found.append(self.solve(path))
            if self.stopped:
                break
        return found

    def told(self, found: _Found) -> str:
        """Return a word on what was left out because of a stop, where the motion itself is a solution."""
        if not self.stopped or found.solution.status in (Status.INTERRUPTED, Status.STOPPED):
            return ""
        return " It was stopped while looking for a better one."

    def again(self, found: _Found) -> _Found:
        """Restart from a solution, without its multipliers, up to three times, while that finds a better one."""
        for _ in range(3):
            next_one = self.solve(found.path)
            gain = found.solution.objective - next_one.solution.objective
            if next_one.solution.status is not Status.SOLVED or gain < RESTART * max(abs(found.solution.objective), 1e-12):
                return found
            found = next_one
        return found

    def break_least(self, found: _Found) -> _Found:
        """Return the motion that breaks the limits least, as shares of their scales, where none was found that keeps them."""
        limits = [replace(limit, peak=0) for limit in self.problem.parts.limits if limit.peak is None]
        transcription = self._made(found.path, replace(self.problem.parts, limits=limits, integrals=[], time=0.0, peaks=[1.0]))
        x = self._x(transcription, found.path)
        solution = ipopt.solve(transcription.nlp(), x, options={"mu_strategy": "adaptive"}, **self.settings)
        self.iterations += solution.iterations
        if solution.status is not Status.SOLVED:
            return found
        own = found.transcription
        least = np.concatenate([solution.x[: own.size + 1], found.solution.x[own.size + 1 :]])
        own.evaluate(least)
        better = replace(found.solution, x=least, objective=own.objective(least), constraints=own.constraints(least))
        better = replace(better, message=found.solution.status.meaning)
        return _Found(self.problem, own, better)

    def _transcription(self, path: SplinePath) -> Transcription:
        count = len(path.points)
        if count not in self.made:
            self.made[count] = self._made(path, self.problem.parts)
        return self.made[count]

    def _made(self, path: SplinePath, parts: Parts) -> Transcription:
        problem, basis = self.problem, Basis(len(path.points), path.degree)
        parts = replace(parts, equations=problem.equations(basis))
        lower, upper = problem.bounds(basis)
        return Transcription(basis, problem.n, parts, problem.points_per_span, lower, upper, problem.duration)

    def _x(self, transcription: Transcription, path: SplinePath) -> np.ndarray:
        """Return the unknowns at a path; peaks are what they are there."""
        x = np.concatenate([path.points.ravel(), [path.duration], np.zeros(len(transcription.parts.peaks))])
        x = np.clip(x, transcription.lower, transcription.upper)
        transcription.evaluate(x)
        for group in transcription.groups:
            for _, limit in group.limits:
                if limit.peak is not None:
                    at = transcription.size + 1 + limit.peak
                    x[at] = max(x[at], float((limit.beyond(group.y) / limit.scale).max()))
        return x


def _first_path(problem: MotionProblem, start: SplinePath | Prediction | None) -> SplinePath:
    if start is None:
        return straight(problem)
    path = start.path if isinstance(start, Prediction) else start
    if not isinstance(path, SplinePath) or path.points.shape[1] != problem.n:
        raise StateError(f"start must be a SplinePath of {problem.n} joints, or a Prediction of such a motion")
    if path.degree != problem.basis.degree or len(path.points) < problem.basis.count:
        t = np.linspace(0.0, path.duration, 10 * problem.basis.count)
        path = SplinePath.fit(t, path.at(t), problem.basis.count, problem.basis.degree)
    return path


def _rank(found: _Found) -> tuple[bool, float]:
    """Order solutions: those that succeeded first, then by objective, or by violation."""
    good = found.solution.status in FOUND
    return not good, found.solution.objective if good else found.violation
