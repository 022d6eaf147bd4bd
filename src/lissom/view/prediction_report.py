"""Reports: a prediction as a self-contained HTML page (`view/page.py`)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .page import check_ending, picture, table, text, write_page

if TYPE_CHECKING:
    from ..predict.result.prediction import LimitReport, Prediction

STEPS = 40  # most iterations listed: the first and the last


def write_report(prediction: Prediction, path: str | os.PathLike[str]) -> Path:
    """Write the page of a prediction; see `Prediction.report`."""
    path = check_ending(path)  # before anything is drawn
    parts = [
        _ending(prediction),
        _summary(prediction),
        "<h2>Motion</h2>",
        _picture(prediction),
        "<h2>Goals</h2>",
        _goals(prediction),
        "<h2>Limits</h2>",
        _limits(prediction.limits, prediction.limit_tolerance),
        "<h2>Goals</h2>",
        table(("", "in words"), prediction.description.rows),
        "<h2>Rounds of solving</h2>",
        _rounds(prediction),
        "<h2>Timing</h2>",
        _timing(prediction),
        "<h2>Iterations of the last round</h2>",
        _history(prediction),
    ]
    return write_page(f"{prediction.name}: predicted motion", parts, path)


def _ending(prediction: Prediction) -> str:
    """Return the solver's status, with advice."""
    kind = "good" if prediction.success else "bad"
    advice = "" if prediction.success else f"<br>{text(prediction.status.advice)}"
    return f'<p class="{kind}"><b>{text(prediction.status.value.replace("_", " "))}</b>: {text(prediction.message)}{advice}</p>'


def _summary(prediction: Prediction) -> str:
    basis = prediction.path.basis
    rows = [
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


def _picture(prediction: Prediction) -> str:
    from matplotlib.figure import Figure

    figure = prediction.plot()
    assert isinstance(figure, Figure)
    return picture(figure, f"joint torques, positions, velocities, joint reaction forces and strobe picture of {prediction.name}")


def _goals(prediction: Prediction) -> str:
    rows = [(goal.label, f"{goal.weight:g}", f"{goal.value:.8g}", f"{goal.weight * goal.value:.8g}") for goal in prediction.goals]
    return table(("goal", "weight", "value", "weight x value"), rows, numbers=(1, 2, 3))


def _limits(limits: Sequence[LimitReport], tolerance: float) -> str:
    if not limits:
        return "<p>None.</p>"
    rows, marks = [], []
    tolerance = tolerance if math.isfinite(tolerance) else 1e-3
    for limit in limits:
        broken = limit.violation > tolerance * limit.scale
        marks.append("broken" if broken else "held" if limit.active > 0 else "")
        when = f", at {', '.join(f'{x:g}' for x in limit.shares)} of the duration" if limit.shares else ""
        rows.append(
            (
                limit.label,
                limit.bounds + when,
                f"{limit.active:.1%}",
                f"{limit.violation:.2e} {limit.unit}" if limit.violation > 0 else "none",
                f"{limit.at:.4g}" if limit.violation > 0 else "",
                f"{limit.multiplier:.3g}",
            )
        )
    head = ("limited", "bounds", "active", "violation", "at [s]", "gain")
    note = (
        "<p class='note'>Active: share of the grid points at a bound (blue). Violation: the largest over time, from a grid ten "
        "times finer than the one on which limits are enforced, refined at its peaks; red beyond "
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
