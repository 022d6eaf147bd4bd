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
from .verdict import Verdict
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
# D. A. Winter, Biomechanics and Motor Control of Human Gait, 1991, normal cadence: 1.325 m/s, a stride in 1.1396 s
WINTER = {"speed": "1.325 m/s", "step length": "0.755 m", "cadence": "105 per minute", "stance": "61 % of the cycle"}


def report_gait(gait: Gait, norm: Mapping[str, np.ndarray], path: str | os.PathLike[str]) -> Path:
    """Write the page of a walk; see `Gait.report`."""
    path = check_ending(path)
    T = gait.prediction.duration
    t, cycle = np.linspace(0.0, 2.0 * T, ROWS), gait.cycle(ROWS)

    def panels(names: Mapping[str, str], unit: str) -> list[Panel]:
        return [Panel(title, unit, t, _lines(name, cycle, norm, t, T)) for name, title in names.items()]

    powers = [Panel(title, "W/kg", t, [Line("walk", y)]) for title, y in gait.joint_powers(t).items()]
    inside = [Panel(title, "weights", t, [Line("walk", y)]) for title, y in gait.joint_forces(t).items()]
    groups = [
        Group("Angles of the right side", panels(ANGLES, "deg")),
        Group("Moments of muscles over mass", panels(MOMENTS, "N m/kg")),
        Group("Powers over mass", powers),
        Group("Forces of the ground on the right foot", panels(FORCES, "weights")),
        Group("Net forces through joints of the right side and the spine, without those of muscles (magnitude)", inside),
    ]
    details = [
        ("Steps and times", _steps(gait)),
        ("Solution", summary(gait.prediction)),
        ("Scores beside the norm", _scores(gait, norm)),
        ("Pressure under the right foot", _pressure(gait, t)),
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
        events=[(T, "left heel strikes")],
        note=_note(bool(norm)),
        phases=[(phase.start, phase.end) for phase in gait.phases],
    )


def _note(norm: bool) -> str:
    dotted = " Dotted: measured mean, and one standard deviation to both sides." if norm else ""
    text = "Shaded: phases of the step, in turn. Moments and powers may jump where phases meet, as the anchors of the feet do."
    return f"<p class='note'>{text}{dotted}</p>"


def _notes(gait: Gait) -> list[tuple[str, str]]:
    """Return the notes of the problem, if any: what was chosen."""
    found = [words for what, words in gait.prediction.description.rows if what == "note"]
    return [("What was chosen", "<ul>" + "".join(f"<li>{text(note)}</li>" for note in found) + "</ul>")] if found else []


def _verdict(gait: Gait) -> Verdict:
    found = gait.prediction
    first = f"{gait.speed:.3g} m/s with steps of {gait.step_length:.3g} m, {gait.cadence:.0f} steps per minute"
    more = [
        f"both feet are on the ground for {2 * gait.double_support:.0%} of the cycle".replace("%", " %"),
        f"cost of transport {gait.cost_of_transport:.3g}: work of joints, positive and negative, over weight times distance",
    ]
    if not found.success:
        more = [found.status.advice, f"the walk shown is the last one: {first}", *more]
        first = f"Not solved: {found.status.value.replace('_', ' ')}. {found.message}"
    return Verdict(found.success, first, tuple(more))


def _lines(name: str, cycle: Mapping[str, np.ndarray], norm: Mapping[str, np.ndarray], t: np.ndarray, T: float) -> list[Line]:
    """Return the curve of the walk, and the measured mean with its deviations."""
    lines, mean = [Line("walk", cycle[name])], norm.get(f"{name}_mean")
    if mean is None:
        return lines

    def drawn(y: np.ndarray) -> np.ndarray:
        return np.interp(t / (2.0 * T) * 100.0, norm["cycle_percent"], y)

    sd = norm.get(f"{name}_sd")
    around = () if sd is None else (("mean + SD", mean + sd), ("mean - SD", mean - sd))
    return [*lines, Line("measured mean", drawn(mean), WANTED), *(Line(label, drawn(y), WANTED) for label, y in around)]


def _steps(gait: Gait) -> str:
    own = {
        "speed": f"{gait.speed:.4g} m/s",
        "step length": f"{gait.step_length:.4g} m",
        "cadence": f"{gait.cadence:.1f} per minute",
        "stance": f"{50 + 100 * gait.double_support:.1f} % of the cycle",
    }
    rows = [(name, value, WINTER[name]) for name, value in own.items()]
    rows.append(("cost of transport", f"{gait.cost_of_transport:.3g}", ""))
    return table(("", "walk", "Winter (1991), normal cadence"), rows)


def _scores(gait: Gait, norm: Mapping[str, np.ndarray]) -> str:
    if not norm:
        return "<p>No norm was given: report(path, norm=...), or --norm of the command.</p>"
    rows = []
    for name, score in gait.compare(norm).items():
        within = "" if np.isnan(score.within) else f"{score.within:.0%}".replace("%", " %")
        rows.append((name.replace("_", " "), f"{score.r:.3f}", f"{score.rms:.3g}", within))
    return table(("curve", "r", "rms", "within one SD"), rows, numbers=(1, 2, 3))


def _pressure(gait: Gait, t: np.ndarray) -> str:
    """Return a picture of the right sole with the path of the point where the ground's force acts."""
    at, names = gait.pressure(t), ("heel_inner", "heel_outer", "ball_outer", "toe_outer", "toe_inner", "ball_inner")
    person = gait.person
    sole = np.array([person.point_position(person.neutral(), f"right_{name}")[:2] for name in names])
    at, sole = (np.stack([x[:, 0] - sole[:, 0].min(), -x[:, 1]], axis=1) * 1000.0 for x in (at, sole))  # [mm], ahead is right
    low, high = sole.min(axis=0) - 20.0, sole.max(axis=0) + 20.0
    box = f"{low[0]:.0f} {low[1]:.0f} {high[0] - low[0]:.0f} {high[1] - low[1]:.0f}"
    outline, way = (" ".join(f"{x:.1f},{y:.1f}" for x, y in points) for points in (sole, at[np.isfinite(at).all(axis=1)]))
    return (
        f"<svg viewBox='{box}' style='max-width: 30em' role='img' aria-label='path of pressure under the right foot'>"
        f"<polygon points='{outline}' fill='none' stroke='currentColor' stroke-width='2' stroke-linejoin='round'/>"
        f"<polyline points='{way}' fill='none' stroke='#d33' stroke-width='3'/></svg>"
        "<p class='note'>From heel (left) to toes; the whole foot, while it bears a tenth of the weight or more.</p>"
    )
