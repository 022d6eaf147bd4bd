"""Advice: what became of the limits, and what to try where a motion was not found."""

from __future__ import annotations

import numpy as np

from ..nlp.solution import Solution
from ..nlp.status import Status
from .contradiction import in_words
from .grid import Grid
from .problem import MotionProblem
from .result import FINER, FOUND, LimitReport
from .transcription import Transcription

NEAR = 1e-4  # share of its scale within which a limited entry counts as at its bound
PASSED = 0.01  # share of its scale from which a violation between instants is worth a word
MOST = 0.9  # share of the instants from which a limit that is active is worth a word


def limit_reports(problem: MotionProblem, transcription: Transcription, solution: Solution) -> list[LimitReport]:
    """Return what became of every entry of every limit; violations on a grid ten times finer."""
    P, T = transcription.split(solution.x)
    fine = Grid(
        transcription.basis, transcription.n, transcription.basis.grid(FINER * problem.points_per_span), transcription.orders
    )
    found: list[LimitReport] = []
    transcription.evaluate(solution.x)
    for group in transcription.groups:
        for row, limit in group.limits:
            if limit.peak is not None:
                continue
            grid = fine if limit.at is None else group.grid
            own = group.y[:, limit.entries]
            beyond = limit.beyond(limit.quantity.values(grid.state(P, T)))
            near = np.minimum(own - limit.lower, limit.upper - own) < NEAR * limit.scale
            size = own.size
            multipliers = np.abs(np.asarray(solution.multipliers[row : row + size])).reshape(own.shape)
            for e in range(len(limit.entries)):
                worst = int(np.argmax(beyond[:, e]))
                found.append(
                    LimitReport(
                        label=limit.label(e),
                        unit=limit.quantity.units()[int(limit.entries[e])],
                        lower=float(limit.lower[e]),
                        upper=float(limit.upper[e]),
                        active=float(near[:, e].mean()),
                        violation=max(0.0, float(beyond[worst, e])),
                        at=float(grid.s[worst] * T),
                        multiplier=float(multipliers[:, e].sum() / limit.scale[e]),
                        scale=float(limit.scale[e]),
                        shares=() if limit.at is None else tuple(limit.at.tolist()),
                    )
                )
    return found


def advice(problem: MotionProblem, transcription: Transcription, solution: Solution, reports: list[LimitReport]) -> str:
    """Return how the solver ended; where it did not succeed, which limit stands in the way, and what to try."""
    T, (low, high) = transcription.split(solution.x)[1], problem.duration
    if solution.status in FOUND:
        return solution.message + _doubts(T, low if low < high else 0.0, reports)
    told = [solution.message.rstrip(".")]
    broken = [r for r in reports if r.violation > 1e-3 * r.scale]
    if broken:
        worst = max(broken, key=lambda r: r.violation / r.scale)
        both = np.isfinite([worst.lower, worst.upper]).all() and worst.lower < worst.upper
        side = f"{worst.lower:g} to {worst.upper:g} {worst.unit}" if both else in_words(worst.lower, worst.upper, worst.unit)
        told.append(f"the best point breaks {worst.label} ({side}) by {worst.violation:.3g} {worst.unit} at {worst.at:.3g} s")
        if worst.shares:
            told.append("that target may be out of reach")
    held = [r for r in reports if r.active > MOST and not r.shares]
    if held:
        most = max(held, key=lambda r: r.active)
        told.append(f"{most.label} is at its limit over {most.active:.0%} of the motion")
    if high - T < 1e-3 * high and low < high:
        told.append(f"the duration is at the most that is allowed, {high:g} s: allow more")
    elif low == high and (broken or held):
        told.append(f"the target may be unreachable in the {high:g} s allowed")
    model = problem.robot.model
    rough = [joint.name for joint in model.joints if joint.friction.coulomb]
    rough += [motor.name for motor in model.motors if motor.friction.coulomb]
    if rough and solution.status not in (Status.INFEASIBLE, Status.STOPPED, Status.INTERRUPTED):
        told.append(f"Coulomb friction of {rough[0]} jumps where it turns back, which keeps solvers from settling: leave it out")
    if solution.status in (Status.ITERATION_LIMIT, Status.TIME_LIMIT, Status.STOPPED, Status.INTERRUPTED):
        more = "allow more iterations, or " if solution.status is Status.ITERATION_LIMIT else ""
        told.append(f"{more}go on from here: solve(start=prediction)")
    elif broken:
        told.append("try starts=5, a wider limit, or more control points")
    return "; ".join(told)


def _doubts(T: float, least: float, reports: list[LimitReport]) -> str:
    """Return what a user should know of a motion that was found: nothing made it take time, or limits are passed in between."""
    told = ""
    if T - least < 1e-3 * least:
        told += f" The duration is at the least that is allowed, {least:g} s: allow less, or say what limits the motion."
    worst = max(reports, key=lambda r: r.violation / r.scale, default=None)
    if worst is not None and worst.violation > PASSED * worst.scale:
        told += (
            f" Between instants, {worst.label} passes its limit by {worst.violation:.2g} {worst.unit} at {worst.at:.3g} s: "
            "try refine=True, or more points_per_span."
        )
    return told
