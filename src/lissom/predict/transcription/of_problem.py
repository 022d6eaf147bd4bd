"""The nonlinear program of a motion problem, on the splines of a motion.

Equations of positions at knots are as many as the path has free numbers. Where an end of the motion of a robot with motors behind
springs is given with its acceleration and higher derivatives, these numbers are fewer: instants next to it are left out, at which
the equations could only contradict it. Of other robots the one instant more keeps forces of contacts within their limits there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...spline.basis import Basis
from ..data.channels import eased
from ..data.motion import Motion
from ..data.part import AnyPath
from ..problem.parts import Limit, Parts
from ..problem.problem import MotionProblem
from ..quantities.by_name import LINEAR
from .transcription import Transcription


def transcribed(problem: MotionProblem, motion: Motion, parts: Parts) -> Transcription:
    """Return the nonlinear program of some parts of a problem, on the splines of a motion."""
    every = motion.bases(problem.timing.clock_ends)
    assert isinstance(every[0], Basis)
    limits = [_with_ends(problem, limit) for limit in parts.limits]
    parts = replace(parts, limits=limits, equations=problem.equations(every[0]), repeats=problem.repeats())
    own = [_freedom(problem, name, spline) for name, spline in motion.channels.items()]
    lower, upper = (np.concatenate([b.ravel(), *(f[k] for f in own)]) for k, b in enumerate(problem.bounds(every[0])))
    bounds = problem.clock_bounds()
    return Transcription(every, problem.columns, parts, problem.points_per_span, lower, upper, bounds, problem.timing)


def _freedom(problem: MotionProblem, name: str, spline: AnyPath) -> list[np.ndarray]:
    """Return the bounds of a channel's control points: its own, but zero where a load begins or ends with a phase at zero."""
    channel = problem.quantities.channels[name]
    first, last = eased(problem.robot, channel, len(problem.timing))
    found = [np.full(spline.points.shape, bound) for bound in channel.bounds]
    for side in found:
        side[:first] = side[len(side) - last :] = 0.0
    return [side.ravel() for side in found]


def _with_ends(problem: MotionProblem, limit: Limit) -> Limit:
    """Return a limit, without the instants next to given ends that these decide."""
    if not (limit.knots and problem.robot.n_elastic) or limit.quantity.orders != (0,):
        return limit
    fewer = [_higher(problem, side) if limit.holds_at(side, len(problem.timing)) else 0 for side in ("start", "end")]
    return replace(limit, fewer=(fewer[0], fewer[1])) if any(fewer) else limit


def _higher(problem: MotionProblem, side: str) -> int:
    """Return how many derivatives after the velocity are given at an end."""
    return sum(name in problem.ends.get(side, {}) for name in LINEAR[2:])


def unknowns_of(transcription: Transcription, motion: Motion) -> np.ndarray:
    """Return the unknowns of a motion, with the peaks there."""
    x = np.concatenate([motion.points, motion.durations, np.zeros(len(transcription.parts.peaks))])
    x = np.clip(x, transcription.lower, transcription.upper)
    transcription.evaluate(x)
    for group in transcription.groups:
        for _, limit in group.limits:
            if limit.peak is not None:
                at = transcription.peaks_at + limit.peak
                x[at] = max(x[at], float((limit.beyond(group.y) / limit.scale).max()))
    return x
