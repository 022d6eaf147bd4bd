"""Least broken: the motion that breaks its limits least, where none was found that keeps them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...nlp import ipopt
from ...nlp.status import Status
from ..transcription.of_problem import transcribed
from .presolve import dependent_rows, settled_rows, without
from .run import Found, Run


def break_least(run: Run, found: Found) -> Found:
    """Return the motion with the smallest relative violation, where none was found that keeps the limits.

    Equations of contacts and balance are kept if that is possible: what cannot be kept with them is then named.
    """
    limits = [limit for limit in run.problem.parts.limits if limit.peak is None]
    firm = [limit.knots or limit.quantity.name in ("gap", "gap_rate") for limit in limits]
    tries = [[replace(x, peak=None if kept else 0) for x, kept in zip(limits, firm, strict=True)]] if any(firm) else []
    for own in [*tries, [replace(limit, peak=0) for limit in limits]]:
        parts = replace(run.problem.parts, limits=own, integrals=[], time=0.0, peaks=[1.0])
        transcription = transcribed(run.problem, found.motion, parts)
        x = run.unknowns(transcription, found.motion)
        rows = settled_rows(transcription, x)
        if run.problem.contacts:
            rows = dependent_rows(transcription, x, rows)
        nlp, options = without(transcription.nlp(), rows), {"mu_strategy": "adaptive"}
        solution = run.called(ipopt.solve, nlp, x, options=options, tolerance=run.tolerance)
        if solution.status is Status.SOLVED:
            return _least_broken(run, found, solution.x)
        if run.stopped:
            break
    return found


def _least_broken(run: Run, found: Found, x: np.ndarray) -> Found:
    own = found.transcription
    least = np.concatenate([x[: own.peaks_at], found.solution.x[own.peaks_at :]])
    own.evaluate(least)
    better = replace(found.solution, x=least, objective=own.objective(least), constraints=own.constraints(least))
    better = replace(better, message=found.solution.status.meaning)
    return Found(run.problem, own, better, found.added, found.motion)
