"""Runs of the solver on one problem: the nonlinear program of a path, its solution, and another one from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import Interrupted
from ...interrupt import Interrupt
from ...locks import lazy_property
from ...nlp import ipopt
from ...nlp.problem import Nlp
from ...nlp.solution import Iterate, Solution
from ...nlp.status import Status
from ...spline import SplinePath
from ...spline.basis import Basis
from ..problem.parts import Parts
from ..problem.problem import MotionProblem
from ..result.limit_check import Findings, find
from ..result.prediction import FOUND, Refinement
from .transcription import Transcription

RESTART = 1e-6  # relative change of the objective that a restart may find
RESCALED = 10.0  # factor by which the magnitude of the objective may change in a solve
RESCALINGS = 3  # at most
IPOPT = {"mu_strategy": "adaptive", "bound_relax_factor": 0.0}
STOPS = (Status.INTERRUPTED, Status.STOPPED)

Progress = Callable[[Iterate], Any]
Instants = Mapping[int, np.ndarray]  # by the number of a limit, more fractions of the duration at which it is enforced


class Found:
    """A solution on one basis.

    Attributes:
        transcription, solution: of the nonlinear program; objective and multipliers in the user's units.
        path: the motion.
        added: instants at which limits are enforced, in addition to the grid.
    """

    def __init__(self, problem: MotionProblem, transcription: Transcription, solution: Solution, added: Instants) -> None:
        self.problem, self.transcription, self.solution, self.added = problem, transcription, solution, added
        P, T = transcription.split(solution.x)
        self.path = SplinePath(P, T, transcription.basis.degree)

    @lazy_property
    def findings(self) -> Findings:
        """The check of the limits, computed once."""
        return find(self.problem, self.transcription, self.solution, self.path)

    @property
    def violation(self) -> float:
        """Largest limit violation, also between instants, relative to the limit's scale."""
        return self.findings.violation

    @property
    def good(self) -> bool:
        """Whether the solver succeeded."""
        return self.solution.status in FOUND

    @property
    def instants(self) -> int:
        """Number of instants at which limits are enforced."""
        more = [s for s in self.added.values() if len(s)]
        return len(np.unique(np.concatenate([self.transcription.grid.s, *more])))

    def told(self) -> Refinement:
        """Return the figures of this round."""
        s = self.solution
        return Refinement(self.transcription.basis.count, self.instants, s.objective, self.violation, s.iterations, s.seconds)


