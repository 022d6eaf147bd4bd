"""Report of a motion that is repeated: how strengths fall, how the motion changes, and both ends of it in 3-D."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..curves.panel import Group, Line, Panel
from ..figure import Figure
from ..page import check_ending, picture, table
from .scenes import scenes
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...fatigue.repeated import Repeated

ROWS, SHOWN = 201, 6  # samples of curves; joints that are drawn
TAIL = 12  # rows of the table


def report_fatigue(found: Repeated, path: str | os.PathLike[str]) -> Path:
    """Write the page of a motion that is repeated; see `Repeated.report`."""
    path = check_ending(path)
    order = np.argsort(found.left[-1].min(axis=1), kind="stable")[:SHOWN]
    first, last = found.first, found.last
    groups = _changes([found.joints[k] for k in order], first, last)
    drawn = scenes(first.prediction, "the first one") + (scenes(last.prediction, "the last one") if last is not first else [])
    details = [("Strength that is left, by joint", _left(found)), ("Motions", _motions(found))]
    fall = ["<h2>Strength that is left</h2>" + fall_picture(found)]
    return write_report(f"{first.prediction.name}: repeated", _verdict(found), drawn, groups, details, path, first=fall)


def fall_picture(found: Repeated) -> str:
    """Return a picture of the strengths that are left over the repetitions, of the joints that tire most."""
    figure = Figure(figsize=(7.5, 2.8), layout="constrained")
    axis = figure.add_subplot()
    for k in np.argsort(found.left[-1].min(axis=1), kind="stable")[:SHOWN]:
        axis.plot(100.0 * found.left[:, k].min(axis=1), linewidth=1.3, label=found.joints[k].replace("_", " "))
    for since, _ in found.motions[1:]:
        axis.axvline(since, color="0.7", linewidth=0.8, zorder=0)
    axis.set_xlabel("repetitions; a gray line where the motion changes")
    axis.set_ylabel("strength left [%]")
    axis.set_xlim(0, max(found.done, 1))
    axis.grid(alpha=0.3)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return picture(figure, "strengths that are left over the repetitions")


def _changes(joints: list[str], first: Any, last: Any) -> list[Group]:
    """Return angles and moments of the joints that tire most, in the first and in the last motion, over fractions of each."""
    s = np.linspace(0.0, 1.0, ROWS)
    t = s * first.prediction.duration
    panels: dict[str, list[Panel]] = {"Angles": [], "Moments of muscles": []}
    for joint in joints:
        angles, moments = [], []
        for name, motion in (("first", first), ("last", last)) if last is not first else (("first", first),):
            column, at = motion.person.velocity_names.index(joint), s * motion.prediction.duration
            tone = 0 if name == "first" else 1
            angles.append(Line(name, np.rad2deg(motion.prediction.states(at)[0][:, column]), tone))
            moments.append(Line(name, motion.prediction.torques(at)[:, column], tone))
        title = joint.replace("_", " ")
        panels["Angles"].append(Panel(title, "deg", t, angles))
        panels["Moments of muscles"].append(Panel(title, "N m", t, moments))
    return [Group(f"{title} of the joints that tire most", own) for title, own in panels.items()]


def _left(found: Repeated) -> str:
    order = np.argsort(found.left[-1].min(axis=1), kind="stable")[:TAIL]
    middle = found.left[found.done // 2]
    rows = []
    for k in order:
        shares = (f"{100 * x:.0f}" for x in (middle[k].min(), *found.left[-1, k]))
        rows.append((found.joints[k].replace("_", " "), *shares))
    heads = ("joint", "half way [%]", "at the end, negative way [%]", "positive way [%]")
    return table(heads, rows, numbers=(1, 2, 3))


def _motions(found: Repeated) -> str:
    rows = [
        (str(since + 1), f"{motion.prediction.duration:.3g}", motion.prediction.status.value) for since, motion in found.motions
    ]
    return table(("from repetition", "duration [s]", "search"), rows, numbers=(0, 1))


def _verdict(found: Repeated) -> Verdict:
    joint, share = found.most_tired
    rest = f"with {found.rest:.3g} s of rest between them" if found.rest else "without a rest"
    more = (f"least strength left: {joint.replace('_', ' ')}, {100 * share:.0f} % of the rested", f"{len(found.motions)} motions")
    if found.reason:
        return Verdict(False, f"{found.done} of {found.times} repetitions, {rest}", (found.reason, *more))
    return Verdict(True, f"{found.done} repetitions, {rest}", more)
