"""Sweep: a robot at coordinates, one pose or several, one after the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import StateError
from .build import SceneMotion
from .frames import MOST, RATE, USUAL, rate_of

if TYPE_CHECKING:
    from ...protocol import DrivenRobot

SLOWEST, LONGEST = 2.0, 10.0  # poses per second, and seconds of a sweep, where no rate is given


class Sweep:
    """A robot at given coordinates, as something that can be shown: it moves from each pose to the next.

    Args:
        robot: Robot or ClosedRobot.
        q: coordinates (nq,), or several (K, nq); None is `neutral()`, of a closed robot `home()`. Motors behind springs may be
            left out.
        fps: poses per second; None takes 2, or as many as make 10 s.

    Attributes:
        q: coordinates (K, nq).
    """

    def __init__(self, robot: DrivenRobot, q: Any = None, fps: Any = None) -> None:
        self.robot = robot
        self.q = np.atleast_2d(_coordinates(robot, q))
        self.rate = max(SLOWEST, (len(self.q) - 1) / LONGEST) if fps is None else rate_of(fps)

    def times(self) -> np.ndarray:
        """Return the times of frames [s]: those of all poses, and some between them."""
        ways = len(self.q) - 1
        between = max(1, min(math.ceil(RATE / self.rate), USUAL // max(ways, 1)))
        return np.linspace(0.0, ways / self.rate, ways * between + 1)

    def _scene_span(self) -> tuple[float, float]:
        return 0.0, (len(self.q) - 1) / self.rate

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        x = t * self.rate
        k = np.clip(np.floor(x + 1e-9).astype(int), 0, len(self.q) - 1)
        share = np.clip(x - k, 0.0, 1.0)
        share[share < 1e-9] = 0.0
        start, end = self.q[k], self.q[np.minimum(k + 1, len(self.q) - 1)]
        if hasattr(self.robot, "difference"):
            way = self.robot.difference(start, end)
            moved = self.robot.integrate(start, share[:, None] * way)  # type: ignore[attr-defined]
            q = np.asarray(np.where(share[:, None] > 0.0, moved, start), dtype=float)
        else:
            q = start + share[:, None] * (end - start)
        return SceneMotion(self.robot, t, q)


def _coordinates(robot: DrivenRobot, q: Any) -> np.ndarray:
    """Return coordinates (nq,) or (K, nq)."""
    if q is None:
        home = getattr(robot, "home", None) or robot.neutral  # type: ignore[attr-defined]
        return np.asarray(home(), dtype=float)
    try:
        found = np.asarray(q, dtype=float)
    except (TypeError, ValueError):
        found = np.empty((0, 0, 0))
    joints = robot.nq - robot.n_elastic
    if found.ndim == 2 and len(found) > MOST:
        raise StateError(f"q has {len(found)} poses, and {MOST} can be shown; leave some out: q[::{-(-len(found) // MOST)}]")
    if found.ndim not in (1, 2) or found.shape[-1] not in (robot.nq, joints) or (found.ndim == 2 and not len(found)):
        got = f"shape {found.shape}" if found.size else f"the value {q!r:.60}"
        raise StateError(f"q has {got}, expected ({robot.nq},) for {robot.name!r}, or (K, {robot.nq}) for K poses")
    if not np.isfinite(found).all():
        raise StateError("q is not finite")
    return found if found.shape[-1] == robot.nq else robot.at_rest(found)
