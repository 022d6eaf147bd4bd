"""Uno, a sequential quadratic programming method with a filter and a trust region; to compare with IPOPT.

Vanaret and Leyffer 2026, "Implementing a unified solver for nonlinearly constrained optimization". Needs unopy, which no extra of
lissom installs: pip install unopy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from ..arrays import ArrayLike
from ..errors import MissingExtraError, NlpError
from ..interrupt import Interrupt
from ..locks import Lock
from .evaluator import Evaluator
from .ipopt import Multipliers, Progress, initial_multipliers
from .problem import Array, Nlp
from .report import conclude
from .solution import Best, Iterate, Point, Solution
from .status import Status

_one_at_a_time = Lock()  # Uno's solvers of subproblems keep data in memory that all threads share


def solve(
    nlp: Nlp,
    x0: ArrayLike,
    *,
    tolerance: float = 1e-8,
    iterations: int = 500,
    options: Mapping[str, str | float] | None = None,
    multipliers: Solution | Multipliers | None = None,
    progress: Progress | None = None,
    verbose: bool = False,
    preset: str = "filtersqp",
) -> Solution:
    """Solve a nonlinear program with Uno; arguments, result and errors as `lissom.nlp.solve`, but options by Uno's names.

    Args:
        nlp, x0, iterations, progress, verbose: as `lissom.nlp.solve`.
        tolerance: Uno's primal_tolerance and dual_tolerance.
        options: of Uno; they prevail over all other arguments.
        multipliers: those of the constraints are used; Uno finds those of the bounds itself.
        preset: which of Uno's methods: "filtersqp", "filterslp" or "ipopt".

    Raises:
        NlpError: as `lissom.nlp.solve`, and for a preset that Uno does not know.
        MissingExtraError: unopy is not installed.
    """
    try:
        import unopy
    except ImportError:
        raise MissingExtraError("unopy", None, "solving nonlinear programs with Uno") from None
    x = nlp.start(x0)
    y = initial_multipliers(nlp, multipliers)[0]
    run = _Run(nlp, x, tolerance, progress)
    model = _model(unopy, nlp, run)
    model.set_initial_primal_iterate(x.tolist())
    if multipliers is not None:
        model.set_initial_dual_iterate(y.tolist())
    settings: dict[str, Any] = {"logger": "INFO" if verbose else "SILENT", "print_solution": False, "max_iterations": iterations}
    settings |= {"primal_tolerance": float(tolerance), "dual_tolerance": float(tolerance)}
    if nlp.hessian is None:
        settings["hessian_model"] = "LBFGS"
    solver = unopy.UnoSolver()
    _set(lambda: solver.set_preset(preset), f"preset {preset!r}")
    for name, value in (settings | dict(options or {})).items():
        _set(lambda name=name, value=value: solver.set_option(name, value), f"option {name!r} = {value!r}")  # type: ignore[misc]
    solver.set_termination_callback(run.accepted)
    started = perf_counter()
    with _one_at_a_time, run.interrupt:
        result = solver.optimize(model)
        run.interrupt.renew()
    seconds = perf_counter() - started
    status = _status(unopy, result, bool(run.interrupt.asked))
    # Uno's multipliers of lower bounds are not positive
    dual, lower, upper = result.constraint_dual_solution, result.lower_bound_dual_solution, result.upper_bound_dual_solution
    x, g = np.array(result.primal_solution), np.array(result.solution_constraints)
    last = Point(x, float(result.solution_objective), g, np.array(dual), -np.array(lower), np.array(upper))
    return conclude(run.evaluator, run.best, last, status, tuple(run.history), result.number_iterations, seconds)


def _set(action: Any, what: str) -> None:
    try:
        action()
    except (KeyError, ValueError, TypeError, RuntimeError) as error:
        raise NlpError(f"Uno refuses the {what}: {error}") from None


def _model(unopy: Any, nlp: Nlp, run: _Run) -> Any:
    model = unopy.Model(unopy.PROBLEM_NONLINEAR, nlp.n, nlp.lower.tolist(), nlp.upper.tolist(), unopy.ZERO_BASED_INDEXING)
    model.set_lagrangian_sign_convention(unopy.MULTIPLIER_POSITIVE)
    model.set_objective(unopy.MINIMIZE, run.objective, lambda x, out: run.fill("gradient", x, out))
    if nlp.m:
        rows, columns = (part.tolist() for part in nlp.jacobian_structure)
        bounds = nlp.constraint_lower.tolist(), nlp.constraint_upper.tolist()
        constraints, jacobian = (lambda x, out, name=name: run.fill(name, x, out) for name in ("constraints", "jacobian"))
        model.set_constraints(nlp.m, constraints, *bounds, len(rows), rows, columns, jacobian)
    if nlp.hessian is not None:
        rows, columns = (part.tolist() for part in nlp.hessian_structure)
        model.set_lagrangian_hessian(len(rows), unopy.LOWER_TRIANGLE, rows, columns, run.hessian)
    return model


def _status(unopy: Any, result: Any, interrupted: bool) -> Status:
    ended, reached = unopy.OptimizationStatus, unopy.SolutionStatus
    if result.optimization_status == ended.SUCCESS:
        return {
            reached.FEASIBLE_KKT_POINT: Status.SOLVED,
            reached.FEASIBLE_FJ_POINT: Status.ACCEPTABLE,
            reached.INFEASIBLE_STATIONARY_POINT: Status.INFEASIBLE,
            reached.FEASIBLE_SMALL_STEP: Status.STUCK,
            reached.INFEASIBLE_SMALL_STEP: Status.STUCK,
            reached.DIVERGING_ITERATE: Status.UNBOUNDED,
            reached.UNBOUNDED_OBJECTIVE: Status.UNBOUNDED,
        }.get(result.solution_status, Status.INTERNAL_ERROR)
    return {
        ended.ITERATION_LIMIT: Status.ITERATION_LIMIT,
        ended.TIME_LIMIT: Status.TIME_LIMIT,
        ended.EVALUATION_ERROR: Status.EVALUATION_FAILED,
        ended.USER_TERMINATION: Status.INTERRUPTED if interrupted else Status.STOPPED,
        ended.USER_INTERRUPTION: Status.INTERRUPTED,
    }.get(result.optimization_status, Status.INTERNAL_ERROR)


class _Run:
    """Callbacks of Uno during one solution. Uno does not say when x is new, so x is compared."""

    def __init__(self, nlp: Nlp, x0: Array, tolerance: float, progress: Progress | None) -> None:
        self.nlp, self.progress = nlp, progress
        self.evaluator = Evaluator(nlp)
        self.best = Best(nlp, x0, tolerance)
        self.interrupt = Interrupt()
        self.history: list[Iterate] = []
        self.g, self.g_x = np.full(nlp.m, np.nan), x0

    def new(self, x: Array) -> bool:
        # Uno installs a handler that ends the process
        self.interrupt.renew()
        here = self.evaluator.x
        return here is None or not np.array_equal(here, x)

    def objective(self, x: Array) -> float:
        value = self.evaluator.objective(x, self.new(x))
        self.leave_if_failed()
        return math.nan if value is None else value

    def fill(self, name: str, x: Array, out: Array, *arguments: Any) -> None:
        if not self.evaluator.fill(name, x, self.new(x), out, *arguments):
            out[:] = np.nan
        self.leave_if_failed()
        if name == "constraints":
            self.g, self.g_x = out.copy(), x.copy()

    def hessian(self, x: Array, factor: float, multipliers: Array, out: Array) -> None:
        y = np.array(multipliers)
        y.setflags(write=False)
        self.fill("hessian", x, out, factor, y)

    def leave_if_failed(self) -> None:
        if self.evaluator.error is not None:
            raise RuntimeError  # ends Uno, which swallows it; `conclude` raises the actual error

    def accepted(
        self, x: Array, lower: Array, upper: Array, y: Array, factor: float, violation: float, dual: float, gap: float
    ) -> bool:
        """Record an iterate that Uno accepted; f and g are known where they were evaluated last."""
        try:
            known = self.evaluator.value_x
            f = self.evaluator.value if known is not None and np.array_equal(known, x) else math.nan
            if np.array_equal(self.g_x, x) or not self.nlp.m:
                violation = self.best.offer(Point(x, f, self.g, np.array(y), -np.array(lower), np.array(upper)))
            record = Iterate(len(self.history) + 1, f, violation, dual)
            self.history.append(record)
            stop = self.progress is not None and self.progress(record)
        except BaseException as error:
            self.evaluator.error, self.evaluator.failing = error, "progress"
            return True
        return bool(stop) or bool(self.interrupt.asked)
