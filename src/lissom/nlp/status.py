"""How the solution of a nonlinear program ended, in plain words."""

from __future__ import annotations

from enum import Enum


class Status(str, Enum):
    """How a solver ended; `ok` tells whether x can be used, `advice` what to do if not."""

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
    Status.SOLVED: ("An optimum was found to the tolerance.", "Nothing is to be done; other starts may lead to better optima."),
    Status.ACCEPTABLE: (
        "A point was found that is nearly an optimum; the tolerance itself was out of reach.",
        "Often good enough. Otherwise check the derivatives with lissom.nlp.check_derivatives, and bring variables and "
        "constraints to sizes near 1.",
    ),
    Status.FEASIBLE: (
        "As many equations as variables: a point that fulfils them was found.",
        "Nothing is to be done; the objective had no say.",
    ),
    Status.LIMITS_BROKEN: (
        "An optimum was found for the instants at which limits are enforced, but between them it breaks one.",
        "Enforce limits at more instants, give the motion more room to keep them, or loosen them.",
    ),
    Status.INFEASIBLE: (
        "The constraints seem to contradict each other near here: moving any way makes the violation worse.",
        "Look at the constraints that are violated at x: relax their bounds, or start elsewhere. Wrong derivatives look the "
        "same: see lissom.nlp.check_derivatives.",
    ),
    Status.UNBOUNDED: (
        "The variables ran away: the objective seems to have no lower bound.",
        "Check the sign of the objective, and give bounds to the variables.",
    ),
    Status.ITERATION_LIMIT: (
        "The limit of iterations was reached.",
        "If violation and objective still fall in the history, allow more iterations; otherwise check derivatives and scales.",
    ),
    Status.TIME_LIMIT: ("The limit of time was reached.", "Allow more time, or start from x with its multipliers."),
    Status.STOPPED: ("The progress function asked to stop.", "x is the best point so far; start again from it to go on."),
    Status.INTERRUPTED: ("Interrupted from the keyboard.", "x is the best point so far; start again from it to go on."),
    Status.FAILED: (
        "A function of the program raised an error.",
        "x is the best point before it. Call the function by hand at the x of the traceback.",
    ),
    Status.STUCK: (
        "Steps became too small to get any further.",
        "Often x is as good as it gets in floating point. Otherwise look for kinks and jumps in the functions, and for sizes far "
        "from 1.",
    ),
    Status.RESTORATION_FAILED: (
        "The solver lost the constraints and found no way back to them.",
        "Start closer to them, check the derivatives with lissom.nlp.check_derivatives, and look for constraints that say the "
        "same twice.",
    ),
    Status.STEP_FAILED: (
        "No step could be computed: the linear equations of the step are too badly conditioned.",
        "Bring variables and constraints to sizes near 1, remove constraints that say the same twice, and check the Hessian.",
    ),
    Status.EVALUATION_FAILED: (
        "A function of the program gave values that are not finite where the solver had to have them.",
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
        "Solve again with verbose=True, which shows what the solver has to say about it.",
    ),
}
