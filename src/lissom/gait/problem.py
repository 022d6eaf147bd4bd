"""The walking problem: one step of a person, from the right heel's strike to the left one's, which repeats mirrored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..predict import MotionProblem, Support
from ..predict.quantities.function import quantity
from ..robots.human.robot import Human
from .style import MASS, STATURE, Style

LEAD, REAR = "right", "left"
EARTH = 9.81  # [m/s^2]
FORCES = ("right_foot", "left_toes")  # links that the ground pushes
APART = 0.16  # [m] of wrists from hips, at least
SWING = -0.002  # [m^2] of (5.6): arm and opposite leg swing alike
BESIDE = 0.02  # [m] by which the pressure point may leave the line between the anchors


def walking_problem(person: Human, speed: float, step: float, style: Style) -> MotionProblem:
    """Return the problem of one step.

    The right heel is at x = 0 and stays there until it rises, the left foot stood flat with its heel at x = -step.
    """
    T, w = step / speed, style.width * person.body.stature
    problem = MotionProblem(person, undriven=person.global_joints, name=f"walk at {speed:g} m/s")
    problem.phases({name: share * T for name, share in style.phases.items()}, spans=style.spans)
    points = person.points
    heel, ball, toe = (np.array(points[f"{LEAD}_{name}"].position) for name in ("heel", "ball", "toe"))
    tip = np.array(points[f"{REAR}_toe"].position)
    double = style.phases["loading"] + style.phases["transfer"]
    half = style.phases["loading"] / double
    rear = [tip * style.tip * x for x in (0.0, half, 1.0)]
    lead = [heel + (ball - heel) * style.front * x for x in (0.0, half, 1.0)]
    problem.split_ground(
        {
            **{
                name: (
                    Support(FORCES[1], tuple(rear[k]), tuple(rear[k + 1])),
                    Support(FORCES[0], tuple(lead[k]), tuple(lead[k + 1])),
                )
                for k, name in enumerate(("loading", "transfer"))
            },
            "stance": FORCES[0],
            "heel_rise": FORCES[0],
        },
        internal=True,
        friction=0.8,
    )
    _soles(problem, person, step, w, style)
    _balance(problem, person, ball[0] - heel[0], toe[0], w)
    _joints(problem, person, style)
    _repeat(problem, person, step)
    _goals(problem, person, style, T)
    return problem


def _soles(problem: MotionProblem, person: Human, step: float, w: float, style: Style) -> None:
    """Points of soles that touch stay where they are; others are above the ground."""
    flat = {name: person.point_position(person.neutral(), f"{LEAD}_{name}")[0] for name in ("heel", "ball", "toe")}
    touching: dict[str, dict[str, tuple[str, ...]]] = {
        LEAD: {
            "heel": ("loading", "transfer", "stance"),
            "ball": ("transfer", "stance", "heel_rise"),
            "toe": ("transfer", "stance", "heel_rise"),
        },
        REAR: {"heel": (), "ball": ("loading",), "toe": ("loading", "transfer")},
    }
    for side, x0, y0 in ((LEAD, 0.0, -w / 2), (REAR, -step, w / 2)):
        for part, phases in touching[side].items():
            x = x0 + flat[part] - flat["heel"]
            corners = [f"{side}_{part}"] if part != "ball" else [f"{side}_ball_inner", f"{side}_ball_outer"]
            others = [name for name in problem.timing.names if name not in phases]
            for number, corner in enumerate(corners):
                link, point = person.points[corner]
                y = y0 + point[1]
                where: dict[str, Any] = {"link": link, "point": point}
                at = dict(zip("xyz", (x, y, 0.0), strict=True))
                flat_too = [name for name in phases if name in touching[side]["heel"]] if part == "ball" else []
                for held, axes in (
                    (flat_too, ("yz", "z")[number]),  # the heel holds the rest
                    ([name for name in phases if name not in flat_too], _axes(part, number)),
                ):
                    if held:
                        low, high = ([at[a] + sign * style.band for a in axes] for sign in (-1, 1))
                        names = [f"{link}.{a}" for a in axes]
                        problem.limit("link_position", low, high, entries=names, scale=0.01, during=held, **where)
                if others:
                    problem.limit("clearance", lower=0.0, scale=0.01, during=others, link=link, points=[point])
            if side == REAR and part != "ball":
                link, point = person.points[corners[0]]
                mid: dict[str, Any] = {"link": link, "points": [point], "during": "stance"}
                problem.limit("clearance", lower=style.clearance, scale=0.01, at=(0.4, 0.6, 0.8, 1.0), **mid)


def _axes(part: str, number: int) -> str:
    return "xyz" if part == "heel" or (part == "ball" and number == 0) else "xz" if part == "ball" else "z"


def _balance(problem: MotionProblem, person: Human, ball: float, tip: float, w: float) -> None:
    """The pressure point is under the sole, and on the line between the feet."""
    weight = person.total_mass * EARTH
    half = 0.8 * abs(person.points[f"{LEAD}_ball_inner"].position[1])
    problem.limit("pressure_point", (0.0, -w / 2 - half), (ball + 0.3 * tip, -w / 2 + half), scale=(0.1, 0.05), during="stance")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        low, high = (share * ball, -w / 2 - half), (ball + tip, -w / 2 + half)
        problem.limit("pressure_point", low, high, scale=(0.1, 0.05), at=share, during="heel_rise")
    double = ("loading", "transfer")
    problem.limit("ground_share", 0.0, 0.0, entries="share", scale=1.0, at=0.0, during="loading")
    problem.limit("ground_share", -BESIDE, BESIDE, entries="beside", scale=0.05, during=double)
    problem.limit("ground_force", 0.2 * weight, 2.0 * weight, entries="n", scale=weight)


def _joints(problem: MotionProblem, person: Human, style: Style) -> None:
    """Ranges of joints, strengths of legs, and arms that swing against the legs and keep away from the hips."""
    problem.limit_by_model("position", hull=True)
    problem.limit("position", *style.tilt, entries="pelvis_tilt", hull=True)
    can = person.strengths
    strong = [f"{side}_{joint}" for side in (LEAD, REAR) for joint in ("hip_flexion", "knee_flexion", "ankle_flexion")]
    low, high = (
        {name: sign * style.strength * getattr(can[name], way) for name in strong}
        for sign, way in ((-1, "negative"), (1, "positive"))
    )
    problem.limit("torque", low, high, entries=strong)
    for side in (LEAD, REAR):
        problem.limit("distance_squared", lower=APART**2, scale=0.05, link=f"{side}_hand", other=f"{side}_thigh")

    def swing(robot, q, qd, qdd):  # type: ignore[no-untyped-def]
        found = []
        for side, other in ((LEAD, REAR), (REAR, LEAD)):
            hand, shoulder, foot, hip = (
                robot.get("link_position", link=link)[0]
                for link in (f"{side}_hand", f"{side}_upper_arm", f"{other}_foot", f"{other}_thigh")
            )
            found.append((hand - shoulder) * (foot - hip))
        return found

    labels = [f"{side} arm and {other} leg" for side, other in ((LEAD, REAR), (REAR, LEAD))]
    problem.limit(quantity(person, swing, labels, "m^2"), lower=SWING, scale=0.05)


def _repeat(problem: MotionProblem, person: Human, step: float) -> None:
    columns, signs = person.mirror_columns
    names = person.joint_names
    pairs = [(names[columns[k]], name, float(signs[k])) for k, name in enumerate(names)]
    problem.same_at_both_ends(pairs=pairs, shift={"pelvis_x": step})


def _goals(problem: MotionProblem, person: Human, style: Style, T: float) -> None:
    """Means over the step: effort, changes of forces and moments, and distance from an upright posture."""
    scale = person.body.mass * person.body.stature / (MASS * STATURE)
    driven = [name for name in person.joint_names if name not in person.global_joints]
    known = {joint.name: joint.limits.effort for joint in person.model.joints}

    def moment(name: str) -> float:
        part = next((part for part in style.moments if part in name), None)
        return known[name] if part is None else style.moments[part] * scale

    moments = np.array([moment(name) for name in driven])
    problem.minimize("integral", 1.0 / T, "torque", scale=moments)
    problem.minimize("integral", style.torque_rate / T, "torque_rate", scale=moments)
    for link in FORCES:
        problem.minimize("integral", style.force_rate / T, "contact_force_rate", contact=link, scale=person.total_mass * EARTH)
    for name, weight, table, rest in (
        ("position", style.posture, style.angles, style.rest),
        ("acceleration", style.acceleration, style.accelerations, {}),
    ):
        found = {joint: next((f for part, f in table.items() if part in joint), 0.0) for joint in person.joint_names}
        some = [joint for joint, factor in found.items() if factor]
        target = [next((angle for part, angle in rest.items() if part in joint), 0.0) for joint in some]
        scales = [found[joint] ** -0.5 for joint in some]
        if some and weight:
            problem.minimize("integral", weight / T, name, entries=some, scale=scales, target=target)
