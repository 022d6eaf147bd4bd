"""Lifting a box with both hands, from one place to another: the postures at both ends first, then the motion between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import StateError, is_choice, suggest
from ..model.free_body import with_box
from ..predict import Front, MotionProblem, pareto
from ..robots.human.robot import Human
from ..spline import SplinePath
from .body import FRICTION, GOALS, SIDES, add_goals, number, person_of, place, settings, solved, stand, within
from .cobot import SHARE, Cobot, hold
from .pose import Pose, Stand, stand_pose
from .result import Task

BOX = "box"
SIZE = (0.3, 0.4, 0.25)  # [m]
REACHED = 1e-6  # [m]
STABLE = 1e-3  # [m], by which the point of pressure of a static pose may be outside of the soles
HALVINGS = 6  # in the search for the heaviest box that could be held


def lift(
    mass: float = 10.0,
    origin: Sequence[float] = (0.4, 0.0),
    destination: Sequence[float] = (0.4, 1.2),
    *,
    size: Sequence[float] = SIZE,
    duration: float = 1.5,
    stance: float = 0.3,
    knees: float | None = None,
    balance: float = 0.0,
    goal: str = "effort",
    stature: float = 1.75,
    body_mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    changes: Mapping[str, Any] | None = None,
    cobot: Cobot | None = None,
    control_points: int = 14,
    start: Task | None = None,
    **options: Any,
) -> Task:
    """Predict how a person lifts a box with both hands.

    The box is a free body; hands hold it at the middles of its left and right sides. Where it starts and ends, the person rests,
    in the posture of least static effort.

    Args:
        mass: of the box [kg].
        origin, destination: of the middle of the box's bottom: x ahead of the ankles and height [m], or x, y (left) and height.
        size: of the box along x, y and z [m].
        duration: [s].
        stance: between the middles of the soles [m].
        knees: least flexion of the knees at the origin [deg], such as 90 for a squat; None for the least effort's.
        balance: weight of the squared distance of the point of pressure from the middle of the soles, over (0.1 m)^2, beside the
            effort's, which is 1.
        goal: "effort": squared moments over strengths; or "fatigue": over those that are left in each way, and weighted by how
            fast joints tire (see `lissom.fatigue.load`).
        stature, body_mass, sex, age: of the person, see `lissom.robots.human`.
        changes: springs beside joints, weak muscles and what else `Human.with_changes` takes, by name.
        cobot: a robot that holds the box with the person; both are then in one closed problem.
        control_points: of the splines.
        start: an earlier lift to begin with.
        options: of `MotionProblem.solve`.

    Raises:
        StateError: a place is out of reach, by how much; or the box is too heavy, and what could be held; or the cobot does not
            reach it.
        PredictionError: no motion was found that keeps the limits.
    """
    who, own = (stature, body_mass, sex, age), (mass, origin, destination, size, duration, stance, knees, balance)
    problem, first, person = lift_problem(*own, who, control_points, changes, goal, cobot)
    return Task("lift", person, solved(problem, first, None if start is None else start.prediction, options))


def lift_front(weights: Any, *, balance: float = 1.0, **arguments: Any) -> Front:
    """Return the Pareto front of effort and balance: lifts for several weights of the two (`lissom.predict.pareto`).

    Args:
        weights: numbers w from 0 to 1 for the weights w of effort and 1 - w of balance, or pairs of weights.
        balance: any positive number; it does not matter.
        arguments: of `lift`, and options of `MotionProblem.solve`.
    """
    names = ("mass", "origin", "destination", "size", "duration", "stance", "knees", "control_points", "changes")
    own = {name: arguments.pop(name) for name in (*names, "stature", "body_mass", "sex", "age") if name in arguments}
    who = tuple(own.pop(n, d) for n, d in (("stature", 1.75), ("body_mass", 75.0), ("sex", "male"), ("age", None)))
    usual: dict[str, Any] = {
        "mass": 10.0,
        "origin": (0.4, 0.0),
        "destination": (0.4, 1.2),
        "size": SIZE,
        "duration": 1.5,
        "stance": 0.3,
    }
    problem, first, _ = lift_problem(**({**usual, "knees": None, "control_points": 14} | own), balance=balance, who=who)
    return pareto(problem, weights, goals=(0, 1), start=first, **settings(arguments))


def lift_problem(
    mass: Any,
    origin: Any,
    destination: Any,
    size: Any,
    duration: Any,
    stance: Any,
    knees: Any,
    balance: Any,
    who: tuple[Any, ...],
    control_points: int,
    changes: Mapping[str, Any] | None = None,
    goal: str = "effort",
    cobot: Cobot | None = None,
) -> tuple[MotionProblem, SplinePath, Human]:
    """Return the problem of a lift, a first path, and the person with the box; arguments are those of `lift`."""
    if not is_choice(goal, GOALS):
        raise StateError(f"goal is {goal!r}; {suggest(str(goal), GOALS)}")
    mass = number(mass, "mass", 0.1, 500.0, "kg, that of the box")
    stance = number(stance, "stance", 0.1, 1.0, "m")
    bend = 0.0 if knees is None else np.deg2rad(number(knees, "knees", 0.0, 135.0, "deg"))
    T, weight = number(duration, "duration", 0.3, 30.0, "s"), number(balance, "balance", 0.0, 1e6, "")
    person = person_of(*who).with_changes(**(changes or {}))
    lifted, half = [], np.array([0.0, size[1] / 2, size[2] / 2])
    for what, at in (("origin", place(origin, "origin")), ("destination", place(destination, "destination"))):
        if at[2] < 0.0:
            raise StateError(f"the height of the {what} is {at[2]:g} m, expected 0, the floor, or more: that of the box's bottom")
        lifted.append(at)
    middles = [at + half * [0.0, 0.0, 1.0] for at in lifted]
    holding = None if cobot is None else hold(cobot, middles, mass, size, T)
    own = mass if holding is None else mass * (1.0 - SHARE)
    ends = []
    for k, (what, at, least) in enumerate(zip(("origin", "destination"), lifted, (bend, 0.0), strict=True)):
        palms = {side: at + half * [0.0, out, 1.0] for side, out in zip(SIDES, (1.0, -1.0), strict=True)}
        pose = held(Stand(person, stance, palms, own / 2, least), what)
        box = np.concatenate([middles[k], np.zeros(3)]) if holding is None else holding.ends[k]
        ends.append(np.concatenate([pose.q, box]))
    beside = with_box(person.model, BOX, mass, size) if holding is None else holding.beside(person.model, mass, size)
    carrier = Human(beside, **person._choices)
    name = f"lift of {mass:g} kg" + ("" if holding is None else " with a cobot")
    problem = MotionProblem(
        carrier, control_points=control_points, points_per_span=2, duration=T, undriven=person.global_joints, name=name
    )
    stand(problem, person, stance)
    for side, out in zip(SIDES, (1.0, -1.0), strict=True):
        link, point = person.points[f"{side}_hand"]
        surface = {"link": BOX, "point": (0.0, out * size[1] / 2, 0.0), "normal": (0.0, 0.0, -1.0)}  # hands push up
        problem.contact(f"{side}_grip", link, point, surface=surface, place=(0.0, 0.0), friction=FRICTION)
    within(problem, person)
    lowest, still = min(at[2] for at in middles), {"velocity": 0.0, "acceleration": 0.0}
    if holding is None:
        problem.limit("position", lower=lowest, entries=f"{BOX}_joint_z", scale=0.1, hull=True)
        problem.start(np.append(ends[0], 1.0), **still).end(np.append(ends[1], 1.0), **still)  # 1 is of the box's quaternion
    else:
        problem.limit("link_position", lower=lowest, link=BOX, entries=f"{BOX}.z", scale=0.1)
        holding.keep(problem)
        problem.start(ends[0], **still).end(ends[1], **still)
    add_goals(problem, person, weight, goal)
    return problem, SplinePath.between(ends[0], ends[1], T, rest=1, basis=problem.basis), carrier


def held(stand: Stand, what: str) -> Pose:
    """Return the posture in which hands hold a load; StateError where none is found, and by how much it is missed."""
    pose = stand_pose(stand)
    if pose.gap > REACHED:
        raise StateError(
            f"the {what} is out of reach by {pose.gap:.2g} m for a stature of {stand.person.body.stature:g} m, with both soles "
            "flat; bring it nearer"
        )
    if possible(pose):
        return pose
    bare = stand_pose(Stand(stand.person, stand.stance, stand.hands, 0.0, stand.knees))
    if not possible(bare):
        raise StateError(f"no posture at the {what} keeps the balance within the soles and the strengths; bring it nearer")
    low, high = 0.0, stand.carried
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = stand_pose(Stand(stand.person, stand.stance, stand.hands, middle, stand.knees))
        low, high = (middle, high) if possible(found) else (low, middle)
    hands = len(stand.hands)
    worst = abs(pose.load[pose.hardest])
    needs = f"holding it takes {worst:.2g} times the strength of {pose.hardest}" if worst > 1.0 else "he or she would topple"
    raise StateError(
        f"{hands * stand.carried:.4g} kg is too heavy at the {what}: {needs}; up to {hands * low:.2g} kg can be held there"
    )


def possible(pose: Pose) -> bool:
    """Return whether a pose was reached, within strengths and balance."""
    return pose.gap <= REACHED and pose.beyond <= STABLE and abs(pose.load[pose.hardest]) <= 1.0
