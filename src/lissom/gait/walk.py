"""Prediction of natural walking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import StateError
from ..predict.result.prediction import Prediction
from ..robots.human.robot import human
from .bounds import SLOWEST, check_step, check_walk, longest
from .problem import walking_problem
from .result import Gait
from .start import first_motion
from .style import Style
from .terrain import Terrain

FIXED, FREE = "fixed", "free"
USUAL = 1.3
CADENCE = 95.0  # steps per minute on stairs, unless a speed is given
ON_STAIRS = 0.15  # [m/s], the slowest there
RATIO = 0.0072  # [m min] of step length and cadence at 1.75 m, much the same at all speeds: that of Winter's normal walk
SETTLED = 3, 2  # iterations in a row, from a rough walk and from a neighbor
CHANGE = 0.2  # of the goal in an iteration, over the tolerance
# of level and sloped ground where left and right are alike, and of stairs and of two steps that differ:
GRADIENT = 5.0, 100.0  # of the goal by control points that limits do not balance; some 1e6 at first
MOST = 300, 500  # iterations


def predict(
    speed: float | None = None,
    step_length: float | None = None,
    *,
    stature: float = 1.75,
    mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    slope: float = 0.0,
    stairs: Sequence[float] | None = None,
    backpack: float | None = None,
    hand_load: float | Mapping[str, float] | None = None,
    stiff: Mapping[str, Any] | None = None,
    fused: Iterable[str] | Mapping[str, float] | None = None,
    weakness: Mapping[str, Any] | None = None,
    orthosis: Mapping[str, Any] | None = None,
    prosthesis: Mapping[str, Any] | None = None,
    crouch: float | None = None,
    phases: str = "fixed",
    start: Gait | None = None,
    tolerance: float = 1e-3,
    iterations: int | None = None,
    style: Style | None = None,
    throw: bool = True,
    **options: Any,
) -> Gait:
    """Predict how a person walks, at constant speed: symmetric steps, or two that repeat where left and right differ.

    Args:
        speed: along the level [m/s]; None for 1.3, on stairs for 95 steps per minute. At most the root of 9.81 m/s^2 times the
            leg's length.
        step_length: along the level [m]; None for that of people at this speed, on stairs their run. At most what straight legs
            reach at the extension of the hips to both sides.
        stature, mass, sex, age: of the person, see `lissom.robots.human`.
        slope: rise over run, negative downhill.
        stairs: rise and run of a step [m]; a negative rise leads down.
        backpack, hand_load, stiff, fused, weakness, orthosis, prosthesis, crouch: loads and what joints and muscles cannot do,
            see `lissom.robots.Human.with_changes`.
        phases: "fixed" for usual shares of the step, "free" to find them within 0.5 to 1.6 times these; two steps that differ
            then may have different times.
        start: a gait to begin with, such as that at a neighboring speed; None for a rough one.
        tolerance: a walk is found where the goal settles to a fifth of it, and limits hold to it at the solver's instants.
        iterations: at most; None for 300, and 500 on stairs and where two steps are predicted.
        style: weights and times; None for those that were chosen for normal walking.
        throw: False returns the best motion found where none keeps the limits.
        options: see `lissom.predict.SolveOptions`.

    Raises:
        StateError: no walk has such a speed, step length, slope or stairs.
        ModelError, NameLookupError: no person has such a load, or no such joint.
        PredictionError: no motion was found that keeps the limits.
    """
    terrain = Terrain(slope, stairs)  # type: ignore[arg-type]
    if speed is None:
        speed = USUAL if terrain.stairs is None else CADENCE / 60.0 * terrain.stairs[1]
    if terrain.stairs is not None:
        if step_length is not None and step_length != terrain.stairs[1]:
            raise StateError(f"step_length is {step_length!r}, but steps on stairs have their run, {terrain.stairs[1]:g} m")
        step_length = terrain.stairs[1]
    person = human(stature, mass, sex, age, active="walking").with_changes(
        backpack=backpack,
        hand_load=hand_load,
        stiff=stiff,
        fused=fused,
        weakness=weakness,
        orthosis=orthosis,
        prosthesis=prosthesis,
        crouch=crouch,
    )
    speed, most = check_walk(person, speed, SLOWEST if terrain.stairs is None else ON_STAIRS), longest(person)
    step = min(step_of(speed, stature), most) if step_length is None else check_step(step_length, most, stature)
    steps = 1 if person.symmetric else 2
    free = phases == FREE
    if phases not in (FIXED, FREE):
        raise StateError(f"phases is {phases!r}, expected {FIXED!r} or {FREE!r}")
    chosen = style or Style()
    problem = walking_problem(person, speed, step, chosen, terrain, steps, free)
    first = first_motion(problem, person, step, chosen, terrain, steps, start)
    hard = steps == 2 or terrain.stairs is not None
    limit = MOST[hard] if iterations is None else iterations
    own = settings(tolerance, options, hard, start is not None and not hard, terrain.stairs is not None)
    found: Prediction = problem.solve(start=first, iterations=limit, throw=throw, **own)
    return Gait(person, found, speed, step, terrain, steps)


def step_of(speed: float, stature: float) -> float:
    """Return a usual step length [m]: with a constant ratio of step length and cadence it grows with the root of the speed."""
    return float(np.sqrt(60.0 * RATIO * speed * (stature / 1.75)))


def settings(
    tolerance: float, options: dict[str, Any], hard: bool = False, near: bool = False, edges: bool = False
) -> dict[str, Any]:
    """Return options of `MotionProblem.solve` with which walks are found in few iterations, and those given.

    `hard`: for stairs and two steps that differ; `near`: from a neighboring walk, near which the search arrives soon; `edges`:
    those of stairs are passed.
    """
    found: dict[str, Any] = {
        "tolerance": tolerance,
        "limit_tolerance": None,
        "restart": False,
        "hessian": "gauss-newton",
        "magnitude": 1.0,
    } | options
    # the barrier's size by probing takes a third of the iterations of other ways; below 1e-6 steps become tiny for nothing;
    # multipliers that take full steps do not run away where rows depend on each other, as they nearly do in two steps.
    # Without the curvature of limits, iterates come near the optimum soon and then swing about it by some 1e-4 of the goal
    # for long: they have arrived where the goal has settled and limits are kept. A barrier that is never held still, and not
    # high at first, spares wandering about for up to 150 iterations; edges of stairs, which bend sharply, need it held
    own: dict[str, Any] = {
        "mu_oracle": "probing",
        "mu_max": 0.1,
        "adaptive_mu_globalization": "obj-constr-filter" if edges else "never-monotone-mode",
        "mu_min": 1e-6,
        "alpha_for_y": "full",
        "acceptable_iter": SETTLED[near],
        "acceptable_tol": 10.0,
    }
    own |= {"acceptable_dual_inf_tol": GRADIENT[hard], "acceptable_constr_viol_tol": tolerance}
    own["acceptable_obj_change_tol"] = CHANGE * tolerance
    found["options"] = own | found.get("options", {})
    return found
