"""Speeds and steps that a person can walk: what legs of their length, and hips of their range, allow."""

from __future__ import annotations

import math

from ..errors import StateError
from ..robots.human.robot import Human
from ..robots.human.strength import drive
from .problem import EARTH

SLOWEST = 0.2  # [m/s] at which searches settled


def leg_of(person: Human) -> float:
    """Return the length of a leg from the hip to the ground, as straight as its knee can be [m]."""
    thigh, shank = (person.segments[name].length for name in ("thigh", "shank"))
    bent = max(person.changes.least.values(), default=0.0)
    straight = math.sqrt(thigh**2 + shank**2 + 2 * thigh * shank * math.cos(bent))
    return straight + person.body.hip_height - thigh - shank


def fastest(person: Human) -> float:
    """Return the speed at which the weight just keeps the hips on their arc over a straight leg [m/s]: a Froude number of 1."""
    return math.sqrt(EARTH * leg_of(person))


def longest(person: Human) -> float:
    """Return the step [m] of straight legs at the hips' extension to both sides, with a sole that rolls from heel to ball."""
    extension = -drive(person.body, "right_hip_flexion").lower
    heel, ball = (person.points[f"right_{name}"].position[0] for name in ("heel", "ball"))
    return 2.0 * leg_of(person) * math.sin(extension) + ball - heel


def check_walk(person: Human, speed: object, slowest: float) -> float:
    """Return a speed that a person can walk [m/s]; StateError for others."""
    most = fastest(person)
    why = f": faster, the weight cannot keep the hips on their arc over a leg of {leg_of(person):.3g} m (lissom.gait.run flies)"
    return check_speed(speed, "walk", slowest, most, why)


def check_speed(speed: object, how: str, low: float, high: float, why: str = "") -> float:
    """Return a speed at which people move in this way, "walk" or "run" [m/s]; StateError for others, and why for faster ones."""
    known = isinstance(speed, (int, float)) and not isinstance(speed, bool)
    if not known or not low <= speed <= high:  # type: ignore[operator]
        more = why if known and speed > high else ""  # type: ignore[operator]
        raise StateError(f"speed is {speed!r}, expected one at which people {how}, {low:.3g} to {high:.3g} m/s{more}")
    return float(speed)  # type: ignore[arg-type]


def check_step(step: object, most: float, stature: float) -> float:
    """Return a step that people of a stature take [m]; StateError if it is longer, or no length."""
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0 < step <= most:
        raise StateError(f"step_length is {step!r}, expected up to {most:.3g} m, the longest for a stature of {stature:g} m")
    return float(step)
