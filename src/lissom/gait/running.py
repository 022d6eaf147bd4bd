"""Prediction of running: one step from the strike of the right foot, with a flight, whose mirror image is the next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..predict import MotionProblem
from ..predict.result.prediction import Prediction
from ..robots.human.robot import Human, human
from ..spline import SplinePath
from .bounds import check_speed, check_step
from .periodic import periodic
from .problem import EARTH, add_goals, limit_joints, repeat
from .result import Gait
from .soles import keep_sole
from .start import STRAIGHT, bent_leg, sole_of, turned
from .style import Style
from .terrain import Stage, Terrain
from .walk import settings

SPEEDS = (2.0, 5.5)  # [m/s], between which searches settled
USUAL = 3.0
CADENCE = (138.0, 9.0)  # steps per minute: the first, and the second times the speed in m/s; chosen, about those of runners
LONGEST = 1.1  # of a step, over stature
STANDS = (0.85, 0.05)  # share of a step in which a foot stands: the first, less the second times the speed; chosen
FLAT = 0.6  # share of this in which its sole is flat
LEAST, MOST = 0.1, 4.0  # forces of the ground over weight while a foot stands
FREE = 0.02  # of the weight, by which a flight may miss it between knots
SOFT = 0.3  # the same at strike and at take-off, at most
PARTS = ("stance", "heel_rise", "flight")
LEADING: dict[str, tuple[str, ...]] = {"heel": PARTS[:1], "ball": PARTS[:2], "toe": PARTS[:2]}
TRAILING: dict[str, tuple[str, ...]] = {"heel": (), "ball": (), "toe": ()}
ELBOWS = 1.4  # [rad] at which they rest; chosen
UPRIGHT = {"shoulder_": 4.0, "elbow_": 8.0, "spine_": 30.0}  # factors of posture: what stays near to its rest; chosen
STRENGTH = 2.0  # factor of isometric strengths: ankles are stretched while they push; chosen
LEVEL, ROWS = Terrain(), 201


def run(
    speed: float = USUAL,
    step_length: float | None = None,
    *,
    stature: float = 1.75,
    mass: float = 75.0,
    sex: str = "male",
    age: float | None = None,
    tolerance: float = 1e-3,
    iterations: int = 300,
    throw: bool = True,
    **options: Any,
) -> Gait:
    """Predict how a person runs on level ground at constant speed: a foot lands flat, rises to its ball, and both fly.

    Args:
        speed: [m/s].
        step_length: [m]; None for that of people at this speed.
        stature, mass, sex, age: of the person, see `lissom.robots.human`.
        tolerance, iterations, throw, options: see `lissom.gait.predict`.

    Raises:
        StateError: nobody runs at such a speed, or with such steps.
        PredictionError: no motion was found that keeps the limits.
    """
    check_speed(speed, "run", *SPEEDS)
    most = LONGEST * stature
    step = min(60.0 * speed / (CADENCE[0] + CADENCE[1] * speed), most) if step_length is None else step_length
    check_step(step, most, stature)
    person = human(stature, mass, sex, age, active="walking")
    style = running_style(float(speed))
    problem = running_problem(person, float(speed), float(step), style)
    first = first_run(problem, person, float(step), style)
    found: Prediction = problem.solve(start=first, iterations=iterations, throw=throw, **settings(tolerance, options))
    return Gait(person, found, float(speed), float(step))


def running_style(speed: float) -> Style:
    """Return the weights of walking with the phases of running, its strengths, elbows and trunk."""
    stands = STANDS[0] - STANDS[1] * speed
    walking = Style()
    return replace(
        walking,
        phases={"stance": FLAT * stands, "heel_rise": (1.0 - FLAT) * stands, "flight": 1.0 - stands},
        spans={"stance": 4, "heel_rise": 3, "flight": 6},
        rest={**walking.rest, "elbow_flexion": ELBOWS},
        angles={**walking.angles, **UPRIGHT},
        tilt=(-0.13, 0.2),
        width=0.02,
        strength=STRENGTH,
    )


def running_problem(person: Human, speed: float, step: float, style: Style) -> MotionProblem:
    """Return the problem of one step: the right heel is at x = 0 until it rises."""
    T, w, stage = step / speed, style.width * person.body.stature, Stage(0)
    problem = MotionProblem(person, undriven=person.global_joints, name=f"run at {speed:g} m/s")
    problem.phases({name: share * T for name, share in style.phases.items()}, spans=style.spans, smooth=1)
    foot = f"{stage.lead}_foot"
    problem.split_ground({"stance": foot, "heel_rise": foot, "flight": ()}, friction=0.8)
    keep_sole(problem, person, stage.lead, stage, 0, (step, -w / 2), LEADING, style, LEVEL, PARTS)
    keep_sole(problem, person, stage.rear, stage, 0, (step, w / 2), TRAILING, style, LEVEL, PARTS, apart=True)
    heel, ball_at, toe = (np.array(person.points[f"{stage.lead}_{name}"].position) for name in ("heel", "ball", "toe"))
    ball, tip = ball_at[0] - heel[0], toe[0]
    half = 0.8 * abs(person.points[f"{stage.lead}_ball_inner"].position[1])
    for name, (low, high) in {"stance": (0.0, ball + 0.3 * tip), "heel_rise": (0.7 * ball, ball + tip)}.items():
        lower, upper = (low, -w / 2 - half), (high, -w / 2 + half)
        problem.limit("pressure_point", lower, upper, during=name, scale=(0.1, 0.05))
    weight = person.total_mass * EARTH
    problem.limit("ground_force", LEAST * weight, MOST * weight, entries="n", scale=weight, during=("stance", "heel_rise"))
    for name, share in (("stance", 0.0), ("heel_rise", 1.0)):
        problem.limit("ground_force", LEAST * weight, SOFT * weight, entries="n", scale=weight, during=name, at=share)
    spans = style.spans["flight"]  # between the knots, where equations of motion hold exactly, nothing may push, either
    between = [(k + share) / spans for k in range(spans) for share in (0.25, 0.5, 0.75)]
    problem.limit("ground_force", -FREE * weight, FREE * weight, scale=weight, during="flight", at=between)
    limit_joints(problem, person, style)
    repeat(problem, person, step, LEVEL, 1, "position", "velocity")
    add_goals(problem, person, style, [foot], T)
    return problem


def first_run(problem: MotionProblem, person: Human, step: float, style: Style) -> SplinePath:
    """Return a path near to a run: the hips bounce, a foot stands, rolls on its ball, and swings with a bent knee."""
    u = np.linspace(0.0, 1.0, ROWS)
    off = style.phases["stance"], style.phases["stance"] + style.phases["heel_rise"]
    column = {name: k for k, name in enumerate(person.joint_names)}
    q = np.zeros((ROWS, person.nv))
    heel = person.points["right_heel"].position[0]
    q[:, column["pelvis_x"]] = x = (u - 0.45 * off[1]) * step - heel
    legs = tuple(person.segments[name].length for name in ("thigh", "shank"))
    z = person.body.hip_height - 0.06 - 0.035 * np.cos(2 * np.pi * (u - 0.5 * off[1]))
    q[:, column["pelvis_z"]] = z - person.body.hip_height
    for side, later, sign in (("right", 0.0, -1.0), ("left", 1.0, 1.0)):
        ankle, pitch, toes = _foot(person, u + later, off, step)
        ankle[:, 0] -= later * step
        hip, knee = bent_leg(legs, STRAIGHT * sum(legs), ankle - np.stack([x, z], axis=1))
        values = {
            "hip_flexion": hip,
            "knee_flexion": knee,
            "ankle_flexion": np.clip(pitch - hip + knee, -0.8, 0.33),
            "toe_extension": np.clip(toes - pitch, 0.0, 1.0),
            "shoulder_flexion": sign * 0.4 * np.cos(np.pi * u),
            "shoulder_abduction": 0.15,
            "elbow_flexion": ELBOWS,
        }
        for name, value in values.items():
            q[:, column[f"{side}_{name}"]] = value
    return periodic(problem, u, q)


def _foot(person: Human, u: np.ndarray, off: tuple[float, float], step: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ankle (K, 2) and pitches of foot and toes (K,) at times in steps since its strike, up to two."""
    heel, ball, _ = sole_of(person)
    pitch = PchipInterpolator([0.0, off[0], off[1], 1.2, 1.8, 2.0], [0.0, 0.0, -0.7, -1.2, -0.1, 0.0])(u)
    toes = PchipInterpolator([0.0, off[1], 1.2, 1.6, 2.0], [0.0, 0.0, -1.0, 0.0, 0.0])(u)
    stands = np.array([ball[0] - heel[0], 0.0]) + turned(-ball, pitch)
    leaves = np.array([ball[0] - heel[0], 0.0]) + turned(-ball, np.full(1, -0.7))[0]
    lands = -heel + np.array([2 * step, 0.0])
    at = [off[1], 1.1, 1.5, 1.8, 2.0]
    ways = [0.0, 0.15, 0.6, 0.95, 1.0]
    x = leaves[0] + (lands[0] - leaves[0]) * PchipInterpolator(at, ways)(u)
    z = PchipInterpolator(at, [leaves[1], leaves[1] + 0.18, 0.3, 0.17, lands[1]])(u)
    swings = np.stack([x, z], axis=1)
    return np.where((u <= off[1])[:, None], stands, swings), pitch, toes
