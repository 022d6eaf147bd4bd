"""SolveOptions: the options of solving a motion problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

import lissom

from ...nlp.solution import Iterate
from ...spline import SplinePath

Progress = Callable[[Iterate], object]


class SolveOptions(TypedDict, total=False):
    """Options of `MotionProblem.solve`; `pareto`, `solve_many` and `lissom.gait.predict` pass them on.

    Attributes:
        start: a path, or an earlier prediction, to begin with; its multipliers count if it succeeded, for a problem of as many
            control points and limits. None for a straight line at a duration that keeps the limits.
        tolerance: of the solver, on limits divided by their scales and on the optimality conditions (1e-8).
        limit_tolerance: violation allowed at any time, relative to the limits' scales (1e-3). Where a motion breaks one by more
            between the instants at which they are enforced, instants are added there and it is solved again, in six rounds at
            most; then with twice the knots. A motion that still breaks them has the status LIMITS_BROKEN. None checks the
            instants only.
        iterations: at most, of each solve (500).
        seconds: [s] of all solves together, without compiling; then the best motion so far is the result. It keeps its status
            where a solve was finished; otherwise it is TIME_LIMIT. None for no limit.
        refine: double the knots until the objective and the violation between instants settle, or 5000 control points are
            reached; a number says how often at most. False by default.
        starts: number of starts, the straight line and random ones around it; the best result counts (1).
        seed: of the random starts (0).
        restart: solve again from the solution that keeps all limits, and continue if that finds a better one; that solve alone
            is to the tolerance, those before it end at 1e-6. False solves once, and all rounds to the tolerance. True by default.
        feasible_first: first look for a motion that keeps the limits, with a constant objective, and begin with that. False by
            default.
        magnitude: of the objective at the solution, as far as it is known, by which the solver sees it divided; None for that at
            the start, which may be far off.
        hessian: "exact" second derivatives; "gauss-newton", those of squares that are minimized without the curvature of
            quantities and of limits: more robust where limits are tight, with more iterations elsewhere. "auto", the default, is
            exact and, where that ends without a motion before the iterations do, Gauss-Newton from the same start.
        solver: "ipopt" (default) or "uno".
        options: of the solver, by its own names.
        progress: called with every iterate; a true result stops. True shows a line below the cell of a notebook, or on the
            standard error, where that is a terminal.
        throw: False returns the best motion found, with its status and advice, where none keeps the limits. True by default.
    """

    start: SplinePath | lissom.Prediction | None
    tolerance: float
    limit_tolerance: float | None
    iterations: int
    seconds: float | None
    refine: bool | int
    starts: int
    seed: int
    restart: bool
    feasible_first: bool
    magnitude: float | None
    hessian: str
    solver: str
    options: Mapping[str, str | float] | None
    progress: Progress | bool | None
    throw: bool
