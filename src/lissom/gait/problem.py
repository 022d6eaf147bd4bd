"""The walking problem: one step of a person, from the right heel's strike to the left one's, which repeats mirrored; or two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..predict import MotionProblem, Support
from ..predict.quantities.function import quantity
from ..robots.human.robot import Human
from ..robots.human.strength import drive
from .soles import keep_soles
from .style import MASS, STATURE, Style
from .terrain import Stage, Terrain, stages

SIDES = ("right", "left")
LEVEL = Terrain()
EARTH = 9.81  # [m/s^2]
APART = 0.16  # [m] of wrists from hips, at least
SWING = -0.002  # [m^2] of (5.6): arm and opposite leg swing alike
STRIKE = 0.01  # share of the force that a foot may bear as it strikes
BESIDE = 0.02  # [m] by which the pressure point may leave the line between the anchors


def walking_problem(
    person: Human, speed: float, step: float, style: Style, terrain: Terrain = LEVEL, steps: int = 1, free: bool = False
) -> MotionProblem:
    """Return the problem of one step, which repeats mirrored, or of two steps, which repeat as they are.

    The right heel is at x = 0 and stays there until it rises, the left foot stood flat with its heel at x = -step.
    With `free` durations of phases are found, within the style's range; their sum is given.
    """
    T, w = step / speed, style.width * person.body.stature
    walk, name = stages(steps), f"walk at {speed:.3g} m/s"
    problem = MotionProblem(person, duration=steps * T, undriven=person.global_joints, name=name)
    range_of = style.free if free else (1.0, 1.0)
    problem.phases(
        {
            stage.prefix + name: tuple(factor * share * T for factor in range_of)
            for stage in walk
            for name, share in style.phases.items()
        },
        spans={stage.prefix + name: spans for stage in walk for name, spans in style.spans.items()},
    )
    supports: dict[str, Any] = {}
    for stage in walk:
        supports |= _supports(person, stage, step, style, terrain)
    surface = None if terrain.level else terrain.surface(0, step)
    problem.split_ground(supports, internal=True, friction=0.8, surface=surface)
    for stage in walk:
        keep_soles(problem, person, stage, step, w, style, terrain)
        _balance(problem, person, stage, step, w, terrain)
    weight = person.total_mass * EARTH
    problem.limit("ground_force", 0.2 * weight, 2.0 * weight, entries="n", scale=weight)
    limit_joints(problem, person, style)
    repeat(problem, person, step, terrain, steps)
    add_goals(problem, person, style, list(dict.fromkeys(link for stage in walk for link in feet(stage))), steps * T)
    return problem


def feet(stage: Stage) -> tuple[str, str]:
    """Return the links that the ground pushes in a step: the leading foot, and the toes of the rear one."""
    return f"{stage.lead}_foot", f"{stage.rear}_toes"


def _supports(person: Human, stage: Stage, step: float, style: Style, terrain: Terrain) -> dict[str, Any]:
    """Return what stands in every phase of a step; anchors move from heel to middle of the leading foot, and to the rear tip."""
    points = person.points
    heel, ball = (np.array(points[f"{stage.lead}_{name}"].position) for name in ("heel", "ball"))
    tip = np.array(points[f"{stage.rear}_toe"].position)
    share = style.phases["loading"] / (style.phases["loading"] + style.phases["transfer"])
    rear = [tip * style.tip * x for x in (0.0, share, 1.0)]
    first, last = (ball, heel) if terrain.lands == "ball" else (heel, ball)
    front = 1.0 - style.front if terrain.lands == "ball" else style.front
    lead = [first + (last - first) * front * x for x in (0.0, share, 1.0)]
    foot, toes = feet(stage)
    up = 0.0 if terrain.stairs is None else terrain.rise(step)
    here, behind = stage.number * up, (stage.number - 1) * up
    found: dict[str, Any] = {
        stage.prefix + name: (
            Support(toes, tuple(rear[k]), tuple(rear[k + 1]), behind),
            Support(foot, tuple(lead[k]), tuple(lead[k + 1]), here),
        )
        for k, name in enumerate(("loading", "transfer"))
    }
    return found | {name: Support(foot, height=here) for name in stage.names("stance", "heel_rise")}


def _balance(problem: MotionProblem, person: Human, stage: Stage, step: float, w: float, terrain: Terrain) -> None:
    """The pressure point is under the sole, and on the line between the feet."""
    heel, ball_at, toe = (np.array(person.points[f"{stage.lead}_{name}"].position) for name in ("heel", "ball", "toe"))
    ball, tip = ball_at[0] - heel[0], toe[0]
    half = 0.8 * abs(person.points[f"{stage.lead}_ball_inner"].position[1])
    x0, y0 = stage.number * step / np.cos(terrain.pitch), stage.side * w / 2
    own: dict[str, Any] = {"scale": (0.1, 0.05)} | ({} if terrain.stairs is None else {"contact": feet(stage)[0]})
    low, high = (x0, y0 - half), (x0 + ball + 0.3 * tip, y0 + half)
    problem.limit("pressure_point", low, high, during=stage.names("stance"), **own)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        low, high = (x0 + share * ball, y0 - half), (x0 + ball + tip, y0 + half)
        problem.limit("pressure_point", low, high, at=share, during=stage.names("heel_rise"), **own)
    # zero would leave no room: share and friction of a foot without force are at their bounds, and multipliers run away
    problem.limit("ground_share", 0.0, STRIKE, entries="share", scale=1.0, at=0.0, during=stage.names("loading"))
    double = stage.names("loading", "transfer")
    problem.limit("ground_share", -BESIDE, BESIDE, entries="beside", scale=0.05, during=double)


def limit_joints(problem: MotionProblem, person: Human, style: Style) -> None:
    """Ranges of joints, strengths of legs, and arms that swing against the legs and keep away from the hips."""
    problem.limit_by_model("position", hull=True)
    problem.limit("position", *style.tilt, entries="pelvis_tilt", hull=True)
    can = person.strengths
    strong = [f"{side}_{joint}" for side in SIDES for joint in ("hip_flexion", "knee_flexion", "ankle_flexion")]
    strong += [name for name in (*person.changes.kept, *person.changes.passive) if name not in strong]
    strong = [name for name in strong if name not in person.changes.fused]
    low, high = (
        {name: sign * style.strength * getattr(can[name], way) for name in strong}
        for sign, way in ((-1, "negative"), (1, "positive"))
    )
    problem.limit("torque", low, high, entries=strong)
    for side in SIDES:
        problem.limit("distance_squared", lower=APART**2, scale=0.05, link=f"{side}_hand", other=f"{side}_thigh")

    def swing(robot, q, qd, qdd):  # type: ignore[no-untyped-def]
        found = []
        for side, other in (SIDES, SIDES[::-1]):
            hand, shoulder, foot, hip = (
                robot.get("link_position", link=link)[0]
                for link in (f"{side}_hand", f"{side}_upper_arm", f"{other}_foot", f"{other}_thigh")
            )
            found.append((hand - shoulder) * (foot - hip))
        return found

    labels = [f"{side} arm and {other} leg" for side, other in (SIDES, SIDES[::-1])]
    problem.limit(quantity(person, swing, labels, "m^2"), lower=SWING, scale=0.05)


def repeat(problem: MotionProblem, person: Human, step: float, terrain: Terrain, steps: int, *what: str) -> None:
    """What is the same at both ends, a step ahead and mirrored, or two steps ahead; all, or `what` is named."""
    names = person.joint_names
    if steps == 1:
        columns, signs = person.mirror_columns
        pairs = [(names[columns[k]], name, float(signs[k])) for k, name in enumerate(names)]
    else:
        pairs = [(name, name, 1.0) for name in names]
    pairs = [pair for pair in pairs if pair[1] not in person.changes.fused]
    shift = {"pelvis_x": steps * step}
    if not terrain.level:
        shift["pelvis_z"] = steps * terrain.rise(step)
    problem.same_at_both_ends(*what, pairs=pairs, shift=shift)


def add_goals(problem: MotionProblem, person: Human, style: Style, links: list[str], T: float) -> None:
    """Means over the time: effort, changes of moments and of forces on links, and distance from an upright posture."""
    scale = person.body.mass * person.body.stature / (MASS * STATURE)
    driven = [name for name in person.joint_names if name not in (*person.global_joints, *person.changes.fused)]
    known = {joint.name: joint.limits.effort for joint in person.model.joints}

    def moment(name: str) -> float:
        part = next((part for part in style.moments if part in name), None)
        if part is None:
            return known[name]
        return style.moments[part] * scale * (known[name] / drive(person.body, name).effort)  # of the strength that is left

    moments = np.array([moment(name) for name in driven])
    chosen = driven if person.changes.fused else None
    problem.minimize("integral", 1.0 / T, "torque", entries=chosen, scale=moments)
    problem.minimize("integral", style.torque_rate / T, "torque_rate", entries=chosen, scale=moments)
    for link in links:
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