class Run:
    """Solves with the same settings and compiled code."""

    def __init__(
        self, problem: MotionProblem, solver: str, tolerance: float, iterations: int, options: dict[str, Any], progress: Any
    ) -> None:
        self.problem, self.solver, self.progress = problem, solver, progress
        self.settings: dict[str, Any] = {"tolerance": tolerance, "iterations": iterations}
        self.options = {**(IPOPT if solver == "ipopt" else {}), **options}
        self.iterations = 0
        self.stopped = False  # by Ctrl-C or by the progress function: nothing more is begun
        self.interrupted = False  # by Ctrl-C
        self.interrupt = Interrupt()
        self.made: dict[int, Transcription] = {}
        self.rounds: list[Found] = []
        self.best: Found | None = None  # of all rounds

    def keep(self, found: Found) -> None:
        """Make a motion the best, replacing that of the same round."""
        self.rounds[-1:] = [found]
        self.best = found

    def add(self, found: Found, better: bool = True) -> None:
        """Add a motion of another round; make it the best if it is."""
        self.rounds.append(found)
        self.best = found if better else self.best

    def prepare(self, path: SplinePath) -> None:
        """Compile everything that is needed."""
        transcription = self._transcription(path, {})
        x = self._x(transcription, path)
        transcription.evaluate(x)
        transcription.gradient(x)
        transcription.jacobian(x)
        transcription.hessian(x, 1.0, np.ones(transcription.rows))

    def solve(self, path: SplinePath, added: Instants | None = None) -> Found:
        """Solve from a path, with the objective divided by its magnitude there; again where that changes much.

        Where the start is far off, the objective may be so large that a solver's tolerance hides it at the end.
        """
        added = added or {}
        transcription = self._transcription(path, added)
        x = self._x(transcription, path)
        size = _size(transcription)
        solution = self._once(transcription, x, size)
        for _ in range(RESCALINGS):
            if self.stopped or not np.isfinite(solution.x).all():
                break
            transcription.evaluate(solution.x)
            ratio = _size(transcription) / size
            if ratio > 1.0 / RESCALED and (ratio < RESCALED or solution.status in FOUND):
                break
            size *= ratio
            other = self._once(transcription, solution.x, size)
            if solution.status in FOUND and other.status not in FOUND:
                break
            solution = other
        return Found(self.problem, transcription, solution, added)

    def _once(self, transcription: Transcription, x: np.ndarray, size: float) -> Solution:
        """Solve with the objective divided by its magnitude; the solution has it in the user's units."""

        def progress(iterate: Iterate) -> Any:
            return self.progress(iterate._replace(objective=iterate.objective * size))

        told = None if self.progress is None else progress
        solution = self._called(self._solver(), transcription.nlp(1.0 / size), x, options=self.options, progress=told)
        return replace(
            solution,
            objective=solution.objective * size,
            multipliers=solution.multipliers * size,
            lower_multipliers=solution.lower_multipliers * size,
            upper_multipliers=solution.upper_multipliers * size,
            history=tuple(iterate._replace(objective=iterate.objective * size) for iterate in solution.history),
        )

    def _called(self, solver: Callable[..., Solution], nlp: Nlp, x: np.ndarray, **options: Any) -> Solution:
        """Call a solver, count its iterations, and note whether it was stopped."""
        if self.interrupt.asked:  # since the last solve
            raise KeyboardInterrupt
        try:
            solution = solver(nlp, x, **options, **self.settings)
        except Interrupted as stop:
            if not isinstance(stop.result, Solution):
                raise
            solution, self.interrupted = stop.result, True
        self.iterations += solution.iterations
        self.stopped = self.stopped or solution.status in STOPS
        return solution

    def _solver(self) -> Callable[..., Solution]:
        if self.solver == "ipopt":
            return ipopt.solve
        from ...nlp import uno

        return uno.solve

    def again(self, found: Found) -> Found:
        """Restart from a solution, without its multipliers, up to three times, while that finds a better one."""
        for _ in range(3):
            next_one = self.solve(found.path, found.added)
            gain = found.solution.objective - next_one.solution.objective
            if next_one.solution.status is not Status.SOLVED or gain < RESTART * max(abs(found.solution.objective), 1e-300):
                return found
            found = next_one
        return found

    def break_least(self, found: Found) -> Found:
        """Return the motion with the smallest relative violation, where none was found that keeps the limits."""
        limits = [replace(limit, peak=0) for limit in self.problem.parts.limits if limit.peak is None]
        transcription = self._made(found.path, replace(self.problem.parts, limits=limits, integrals=[], time=0.0, peaks=[1.0]))
        x = self._x(transcription, found.path)
        solution = self._called(ipopt.solve, transcription.nlp(), x, options={"mu_strategy": "adaptive"})
        if solution.status is not Status.SOLVED:
            return found
        own = found.transcription
        least = np.concatenate([solution.x[: own.size + 1], found.solution.x[own.size + 1 :]])
        own.evaluate(least)
        better = replace(found.solution, x=least, objective=own.objective(least), constraints=own.constraints(least))
        better = replace(better, message=found.solution.status.meaning)
        return Found(self.problem, own, better, found.added)

    def _transcription(self, path: SplinePath, added: Instants) -> Transcription:
        if not any(len(s) for s in added.values()):
            count = len(path.points)
            if count not in self.made:
                self.made[count] = self._made(path, self.problem.parts)
            return self.made[count]
        limits = self.problem.parts.limits
        more = [replace(limits[number], at=s, of=number, hull=False) for number, s in added.items() if len(s)]
        return self._made(path, replace(self.problem.parts, limits=[*limits, *more]))

    def _made(self, path: SplinePath, parts: Parts) -> Transcription:
        problem, basis = self.problem, Basis(len(path.points), path.degree)
        parts = replace(parts, equations=problem.equations(basis))
        lower, upper = problem.bounds(basis)
        return Transcription(basis, problem.n, parts, problem.points_per_span, lower, upper, problem.duration)

    def _x(self, transcription: Transcription, path: SplinePath) -> np.ndarray:
        """Return the unknowns at a path, with the peaks there."""
        x = np.concatenate([path.points.ravel(), [path.duration], np.zeros(len(transcription.parts.peaks))])
        x = np.clip(x, transcription.lower, transcription.upper)
        transcription.evaluate(x)
        for group in transcription.groups:
            for _, limit in group.limits:
                if limit.peak is not None:
                    at = transcription.size + 1 + limit.peak
                    x[at] = max(x[at], float((limit.beyond(group.y) / limit.scale).max()))
        return x


def _size(transcription: Transcription) -> float:
    """Return the magnitude of the objective at the x evaluated last; 1 where it is zero."""
    size = transcription.magnitude()
    return size if np.isfinite(size) and size > 0.0 else 1.0
