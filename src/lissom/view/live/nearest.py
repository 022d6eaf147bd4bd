"""The pose of a closed robot in which a link is as near to a target as its loops and limits let it.

Damped least squares (Levenberg 1944, Marquardt 1963) in the coordinates of the robot: after every step the loops are closed from
the pose before, so that the branch is kept. A step that takes a joint through a limit, active or passive, is shortened to end
there; joints at a limit that would be pushed through it are left out. Limits of passive joints bound combinations of the
coordinates, and loops may fail to close after a step, neither of which `least_squares.py` knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import StateError
from ...model.limits import coordinate_limits
from ...spatial.quaternion import quaternion_from_rotation, quaternion_log, rotation_from_quaternions

ITERATIONS = 12
STALLED = 1e-5  # share of the error by which a step has to improve it
NEAR = 1e-7  # [rad or m] from a limit that count as being there


@dataclass(frozen=True)
class Nearest:
    """Errors of the nearest pose, with the names that results of inverse kinematics have.

    Attributes:
        position_error: distance from the target [m].
        orientation_error: angle from the target [rad]; 0 where none was given.
        reached: whether both are within the tolerance.
        status: "reached", "unreachable", or "out of iterations" where it was still coming nearer.
        limited_joints: names of the joints whose limits hold the link.
    """

    position_error: float
    orientation_error: float
    reached: bool
    status: str
    limited_joints: tuple[str, ...]


def nearest(
    robot: Any, link: str, tree_q: np.ndarray, position: np.ndarray, orientation: np.ndarray | None, tolerance: float
) -> tuple[np.ndarray, Nearest]:
    """Return the tree (nq of the tree,) of the nearest pose, and its errors.

    Args:
        robot: a ClosedRobot.
        link: its name.
        tree_q: the pose to start from, which closes the loops.
        position: wanted (3,) [m].
        orientation: wanted, as a quaternion x y z w (4,), or None for any.
        tolerance: errors that count as reached [m and rad].
    """
    rows = 3 if orientation is None else 6
    R = None if orientation is None else rotation_from_quaternions(orientation)
    limits = _Limits(robot)
    error = _error(robot, link, tree_q, position, R)
    damping, held, status = 1e-3, np.zeros(len(limits.at), dtype=bool), "out of iterations"
    for _ in range(ITERATIONS):
        if _within(error, tolerance):
            break
        G = robot.velocity_matrix(tree_q=tree_q)
        J = robot.tree.jacobian(tree_q, link, point=np.zeros(3))[:rows] @ G  # with a point, as inverse kinematics: one program
        step, held = limits.step(J, error[:rows], damping, tree_q, G)
        found = _closed(robot, tree_q, G @ step, limits)
        missing = error if found is None else _error(robot, link, found, position, R)
        gain = 1.0 - np.linalg.norm(missing) / np.linalg.norm(error)
        if found is not None and gain > 0.0:
            tree_q, error, damping = found, missing, damping / 5
            if gain < STALLED:
                status = "unreachable"
                break
        elif damping > 1e3:
            status = "unreachable"
            break
        else:
            damping = max(10 * damping, 1e-3)
    far, angle = float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))
    reached = _within(error, tolerance)
    names = () if reached else tuple(name for name, at in zip(limits.names, held, strict=True) if at)
    return tree_q, Nearest(far, angle, reached, "reached" if reached else status, names)


class _Limits:
    """Limits of all joints of one axis of a closed robot's tree: names, places in q, velocities, lower and upper ends."""

    def __init__(self, robot: Any) -> None:
        every = coordinate_limits(robot.model)
        bounded = np.isfinite(every.lower) | np.isfinite(every.upper)
        places = [place for place in robot.model.layout if place.kind.nq == 1 and bounded[place.iq]]
        self.names = [place.joint.name for place in places]
        self.at, self.rates = [place.iq for place in places], [place.iv for place in places]
        self.lower, self.upper = every.lower[self.at], every.upper[self.at]

    def step(
        self, J: np.ndarray, error: np.ndarray, damping: float, q: np.ndarray, G: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the step of the coordinates (nv,), and which of the limits hold it."""
        held = np.zeros(len(self.at), dtype=bool)
        low, high, rates = q[self.at] <= self.lower + NEAR, q[self.at] >= self.upper - NEAR, G[self.rates]
        step = np.zeros(J.shape[1])
        for _ in range(J.shape[1] + 1):
            free = _without(rates[held], J.shape[1])
            if not free.shape[1]:
                return np.zeros(J.shape[1]), held
            A = J @ free
            step = free @ np.linalg.solve(A.T @ A + damping * np.eye(A.shape[1]), A.T @ error)
            speed = rates @ step
            pushed = ~held & ((low & (speed < -NEAR)) | (high & (speed > NEAR)))
            if not pushed.any():
                break
            held = held | pushed
        return step, held

    def share(self, q: np.ndarray, change: np.ndarray) -> float:
        """Return the share of a change of the tree's velocities that no joint leaves its limits by."""
        speed, room = change[self.rates], np.ones(len(self.at))
        for k, v in enumerate(speed):
            end = self.upper[k] if v > 0 else self.lower[k]
            if abs(v) > NEAR and np.isfinite(end):
                room[k] = max((end - q[self.at[k]]) / v, 0.0)
        return float(min(room.min(initial=1.0), 1.0))

    def kept(self, q: np.ndarray) -> bool:
        """Return whether all joints are within their limits."""
        return bool(((q[self.at] >= self.lower - NEAR) & (q[self.at] <= self.upper + NEAR)).all())


def _without(rows: np.ndarray, size: int) -> np.ndarray:
    """Return a basis (size, m) of the directions that change none of the joints of `rows`."""
    if not len(rows):
        return np.eye(size)
    _, values, right = np.linalg.svd(rows)
    return right[int((values > 1e-9).sum()) :].T


def _closed(robot: Any, tree_q: np.ndarray, change: np.ndarray, limits: _Limits) -> np.ndarray | None:
    """Return the tree after a change of its velocities, loops closed and limits kept; None where that fails."""
    share = limits.share(tree_q, change)
    for _ in range(2):
        try:
            wanted = robot.coordinates(robot.tree.integrate(tree_q, share * change))
            found: np.ndarray = robot.closure(wanted, near=tree_q)
        except StateError:
            return None
        if limits.kept(found):
            return found
        share *= 0.5
    return None


def _error(robot: Any, link: str, tree_q: np.ndarray, position: np.ndarray, R: np.ndarray | None) -> np.ndarray:
    pose = robot.tree.link_pose(tree_q, link)
    turn = np.zeros(3) if R is None else quaternion_log(quaternion_from_rotation(R @ pose[:3, :3].T))
    return np.concatenate([position - pose[:3, 3], turn])


def _within(error: np.ndarray, tolerance: float) -> bool:
    return bool(max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])) <= tolerance)
