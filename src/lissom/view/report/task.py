"""Report of a task of a person: the motion in 3-D, scores, angles, moments, loads at L5/S1, forces of the ground and of hands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..curves.panel import Bound, Group, Line, Panel
from ..page import check_ending, table
from .prediction import summary
from .scenes import scenes
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...tasks.result import Task

ROWS = 201  # samples of curves
SIDES = {"left": 2, "right": 0}  # with the tones of their curves
PARTS = {
    "hip": "hip_flexion",
    "knee": "knee_flexion",
    "ankle": "ankle_flexion",
    "spine, lowest joint": "spine_1_flexion",
    "shoulder": "shoulder_flexion",
    "elbow": "elbow_flexion",
}


def report_task(task: Task, path: str | os.PathLike[str]) -> Path:
    """Write the page of a task; see `Task.report`."""
    path, found = check_ending(path), task.prediction
    t = np.linspace(0.0, task.duration, ROWS)
    names = task.person.velocity_names
    path_rates, moments, used = found.states(t)[0], task.moments(t), task.strength_used(t)

    def of_sides(title: str, unit: str, joint: str, curve: dict[str, np.ndarray], most: float = np.inf) -> Panel:
        sides = [(side, f"{side}_{joint}", tone) for side, tone in SIDES.items()]
        own = [one for one in sides if one[1] in curve] or [(title, joint, 0)]
        lines = [Line(name, curve[column], tone) for name, column, tone in own if column in curve]
        return Panel(title, unit, t, lines, [Bound(-np.inf, most)])

    angles = {name: np.rad2deg(path_rates[:, names.index(name)]) for name in moments}
    spine, ground = task.spine(t), task.ground_force(t)
    loads = {"compression, net": spine.compression, "shear ahead, net": spine.shear, "compression of the disc": spine.disc}
    hands = {side: np.linalg.norm(force, axis=1) for side, force in task.hand_forces(t).items()}
    groups = [
        Group("Angles, flexion", [of_sides(title, "deg", joint, angles) for title, joint in PARTS.items()]),
        Group("Moments of muscles, flexion", [of_sides(title, "N m", joint, moments) for title, joint in PARTS.items()]),
        Group("Moments over strengths", [of_sides(title, "", joint, used, 1.0) for title, joint in PARTS.items()]),
        Group(
            "L5/S1",
            [
                *(Panel(title, "N", t, [Line("L5/S1", y)]) for title, y in loads.items()),
                Panel("extension moment", "N m", t, [Line("L5/S1", spine.extension)]),
            ],
        ),
        Group(
            "Forces of the ground on both feet",
            [Panel(title, "N", t, [Line("ground", ground[:, k])]) for k, title in enumerate(("ahead", "to the left", "up"))],
        ),
    ]
    if hands:
        both = [Line(side, y, SIDES[side]) for side, y in hands.items()]
        if task.has_cobot:
            both.append(Line("cobot", np.linalg.norm(task.cobot_force(t), axis=1), 1))
        groups.append(Group("Forces of hands", [Panel("magnitude", "N", t, both)]))
    rows = [(name.replace("_", " "), f"{s.value:.3g} {s.unit}".strip(), s.note) for name, s in task.scores.items()]
    details = [("Scores", table(("", "", ""), rows) + _note(spine.limit)), ("Solution", summary(found))]
    return write_report(
        f"{found.name}: a person",
        _verdict(task),
        scenes(found, found.name),
        groups,
        details,
        path,
        phases=[(phase.start, phase.end) for phase in found.phases],
    )


def _note(limit: float) -> str:
    return (
        "<p class='note'>Net forces hold the trunk up and move it; muscles press discs together with forces several times as "
        f"large. That of the disc is with one muscle; NIOSH's recommended limit is {limit:g} N.</p>"
    )


def _verdict(task: Task) -> Verdict:
    found, scores = task.prediction, task.scores
    share, disc = scores["largest_share_of_strength"], scores["peak_disc_compression"]
    more = [
        f"{share.value:.0%} of the strength of {share.note} at most".replace("%", " %"),
        f"compression of the disc L5/S1 up to {disc.value:.0f} N, with one muscle",
    ]
    if not found.success:
        more = [f"not solved: {found.status.value.replace('_', ' ')}. {found.message}", *more]
    return Verdict(found.success, f"{found.name} in {task.duration:.3g} s", tuple(more))
