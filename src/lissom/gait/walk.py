"""Prediction of natural walking."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import StateError
from ..predict.result.prediction import Prediction
from ..robots.human.robot import human
from .problem import walking_problem
from .result import Gait
from .start import first_walk
from .style import Style

SPEEDS = (0.4, 2.5)  # [m/s]
RATIO = 0.0072  # [m min] of step length and cadence at 1.75 m, much the same at all speeds: that of Winter's normal walk
LONGEST = 0.62  # of a step, over stature


def predict(
    speed: float = 1.3,
    step_length: float | None = None,
    *,
    stature: float = 1.75,
    mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    start: Gait | None = None,
    tolerance: float = 1e-3,
    iterations: int = 300,
    style: Style | None = None,
    throw: bool = True,
    **options: Any,
) -> Gait:
    """Predict how a person walks on level ground: symmetric steps, at constant speed.

    Args:
        speed: [m/s].
        step_length: [m]; None for that of people at this speed.
        stature, mass, sex, age: of the person, see `lissom.robots.human`.
        start: a gait to begin with, such as that at a neighboring speed; None for a rough one.
        tolerance, iterations: of the solver.
        style: weights and times; None for those that were chosen for normal walking.
        throw: False returns the best motion found where none keeps the limits.
        options: see `lissom.predict.SolveOptions`.

    Raises:
        StateError: no walk has such a speed or step length.
        PredictionError: no motion was found that keeps the limits.
    """
    if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise StateError(f"speed is {speed!r}, expected one at which people walk, {SPEEDS[0]:g} to {SPEEDS[1]:g} m/s")
    step = step_of(speed, stature) if step_length is None else step_length
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0 < step <= LONGEST * stature:
        raise StateError(
            f"step_length is {step!r}, expected up to {LONGEST * stature:.3g} m, the longest for a stature of {stature:g} m"
        )
    person = human(stature, mass, sex, age, active="walking")
    chosen = style or Style()
    problem = walking_problem(person, float(speed), float(step), chosen)
    first = first_walk(problem, person, float(step), chosen) if start is None else start.prediction
    settings: dict[str, Any] = {
        "tolerance": tolerance,
        "limit_tolerance": None,
        "restart": False,
        "hessian": "gauss-newton",
        "magnitude": 1.0,
    } | options
    # the barrier's size by probing takes a third of the iterations of other ways; below 1e-6 steps become tiny for nothing
    own = {"mu_oracle": "probing", "mu_min": 1e-6, "acceptable_tol": 10 * tolerance, "acceptable_iter": 5}
    settings["options"] = own | settings.get("options", {})
    found: Prediction = problem.solve(start=first, iterations=iterations, throw=throw, **settings)
    return Gait(person, found, float(speed), float(step))


def step_of(speed: float, stature: float) -> float:
    """Return a usual step length [m]: with a constant ratio of step length and cadence it grows with the root of the speed."""
    return float(min(np.sqrt(60.0 * RATIO * speed * (stature / 1.75)), LONGEST * stature))
