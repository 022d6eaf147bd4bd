"""Runs of the solver on one problem: the nonlinear program of a path, its solution, and another one from there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from ...errors import Interrupted
from ...interrupt import Interrupt
from ...nlp import ipopt
from ...nlp.problem import Nlp
from ...nlp.solution import Iterate, Solution
from ...nlp.status import Status
from ..data.motion import Motion
from ..problem.problem import MotionProblem
from ..quantities.compiled import OfRobot
from ..quantities.quantity import Quantity
from ..result.prediction import FOUND
from ..transcription.of_problem import transcribed, unknowns_of
from ..transcription.transcription import Transcription
from .checked_solution import Found as Found
from .checked_solution import Instants
from .multipliers import Multipliers, carried, kept
from .presolve import dependent_rows, restored, settled_rows, without

RESTART = 1e-6  # relative change of the objective that a restart may find
RESCALED = 10.0  # factor by which the magnitude of the objective may change in a solve
RESCALINGS = 3  # at most
IPOPT: dict[str, Any] = {"mu_strategy": "adaptive", "bound_relax_factor": 0.0}
# limits are divided by their scales already; of the orders, AMD halves the time of humanoids
IPOPT |= {"mumps_permuting_scaling": 0, "mumps_scaling": 0, "mumps_pivot_order": 0}
STOPS = (Status.INTERRUPTED, Status.STOPPED, Status.TIME_LIMIT)
BEND = 0.1  # [rad or m] of a motion whose objective is compared with that of the start
ASTRAY = 150  # iterations from multipliers, at most; mostly there are a dozen
ROUGH = 1e-6  # tolerance of solves that others follow
NEARLY = 1e-4  # relative change of the objective that an exact solve may make after rough ones
# warm, IPOPT begins a little away from limits that hold, so that it can leave some: further, where instants are new
PUSHES = ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac")
PUSHED = {"more": (1e-3, 1e-3), "same": (1e-4, 1e-8)}  # of these, and of multipliers
LEAST = 1e-4  # share of that objective that a start counts at least: a start near zero says nothing of the size at the end


class Run:
    """Solves with the same settings and compiled code."""

    def __init__(
        self, problem: MotionProblem, solver: str, tolerance: float, iterations: int, options: dict[str, Any], progress: Any
    ) -> None:
        self.problem, self.solver, self.progress = problem, solver, progress
        self.tolerance, self.most = tolerance, iterations
        self.rough = False  # whether another solve follows, from where this one ends
        self.options = {**(IPOPT if solver == "ipopt" else {}), **options}
        self.iterations = 0
        self.exact, self.switching = True, False  # second derivatives: all, and whether to try Gauss-Newton where that fails
        self.deadline = math.inf  # [s] of perf_counter, at which solves end
        self.magnitude: float | None = None  # of the objective at the solution, where it is known
        self.stopped = False  # by Ctrl-C, by the progress function or at the deadline: nothing more is begun
        self.interrupted = False  # by Ctrl-C
        self.interrupt = Interrupt()
        self.made: dict[int, Transcription] = {}
        self.left_out: dict[Transcription, np.ndarray] = {}  # rows that follow from others
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

    def prepare(self, motion: Motion) -> None:
        """Compile everything that is needed; nothing where a problem with the same quantities was prepared before."""
        known = self.problem.quantities.prepared
        own = {(self.exact, _code(quantity)): quantity for quantity in self.problem.parts.quantities}
        if own.keys() <= known.keys():
            return
        transcription = self._transcription(motion, {})
        transcription.exact = self.exact
        x = self.unknowns(transcription, motion)
        transcription.evaluate(x)
        transcription.gradient(x)
        transcription.jacobian(x)
        transcription.hessian(x, 1.0, np.ones(transcription.rows))
        known.update(own)

    def solve(self, motion: Motion, added: Instants | None = None, before: Found | Solution | None = None) -> Found:
        """Solve from a motion, with the objective divided by its magnitude there; again where that changes much.

        Where the start is far off, the objective may be so large that a solver's tolerance hides it at the end.

        Args:
            motion: the start.
            added: instants at which limits are enforced, in addition to the grid.
            before: a solution near to that sought, whose multipliers are taken; where that fails, it is solved without them.
        """
        added = {} if added is None else added
        same = isinstance(before, Found) and before.added is added
        transcription = before.transcription if same else self._transcription(motion, added)  # type: ignore[union-attr]
        near = ("same" if same else "more") if isinstance(before, Found) else ""
        transcription.exact = self.exact
        x = self.unknowns(transcription, motion)
        size = self.magnitude or max(_size(transcription), self._least(transcription, x))
        warm = carried(before, transcription)
        solution = self.once(transcription, x, size, warm, near)
        if warm is not None and solution.status not in FOUND and not self.stopped:
            transcription.evaluate(x)
            solution = self.once(transcription, x, size)
        for _ in range(RESCALINGS if self.magnitude is None else 0):
            if self.stopped or not np.isfinite(solution.x).all():
                break
            transcription.evaluate(solution.x)
            ratio = _size(transcription) / size
            if ratio > 1.0 / RESCALED and (ratio < RESCALED or solution.status in FOUND):
                break
            size *= ratio
            other = self.once(transcription, solution.x, size)
            if solution.status in FOUND and other.status not in FOUND:
                break
            solution = other
        return Found(self.problem, transcription, solution, added, motion)

    def begin(self, motion: Motion, before: Solution | None = None) -> Found:
        """Solve from a first motion; where that fails and switching is allowed, again without curvature of quantities."""
        found = self.solve(motion, before=before)
        if found.good or self.stopped or not self.switching or found.solution.status is Status.ITERATION_LIMIT:
            return found
        self.exact = False
        other = self.solve(motion)
        if other.good:
            return other
        self.exact = True
        return min(found, other, key=lambda one: one.violation)

    def once(
        self, transcription: Transcription, x: np.ndarray, size: float, warm: Multipliers | None = None, near: str = ""
    ) -> Solution:
        """Solve from x, evaluated last, with the objective divided by its magnitude; the solution has it in the user's units.

        Args:
            transcription, x, size: the program, the start, and the magnitude.
            warm: multipliers at the start.
            near: "same" where they are those of the same program, solved less exactly, "more" where that had fewer instants.
        """

        def progress(iterate: Iterate) -> Any:
            return self.progress(iterate._replace(objective=iterate.objective * size))

        report = None if self.progress is None else progress
        rows = settled_rows(transcription, x)
        if self.problem.contacts:
            if transcription not in self.left_out:
                self.left_out[transcription] = dependent_rows(transcription, x, rows)
            rows = self.left_out[transcription]
        nlp = without(transcription.nlp(1.0 / size), rows)
        own: dict[str, Any] = {"options": self.options, "iterations": self.most}
        if warm is not None:
            own |= {"multipliers": kept(warm, rows, size), "iterations": min(self.most, ASTRAY)}
            if near and self.solver == "ipopt":
                push, own_push = PUSHED[near]
                pushes = dict.fromkeys([f"warm_start_{name}" for name in PUSHES], push)
                own["options"] = {**pushes, "warm_start_mult_bound_push": own_push, **self.options}
        solution = self.called(self._solver(), nlp, x, progress=report, **own)
        solution = restored(solution, transcription, rows)
        return replace(
            solution,
            objective=solution.objective * size,
            multipliers=solution.multipliers * size,
            lower_multipliers=solution.lower_multipliers * size,
            upper_multipliers=solution.upper_multipliers * size,
            history=tuple(iterate._replace(objective=iterate.objective * size) for iterate in solution.history),
        )

    def _least(self, transcription: Transcription, x: np.ndarray) -> float:
        """Return the least magnitude of an objective of integrals alone: a share of that of a motion bent by a tenth of a rad."""
        if transcription.parts.time or any(transcription.parts.peaks):
            return 0.0
        count, n = transcription.basis.count, self.problem.n
        bent = x.copy()
        bent[: count * n] += np.repeat(BEND * np.sin(np.pi * np.linspace(0.0, 1.0, count)), n)
        transcription.evaluate(np.clip(bent, transcription.lower, transcription.upper))
        size = LEAST * transcription.goal.magnitude()
        transcription.evaluate(x)
        return size if np.isfinite(size) else 0.0

    def called(self, solver: Callable[..., Solution], nlp: Nlp, x: np.ndarray, **options: Any) -> Solution:
        """Call a solver, count its iterations, and note whether it was stopped."""
        if self.interrupt.asked:  # since the last solve
            raise KeyboardInterrupt
        report, late = options.pop("progress", None), False

        def watch(iterate: Iterate) -> bool:
            nonlocal late
            late = perf_counter() >= self.deadline
            return late or bool(report is not None and report(iterate))

        try:
            tolerance = max(self.tolerance, ROUGH) if self.rough else self.tolerance
            options = {"tolerance": tolerance, "iterations": self.most, **options}
            solution = solver(nlp, x, progress=report if math.isinf(self.deadline) else watch, **options)
        except Interrupted as stop:
            if not isinstance(stop.result, Solution):
                raise
            solution, self.interrupted = stop.result, True
        if late and solution.status is Status.STOPPED:
            solution = replace(solution, status=Status.TIME_LIMIT, message=Status.TIME_LIMIT.meaning)
        self.iterations += solution.iterations
        self.stopped = self.stopped or solution.status in STOPS
        return solution

    def _solver(self) -> Callable[..., Solution]:
        if self.solver == "ipopt":
            return ipopt.solve
        from ...nlp import uno

        return uno.solve

    def again(self, found: Found) -> Found:
        """Return an exact solution from a rough one: restart from it, up to three times, while that finds a better one."""
        self.rough = False
        for change in (NEARLY, RESTART, RESTART):
            other = self.solve(found.motion, found.added, found)
            if other.solution.status is not Status.SOLVED:
                nearly = Status.ACCEPTABLE
                return found if change == RESTART else found.ended(nearly)
            gain = found.solution.objective - other.solution.objective
            found = other
            if gain < change * max(abs(found.solution.objective), 1e-300):
                break
        return found

    def _transcription(self, motion: Motion, added: Instants) -> Transcription:
        if not any(len(s) for s in added.values()):
            count = len(motion.path.points)
            if count not in self.made:
                self.made[count] = transcribed(self.problem, motion, self.problem.parts)
            return self.made[count]
        limits = self.problem.parts.limits
        more = [replace(limits[number], at=s, of=number, hull=False) for number, s in added.items() if len(s)]
        return transcribed(self.problem, motion, replace(self.problem.parts, limits=[*limits, *more]))

    def unknowns(self, transcription: Transcription, motion: Motion) -> np.ndarray:
        """Return the unknowns of a motion, with the peaks there."""
        return unknowns_of(transcription, motion)


def _size(transcription: Transcription) -> float:
    """Return the magnitude of the objective at the x evaluated last; 1 where it is zero."""
    size = transcription.goal.magnitude()
    return size if np.isfinite(size) and size > 0.0 else 1.0


def _code(quantity: Quantity) -> Any:
    """Return the key of a quantity's code, which quantities of a robot share if they differ in input numbers only."""
    return quantity.code if isinstance(quantity, OfRobot) else id(quantity)
