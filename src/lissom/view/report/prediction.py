"""Report of a prediction: verdict, curves with their limits, and goals, limits, the problem and the solver's work in tables."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..curves.panel import MOTOR, Bound, Group, Line, Panel
from ..page import check_ending, table, text
from .scenes import FLASHES, scenes
from .shown import limit_shown, limited_shown
from .verdict import of_prediction
from .write import write_report

if TYPE_CHECKING:
    from ...predict.result.curves import Column, Curve, Limited
    from ...predict.result.prediction import LimitReport, Prediction

NOISE = 1e-9  # of a scale, up to which a curve stands still
LEAST_GAIN = 1e-7  # of the largest gain, up to which another is what the barrier of the solver leaves
MANY = 12  # panels of a group that is open at first, at most
STEPS = 40  # most iterations listed: the first and the last
TITLES = {"position": "Positions", "velocity": "Velocities", "deflection": "Spring deflections"}


def report_prediction(
    prediction: Prediction,
    t: np.ndarray,
    columns: Sequence[Column],
    limited: Sequence[Limited] | None,
    path: str | os.PathLike[str],
) -> Path:
    """Write the page of a prediction; see `Prediction.report`.

    Args:
        prediction: the prediction.
        t: times of all curves (N,) [s].
        columns: curves of joints and motors.
        limited: other limited quantities; None where they are not known.
        path: file to write (.html).
    """
    path = check_ending(path)  # before anything is computed
    groups = [_joints(column, t, prediction) for column in columns]
    groups += [_group("Other limited quantities", [_limited(limited_shown(x), t, prediction) for x in limited or ()])]
    groups += [_reactions(prediction, t)]
    details = [
        ("Solution", summary(prediction)),
        ("Goals", _goals(prediction)),
        ("Limits", limits_table(prediction.limits, prediction.limit_tolerance)),
        ("Problem in words", table(("", "in words"), prediction.description.rows)),
        ("Rounds of solving", _rounds(prediction)),
        ("Time of computation", _timing(prediction)),
        ("Iterations of the last round", _history(prediction)),
    ]
    return write_report(
        f"{prediction.name}: predicted motion",
        of_prediction(prediction, limited or ()),
        scenes(prediction, prediction.name, ghosts=FLASHES),
        groups,
        details,
        path,
        note=_missing(prediction, columns, limited),
        events=[(phase.start, f"{phase.name} begins") for phase in prediction.phases[1:]],
        phases=[(phase.start, phase.end) for phase in prediction.phases],
    )


def _joints(column: Column, t: np.ndarray, prediction: Prediction) -> Group:
    """Return one panel per joint, with the curve of the motor behind its spring."""
    panels = []
    for joint, curve in column.curves.items():
        motor, other = column.motors.get(joint), []
        if motor is None and _stands_still(curve, prediction):
            continue
        lines, bounds = [Line(curve.name, curve.y)], _bounds(prediction, f"{curve.quantity} of {curve.name}")
        if motor is not None:
            lines.append(Line(motor.name, motor.y, MOTOR))
            other = _bounds(prediction, f"{motor.quantity} of {motor.name}", motor=True)
        panels.append(Panel(curve.name, curve.unit, t, lines, [*bounds, *other]))
    units = {panel.unit for panel in panels}
    forces = "Torques" if units == {"N m"} else "Forces" if units == {"N"} else "Torques and forces"
    return _group(TITLES.get(column.title, forces), panels)


def _group(title: str, panels: Sequence[Panel]) -> Group:
    """Return panels under a heading; many of them are folded."""
    return Group(title if len(panels) <= MANY else f"{title} ({len(panels)})", panels, shown=len(panels) <= MANY)


def _stands_still(curve: Curve, prediction: Prediction) -> bool:
    """Return whether a curve is at a value where an equation keeps it all the time, as the torque of an undriven joint is."""
    label = f"{curve.quantity} of {curve.name}"
    own = [x for x in prediction.limits if x.label == label and x.is_equation and not (x.shares or x.during)]
    return any(bool(np.abs(curve.y - x.lower).max(initial=0.0) <= NOISE * x.scale) for x in own)


def _bounds(prediction: Prediction, label: str, motor: bool = False) -> list[Bound]:
    return [_bound(limit, prediction, motor) for limit in prediction.limits if limit.label == label]


def _bound(limit: LimitReport, prediction: Prediction, motor: bool = False) -> Bound:
    spans = tuple((phase.start, phase.end) for phase in prediction.phases if phase.name in limit.during)
    return Bound(limit.lower, limit.upper, tuple(share * prediction.duration for share in limit.shares), motor, spans)


def _limited(limited: Limited, t: np.ndarray, prediction: Prediction) -> Panel:
    bounds = [_bound(limit, prediction) for limit in limited.limits]
    return Panel(limited.label, limited.unit, t, [Line(limited.label, limited.y)], bounds)


def _reactions(prediction: Prediction, t: np.ndarray) -> Group:
    """Return the magnitudes of the force and moment through every joint, from the base outward."""
    wrenches, panels = prediction.joint_wrenches(t), []
    for k, name in enumerate(prediction.robot.wrench_names):
        for what, unit, part in (("force", "N", slice(0, 3)), ("moment", "N m", slice(3, 6))):
            size = np.linalg.norm(wrenches[:, k, part], axis=-1)
            panels.append(Panel(f"{name}: {what}", unit, t, [Line("magnitude", size)]))
    return Group("Joint reactions (magnitude)", panels, shown=False)


def _missing(prediction: Prediction, columns: Sequence[Column], limited: Sequence[Limited] | None) -> str:
    """Return a note on limits without a curve: of a prediction from a file, or of a problem that was changed since."""
    if limited is not None:
        return ""
    curves = [curve for column in columns for curve in (*column.curves.values(), *column.motors.values())]
    drawn = {f"{curve.quantity} of {curve.name}" for curve in curves}
    left = [limit_shown(limit).label for limit in prediction.limits if limit.label not in drawn]
    if not left:
        return ""
    why = "the prediction was read from a file, or its problem was changed since"
    return (
        f"<p class='note'>Not drawn, as {why}: {text(', '.join(dict.fromkeys(left)))}; the table of limits has their figures.</p>"
    )


def summary(prediction: Prediction) -> str:
    """Return status, objective, violation and sizes of a prediction as a table."""
    basis = prediction.path.basis
    rows = [
        ("status", f"{prediction.status.value.replace('_', ' ')}: {prediction.message}"),
        ("duration", f"{prediction.duration:.8g} s"),
        ("objective", f"{prediction.objective:.10g}"),
        ("largest limit violation (relative)", f"{prediction.violation:.2e}{_allowed(prediction.limit_tolerance)}"),
        ("iterations", f"{prediction.iterations}{_repeated(prediction)}"),
        ("path", f"{basis.count} control points of {prediction.path.points.shape[1]} joints, degree {basis.degree}"),
    ]
    return table(("", ""), rows)


def _repeated(prediction: Prediction) -> str:
    """Return how many iterations are in no round: of solves that were repeated from their solution, or did not count."""
    more = prediction.iterations - sum(r.iterations for r in prediction.rounds)
    return f", {more} of them in solves from which the rounds below were restarted or which gave no better motion" if more else ""


def _allowed(tolerance: float) -> str:
    return f"; allowed: {tolerance:g}" if np.isfinite(tolerance) else ""


def _goals(prediction: Prediction) -> str:
    rows = [(goal.label, f"{goal.weight:g}", f"{goal.value:.8g}", f"{goal.weight * goal.value:.8g}") for goal in prediction.goals]
    return table(("goal", "weight", "value", "weight x value"), rows, numbers=(1, 2, 3))


def limits_table(limits: Sequence[LimitReport], tolerance: float) -> str:
    """Return limits, how long they were active and how far they were broken, as a table."""
    if not limits:
        return "<p>None.</p>"
    rows, marks = [], []
    tolerance = tolerance if math.isfinite(tolerance) else 1e-3
    limits = [limit_shown(limit) for limit in limits]
    largest = max(limit.multiplier for limit in limits)
    for limit in limits:
        broken = limit.violation > tolerance * limit.scale
        marks.append("broken" if broken else "held" if limit.active > 0 else "")
        when = f", at {', '.join(f'{x:g}' for x in limit.shares)} of the duration" if limit.shares else ""
        when += f", during {', '.join(limit.during)}" if limit.during else ""
        when += f"; between knots {limit.residual:.2e} {limit.unit}" if limit.residual else ""
        rows.append(
            (
                limit.label,
                limit.bounds + when,
                f"{limit.active:.1%}",
                f"{limit.violation:.2e} {limit.unit}" if limit.is_missed else "none",
                f"{limit.at:.4g}" if limit.is_missed else "",
                f"{limit.multiplier:.3g}" if limit.multiplier > LEAST_GAIN * largest else "-",
            )
        )
    head = ("limited", "bounds", "active", "violation", "at [s]", "gain")
    note = (
        "<p class='note'>Active (blue): share of the time, or of its phases, within 1 % of the limit's scale from a bound; of "
        "limits at some instants, share of these at a bound; of friction, where the point is loaded. Violation: the largest over "
        "time, from a grid ten times finer than the one on which limits are enforced, refined at its peaks; red beyond "
        f"{tolerance:g} of the limit's scale. Gain: improvement of the objective per unit of wider limits on both sides.</p>"
    )
    return table(head, rows, numbers=(2, 3, 4, 5), marks=marks) + note


def _rounds(prediction: Prediction) -> str:
    rows = []
    for r in prediction.rounds:
        counts = (str(r.control_points), str(r.instants))
        rows.append((*counts, f"{r.objective:.10g}", f"{r.violation:.2e}", str(r.iterations), f"{r.seconds:.3f}"))
    head = ("control points", "grid points", "objective", "violation (relative)", "iterations", "solver [s]")
    return table(head, rows, numbers=range(6))


def _timing(prediction: Prediction) -> str:
    calls = prediction.solution.evaluations
    rows = [
        ("setup and compilation", f"{prediction.setup_seconds:.3f} s"),
        ("solving, all rounds", f"{prediction.seconds:.3f} s"),
        ("last round", f"{prediction.solution.seconds:.3f} s, of which functions {calls.seconds:.3f} s"),
        ("calls of the last round", ", ".join(f"{getattr(calls, n)} {n}" for n in calls._fields[1:6])),
    ]
    return table(("", ""), rows)


def _history(prediction: Prediction) -> str:
    history = prediction.solution.history
    if not history:
        return "<p>None recorded.</p>"
    some = history if len(history) <= STEPS else (*history[: STEPS // 2], *history[-STEPS // 2 :])
    rows = [
        (f"{i.iteration}", _number(i.objective, ".10g"), _number(i.violation, ".2e"), _number(i.dual_violation, ".2e"))
        for i in some
    ]
    left = len(history) - len(some)
    note = f"<p class='note'>{left} iterations in between are left out.</p>" if left else ""
    return table(("iteration", "objective", "violation", "dual violation"), rows, numbers=range(4)) + note


def _number(value: float, form: str) -> str:
    return format(value, form) if np.isfinite(value) else "-"
