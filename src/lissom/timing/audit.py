"""Check of a finished motion: the limits it reaches, and their violation between grid points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..protocol import DrivenRobot
from .limits import Bounds
from .profile import Progress

REACHED = 1e-2  # of a limit: nearer counts as reached
States = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class Violation(NamedTuple):
    """The largest violation of one kind of limit.

    Attributes:
        relative: excess beyond the limit, relative to it; 0 where the limit is kept.
        joint: name of the joint that is closest to its limit, or beyond it.
        s: position on the path.
        value, limit: the value there, and the limit.
    """

    relative: float
    joint: str
    s: float
    value: float
    limit: float


class Active(NamedTuple):
    """A limit that the motion reaches.

    Attributes:
        kind: "velocity", "acceleration", "torque" or "torque_rate".
        joint: name of the joint.
        side: "lower" or "upper".
        t0, t1: begin and end in time [s].
        s0, s1: begin and end on the path.
    """

    kind: str
    joint: str
    side: str
    t0: float
    t1: float
    s0: float
    s1: float


def violations(robot: DrivenRobot, limits: Bounds, progress: Progress, states: States) -> dict[str, Violation]:
    """Return the largest violation of every kind of limit."""
    worst = {}
    for kind, values, bound in _quantities(robot, limits, states):
        share = np.maximum(_share(values, bound[1]), _share(-values, -bound[0]))
        place = np.unravel_index(int(np.argmax(share)), share.shape)
        value, j = float(values[place]), int(place[-1])
        limit = bound[1][j] if _share(values, bound[1])[place] == share[place] else bound[0][j]
        name = robot.velocity_names[j]
        worst[kind] = Violation(max(0.0, float(share[place])), name, float(progress.s[place[:-1]]), value, float(limit))
    return worst


def active_limits(
    robot: DrivenRobot, limits: Bounds, times: np.ndarray, progress: Progress, states: States
) -> tuple[Active, ...]:
    """Return the limits that are reached, or nearly, in the middle of intervals; adjacent intervals are joined."""
    found = []
    for kind, values, bound in _quantities(robot, limits, states):
        for side, sign, row in (("lower", -1.0, 0), ("upper", 1.0, 1)):
            near = _share(sign * values[:, 1], sign * bound[row]) > -REACHED  # (intervals, joints)
            for j in range(near.shape[1]):
                for first, last in _runs(near[:, j]):
                    edges = [float(x) for grid in (times, progress.s) for x in (grid[first, 0], grid[last, -1])]
                    found.append(Active(kind, robot.velocity_names[j], side, *edges))
    return tuple(sorted(found, key=lambda active: (active.t0, active.t1)))


def _quantities(robot: DrivenRobot, limits: Bounds, states: States) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    q, qd, qdd, qddd = states
    made = {
        "velocity": lambda: qd,
        "acceleration": lambda: qdd,
        "torque": lambda: robot.inverse_dynamics(q, qd, qdd),
        "torque_rate": lambda: robot.torque_rates(q, qd, qdd, qddd),
    }
    for kind, values in made.items():
        bound = getattr(limits, kind)
        if np.isfinite(bound).any():
            yield kind, values(), bound


def _share(values: np.ndarray, bound: np.ndarray) -> np.ndarray:
    """Return how far values are beyond an upper bound, relative to it; -inf where there is none."""
    size = np.where(bound == 0.0, 1.0, np.abs(bound))
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(bound), (values - bound) / size, -np.inf)


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Return first and last of each run of True."""
    edges = np.diff(np.concatenate([[0], flags.astype(int), [0]]))
    return list(zip(np.flatnonzero(edges == 1).tolist(), (np.flatnonzero(edges == -1) - 1).tolist(), strict=True))
