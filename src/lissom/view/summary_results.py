"""Tables of problems and results for notebooks. All names are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .page import table, text
from .summary import MOST, name_text, printable

if TYPE_CHECKING:
    from ..control.scenario import Scenario
    from ..control.tracking import Tracking
    from ..inverse_kinematics.result import IKResult
    from ..predict import Prediction
    from ..predict.problem.problem import MotionProblem
    from ..predict.result.outcomes import Outcome
    from ..predict.search.pareto import Front
    from ..simulate import Trajectory
    from ..timing.timing import Timing


def trajectory_html(trajectory: Trajectory) -> str:
    """Return start, end and range of every coordinate; for a batch, only its size."""
    rows = []
    if trajectory.q.ndim == 2 and len(trajectory):
        each = zip(trajectory.coordinate_names, trajectory.units["q"], trajectory.q.T, strict=True)
        for name, unit, q in each:
            rows.append((name_text(name), unit, *(f"{x:.4g}" for x in (q[0], q[-1], q.min(), q.max()))))
    return page(repr(trajectory), some_rows("coordinates", ("coordinate", "unit", "first", "last", "lowest", "highest"), rows))


def problem_html(problem: MotionProblem, goals: list[tuple[str, float]], joints: tuple[str, ...]) -> str:
    """Return ends, limits and goals of a motion problem; `goals` are labels and weights, `joints` those of the path."""
    ends = [
        (side, rate, _listed(joints, values))
        for side, given in problem.ends.items()
        for rate, values in given.items()
        if rate == "position" or np.any(values)
    ]
    limits = []
    for limit in problem.parts.limits:
        if limit.peak is None:
            labels, lower, upper, own = zip(*(limit.shown(e) for e in range(len(limit.entries))), strict=True)
            units = ", ".join(dict.fromkeys(own))
            name = limit.quantity.name if labels[0] == limit.label(0) else labels[0].partition(" of ")[0]
            what = name_text(labels[0]) if len(labels) == 1 else f"{name_text(name)} ({len(labels)})"
            places = () if limit.at is None else limit.at
            some = ", ".join(f"{x:.3g}" for x in places[:4]) + " ..." * (len(places) > 4)
            phases = "" if limit.during is None else ", ".join(problem.timing.names[k] for k in limit.during)
            of = f"during {phases}" if phases else "all the time"
            when = f"{of}, at knots" if limit.knots else of
            if limit.at is not None:
                when = f"{some} of {phases or 'the duration'}"
            limits.append((what, units, _range(np.array(lower)), _range(np.array(upper)), when))
    return page(
        repr(problem),
        some_rows("ends", ("end", "of", "values"), ends),
        some_rows("limits", ("limit", "unit", "lower", "upper", "when"), limits),
        some_rows("goals", ("goal", "weight"), [(label, f"{weight:.4g}") for label, weight in goals]),
    )


def prediction_html(prediction: Prediction) -> str:
    """Return the verdict and goals of a prediction, and the limits that it reaches."""
    from .report.folded import folded
    from .report.shown import limit_shown
    from .report.verdict import of_prediction

    goals = [(goal.label, f"{goal.weight:.4g}", f"{goal.value:.6g}") for goal in prediction.goals]
    shown, equations = folded([limit_shown(x) for x in prediction.limits], prediction.limit_tolerance)
    held = [x for x in shown if x.active or x.is_missed]
    phases = any(x.when for x in held)
    limits = [
        (
            x.label,
            *((x.when,) if phases else ()),
            x.unit,
            f"{x.lower:.4g}",
            f"{x.upper:.4g}",
            f"{100 * x.active:.0f} %",
            f"{x.violation:.2g}" if x.is_missed else "none",
        )
        for x in held
    ]
    other = len(shown) - len(limits)
    columns = ("limit", *(("when",) if phases else ()), "unit", "lower", "upper", "active", "violation")
    return page(
        repr(prediction),
        *(
            f"<p>{text(printable(line))}</p>"
            for line in (of_prediction(prediction).first, prediction.message if prediction.success else "")
            if line
        ),
        some_rows("goals", ("goal", "weight", "value"), goals),
        some_rows("limits", columns, limits),
        f"<p>{equations}</p>" if equations else "",
        f"<p>{other} {'other limits' if limits else 'limits'} not reached</p>" if other else "",
    )


def timing_html(timing: Timing) -> str:
    """Return the verdict of a timing, and the limits that it reaches."""
    from .report.verdict import of_timing

    rows = [(x.kind.replace("_", " "), name_text(x.joint), x.side, f"{x.t0:.4g}", f"{x.t1:.4g}") for x in timing.active]
    verdict = f"<p>{text(printable(of_timing(timing).first))}</p>"
    return page(repr(timing), verdict, some_rows("limits", ("limit", "joint", "side", "from [s]", "to [s]"), rows))


def tracking_html(tracking: Tracking) -> str:
    """Return the errors of every joint, and its largest torque."""
    if not len(tracking.t):
        return page(repr(tracking))
    peaks = np.abs(tracking.torques).max(axis=0)
    each = zip(tracking.joints, tracking.units, tracking.rms, tracking.largest, peaks, tracking.torque_units, strict=True)
    rows = [
        (name_text(name), unit, f"{rms:.3g}", f"{most:.3g}", f"{peak:.4g} {torque}")
        for name, unit, rms, most, peak, torque in each
    ]
    return page(repr(tracking), some_rows("joints", ("joint", "unit", "rms error", "largest error", "largest torque"), rows))


def front_html(front: Front) -> str:
    """Return weights, values and status of the motions of a Pareto front."""
    return page(repr(front), some_rows("motions", *front._rows()))


def outcomes_html(first: str, outcomes: Sequence[Outcome]) -> str:
    """Return status, duration and cost of the outcomes of many problems; those without a motion say why."""
    rows = []
    for one in outcomes:
        found = (f"{one.duration:.5g}", f"{one.objective:.6g}", str(one.iterations)) if one.path is not None else ("", "", "")
        name = "" if one.problem is None else name_text(one.problem.name)
        rows.append((str(one.number), name, one.status.value.replace("_", " "), *found, "" if one.success else one.message))
    head = ("", "problem", "status", "duration [s]", "objective", "iterations", "message")
    return page(first, some_rows("problems", head, rows))


def scenario_html(scenario: Scenario) -> str:
    """Return the task of a scenario and its start."""
    words = [("task", scenario.task)] + [("assumed", line) for line in scenario.assumed]
    robot: Any = scenario.robot
    each = zip(robot.coordinate_names, robot.coordinate_units, scenario.q0, strict=True)
    start = [(name_text(name), unit, f"{x:.4g}") for name, unit, x in each]
    lines = "".join(f"<p>{text(printable(f'{what}: {line}'))}</p>" for what, line in words if line)
    return page(repr(scenario), lines, some_rows("coordinates", ("coordinate", "unit", "at the start"), start))


def ik_html(result: IKResult) -> str:
    """Return coordinates of a result of inverse kinematics with their limits; of several targets, only the report."""
    rows: list[tuple[str, ...]] = []
    if result.robot is not None and result.q.ndim == 1:
        robot = result.robot
        limits: Any = robot.limits
        each = zip(robot.coordinate_names, robot.coordinate_units, result.q, limits.lower, limits.upper, strict=True)
        rows = [(name_text(name), unit, f"{q:.4g}", f"{low:.4g}", f"{high:.4g}") for name, unit, q, low, high in each]
    report = "" if result.reached.all() else f"<p>{text(printable(result.report()))}</p>"
    return page(repr(result), report, some_rows("coordinates", ("coordinate", "unit", "value", "lower", "upper"), rows))


def page(first: str, *parts: str) -> str:
    """Return a first line, escaped, and parts, which are HTML."""
    return f"<div><p>{text(printable(first))}</p>{''.join(parts)}</div>"


def some_rows(what: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return the first rows as a table, and a line about the others."""
    more = len(rows) - MOST
    rest = f"<p>... and {more} more {what}</p>" if more > 0 else ""
    return table(head, [[printable(cell) for cell in row] for row in rows[:MOST]], range(1, len(head))) + rest if rows else ""


def _range(values: np.ndarray) -> str:
    low, high = float(values.min()), float(values.max())
    return f"{low:.4g}" if low == high else f"{low:.4g} .. {high:.4g}"


def _listed(names: tuple[str, ...], values: np.ndarray) -> str:
    """Return the values of joints; where they are few, with names."""
    numbers = [f"{x:.4g}" for x in np.broadcast_to(values, len(names))]
    if len(names) <= 3:
        numbers = [f"{name_text(name)} {number}" for name, number in zip(names, numbers, strict=True)]
    return ", ".join(numbers[:MOST])
