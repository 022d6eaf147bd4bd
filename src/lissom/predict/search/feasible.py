"""Feasible first: a motion that keeps the limits, found with a constant objective, from which the search begins."""

from __future__ import annotations

from dataclasses import replace

from ..data.motion import Motion
from ..transcription.of_problem import transcribed
from .checked_solution import Found
from .run import Run


def feasible(run: Run, motion: Motion) -> Motion:
    """Return a motion that keeps the limits at the instants, or where the solver ended; goals do not count."""
    limits = [limit for limit in run.problem.parts.limits if limit.peak is None]
    parts = replace(run.problem.parts, limits=limits, integrals=[], time=0.0, peaks=[])
    transcription = transcribed(run.problem, motion, parts)
    transcription.exact = run.exact
    x = run.unknowns(transcription, motion)
    return Found(run.problem, transcription, run.once(transcription, x, 1.0), {}, motion).motion
