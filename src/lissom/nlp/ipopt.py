"""IPOPT, an interior-point method with a filter line search, called through its C interface.

Waechter and Biegler 2006, "On the implementation of an interior-point filter line-search algorithm for large-scale nonlinear
programming". The library comes with the package casadi: pip install 'lissom[predict]'.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np

from ..arrays import ArrayLike
from ..errors import NlpError
from ..interrupt import Interrupt
from . import library as lib
from .evaluator import Evaluator
from .options import set_options
from .problem import Array, Nlp, vector
from .report import conclude
from .solution import Best, Iterate, Point, Solution
from .status import Status

# IpReturnCodes_inc.h; 5 is a stop requested by us, -12 is raised as an error
CODES = {
    0: Status.SOLVED,
    1: Status.ACCEPTABLE,
    2: Status.INFEASIBLE,
    3: Status.STUCK,
    4: Status.UNBOUNDED,
    5: Status.STOPPED,
    6: Status.FEASIBLE,
    -1: Status.ITERATION_LIMIT,
    -2: Status.RESTORATION_FAILED,
    -3: Status.STEP_FAILED,
    -4: Status.TIME_LIMIT,
    -5: Status.TIME_LIMIT,
    -10: Status.TOO_MANY_EQUATIONS,
    -13: Status.EVALUATION_FAILED,
    -102: Status.OUT_OF_MEMORY,
}
# a warm start must not be pushed away from bounds that are active, nor begin with a large barrier
WARM = {"warm_start_init_point": "yes", "mu_init": 1e-6} | dict.fromkeys(
    [f"warm_start_{name}" for name in ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac", "mult_bound_push")],
    1e-9,
)
MANY = 20_000  # variables from which several threads of linear algebra may pay
Progress = Callable[[Iterate], object]
Multipliers = tuple[ArrayLike, ArrayLike, ArrayLike]


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
) -> Solution:
    """Solve a nonlinear program with IPOPT.

    Ctrl-C stops at the next iterate, a second one at once. An error raised by a function of the program is raised again when
    IPOPT has been left; its attribute `solution` holds the best point before it. A file ipopt.opt in the working folder is not
    read, and functions are not scaled unless the options say so.

    Args:
        nlp: the program.
        x0: start, (n,); moved inside the bounds if it is not.
        tolerance: of the conditions of optimality, IPOPT's `tol`; points within it of their constraints count as feasible.
        iterations: at most.
        options: of IPOPT, by their names: texts, numbers, True and False for "yes" and "no". They prevail over
            all other arguments.
        multipliers: for a warm start: an earlier Solution, or its multipliers, lower_multipliers and upper_multipliers.
        progress: called with an `Iterate` at each iteration; a result that is true stops IPOPT.
        verbose: whether IPOPT prints its own log.

    Returns:
        The solution; look at `status.ok` before its x is used.

    Raises:
        NlpError: a start or multipliers of the wrong size, an option that IPOPT refuses.
        MissingExtraError: IPOPT is not installed.
        Interrupted: after Ctrl-C; its `result` is the Solution at the best point so far.
    """
    x = nlp.start(x0)
    y, z_lower, z_upper = initial_multipliers(nlp, multipliers)
    library = lib.load()
    run = _Run(nlp, x, tolerance, progress, library)
    settings: dict[str, Any] = {"sb": "yes", "print_level": 5 if verbose else 0, "option_file_name": "", "tol": float(tolerance)}
    settings |= {"max_iter": iterations, "nlp_scaling_method": "none"} | (WARM if multipliers is not None else {})
    if nlp.hessian is None:
        settings["hessian_approximation"] = "limited-memory"
    callbacks = (
        lib.EVALUATE(run.objective),
        lib.EVALUATE_CONSTRAINTS(run.constraints),
        lib.EVALUATE(run.gradient),
        lib.EVALUATE_JACOBIAN(run.jacobian),
        lib.EVALUATE_HESSIAN(run.hessian),
    )
    intermediate = lib.INTERMEDIATE(run.intermediate)
    bounds = [array.ctypes.data for array in (nlp.lower, nlp.upper, nlp.constraint_lower, nlp.constraint_upper)]
    sizes = nlp.jacobian_structure[0].size, nlp.hessian_structure[0].size
    run.problem = library.CreateIpoptProblem(nlp.n, *bounds[:2], nlp.m, *bounds[2:], *sizes, 0, *callbacks)
    if not run.problem:
        raise NlpError("IPOPT refuses the program and gives no reason")
    g, f = np.full(nlp.m, np.nan), np.full(1, np.nan)
    final = [array.ctypes.data for array in (x, g, f, y, z_lower, z_upper)]
    try:
        set_options(library, run.problem, settings | dict(options or {}))
        library.SetIntermediateCallback(run.problem, intermediate)
        started = perf_counter()
        # two threads take as long as one for the matrices of motion problems, and twice the processor time
        blas = lib.threads() if nlp.n < MANY else None
        with run.interrupt, nullcontext() if blas is None else blas.one():
            code = library.IpoptSolve(run.problem, *final, None)
        seconds = perf_counter() - started
    finally:
        library.FreeIpoptProblem(run.problem)
    if code == -12:
        raise NlpError(f"IPOPT refuses the options {dict(options or {})!r} in combination; verbose=True shows its message")
    status = CODES.get(code, Status.INTERNAL_ERROR)
    if status is Status.STOPPED and run.interrupt.asked:
        status = Status.INTERRUPTED
    last = Point(x, float(f[0]), g, y, z_lower, z_upper)
    return conclude(
        run.evaluator, run.best, last, status, tuple(run.history), run.history[-1].iteration if run.history else 0, seconds
    )


def initial_multipliers(nlp: Nlp, given: Solution | Multipliers | None) -> tuple[Array, Array, Array]:
    """Return new arrays of the multipliers of constraints, lower and upper bounds; zeros if none are given."""
    if given is None:
        return np.zeros(nlp.m), np.zeros(nlp.n), np.zeros(nlp.n)
    if isinstance(given, Solution):
        given = given.multipliers, given.lower_multipliers, given.upper_multipliers
    if not isinstance(given, tuple) or len(given) != 3:
        raise NlpError("multipliers must be a Solution, or the tuple (multipliers, lower_multipliers, upper_multipliers) of one")
    return (
        vector("multipliers[0]", given[0], nlp.m, "m"),
        vector("multipliers[1]", given[1], nlp.n, "n"),
        vector("multipliers[2]", given[2], nlp.n, "n"),
    )


class _Run:
    """Callbacks of IPOPT during one solution; addresses come as int, or None for NULL."""

    def __init__(self, nlp: Nlp, x0: Array, tolerance: float, progress: Progress | None, library: Any) -> None:
        self.nlp, self.progress, self.library = nlp, progress, library
        self.evaluator = Evaluator(nlp)
        self.best = Best(nlp, x0, tolerance)
        self.interrupt = Interrupt()
        self.history: list[Iterate] = []
        self.problem = 0
        self.views: dict[tuple[int, int], Array] = {}
        n, m = nlp.n, nlp.m
        # the current iterate, which IPOPT writes here when asked
        self.here = Point(np.empty(n), 0.0, np.empty(m), np.empty(m), np.empty(n), np.empty(n))
        x, _, g, y, z_lower, z_upper = (array.ctypes.data if isinstance(array, np.ndarray) else 0 for array in self.here)
        self.fetch = (False, n, x, z_lower, z_upper, m, g, y)

    def view(self, address: int, size: int) -> Array:
        """Return IPOPT's memory as an array; kept, as IPOPT reuses few addresses, and a new view takes 2 us."""
        view = self.views.get((address, size))
        if view is None:
            if len(self.views) > 200:
                self.views.clear()
            memory: Any = (ctypes.c_double * size).from_address(address)
            view = np.frombuffer(memory)
            self.views[address, size] = view
        return view

    def objective(self, n: int, x: int, new: bool, out: int, _: Any) -> bool:
        value = self.evaluator.objective(self.view(x, n), new)
        if value is None:
            return False
        self.view(out, 1)[0] = value
        return True

    def gradient(self, n: int, x: int, new: bool, out: int, _: Any) -> bool:
        return self.evaluator.fill("gradient", self.view(x, n), new, self.view(out, n))

    def constraints(self, n: int, x: int, new: bool, m: int, out: int | None, _: Any) -> bool:
        return not m or out is None or self.evaluator.fill("constraints", self.view(x, n), new, self.view(out, m))

    def jacobian(self, n: int, x: int, new: bool, m: int, size: int, rows: int, columns: int, out: int | None, _: Any) -> bool:
        if not size:
            return True
        if out is None:
            return _tell(self.nlp.jacobian_structure, rows, columns)
        return self.evaluator.fill("jacobian", self.view(x, n), new, self.view(out, size))

    def hessian(
        self,
        n: int,
        x: int,
        new: bool,
        factor: float,
        m: int,
        multipliers: int | None,
        new_multipliers: bool,
        size: int,
        rows: int,
        columns: int,
        out: int | None,
        _: Any,
    ) -> bool:
        if not size:
            return True
        if out is None:
            return _tell(self.nlp.hessian_structure, rows, columns)
        y = self.view(multipliers, m).copy() if multipliers else np.zeros(m)
        y.setflags(write=False)
        return self.evaluator.fill("hessian", self.view(x, n), new, self.view(out, size), factor, y)

    def intermediate(
        self,
        mode: int,
        iteration: int,
        f: float,
        violation: float,
        dual: float,
        barrier: float,
        step: float,
        regularization: float,
        dual_length: float,
        length: float,
        trials: int,
        _: Any,
    ) -> bool:
        if self.evaluator.error is not None:
            return False
        try:
            if mode == 1:  # restoring feasibility: f and violation are those of another program
                f = violation = math.nan
            if self.library.GetIpoptCurrentIterate(self.problem, *self.fetch):
                known = self.evaluator.value_x
                if mode == 1 and known is not None and np.array_equal(self.here.x, known):
                    f = self.evaluator.value
                violation = self.best.offer(self.here._replace(objective=f))
            record = Iterate(iteration, f, violation, dual, barrier, step, length, regularization, trials, mode == 1)
            self.history.append(record)
            stop = self.progress is not None and self.progress(record)
        except BaseException as error:
            self.evaluator.error, self.evaluator.failing = error, "progress"
            return False
        return not stop and not self.interrupt.asked


def _tell(structure: tuple[Array, Array], rows: int, columns: int) -> bool:
    for address, places in zip((rows, columns), structure, strict=True):
        ctypes.memmove(address, places.ctypes.data, places.nbytes)
    return True
