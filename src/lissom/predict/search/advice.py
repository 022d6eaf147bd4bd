"""Advice: how well the limits hold, and what to try where no motion was found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from ...nlp.status import Status
from ..problem.contradiction import in_words
from ..problem.problem import MotionProblem
from ..result.limit_check import SLIDING
from ..result.prediction import LimitReport
from .run import Found

PASSED = 0.01  # violation between instants from which it is mentioned (relative)
LACKING = 1e-4  # share of the weight that undriven joints lack between knots from which it is mentioned
MOST = 0.9  # share of the time from which an active limit is mentioned


def advice(found: Found, tolerance: float, stopped: bool = False) -> str:
    """Return how the solver ended; where it did not succeed, also the critical limit and what to try.

    Args:
        found: the motion.
        tolerance: relative violation allowed.
        stopped: whether the search for a better one was stopped.
    """
    problem, solution = found.problem, found.solution
    rows = balance_labels(problem)
    reports = [replace(r.shown(), label=rows.get(r.label, r.label)) for r in found.findings.reports]
    T, (low, high) = found.motion.duration, problem.duration
    if found.good and found.violation > tolerance:
        return _broken(reports, stopped)
    if found.good and found.findings.slip > tolerance:
        return _sliding(found, stopped)
    if found.good:
        early = " It was stopped during the search for a better one." if stopped else ""
        return solution.message + _doubts(T, low if low < high else 0.0, reports, rows.values()) + early
    parts = [solution.message.rstrip(".")]
    broken = [r for r in reports if r.violation > 1e-3 * r.scale]
    if broken:
        worst = max(broken, key=lambda r: r.violation / r.scale)
        parts.append(f"the best point breaks {_how(worst)}")
        if worst.shares:
            parts.append("that target may be out of reach")
    held = [r for r in reports if r.active > MOST and not r.shares and r.lower < r.upper]
    if held:
        most = max(held, key=lambda r: r.active)
        parts.append(f"{most.label} is at its limit over {most.active:.0%} of the motion")
    if high - T < 1e-3 * high and low < high:
        parts.append(f"the duration is at its upper bound, {high:g} s: allow more")
    elif low == high and broken and worst.label in rows.values():
        parts.append(f"what acts on the robot cannot move it so in {high:g} s: change its contacts or pushes, or the duration")
    elif low == high and (broken or held):
        parts.append(f"the target may be unreachable in the {high:g} s allowed")
    model = problem.robot.model
    rough = [joint.name for joint in model.joints if joint.friction.coulomb]
    rough += [motor.name for motor in model.motors if motor.friction.coulomb]
    if rough and solution.status not in (Status.INFEASIBLE, Status.STOPPED, Status.INTERRUPTED):
        parts.append(
            f"Coulomb friction of {rough[0]} jumps where its velocity changes sign, which prevents convergence: leave it out"
        )
    if solution.status in (Status.ITERATION_LIMIT, Status.TIME_LIMIT, Status.STOPPED, Status.INTERRUPTED):
        enough = {Status.ITERATION_LIMIT: "allow more iterations, or ", Status.TIME_LIMIT: "allow more seconds, or "}
        more = enough.get(solution.status, "")
        parts.append(f"{more}go on from here: solve(start=prediction)")
    elif broken:
        parts.append("try starts=5, a wider limit, or more control points")
    return "; ".join(parts)


def balance_labels(problem: MotionProblem) -> dict[str, str]:
    """Return what the torques of undriven joints, which are zero, are called in messages: "balance of base_vz"."""
    torque = problem.quantities.get("torque") if problem.undriven else None
    return {} if torque is None else {torque.entry_label(k): f"balance of {torque.labels[k]}" for k in problem.undriven}


def _how(report: LimitReport) -> str:
    """Return the broken limit in words, with amount and time."""
    r = report
    both = np.isfinite([r.lower, r.upper]).all() and r.lower < r.upper
    side = f"{r.lower:g} to {r.upper:g} {r.unit}" if both else in_words(r.lower, r.upper, r.unit)
    amount = f"{r.violation:.3g} {r.unit}".rstrip()
    return f"{r.label} ({side.rstrip()}) by {amount} at {r.at:.3g} s"


def _broken(reports: list[LimitReport], stopped: bool) -> str:
    """Return a message for an optimum that breaks limits between the instants at which they are enforced."""
    worst = max(reports, key=lambda r: r.violation / r.scale)
    how = f"{Status.LIMITS_BROKEN.meaning} It breaks {_how(worst)}, {worst.violation / worst.scale:.2g} of the limit's scale"
    if stopped:
        return f"{how}; it was stopped before that was corrected: go on from here, solve(start=prediction)"
    return (
        f"{how}, even with more instants and twice the knots; try more points_per_span, more control_points, a wider limit, or "
        "a small weight against vibration: minimize('integral', 1e-5, 'acceleration')"
    )


def _sliding(found: Found, stopped: bool) -> str:
    """Return a message for an optimum whose contacts move between knots."""
    slides = found.findings.slides
    name = max(slides, key=lambda name: max(slides[name][0], slides[name][1] / SLIDING))
    gap, rate = slides[name]
    how = f"{found.solution.message} But between knots, contact {name!r} is {gap:.2g} m off its place and moves at {rate:.2g} m/s"
    if stopped:
        return f"{how}; it was stopped before that was corrected: go on from here, solve(start=prediction)"
    return f"{how}, even with twice the knots; try more control_points, or spans in its phases"


def _doubts(T: float, least: float, reports: list[LimitReport], balance: Collection[str]) -> str:
    """Return notes on a motion that was found: a duration at its lower bound, or limits broken between instants."""
    text = ""
    if T - least < 1e-3 * least:
        text += f" The duration is at its lower bound, {least:g} s: allow less, or add limits."
    worst = max(reports, key=lambda r: r.violation / r.scale, default=None)
    if worst is not None and worst.violation > PASSED * worst.scale:
        text += (
            f" Between instants, {worst.label} exceeds its limit by {worst.violation:.2g} {worst.unit} at {worst.at:.3g} s: "
            "try refine=True, or more points_per_span."
        )
    lacking = max((r for r in reports if r.label in balance), key=lambda r: r.residual, default=None)
    if lacking is not None and lacking.residual > LACKING * lacking.scale:
        text += (
            f" Between knots, {lacking.label} lacks up to {lacking.residual:.2g} {lacking.unit} that nothing gives "
            f"({lacking.residual / lacking.scale:.1g} of the weight), so that a simulation drifts away: try more control points, "
            "or degree=5."
        )
    missed = max((r for r in reports if r.label not in balance), key=lambda r: r.residual / r.scale, default=None)
    if missed is not None and missed.residual > PASSED * missed.scale:
        text += (
            f" Between knots, {missed.label} misses its equation by {missed.residual:.2g} {missed.unit}: try more control points."
        )
    return text
