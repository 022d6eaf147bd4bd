"""Report of a walk: a gait cycle beside measured norms, forces inside joints, pressure under the foot, scores."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..curves.panel import WANTED, Group, Line, Panel
from ..page import check_ending, table, text
from .prediction import limits_table, summary
from .scenes import FLASHES, scenes
from .verdict import Verdict, worst_limit
from .write import write_report

if TYPE_CHECKING:
    from ...gait.result import Gait

ANGLES = {
    "hip_flexion": "hip flexion",
    "knee_flexion": "knee flexion",
    "ankle_dorsiflexion": "ankle dorsiflexion",
    "hip_adduction": "hip adduction",
    "hip_rotation": "hip rotation, inwards",
    "pelvis_tilt": "pelvis tilt, ahead",
    "pelvis_obliquity": "pelvis obliquity, side up",
    "pelvis_rotation": "pelvis rotation, side ahead",
}
MOMENTS = {
    "hip_extension_moment": "hip extension",
    "knee_extension_moment": "knee extension",
    "ankle_plantarflexion_moment": "ankle plantarflexion",
    "hip_abduction_moment": "hip abduction",
}
FORCES = {"vertical_force": "vertical", "fore_aft_force": "fore-aft, ahead", "lateral_force": "lateral, inwards"}
ROWS = 201  # samples of curves
ENDED = {  # words for how searches end, most of them as the first
    "acceptable": "acceptable: its goal has settled, and limits hold where they are enforced",
    "solved": "solved, to its tolerance",
}
TONES = {"right": 0, "left": 2}  # of the curves of sides
# D. A. Winter, Biomechanics and Motor Control of Human Gait, 1991, normal cadence: 1.325 m/s, a stride in 1.1396 s
WINTER = {"speed": "1.325 m/s", "step length": "0.755 m", "cadence": "105 per minute", "stance": "61 % of the cycle"}


def report_gait(gait: Gait, norm: Mapping[str, np.ndarray], path: str | os.PathLike[str]) -> Path:
    """Write the page of a walk; see `Gait.report`."""
    path = check_ending(path)
    T, sides, motion = gait.step_time, sides_of(gait), "run" if gait.flight else "walk"
    t = np.linspace(0.0, 2.0 * T, ROWS)
    cycles = {side: gait.cycle(ROWS, side) for side in sides}
    own = {side: t + (gait.strike if side == "left" else 0.0) for side in sides}

    def lines(curves: Mapping[str, Mapping[str, np.ndarray]], name: str) -> list[Line]:
        return [Line(side if len(sides) == 2 else motion, curves[side][name], TONES[side]) for side in sides]

    def panels(names: Mapping[str, str], unit: str) -> list[Panel]:
        return [Panel(title, unit, t, lines(cycles, name) + _measured(name, norm, t, T)) for name, title in names.items()]

    powers = {side: gait.joint_powers(own[side], side) for side in sides}
    inside = {side: gait.joint_forces(own[side], side) for side in sides}
    whose = "the right side" if len(sides) == 1 else "both sides"
    feet = "the right foot" if len(sides) == 1 else "both feet"
    groups = [
        Group(f"Angles of {whose}", panels(ANGLES, "deg")),
        Group("Moments of muscles and springs over mass", panels(MOMENTS, "N m/kg")),
        Group("Powers over mass", [Panel(title, "W/kg", t, lines(powers, title)) for title in powers["right"]]),
        Group(f"Forces of the ground on {feet}", panels(FORCES, "weights")),
        Group(
            f"Net forces through joints of {whose} and the spine, without those of muscles (magnitude)",
            [Panel(title, "weights", t, lines(inside, title)) for title in inside["right"]],
        ),
    ]
    details = [
        ("Steps and times", _steps(gait)),
        ("Solution", summary(gait.prediction)),
        ("Scores beside the norm", _scores(gait, norm)),
        *((f"Pressure under the {side} foot", _pressure(gait, own[side], side)) for side in sides),
        ("Limits", limits_table(gait.prediction.limits, gait.prediction.limit_tolerance)),
        *_notes(gait),
    ]
    return write_report(
        f"{gait.prediction.name}: a gait cycle",
        _verdict(gait),
        scenes(gait, gait.prediction.name, ghosts=FLASHES),
        groups,
        details,
        path,
        events=[(gait.strike, "left heel strikes")],
        note=_note(bool(norm), len(sides) == 2),
        phases=[(phase.start, phase.end) for phase in gait.phases],
    )


def sides_of(gait: Gait) -> tuple[str, ...]:
    """Return the sides whose curves are shown: the right one, and the left one where it differs."""
    return ("right",) if gait.steps == 1 else ("right", "left")


def _note(norm: bool, both: bool) -> str:
    dotted = " Dotted: measured mean, and one standard deviation to both sides." if norm else ""
    text = "Shaded: phases of the step, in turn. Moments and powers may jump where phases meet, as the anchors of the feet do."
    left = " Curves of the left side begin with the left heel's strike, a step after the picture." if both else ""
    return f"<p class='note'>{text}{left}{dotted}</p>"


def _notes(gait: Gait) -> list[tuple[str, str]]:
    """Return the notes of the problem, if any: what was chosen."""
    found = [words for what, words in gait.prediction.description.rows if what == "note"]
    return [("What was chosen", "<ul>" + "".join(f"<li>{text(note)}</li>" for note in found) + "</ul>")] if found else []


def _verdict(gait: Gait) -> Verdict:
    found = gait.prediction
    first = f"{gait.speed:.3g} m/s with steps of {gait.step_length:.3g} m, {gait.cadence:.0f} steps per minute"
    both = f"both feet are on the ground for {2 * gait.double_support:.0%} of the cycle"
    none = f"no foot is on the ground for {gait.flight:.0%} of the cycle"
    more = [
        (none if gait.flight else both).replace("%", " %"),
        f"cost of transport {gait.cost_of_transport:.3g}: work of joints, positive and negative, over weight times distance",
    ]
    if found.success:
        status = found.status.value
        more = [f"the search ended as {ENDED.get(status, status)}", *worst_limit(found), *more]
    else:
        more = [found.status.advice, f"the walk shown is the last one: {first}", *worst_limit(found), *more]
        first = f"Not solved: {found.status.value.replace('_', ' ')}. {found.message}"
    return Verdict(found.success, first, tuple(more))


def _measured(name: str, norm: Mapping[str, np.ndarray], t: np.ndarray, T: float) -> list[Line]:
    """Return the measured mean of a curve with its deviations, if the norm has it."""
    mean = norm.get(f"{name}_mean")
    if mean is None:
        return []

    def drawn(y: np.ndarray) -> np.ndarray:
        return np.interp(t / (2.0 * T) * 100.0, norm["cycle_percent"], y)

    sd = norm.get(f"{name}_sd")
    around = () if sd is None else (("mean + SD", mean + sd), ("mean - SD", mean - sd))
    return [Line("measured mean", drawn(mean), WANTED), *(Line(label, drawn(y), WANTED) for label, y in around)]


def _steps(gait: Gait) -> str:
    own = {
        "speed": f"{gait.speed:.4g} m/s",
        "step length": f"{gait.step_length:.4g} m",
        "cadence": f"{gait.cadence:.1f} per minute",
        "stance": f"{100 * gait.stance:.1f} % of the cycle",
        "cost of transport": f"{gait.cost_of_transport:.3g}",
    }
    if gait.flight:
        return table(("", "run"), list(own.items()))
    return table(
        ("", "walk", "Winter (1991), normal cadence"), [(name, value, WINTER.get(name, "")) for name, value in own.items()]
    )


def _scores(gait: Gait, norm: Mapping[str, np.ndarray]) -> str:
    if not norm:
        return "<p>No norm was given: report(path, norm=...), or --norm of the command.</p>"
    sides = sides_of(gait)
    found, rows = [gait.compare(norm, side) for side in sides], []
    for name in found[0]:
        row = [name.replace("_", " ")]
        for scores in found:
            score = scores[name]
            row += [f"{score.r:.3f}", f"{score.rms:.3g}", "" if np.isnan(score.within) else f"{100 * score.within:.0f} %"]
        rows.append(row)
    heads = [f"{side}: {head}" if len(sides) == 2 else head for side in sides for head in ("r", "rms", "within one SD")]
    return table(("curve", *heads), rows, numbers=range(1, 1 + len(heads)))


def _pressure(gait: Gait, t: np.ndarray, side: str) -> str:
    """Return a picture of a sole with the path of the point where the ground's force acts."""
    at, names = gait.pressure(t, side), ("heel_inner", "heel_outer", "ball_outer", "toe_outer", "toe_inner", "ball_inner")
    person = gait.person
    sole = np.array([person.point_position(person.neutral(), f"{side}_{name}")[:2] for name in names])
    at, sole = (np.stack([x[:, 0] - sole[:, 0].min(), -x[:, 1]], axis=1) * 1000.0 for x in (at, sole))  # [mm], ahead is right
    low, high = sole.min(axis=0) - 20.0, sole.max(axis=0) + 20.0
    box = f"{low[0]:.0f} {low[1]:.0f} {high[0] - low[0]:.0f} {high[1] - low[1]:.0f}"
    outline, way = (" ".join(f"{x:.1f},{y:.1f}" for x, y in points) for points in (sole, at[np.isfinite(at).all(axis=1)]))
    return (
        f"<svg viewBox='{box}' style='max-width: 30em' role='img' aria-label='path of pressure under the {side} foot'>"
        f"<polygon points='{outline}' fill='none' stroke='currentColor' stroke-width='2' stroke-linejoin='round'/>"
        f"<polyline points='{way}' fill='none' stroke='#d33' stroke-width='3'/></svg>"
        "<p class='note'>From heel (left) to toes; the whole foot, while it bears a tenth of the weight or more.</p>"
    )
