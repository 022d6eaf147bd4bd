"""First motion of a walk: feet that roll over heel, sole and toes, legs that reach them, arms that swing against the legs.

Pitches of feet are positive where toes are up. Legs are two bars in the plane of walking, solved for hip, knee and ankle; the
pelvis moves at constant speed, on the highest wave that both legs reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..errors import StateError
from ..predict import MotionProblem
from ..predict.result.prediction import Prediction
from ..robots.human.robot import Human
from ..spline import SplinePath
from .cycle import states
from .periodic import periodic
from .style import Style
from .terrain import Terrain

STRIKES = {"heel": 0.36, "sole": 0.0, "ball": -0.3}  # pitch of a foot at its strike, by what lands first [rad]
PUSH, LEAVE = -0.45, -1.0  # at the other foot's strike, as its toes leave
TOES = -0.4  # pitch of the toes as they leave [rad]
STRAIGHT = 0.994  # of a leg's length, at most
ROWS = 201  # samples of a step
LIFT = 0.05  # [m] by which the ankle is lifted in the middle of the swing, beside a straight line


if TYPE_CHECKING:
    from .result import Gait

LEVEL = Terrain()


class Foot(NamedTuple):
    """A foot along the step: ankle (K, 2), x and z [m], and pitches of foot and toes (K,) [rad]."""

    ankle: np.ndarray
    pitch: np.ndarray
    toes: np.ndarray


class Plan(NamedTuple):
    """What the feet of a step are planned by.

    Attributes:
        u: instants of the step, 0 to 1 (K,).
        at: where its first three phases end.
        length, rise: of the step along the sole's plane, and across it [m].
        lands: what of a foot lands first, see `Terrain`.
    """

    u: np.ndarray
    at: np.ndarray
    length: float
    rise: float
    lands: str


def first_motion(
    problem: MotionProblem, person: Human, step: float, style: Style, terrain: Terrain, steps: int, given: Gait | None
) -> SplinePath | Prediction:
    """Return what a search begins with: a given walk, of as many steps or sampled over them, or a rough one."""
    if given is None:
        return first_walk(problem, person, step, style, terrain, steps)
    if given.person.joint_names != person.joint_names:
        raise StateError("start= is a walk of a person with other joints; expected one that lissom.gait.predict returned")
    if given.steps == steps:
        return given.prediction
    u = np.linspace(0.0, 1.0, ROWS * steps)
    q, *_ = states(given.person, given.prediction, given._at(u * steps * given.step_time))
    for name, angle in person.changes.fused.items():
        q[:, person.joint_names.index(name)] = angle
    return periodic(problem, u, q)


def first_walk(
    problem: MotionProblem,
    person: Human,
    step: float,
    style: Style,
    terrain: Terrain = LEVEL,
    steps: int = 1,
    rows: int = ROWS,
) -> SplinePath:
    """Return a path near to a walk of steps [m] as the problem asks for, which repeats; contacts hold but for the fit's error."""
    u = np.linspace(0.0, 1.0, rows)
    at = np.cumsum([style.phases[name] for name in ("loading", "transfer", "stance")])
    rise = 0.0 if terrain.stairs is None else terrain.rise(step)
    plan = Plan(u, at, step / np.cos(terrain.pitch), rise, terrain.lands)
    lead, rear = (_inclined(foot, terrain.pitch) for foot in (_lead(person, plan), _rear(person, plan)))
    width = style.width * person.body.stature / 2
    column = {name: k for k, name in enumerate(person.joint_names)}
    q = np.zeros((rows, person.nv))
    heel = person.points["right_heel"].position[0]
    q[:, column["pelvis_x"]] = x = (u - 0.5) * step - heel
    thigh, shank = legs = tuple(person.segments[name].length for name in ("thigh", "shank"))
    bent = max(person.changes.least.values(), default=0.0)
    long = min(STRAIGHT * sum(legs), float(np.sqrt(thigh**2 + shank**2 + 2 * thigh * shank * np.cos(bent))))
    steep = terrain.rise(step) / step
    z = _height(long, x, u, [(lead, np.ones(rows, bool)), (rear, u <= at[1])], steep)
    q[:, column["pelvis_z"]] = z - person.body.hip_height
    inwards = (person.body.part("half_hip") - width) / person.body.hip_height
    for side, foot, sign in (("right", lead, -1.0), ("left", rear, 1.0)):
        hip, knee = bent_leg(legs, long, foot.ankle - np.stack([x, z], axis=1))
        values = {
            "hip_flexion": hip,
            "hip_abduction": -inwards,
            "knee_flexion": knee,
            "ankle_flexion": foot.pitch - hip + knee,
            "ankle_eversion": inwards,
            "toe_extension": foot.toes - foot.pitch,
            "shoulder_flexion": sign * 0.3 * np.cos(np.pi * u),
            "shoulder_abduction": 0.1,
            "elbow_flexion": 0.2,
        }
        for name, value in values.items():
            q[:, column[f"{side}_{name}"]] = value
    if steps == 2:
        other = person.mirror(q)
        other[:, column["pelvis_x"]] += step
        other[:, column["pelvis_z"]] += terrain.rise(step)
        q, u = np.concatenate([q, other[1:]]), np.concatenate([0.5 * u, 0.5 + 0.5 * u[1:]])
    for name, angle in person.changes.fused.items():
        q[:, column[name]] = angle
    return periodic(problem, u, q)


