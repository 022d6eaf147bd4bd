"""Given starts: a path or an earlier prediction on the splines of a problem."""

from __future__ import annotations

import numpy as np

from ...errors import StateError
from ...spline import SplinePath
from ..data.motion import Motion, idle
from ..data.part import AnyPath, PartPath, on_basis
from ..problem.problem import MotionProblem
from ..result.prediction import Prediction
from ..transcription.transcription import Transcription
from .contact_reach import expect_reach
from .contact_start import with_contacts
from .starts import straight

SAME = 1e-9  # by which breaks may differ that count as the same, as a share of the duration


def first_motion(
    problem: MotionProblem, start: SplinePath | Prediction | None, made: dict[int, Transcription] | None = None
) -> Motion:
    """Return the motion from which a search begins: a straight line, or a path or a prediction on the problem's splines.

    The program that a straight line is compared with goes into `made`, by its number of control points.
    """
    if start is None:
        return _on_contacts(problem, straight(problem, made))
    path = start.path if isinstance(start, Prediction) else start
    if not isinstance(path, SplinePath) or path.points.shape[1] != problem.n:
        raise StateError(f"start must be a SplinePath of {problem.n} joints, or a Prediction of such a motion")
    motion = _in_phases(problem, start) if problem.timing.named else _plain(problem, path)
    given = start.channels if isinstance(start, Prediction) else {}
    channels = dict(motion.channels)
    for name, zero in motion.channels.items():
        if name in given and given[name].points.shape[1] == zero.points.shape[1]:
            channels[name] = fitted(given[name], zero)
    return with_contacts(problem, Motion(motion.path, channels, motion.ends), given)


def _on_contacts(problem: MotionProblem, motion: Motion) -> Motion:
    """Return a first motion with its contacts.

    Ends that are not known are where the contacts near them are reached. Where contacts hold in all phases, the motion passes
    from pose to pose: where two phases meet, it is at the one that reaches more contacts.
    """
    if not problem.contacts:
        return motion
    poses, timing, basis = list(expect_reach(problem, motion).values()), problem.timing, motion.path.basis
    ends = [problem.ends.get(side, {}).get("position") for side in ("start", "end")]
    if poses and any(q is None for q in ends):
        q0, q1 = (found if q is None else q for q, found in zip(ends, (poses[0], poses[-1]), strict=True))
        if len(poses) == len(timing) > 1:
            held = [sum(c.during is None or name in c.during for c in problem.contacts) for name in timing.names]
            inner = [poses[k + (held[k + 1] > held[k])] for k in range(len(timing) - 1)]
            points = _eased(basis.centers, np.array(timing.ends), np.array([q0, *inner, q1]))
            path = SplinePath(points, motion.duration, basis=basis)
        else:
            path = SplinePath.between(q0, q1, motion.duration, rest=1, basis=basis)
        motion = Motion(path, motion.channels, motion.ends)
    return with_contacts(problem, motion)


def _eased(s: np.ndarray, at: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Return positions (len(s), n) from stop to stop, which begin and end gently at each."""
    k = np.clip(np.searchsorted(at, s, side="right") - 1, 0, len(at) - 2)
    u = ((s - at[k]) / (at[k + 1] - at[k]))[:, None]
    return np.asarray(stops[k] + (stops[k + 1] - stops[k]) * u**2 * (3.0 - 2.0 * u))


def _plain(problem: MotionProblem, path: SplinePath) -> Motion:
    """Return a path as the start of a problem without phases: as it is, if it is fine enough."""
    basis = problem.basis
    if path.degree != basis.degree or len(path.points) < basis.count or not path.basis.even:
        near = fitted(path, SplinePath(np.zeros((basis.count, problem.n)), path.duration, basis=basis))
        path = SplinePath(near.points, near.duration, basis=basis)
    return idle(path, problem.channels, problem.timing)


def _in_phases(problem: MotionProblem, start: SplinePath | Prediction) -> Motion:
    """Return a path in the phases of a problem; those of a prediction keep their durations, as far as the problem allows."""
    timing, path = problem.timing, start.path if isinstance(start, Prediction) else start
    motion = idle(SplinePath(np.zeros((problem.basis.count, problem.n)), 1.0, basis=problem.basis), problem.channels, timing)
    durations = timing.split(path.duration)
    if isinstance(start, Prediction) and len(start.ends) == timing.clocks + 1:
        durations = start.motion.durations
    motion = motion.with_points(motion.points, np.clip(durations, *problem.clock_bounds()))
    while path.degree == motion.path.degree and len(motion.path.points) < len(path.points):
        motion = motion.refined()
    return Motion(fitted(path, motion.path), motion.channels, motion.ends)  # type: ignore[arg-type]


def fitted(spline: AnyPath, like: AnyPath) -> AnyPath:
    """Return a spline near a given one on the knots and with the duration of another: the same one where knots are the same."""
    breaks = [np.array(x.basis.breaks if isinstance(x, PartPath) else x.basis.span_ends) for x in (spline, like)]
    alike = type(spline) is type(like) and spline.degree == like.degree and spline.points.shape == like.points.shape
    if alike and breaks[0].shape == breaks[1].shape and np.abs(breaks[0] - breaks[1]).max() < SAME:
        return on_basis(like.basis, spline.points, like.duration)
    begin, end = breaks[1][0], breaks[1][-1]
    s = np.linspace(begin, end, 10 * len(like.points) + 1)
    s = s[(s > begin) & (s < end)] if isinstance(like, PartPath) else s
    values = spline.at(np.minimum(s * spline.duration, spline.duration))
    if isinstance(like, SplinePath):
        return SplinePath.fit(s * like.duration, values, basis=like.basis)
    first, table = like.basis.local(s, 0)
    matrix = np.zeros((len(s), len(like.points)))
    matrix[np.arange(len(s))[:, None], first[:, None] + np.arange(like.degree + 1)] = table[0]
    return on_basis(like.basis, np.linalg.lstsq(matrix, values, rcond=None)[0], like.duration)
