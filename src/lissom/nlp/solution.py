"""The result of a solver of nonlinear programs, and the best point on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .problem import Array, Nlp, missed
from .status import Status


class Iterate(NamedTuple):
    """One iteration, as passed to the progress function and kept in the history; values that a solver does not report are nan.

    Attributes:
        iteration: counted from 0, the start.
        objective: f; nan while feasibility is restored, if f is not known there.
        violation: largest violation of bounds and constraints.
        dual_violation: largest entry of the gradient of the Lagrangian.
        barrier: the barrier parameter mu of interior-point methods.
        step: largest entry of the last step.
        step_length: fraction of the step that was taken, between 0 and 1.
        regularization: added to the Hessian's diagonal.
        trials: points tried in the line search.
        restoration: whether the solver is restoring feasibility, without regard to the objective.
    """

    iteration: int
    objective: float
    violation: float
    dual_violation: float = math.nan
    barrier: float = math.nan
    step: float = math.nan
    step_length: float = math.nan
    regularization: float = math.nan
    trials: int = 0
    restoration: bool = False


class Evaluations(NamedTuple):
    """How often each function was called, how many results were not finite, and the time inside the functions [s]."""

    points: int
    objective: int
    gradient: int
    constraints: int
    jacobian: int
    hessian: int
    not_finite: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Solution:
    """The point at which a solver ended, and how.

    If `status.ok`, or if the program is infeasible, x is the solver's last point; otherwise the best iterate: the one of least
    violation and, among those within the tolerance, of least objective.
    Signs: df/dx + J^T multipliers - lower_multipliers + upper_multipliers = 0, the latter two not negative.

    Attributes:
        x, objective, constraints: the point, f and g there.
        multipliers: of the constraints, (m,).
        lower_multipliers, upper_multipliers: of the bounds of the variables, (n,).
        status: how it ended; `status.ok`, `status.meaning`, `status.advice`.
        message: the same in a sentence or two, with details.
        iterations: how many were made.
        seconds: in the solver and the functions [s].
        evaluations: how often each function was called.
        history: an `Iterate` for each iteration.
    """

    x: Array
    objective: float
    constraints: Array
    multipliers: Array
    lower_multipliers: Array
    upper_multipliers: Array
    status: Status
    message: str
    iterations: int
    seconds: float
    evaluations: Evaluations
    history: tuple[Iterate, ...]

    def __repr__(self) -> str:
        return (
            f"<Solution {self.status.value}: objective {self.objective:.10g}, {self.x.size} variables, "
            f"{self.iterations} iterations, {self.seconds:.3g} s>"
        )


class Point(NamedTuple):
    """A point with its multipliers."""

    x: Array
    objective: float
    constraints: Array
    multipliers: Array
    lower_multipliers: Array
    upper_multipliers: Array

    def copy(self) -> Point:
        """Return a copy of the point."""
        x, objective, *rest = self
        return Point(x.copy(), objective, *(array.copy() for array in rest))


def nowhere(nlp: Nlp, x0: Array) -> Point:
    """Return the start as a point whose values are unknown."""
    return Point(x0, math.nan, np.full(nlp.m, np.nan), np.zeros(nlp.m), np.zeros(nlp.n), np.zeros(nlp.n))


class Best:
    """Keeps the point of least violation and, among points within the tolerance, of least objective.

    Bounds are widened by the tolerance, relative to bounds larger than 1, as in IPOPT.
    """

    def __init__(self, nlp: Nlp, x0: Array, tolerance: float) -> None:
        self.nlp, self.tolerance = nlp, tolerance
        self.point, self.key = nowhere(nlp, x0.copy()), (math.inf, math.inf)
        bounds = (nlp.lower, nlp.upper, nlp.constraint_lower, nlp.constraint_upper)
        wide = [tolerance * np.maximum(1.0, np.abs(bound)) for bound in bounds]
        self.lower, self.upper, self.g_lower, self.g_upper = (
            bound + sign * extra for bound, sign, extra in zip(bounds, (-1, 1, -1, 1), wide, strict=True)
        )

    def offer(self, point: Point) -> float:
        """Keep a copy of the point if it is the best so far; return its violation."""
        violation = wide = self.nlp.violation(point.x, point.constraints)
        if violation > 0:
            wide = missed(((self.lower, point.x, self.upper), (self.g_lower, point.constraints, self.g_upper)))
        key = (wide, point.objective if math.isfinite(point.objective) else math.inf)
        if not math.isnan(violation) and key < self.key:
            self.key, self.point = key, point.copy()
        return violation