def _inclined(foot: Foot, pitch: float) -> Foot:
    """Return a foot's way along a slope, planned on its plane, in the world."""
    c, s = np.cos(pitch), np.sin(pitch)
    return Foot(foot.ankle @ np.array([[c, s], [-s, c]]), foot.pitch + pitch, foot.toes + pitch)


def _lead(person: Human, plan: Plan) -> Foot:
    """The foot ahead: on its heel, flat, then on its ball; its heel is at x = 0."""
    heel, ball, _ = sole_of(person)
    u, at = plan.u, plan.at
    pitch = PchipInterpolator([0.0, at[0], at[2], 1.0], [STRIKES[plan.lands], 0.0, 0.0, PUSH])(u)
    on_heel = turned(-heel, pitch)
    on_ball = np.array([ball[0] - heel[0], 0.0]) + turned(-ball, pitch)
    early = (u < at[2]) if plan.lands == "heel" else (u >= at[0]) & (u < at[2])
    ankle = np.where(early[:, None], on_heel, on_ball)
    return Foot(ankle, pitch, np.where((u < at[0]) & (plan.lands == "heel"), pitch, 0.0))


def _rear(person: Human, plan: Plan) -> Foot:
    """The foot behind: on its ball, on the tip of its toes, then swinging to the next strike; its heel stood a step behind."""
    heel, ball, long = sole_of(person)
    u, at, step, strikes = plan.u, plan.at, plan.length, STRIKES[plan.lands]
    toes = PchipInterpolator([0.0, at[0], at[1], 1.0], [0.0, 0.0, TOES, strikes])(u)
    pitch = PchipInterpolator([0.0, at[1], at[1] + 0.45, 0.95, 1.0], [PUSH, LEAVE, 0.0, strikes, strikes])(u)
    tip = np.array([ball[0] - heel[0] + long - step, -plan.rise])
    stands = tip - turned(np.array([long, 0.0]), np.where(u <= at[1], toes, TOES)) + turned(-ball, pitch)
    s = np.clip((u - at[1]) / (1 - at[1]), 0.0, 1.0)
    lands = ball if plan.lands == "ball" else heel
    strike = np.array([step, plan.rise]) + (lands - heel) + turned(-lands, np.full(1, strikes))[0]
    leaves = stands[np.searchsorted(u, at[1], side="right") - 1]
    ahead = 0.5 * (s + _smooth(s))
    up = ahead if not plan.rise else _smooth(np.clip(s / 0.55 if plan.rise > 0 else (s - 0.35) / 0.65, 0.0, 1.0))
    swings = leaves + (strike - leaves) * np.stack([_smooth(s) if plan.rise else ahead, up], axis=1)
    swings[:, 1] += LIFT * np.sin(np.pi * s) ** 2
    return Foot(np.where((u <= at[1])[:, None], stands, swings), pitch, np.where(u <= at[1], toes, pitch))


def _smooth(s: np.ndarray) -> np.ndarray:
    return np.asarray(s * s * (3 - 2 * s))


def sole_of(person: Human) -> tuple[np.ndarray, np.ndarray, float]:
    """Return heel and ball from the ankle, x and z, and the length of the toes [m]."""
    heel, ball, toe = (np.array(person.points[f"right_{name}"].position) for name in ("heel", "ball", "toe"))
    return heel[[0, 2]], ball[[0, 2]], float(toe[0])


def turned(point: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Return a point (2,) of a foot turned by pitches (K,)."""
    c, s = np.cos(pitch), np.sin(pitch)
    return np.stack([point[0] * c - point[1] * s, point[0] * s + point[1] * c], axis=-1)


def _height(leg: float, x: np.ndarray, u: np.ndarray, feet: list[tuple[Foot, np.ndarray]], steep: float) -> np.ndarray:
    """Return the height of the hips: along the way up, and a wave of one period in the step, as high as legs reach."""
    most = np.full(len(u), np.inf)
    for foot, stands in feet:
        reach = np.sqrt(np.maximum(leg**2 - (foot.ankle[:, 0] - x) ** 2, 0.0)) + foot.ankle[:, 1]
        most = np.where(stands, np.minimum(most, reach), most)
    most -= steep * x
    wave = np.stack([np.ones_like(u), np.cos(2 * np.pi * u), np.sin(2 * np.pi * u)], axis=1)
    found = wave @ np.linalg.lstsq(wave, most, rcond=None)[0]
    return np.asarray(found + min(0.0, float((most - found).min())) + steep * x)


def bent_leg(legs: tuple[float, ...], long: float, to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return flexion of hip and knee that bring the ankle to x and z from the hip (K, 2)."""
    thigh, shank = legs
    far = np.minimum(np.linalg.norm(to, axis=1), long)
    knee = np.pi - np.arccos(np.clip((thigh**2 + shank**2 - far**2) / (2 * thigh * shank), -1.0, 1.0))
    ahead = np.arctan2(to[:, 0], -to[:, 1])
    return ahead + np.arctan2(shank * np.sin(knee), thigh + shank * np.cos(knee)), knee
