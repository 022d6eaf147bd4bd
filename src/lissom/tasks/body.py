"""What tasks of people share: joints that move, soles on the ground, ranges and strengths, effort and smoothness.

The weights were chosen once, for lifting 10 kg; other tasks use them as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import StateError
from ..fatigue import load
from ..nlp.status import Status
from ..predict import MotionProblem, Prediction
from ..predict.search.solve import failure
from ..robots.human.robot import Human, human
from ..spline import SplinePath

EARTH = 9.81  # [m/s^2]
SIDES = ("left", "right")
# wrists, neck, toes and the girdle stay as they are: hands are points, feet stand flat
ACTIVE = (
    *("hip_flexion", "hip_abduction", "hip_rotation", "knee_flexion", "ankle_flexion", "ankle_eversion"),
    *("spine_1_flexion", "spine_1_bending", "spine_1_torsion", "spine_2_flexion", "spine_3_flexion"),
    *("shoulder_flexion", "shoulder_abduction", "shoulder_rotation", "elbow_flexion"),
)
CORNERS = ("heel_inner", "heel_outer", "ball_outer", "ball_inner")
FRICTION = 0.8  # of soles and hands
ACCELERATION = 1e-3  # weight of squared accelerations [rad/s^2 or m/s^2], beside an effort of weight 1
POSTURE = 0.02  # weight of squared angles [rad]
FORCE = 0.1  # weight of squared forces of contacts' points over weight
FORCE_RATE = 1e-2  # weight of their squared rates [s^2]
GOALS = ("effort", "fatigue")
SETTLED = 3  # iterations in a row
CHANGE = 0.2  # of the goal in an iteration, over the tolerance
GRADIENT = 10.0  # of the goal by control points that limits do not balance; some 1e4 at first
SOLE = 0.1  # [m], distance of the pressure point from the middle of the soles that counts as one


def person_of(stature: float, mass: float, sex: str, age: float | None, active: Sequence[str] = ACTIVE) -> Human:
    """Return a person whose joints in `active` move."""
    return human(stature, mass, sex, age, active)


def flat_soles(person: Human, stance: float) -> dict[str, np.ndarray]:
    """Return where corners of soles are that stand side by side, `stance` [m] between their middles, ankles at x = 0."""
    found, upright = {}, person.neutral()
    for side, out in zip(SIDES, (1.0, -1.0), strict=True):
        aside = np.array([0.0, out * (stance / 2 - person.body.part("half_hip")), 0.0])
        for corner in CORNERS:
            found[f"{side}_{corner}"] = person.point_position(upright, f"{side}_{corner}") + aside
    return found


def stand(problem: MotionProblem, person: Human, stance: float) -> None:
    """Let both soles stand flat; see `flat_soles`."""
    flat = flat_soles(person, stance)
    for side, out in zip(SIDES, (1.0, -1.0), strict=True):
        points = {name: person.points[f"{side}_{name}"].position for name in CORNERS}
        x, y, _ = flat[f"{side}_{CORNERS[0]}"]
        place = (x, y, out * np.pi / 2)  # the second corner is outward of the first
        problem.contact(f"{side}_sole", f"{side}_foot", points, place=place, friction=FRICTION)


def within(problem: MotionProblem, person: Human) -> None:
    """Keep ranges and strengths of all joints; strengths differ by direction."""
    can = person.strengths
    low, high = ({name: getattr(drive, end) for name, drive in can.items()} for end in ("lower", "upper"))
    problem.limit("position", low, high, entries=list(can), hull=True)
    low, high = {n: -d.negative for n, d in can.items()}, {n: d.positive for n, d in can.items()}
    problem.limit("torque", low, high, entries=list(can))


def strength_used(person: Human, tau: np.ndarray) -> dict[str, np.ndarray]:
    """Return moments over the strengths of their way (...) by joint, of torques (..., nv) [N m]."""
    column, found = person.velocity_names.index, {}
    for name, can in person.strengths.items():
        moment = tau[..., column(name)]
        found[name] = np.where(moment > 0, moment / can.positive, -moment / can.negative)
    return found


def add_goals(problem: MotionProblem, person: Human, balance: float = 0.0, goal: str = "effort") -> None:
    """Minimize integrals over the time: effort, balance where it has a weight, and what keeps motions and forces smooth.

    Effort is the sum of squared moments over strengths, and balance the squared distance of the point of pressure from the
    middle of the soles, over a tenth of a meter. With the goal "fatigue", strengths are those of a joint's two ways, and joints
    are weighted by how fast they tire.
    """
    can = person.strengths
    if goal == "fatigue":
        problem.minimize("integral", 1.0, load(problem, person, by_rates=True))
    else:
        effort = np.array([drive.effort for drive in can.values()])
        problem.minimize("integral", 1.0, "torque", entries=list(can), scale=effort)
    soles = [contact.name for contact in problem.contacts if contact.name.endswith("_sole")]
    if balance:
        x = [point[0] for point in flat_soles(person, 1.0).values()]
        middle = (0.5 * (min(x) + max(x)), 0.0)
        problem.minimize("integral", balance, "pressure_point", contact=soles, target=middle, scale=SOLE)
    problem.minimize("integral", ACCELERATION, "acceleration")
    problem.minimize("integral", POSTURE, "position", entries=list(can))
    weight = person.total_mass * EARTH
    for contact in problem.contacts:
        problem.minimize("integral", FORCE, contact.force, scale=weight)
        problem.minimize("integral", FORCE_RATE, f"{contact.force}_rate", scale=weight)


def settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return options of `MotionProblem.solve` with which tasks are found in few iterations, and those given."""
    own = {"tolerance": 1e-3, "limit_tolerance": None, "restart": False, "hessian": "gauss-newton", "magnitude": 1.0}
    # the barrier's size by probing takes fewer iterations than other ways; below 1e-6 steps become tiny for nothing.
    # Without the curvature of limits, iterates of some tasks swing about the optimum by some 1e-4 of the goal and come to
    # rest late or never, as rounding has it: a motion is found where its goal has settled and limits are kept
    found: dict[str, Any] = {"iterations": 300} | own | options
    tolerance = found["tolerance"]
    solver: dict[str, Any] = {"mu_oracle": "probing", "mu_min": min(1e-6, 1e-3 * tolerance)}
    solver |= {"acceptable_iter": SETTLED, "acceptable_tol": GRADIENT, "acceptable_dual_inf_tol": GRADIENT}
    solver |= dict.fromkeys(("acceptable_constr_viol_tol", "acceptable_compl_inf_tol"), tolerance)
    solver["acceptable_obj_change_tol"] = CHANGE * tolerance
    found["options"] = solver | options.get("options", {})
    return found


