"""Reaching with the whole body: from standing upright to a posture in which a palm, or both, is at a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import NameLookupError, is_choice
from ..predict import MotionProblem
from ..robots.human.robot import Human
from ..spline import SplinePath
from .body import SIDES, add_goals, number, person_of, place, solved, stand, within
from .lift import held
from .pose import Stand, stand_pose
from .result import Task

APART = 0.2  # [m] between the palms of both hands
HANDS = (*SIDES, "both")
EASY = {"elbow_flexion": 0.3, "shoulder_flexion": -0.1, "knee_flexion": 0.1}  # [rad], of a person who stands and waits


def reach(
    target: Sequence[float] = (0.6, 0.4),
    hand: str = "right",
    *,
    load: float = 0.0,
    duration: float = 1.2,
    stance: float = 0.3,
    balance: float = 0.0,
    stature: float = 1.75,
    body_mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    changes: Mapping[str, Any] | None = None,
    control_points: int = 14,
    start: Task | None = None,
    **options: Any,
) -> Task:
    """Predict how a person reaches for a place with feet that stay: legs, trunk and arm together.

    The motion begins upright and still, and ends still in the posture of least static effort with the palm at the target.

    Args:
        target: of the palm: x ahead of the ankles and height [m], or x, y (left) and height; with both hands, of their middle.
        hand: "left", "right" or "both".
        load: mass in each of these hands [kg].
        duration: [s].
        stance: between the middles of the soles [m].
        balance: weight of the squared distance of the point of pressure from the middle of the soles, see `lift`.
        stature, body_mass, sex, age: of the person, see `lissom.robots.human`.
        changes: weak muscles and what else `Human.with_changes` takes, by name.
        control_points: of the splines.
        start: an earlier reach to begin with.
        options: of `MotionProblem.solve`.

    Raises:
        StateError: the target is out of reach, by how much, or no posture there keeps balance and strengths.
        PredictionError: no motion was found that keeps the limits.
    """
    if not is_choice(hand, HANDS):
        raise NameLookupError("hand", str(hand), HANDS, " that reaches")
    stance, T = number(stance, "stance", 0.1, 1.0, "m"), number(duration, "duration", 0.3, 30.0, "s")
    weight, carried = number(balance, "balance", 0.0, 1e6, ""), number(load, "load", 0.0, 100.0, "kg, in each hand")
    sides = SIDES if hand == "both" else (hand,)
    person = person_of(stature, body_mass, sex, age).with_changes(hand_load=dict.fromkeys(sides, carried))
    person = person.with_changes(**(changes or {}))
    at, apart = place(target, "target"), APART / 2 if hand == "both" else 0.0
    palms = {side: at + [0.0, apart * (1.0 if side == "left" else -1.0), 0.0] for side in sides}
    ends = [waiting(person, stance), held(Stand(person, stance, palms), "target").q]
    name = "reach with both hands" if hand == "both" else f"reach with the {hand} hand"
    problem = MotionProblem(
        person, control_points=control_points, points_per_span=2, duration=T, undriven=person.global_joints, name=name
    )
    stand(problem, person, stance)
    within(problem, person)
    still = {"velocity": 0.0, "acceleration": 0.0}
    problem.start(ends[0], **still).end(ends[1], **still)
    add_goals(problem, person, weight)
    first = SplinePath.between(ends[0], ends[1], T, rest=1, basis=problem.basis)
    return Task("reach", person, solved(problem, first, None if start is None else start.prediction, options))


def waiting(person: Human, stance: float) -> np.ndarray:
    """Return the posture of a person who stands at ease, knees and elbows a little bent: no joint is at its end."""
    q = person.neutral()
    for side in SIDES:
        for joint, angle in EASY.items():
            q[person.joint_names.index(f"{side}_{joint}")] = angle
    palms = {side: person.point_position(q, f"{side}_hand") for side in SIDES}
    return stand_pose(Stand(person, stance, palms, knees=EASY["knee_flexion"])).q
