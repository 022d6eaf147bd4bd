"""Starts: a straight line between the ends, at a duration that keeps the limits, and random paths around it."""

from __future__ import annotations

import numpy as np

from ...spline import SplinePath
from ..data.motion import Motion, idle
from ..problem.problem import MotionProblem
from ..quantities.state import State
from ..transcription.grid import Grid
from ..transcription.of_problem import transcribed
from ..transcription.transcription import Transcription
from .end_positions import reached

TRIES = 25  # durations that are tried
TOGETHER = 10_000  # instants that are evaluated at once


def straight(problem: MotionProblem, made: dict[int, Transcription] | None = None) -> Motion:
    """Return the straight line from start to end at the shortest tried duration that keeps all limits, or breaks them least.

    An end that poses of links fix is where they are reached. Channels are zero.

    Args:
        problem: the motion problem.
        made: programs of the problem by their numbers of control points, which gets the one that is made here.
    """
    ends = [problem.ends.get(side, {}).get("position") for side in ("start", "end")]
    middle = np.zeros(problem.n)
    if problem.robot.path_inputs(middle[None]):  # loops: where they are closed, the first place to begin with is home
        middle = problem.robot.neutral()
    q0 = ends[0] if ends[0] is not None else ends[1] if ends[1] is not None else middle
    if ends[0] is None and (found := reached(problem, "start", q0)) is not None:
        q0 = found
    q1 = ends[1]
    if q1 is None:
        q1 = q0 if (found := reached(problem, "end", q0)) is None else found
    low, high = problem.duration
    rest = min(problem.robot.path_order - 1, problem.basis.degree - 1)  # motors behind springs rest where the jerk is zero
    path = SplinePath.between(q0, q1, low, rest=rest, basis=problem.basis)
    durations = np.geomspace(low, high, TRIES) if high > low else np.array([low])
    motion = idle(path, problem.channels, problem.timing)
    program = transcribed(problem, motion, problem.parts)
    if made is not None:
        made[len(motion.path.points)] = program
    broken = violations(problem, program, motion, durations)
    kept = np.flatnonzero(np.array(broken) <= 0.0)
    best = int(kept[0]) if len(kept) else int(np.argmin(broken))
    return motion.with_points(motion.points, problem.timing.split(float(durations[best])))


def violations(problem: MotionProblem, program: Transcription, motion: Motion, durations: np.ndarray) -> list[float]:
    """Return for each duration the largest limit violation at the problem's instants (relative)."""
    worst = np.zeros(len(durations))
    for group in program.groups:
        own = group.grid
        limits = [limit for _, limit in group.limits if limit.peak is None]
        parts = max(1, min(len(durations), -(-len(own) * len(durations) // TOGETHER)))
        for some in np.array_split(np.arange(len(durations)), parts) if limits else ():
            state = _at_durations(problem, motion, own, durations[some])
            y = group.quantity.values(state.part(group.source.columns))
            for limit in limits:
                beyond = limit.beyond(y) / limit.scale
                worst[some] = np.maximum(worst[some], beyond.reshape(len(some), -1).max(axis=1))
    return worst.tolist()


def _at_durations(problem: MotionProblem, motion: Motion, grid: Grid, durations: np.ndarray) -> State:
    """Return a motion at the instants of a grid, for one duration after the other."""
    count = len(durations)
    if grid.clocks == 1:  # rates of the order r are divided by T^r
        still, T = grid.state(motion.points, np.ones(1)), durations[:, None, None]
        rates = tuple((rate / T**r).reshape(-1, rate.shape[1]) for r, rate in enumerate(still.rates))
        times = np.repeat(durations, len(grid))
    else:
        states = [grid.state(motion.points, problem.timing.split(float(T))) for T in durations]
        rates = tuple(np.concatenate(each) for each in zip(*(x.rates for x in states), strict=True))
        times = np.concatenate([x.durations for x in states if x.durations is not None])
    return State(rates, np.tile(grid.s, count), np.tile(grid.instants.left, count), times)


def perturbed(problem: MotionProblem, motion: Motion, count: int, seed: int) -> list[Motion]:
    """Return random paths around one: other control points between the ends, durations up to a factor of two.

    Channels keep their control points.
    """
    path = motion.path
    rng = np.random.default_rng(seed)
    lower, upper = problem.bounds(path.basis)
    size = np.maximum(np.ptp(path.points, axis=0), 0.5)
    found = []
    for _ in range(count):
        bend = rng.normal(size=(2, problem.n)) * size * 0.5
        s = np.linspace(0.0, 1.0, len(path.points))[:, None]
        points = path.points + bend[0] * np.sin(np.pi * s) + bend[1] * np.sin(2 * np.pi * s)
        factor = rng.uniform(0.7, 2.0)
        durations = np.clip(motion.durations * factor, *problem.clock_bounds())
        every = np.concatenate([np.clip(points, lower, upper).ravel(), motion.points[path.points.size :]])
        found.append(motion.with_points(every, durations))
    return found
