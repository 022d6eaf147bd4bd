"""First motion of a walk: feet that roll over heel, sole and toes, legs that reach them, arms that swing against the legs.

Pitches of feet are positive where toes are up. Legs are two bars in the plane of walking, solved for hip, knee and ankle; the
pelvis moves at constant speed, on the highest wave that both legs reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..predict import MotionProblem
from ..robots.human.robot import Human
from ..spline import SplinePath
from .style import Style

STRIKE, PUSH, LEAVE = 0.36, -0.45, -1.0  # pitch of a foot at heel strike, at the other foot's strike, as its toes leave [rad]
TOES = -0.4  # pitch of the toes as they leave [rad]
STRAIGHT = 0.994  # of a leg's length, at most
LIFT = 0.05  # [m] by which the ankle is lifted in the middle of the swing, beside a straight line


class Foot(NamedTuple):
    """A foot along the step: ankle (K, 2), x and z [m], and pitches of foot and toes (K,) [rad]."""

    ankle: np.ndarray
    pitch: np.ndarray
    toes: np.ndarray


def first_walk(problem: MotionProblem, person: Human, step: float, style: Style, rows: int = 201) -> SplinePath:
    """Return a path near to a walk of steps [m] as the problem asks for: contacts are kept but for the splines' error."""
    u = np.linspace(0.0, 1.0, rows)
    at = np.cumsum([style.phases[name] for name in ("loading", "transfer", "stance")])
    lead, rear = _lead(person, u, at), _rear(person, u, at, step)
    width = style.width * person.body.stature / 2
    column = {name: k for k, name in enumerate(person.joint_names)}
    q = np.zeros((rows, person.nv))
    heel = person.points["right_heel"].position[0]
    q[:, column["pelvis_x"]] = x = (u - 0.5) * step - heel
    legs = tuple(person.segments[name].length for name in ("thigh", "shank"))
    z = _height(sum(legs), x, u, [(lead, np.ones(rows, bool)), (rear, u <= at[1])])
    q[:, column["pelvis_z"]] = z - person.body.hip_height
    inwards = (person.body.part("half_hip") - width) / person.body.hip_height
    for side, foot, sign in (("right", lead, -1.0), ("left", rear, 1.0)):
        hip, knee = _leg(legs, foot.ankle - np.stack([x, z], axis=1))
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
    return SplinePath.fit(u * problem.duration[0], q, basis=problem.basis)


def _lead(person: Human, u: np.ndarray, at: np.ndarray) -> Foot:
    """The foot ahead: on its heel, flat, then on its ball; its heel is at x = 0."""
    heel, ball, _ = _sole(person)
    pitch = PchipInterpolator([0.0, at[0], at[2], 1.0], [STRIKE, 0.0, 0.0, PUSH])(u)
    on_heel = _turned(-heel, pitch)
    on_ball = np.array([ball[0] - heel[0], 0.0]) + _turned(-ball, pitch)
    ankle = np.where((u < at[2])[:, None], on_heel, on_ball)
    return Foot(ankle, pitch, np.where(u < at[0], pitch, 0.0))


def _rear(person: Human, u: np.ndarray, at: np.ndarray, step: float) -> Foot:
    """The foot behind: on its ball, on the tip of its toes, then swinging to the next strike; its heel stood at x = -step."""
    heel, ball, long = _sole(person)
    toes = PchipInterpolator([0.0, at[0], at[1], 1.0], [0.0, 0.0, TOES, STRIKE])(u)
    pitch = PchipInterpolator([0.0, at[1], at[1] + 0.45, 0.95, 1.0], [PUSH, LEAVE, 0.0, STRIKE, STRIKE])(u)
    tip = np.array([ball[0] - heel[0] + long - step, 0.0])
    stands = tip - _turned(np.array([long, 0.0]), np.where(u <= at[1], toes, TOES)) + _turned(-ball, pitch)
    s = np.clip((u - at[1]) / (1 - at[1]), 0.0, 1.0)
    strike = np.array([step, 0.0]) + _turned(-heel, np.full(1, STRIKE))[0]
    leaves = stands[np.searchsorted(u, at[1], side="right") - 1]
    smooth = s * s * (3 - 2 * s)
    swings = leaves + (strike - leaves) * (0.5 * (s + smooth))[:, None]
    swings[:, 1] += LIFT * np.sin(np.pi * s) ** 2
    return Foot(np.where((u <= at[1])[:, None], stands, swings), pitch, np.where(u <= at[1], toes, pitch))


def _sole(person: Human) -> tuple[np.ndarray, np.ndarray, float]:
    """Return heel and ball from the ankle, x and z, and the length of the toes [m]."""
    heel, ball, toe = (np.array(person.points[f"right_{name}"].position) for name in ("heel", "ball", "toe"))
    return heel[[0, 2]], ball[[0, 2]], float(toe[0])


def _turned(point: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Return a point (2,) of a foot turned by pitches (K,)."""
    c, s = np.cos(pitch), np.sin(pitch)
    return np.stack([point[0] * c - point[1] * s, point[0] * s + point[1] * c], axis=-1)


def _height(leg: float, x: np.ndarray, u: np.ndarray, feet: list[tuple[Foot, np.ndarray]]) -> np.ndarray:
    """Return the height of the hips: a wave of one period in the step, as high as legs reach."""
    most = np.full(len(u), np.inf)
    for foot, stands in feet:
        reach = np.sqrt(np.maximum((STRAIGHT * leg) ** 2 - (foot.ankle[:, 0] - x) ** 2, 0.0)) + foot.ankle[:, 1]
        most = np.where(stands, np.minimum(most, reach), most)
    wave = np.stack([np.ones_like(u), np.cos(2 * np.pi * u), np.sin(2 * np.pi * u)], axis=1)
    found = wave @ np.linalg.lstsq(wave, most, rcond=None)[0]
    return np.asarray(found + min(0.0, float((most - found).min())))


def _leg(legs: tuple[float, ...], to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return flexion of hip and knee that bring the ankle to x and z from the hip (K, 2)."""
    thigh, shank = legs
    far = np.minimum(np.linalg.norm(to, axis=1), STRAIGHT * (thigh + shank))
    knee = np.pi - np.arccos(np.clip((thigh**2 + shank**2 - far**2) / (2 * thigh * shank), -1.0, 1.0))
    ahead = np.arctan2(to[:, 0], -to[:, 1])
    return ahead + np.arctan2(shank * np.sin(knee), thigh + shank * np.cos(knee)), knee
