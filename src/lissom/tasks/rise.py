"""Standing up from a chair, and sitting down on it: the seat bears the pelvis in one phase, the soles bear in both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import StateError
from ..model import Pose
from ..model.shape import Box, Shape
from ..predict import MotionProblem
from ..robots.human.robot import Human
from ..spline import SplinePath
from .body import FRICTION, SIDES, add_goals, number, person_of, solved, stand, within
from .result import Task

SEAT = 0.45  # [m]
UNDER, APART = 0.055, 0.035  # of stature: the bones that sit, below the hips, and from the middle; chosen
FEET = 100.0  # [deg], flexion of the knees on the chair: feet a little behind the knees
SEATED, STANDING = 0.9, 1.4  # [s], with the seat and without
SPANS = {"seated": 5, "standing": 6}
LEAN = (-0.35, 0.35)  # [rad], of shanks on the chair
PLATE, WOOD = 0.03, (0.72, 0.58, 0.42, 0.6)  # [m] and color of the chair that is drawn
AHEAD = 0.45  # [rad], by which the trunk leans as the seat is left, in the first motion
TITLES = {"stand_up": "standing up", "sit_down": "sitting down"}
HANDS = 0.35  # [rad], flexion of shoulders and of elbows on the chair


def stand_up(
    seat: float = SEAT,
    *,
    knees: float = FEET,
    seated: float = SEATED,
    standing: float = STANDING,
    stature: float = 1.75,
    body_mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    changes: Mapping[str, Any] | None = None,
    start: Task | None = None,
    **options: Any,
) -> Task:
    """Predict how a person stands up from a chair: from sitting upright and still to standing upright and still.

    Args:
        seat: height of the seat [m].
        knees: their flexion on the chair [deg], which says where the feet are.
        seated, standing: durations [s] of the time on the seat and of that without it.
        stature, body_mass, sex, age: of the person, see `lissom.robots.human`.
        changes: weak muscles and what else `Human.with_changes` takes, by name.
        start: an earlier task to begin with.
        options: of `MotionProblem.solve`.

    Raises:
        StateError: legs bent like this do not bring the pelvis to the height of the seat, and which heights they do.
        PredictionError: no motion was found that keeps the limits, as where the legs are too weak.
    """
    return _rise("stand_up", (seat, knees, seated, standing), (stature, body_mass, sex, age), changes, start, options)


def sit_down(
    seat: float = SEAT,
    *,
    knees: float = FEET,
    seated: float = SEATED,
    standing: float = STANDING,
    stature: float = 1.75,
    body_mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    changes: Mapping[str, Any] | None = None,
    start: Task | None = None,
    **options: Any,
) -> Task:
    """Predict how a person sits down on a chair; arguments are those of `stand_up`."""
    return _rise("sit_down", (seat, knees, seated, standing), (stature, body_mass, sex, age), changes, start, options)


def _rise(
    kind: str,
    how: tuple[Any, ...],
    who: tuple[Any, ...],
    changes: Mapping[str, Any] | None,
    start: Task | None,
    options: dict[str, Any],
) -> Task:
    person = person_of(*who).with_changes(**(changes or {}))
    height, bend = number(how[0], "seat", 0.0, 1.2, "m"), number(how[1], "knees", 60.0, 130.0, "deg")
    times = {"seated": number(how[2], "seated", 0.2, 10.0, "s"), "standing": number(how[3], "standing", 0.2, 10.0, "s")}
    sits = seated_pose(person, height, bend)
    person = _with_chair(person, height, sits)
    problem = MotionProblem(person, points_per_span=2, undriven=person.global_joints, name=TITLES[kind])
    ends, order = [sits, person.neutral()], tuple(times)
    if kind == "sit_down":
        ends, order = ends[::-1], order[::-1]
    problem.phases({phase: times[phase] for phase in order}, spans={phase: SPANS[phase] for phase in order}, smooth=1)
    stand(problem, person, 2.0 * person.body.part("half_hip"))
    x, y = person.link_pose(sits, "pelvis")[:2, 3] + [0.0, APART * person.body.stature]
    surface = {"height": height}
    problem.contact(
        "seat", "pelvis", bones(person), during="seated", surface=surface, place=(x, y, -np.pi / 2), friction=FRICTION
    )
    within(problem, person)
    problem.start(ends[0]).end(ends[1])
    add_goals(problem, person)
    first = through(problem, [ends[0], _leaning(person, sits), ends[1]], [times[phase] for phase in order])
    return Task(kind, person, solved(problem, first, None if start is None else start.prediction, options))


def _with_chair(person: Human, seat: float, sits: np.ndarray) -> Human:
    """Return the person with a chair to be drawn."""
    x, high = person.link_pose(sits, "pelvis")[0, 3], seat - PLATE
    parts = [((0.4, 0.42, PLATE), (x, 0.0, seat - PLATE / 2)), ((PLATE, 0.42, 0.35), (x - 0.2, 0.0, seat + 0.35))]
    if high > PLATE:
        parts += [((PLATE, PLATE, high), (x + a, b, high / 2)) for a in (-0.18, 0.18) for b in (-0.19, 0.19)]
    shapes = [Shape(person.model.base, Box(size), Pose(translation=at), WOOD, name="chair") for size, at in parts]
    return Human(person.model.replace(shapes=(*person.model.shapes, *shapes)), **person._choices)


def through(problem: MotionProblem, poses: list[np.ndarray], times: list[float]) -> SplinePath:
    """Return a path that rests at poses, with the time from each to the next."""
    from scipy.interpolate import PchipInterpolator

    at = np.concatenate([[0.0], np.cumsum(times)])
    t = np.linspace(0.0, at[-1], 20 * problem.basis.count)
    return SplinePath.fit(t, PchipInterpolator(at, np.array(poses))(t), basis=problem.basis)


def _leaning(person: Human, sits: np.ndarray) -> np.ndarray:
    """Return the pose on the chair with the trunk leaning ahead, about the bones that sit."""
    q, names = sits.copy(), person.joint_names
    down = UNDER * person.body.stature
    more = {"pelvis_tilt": AHEAD, "pelvis_x": down * np.sin(AHEAD), "pelvis_z": down * (np.cos(AHEAD) - 1.0)}
    more |= {f"{side}_{joint}_flexion": AHEAD for side in SIDES for joint in ("hip", "shoulder")}
    more |= {"spine_1_flexion": AHEAD / 2}
    for name, value in more.items():
        q[names.index(name)] += value
    return q


def bones(person: Human) -> dict[str, tuple[float, float, float]]:
    """Return the points of the pelvis that sit."""
    size = person.body.stature
    return {side: (0.0, out * APART * size, -UNDER * size) for side, out in zip(SIDES, (1.0, -1.0), strict=True)}


def seated_pose(person: Human, seat: float, knees: float) -> np.ndarray:
    """Return the pose of a person who sits upright, soles flat, ankles at x = 0; `knees` in degrees."""
    from scipy.optimize import brentq

    thigh, shank = (person.segments[name].length for name in ("thigh", "shank"))
    bend, above = np.deg2rad(knees), person.body.part("ankle_height") - UNDER * person.body.stature

    def height(lean: float) -> float:
        return float(shank * np.cos(lean) + thigh * np.cos(bend - lean) + above)

    can = person.strengths["left_ankle_flexion"]
    hip = person.strengths["left_hip_flexion"]
    low, high = max(LEAN[0], bend - hip.upper), min(LEAN[1], can.upper)  # of shanks that lean ahead [rad]
    heights = sorted((height(low), height(high)))
    if not heights[0] <= seat <= heights[1]:
        raise StateError(
            f"seat is {seat:g} m: with knees at {knees:g} deg and soles flat a person of {person.body.stature:g} m sits at "
            f"{heights[0]:.2f} to {heights[1]:.2f} m; change seat, or knees"
        )
    lean = float(brentq(lambda x: height(x) - seat, low, high))
    back, q = bend - lean, person.neutral()
    found = {"pelvis_x": shank * np.sin(lean) - thigh * np.sin(back), "pelvis_z": seat + UNDER * person.body.stature}
    found["pelvis_z"] -= person.body.hip_height
    for side in SIDES:
        found |= {f"{side}_hip_flexion": back, f"{side}_knee_flexion": bend, f"{side}_ankle_flexion": lean}
        found |= {f"{side}_shoulder_flexion": HANDS, f"{side}_elbow_flexion": HANDS}
    for name, value in found.items():
        q[person.joint_names.index(name)] = value
    return q
