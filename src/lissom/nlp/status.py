"""How the solution of a nonlinear program ended, in plain words."""

from __future__ import annotations

from enum import Enum


class Status(str, Enum):
    """How a solver ended; `ok` says whether x can be used, `advice` what to do if not."""

    SOLVED = "solved"
    ACCEPTABLE = "acceptable"
    FEASIBLE = "feasible"
    LIMITS_BROKEN = "limits_broken"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    ITERATION_LIMIT = "iteration_limit"
    TIME_LIMIT = "time_limit"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    STUCK = "stuck"
    RESTORATION_FAILED = "restoration_failed"
    STEP_FAILED = "step_failed"
    EVALUATION_FAILED = "evaluation_failed"
    TOO_MANY_EQUATIONS = "too_many_equations"
    OUT_OF_MEMORY = "out_of_memory"
    INTERNAL_ERROR = "internal_error"

    @property
    def ok(self) -> bool:
        """Whether x solves the program: to the tolerance, or nearly."""
        return self in (Status.SOLVED, Status.ACCEPTABLE, Status.FEASIBLE)

    @property
    def meaning(self) -> str:
        """What happened."""
        return _TEXT[self][0]

    @property
    def advice(self) -> str:
        """What to do about it."""
        return _TEXT[self][1]


_TEXT = {
    Status.SOLVED: ("An optimum was found to the tolerance.", "Nothing to do; other starts may lead to better optima."),
    Status.ACCEPTABLE: (
        "A point was found that is nearly an optimum; the tolerance was not reached.",
        "Often good enough. Otherwise check the derivatives with lissom.nlp.check_derivatives, and scale variables and "
        "constraints to magnitudes near 1.",
    ),
    Status.FEASIBLE: (
        "There are as many equations as variables: a point that fulfills them was found.",
        "Nothing to do; the objective had no influence.",
    ),
    Status.LIMITS_BROKEN: (
        "An optimum was found for the instants at which limits are enforced, but between them it breaks one.",
        "Enforce limits at more instants, use more control points, or relax the limits.",
    ),
    Status.INFEASIBLE: (
        "The constraints seem to contradict each other near here: every small step makes the violation worse.",
        "Look at the constraints that are violated at x: relax their bounds, or start elsewhere. Wrong derivatives look the "
        "same: see lissom.nlp.check_derivatives.",
    ),
    Status.UNBOUNDED: (
        "The variables diverged: the objective seems to have no lower bound.",
        "Check the sign of the objective, and give bounds to the variables.",
    ),
    Status.ITERATION_LIMIT: (
        "The iteration limit was reached.",
        "If violation and objective still fall in the history, allow more iterations; otherwise check derivatives and scales.",
    ),
    Status.TIME_LIMIT: ("The time limit was reached.", "Allow more time, or start from x with its multipliers."),
    Status.STOPPED: ("The progress function asked to stop.", "x is the best point so far; start again from it to continue."),
    Status.INTERRUPTED: ("Interrupted from the keyboard.", "x is the best point so far; start again from it to continue."),
    Status.FAILED: (
        "A function of the program raised an error.",
        "x is the best point before it. Call the function by hand at the x of the traceback.",
    ),
    Status.STUCK: (
        "Steps became too small to continue.",
        "Often x is as accurate as floating point allows. Otherwise look for kinks and jumps in the functions, and magnitudes "
        "far from 1.",
    ),
    Status.RESTORATION_FAILED: (
        "The solver left the feasible region and could not restore feasibility.",
        "Start closer to it, check the derivatives with lissom.nlp.check_derivatives, and look for constraints that say the "
        "same twice.",
    ),
    Status.STEP_FAILED: (
        "No step could be computed: the linear equations of the step are too badly conditioned.",
        "Scale variables and constraints to magnitudes near 1, remove redundant constraints, and check the Hessian.",
    ),
    Status.EVALUATION_FAILED: (
        "A function of the program returned values that are not finite where the solver needed them.",
        "Start where all functions are finite, and bound variables away from where they are not. IPOPT may step over bounds by "
        "1e-8: the option bound_relax_factor = 0.0 forbids it.",
    ),
    Status.TOO_MANY_EQUATIONS: (
        "There are more equations than free variables.",
        "Remove equations that follow from others, or free variables that are fixed by equal bounds.",
    ),
    Status.OUT_OF_MEMORY: ("The solver ran out of memory.", "Give a sparser structure, or a smaller program."),
    Status.INTERNAL_ERROR: (
        "The solver itself failed.",
        "Solve again with verbose=True, which shows the solver's messages.",
    ),
}
