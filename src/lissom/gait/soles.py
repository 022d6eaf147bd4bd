"""Soles: points that touch the ground stay where they are; others are above it, and clear of the edges of stairs."""

from __future__ import annotations

from typing import Any

from ..predict import MotionProblem, functions, quantity
from ..robots.human.robot import Human
from .style import Style
from .terrain import PARTS, Stage, Terrain

MIDDLE = (0.4, 0.6, 0.8, 1.0)  # of the other foot's stance: where the swinging foot is lifted
PASSING = tuple(k / 32 for k in range(33))  # of a phase: where feet, which pass edges fast downstairs, are held clear of them
ROUND = 0.005  # [m] by which edges of stairs are rounded
OVER = 0.015  # [m] at least, between the swinging foot and edges of stairs
# parts of soles on the ground by phases, of the leading foot by what lands first, and of the rear one
LEADING: dict[str, dict[str, tuple[str, ...]]] = {
    "heel": {
        "heel": ("loading", "transfer", "stance"),
        "ball": ("transfer", "stance", "heel_rise"),
        "toe": ("transfer", "stance", "heel_rise"),
    },
    "sole": {
        "heel": ("loading", "transfer", "stance"),
        "ball": ("loading", "transfer", "stance", "heel_rise"),
        "toe": ("loading", "transfer", "stance", "heel_rise"),
    },
    "ball": {
        "heel": ("transfer", "stance"),
        "ball": ("loading", "transfer", "stance", "heel_rise"),
        "toe": ("loading", "transfer", "stance", "heel_rise"),
    },
}
TRAILING: dict[str, tuple[str, ...]] = {"heel": (), "ball": ("loading",), "toe": ("loading", "transfer")}
SWING = ("stance", "heel_rise")  # of the rear foot


def keep_soles(
    problem: MotionProblem, person: Human, stage: Stage, step: float, w: float, style: Style, terrain: Terrain
) -> None:
    """Add the limits of both feet in a step; `w`: distance between the heels [m]."""
    y = stage.side * w / 2
    keep_sole(problem, person, stage.lead, stage, stage.number, (step, y), LEADING[terrain.lands], style, terrain)
    apart = bool(stage.prefix)  # of two steps; where left and right are alike, legs keep apart without it
    keep_sole(problem, person, stage.rear, stage, stage.number - 1, (step, -y), TRAILING, style, terrain, apart=apart)
    if terrain.stairs is not None:
        _edges(problem, person, stage, step, style, terrain)


def keep_sole(
    problem: MotionProblem,
    person: Human,
    side: str,
    stage: Stage,
    number: int,
    at: tuple[float, float],
    touching: dict[str, tuple[str, ...]],
    style: Style,
    terrain: Terrain,
    every: tuple[str, ...] = PARTS,
    apart: bool = False,
) -> None:
    """Add the limits of a sole: parts are on the ground in the phases that `touching` names, above it in others of `every`.

    With `apart` it swings on its own side of the line of walking, so that legs do not pass through each other.
    """
    (step, y0), leads = at, side == stage.lead
    flat = {name: person.point_position(person.neutral(), f"{side}_{name}")[0] for name in touching}
    ground = None if terrain.level else terrain.surface(number, step)
    for part, phases in touching.items():
        corners = [f"{side}_{part}"] if part != "ball" else [f"{side}_ball_inner", f"{side}_ball_outer"]
        others = [name for name in every if name not in phases]
        if terrain.stairs is not None and not leads:  # the edges do for the swing
            others = [name for name in others if name not in SWING]
        for order, corner in enumerate(corners):
            link, point = person.points[corner]
            where: dict[str, Any] = {"link": link, "point": point}
            spot = dict(zip("xyz", terrain.place(number, step, y0 + point[1], flat[part] - flat["heel"]), strict=True))
            flat_too = [name for name in phases if name in touching["heel"]] if part == "ball" else []
            for held, axes in (
                (flat_too, ("yz", "z")[order]),  # the heel holds the rest
                ([name for name in phases if name not in flat_too], _axes(part, order)),
            ):
                if held:
                    low, high = ([spot[a] + sign * style.band for a in axes] for sign in (-1, 1))
                    names = [f"{link}.{a}" for a in axes]
                    during = stage.names(*held)
                    problem.limit("link_position", low, high, entries=names, scale=0.01, during=during, **where)
            if others:
                up: dict[str, Any] = {"link": link, "points": [point], "surface": ground, "during": stage.names(*others)}
                problem.limit("clearance", lower=0.0, scale=0.01, **up)
        link, point = person.points[corners[0]]
        if apart and part != "ball":
            own: dict[str, Any] = {"entries": f"{link}.y", "link": link, "point": point, "during": stage.names(*SWING)}
            problem.limit("link_position", *((0.0, None) if stage.side < 0 else (None, 0.0)), scale=0.01, **own)
        if not leads and part != "ball" and terrain.stairs is None:
            mid: dict[str, Any] = {"link": link, "points": [point], "surface": ground, "during": stage.names("stance")}
            problem.limit("clearance", lower=style.clearance, scale=0.01, at=MIDDLE, **mid)


def _axes(part: str, order: int) -> str:
    return "xyz" if part == "heel" or (part == "ball" and order == 0) else "xz" if part == "ball" else "z"


def _edges(problem: MotionProblem, person: Human, stage: Stage, step: float, style: Style, terrain: Terrain) -> None:
    """The swinging foot is before, after or above the edges that it passes, and never below its lower tread."""
    parts = ("heel", "ball", "toe")
    spots = [person.points[f"{stage.rear}_{part}"] for part in parts]
    edges = [terrain.edge(stage.number + k, step) for k in (0, 1)]
    way = 1.0 if terrain.rise(step) > 0 else -1.0  # upstairs the solid is ahead of an edge, downstairs behind it

    def beside(robot, q, qd, qdd):  # type: ignore[no-untyped-def]
        found = []
        for link, point in spots:
            x, _, z = robot.get("link_position", link=link, point=point)
            for at, height in edges:
                a, b = way * (at - x), z - height
                found.append(0.5 * (a + b + functions.sqrt((a - b) * (a - b) + ROUND**2)))
        return found

    labels = [f"{stage.rear}_{part} and edge {k + 1}" for part in parts for k in range(len(edges))]
    clear = quantity(person, beside, labels, "m", name="beside the edge")
    for name in stage.names(*SWING):
        at = PASSING if terrain.rise(step) < 0 else None
        problem.limit(clear, lower=-style.band, scale=0.01, during=name, at=at)
    problem.limit(clear, lower=OVER, scale=0.01, during=stage.names("stance"), at=MIDDLE)
    lower = min(stage.number - 1, stage.number + 1, key=lambda k: k * terrain.rise(step))
    for link, point in spots:
        up: dict[str, Any] = {"link": link, "points": [point], "surface": terrain.surface(lower, step)}
        problem.limit("clearance", lower=0.0, scale=0.01, during=stage.names(*SWING), **up)
