"""The nonlinear program of a motion problem, on the splines of a motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...spline.basis import Basis
from ..data.motion import Motion
from ..problem.parts import Parts
from ..problem.problem import MotionProblem
from .transcription import Transcription


def transcribed(problem: MotionProblem, motion: Motion, parts: Parts) -> Transcription:
    """Return the nonlinear program of some parts of a problem, on the splines of a motion."""
    every = motion.bases(problem.timing.clock_ends)
    assert isinstance(every[0], Basis)
    parts = replace(parts, equations=problem.equations(every[0]), repeats=problem.repeats())
    free = np.full(len(motion.points) - motion.path.points.size, np.inf)  # channels have limits, but no ends
    lower, upper = (np.concatenate([b.ravel(), f]) for b, f in zip(problem.bounds(every[0]), (-free, free), strict=True))
    bounds = problem.clock_bounds()
    return Transcription(every, problem.columns, parts, problem.points_per_span, lower, upper, bounds, problem.timing)