def solved(problem: MotionProblem, first: SplinePath, start: Prediction | None, options: dict[str, Any]) -> Prediction:
    """Return the motion of a problem from a first path, or from an earlier prediction.

    Where iterates still swing at the limit of iterations, unless that was given, the search goes on from the best of them with
    another rule for the size of the barrier.
    """
    own = settings(options)
    begin: SplinePath | Prediction = first if start is None else start
    if "iterations" in options:
        return problem.solve(start=begin, **own)
    found: Prediction = problem.solve(start=begin, **own | {"throw": False})
    if found.status is Status.ITERATION_LIMIT:
        rule = own["options"] | {"mu_oracle": "loqo"} | options.get("options", {})
        return problem.solve(start=found, **own | {"options": rule})
    if own.get("throw", True) and not found.success:
        raise failure(found)
    return found


def number(value: Any, what: str, low: float, high: float, unit: str, hint: str = "") -> float:
    """Return a number within a range."""
    if isinstance(value, (bool, str)) or np.ndim(value) or not np.isfinite(value) or not low <= value <= high:
        raise StateError(f"{what} is {value!r}, expected {low:g} to {high:g} {unit}{hint}")
    return float(value)


def place(value: Any, what: str) -> np.ndarray:
    """Return a place (3,) [m], given as x and height in the middle, or as x, y and height."""
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape not in ((2,), (3,)) or not np.isfinite(found).all():
        raise StateError(f"{what} is {value!r}, expected (x, height) or (x, y, height) [m]: x ahead of the ankles, y to the left")
    return found if len(found) == 3 else np.array([found[0], 0.0, found[1]])
