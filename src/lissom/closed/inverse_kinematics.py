"""Inverse kinematics of a closed robot, as a method: coordinates that put a link where it is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..arrays import Orientations, Poses, Positions, TreePositions, Vectors
from ..errors import ConvergenceError, StateError
from ..inverse_kinematics import IKResult, Settings, Target, solve
from ..model import Pose
from ..robot.check import as_flag, check_link, common_lead
from .constraints import Constraints
from .kinematics import ClosedKinematics
from .links import ClosedLinks


class Closing:
    """The equations of the loops as conditions of a search; reversed joints violate one more."""

    def __init__(self, robot: ClosedKinematics) -> None:
        self.constraints: Constraints = robot.constraints
        self.kept = [self.constraints.rows.index(row) for row in robot.plan.rows]
        self.gaps = np.array(robot.plan.gaps) if robot.plan.gaps else 0.0

    def residual(self, q: np.ndarray) -> np.ndarray:
        """Return the residuals of the loops (N, rows + 1) [m or rad]."""
        open_by = self.constraints.residual(q)[..., self.kept] - self.gaps
        wrong = [float(bool(self.constraints.flipped(one))) for one in q]
        return np.concatenate([open_by, np.array(wrong)[:, None]], axis=1)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the derivatives of that by the velocities of the tree (N, rows + 1, nv of the tree)."""
        slopes = self.constraints.jacobian(q)[..., self.kept, :]
        return np.concatenate([slopes, np.zeros((len(q), 1, slopes.shape[-1]))], axis=1)


class ClosedInverseKinematics(ClosedLinks):
    """Coordinates from poses of links."""

    def inverse_kinematics(
        self,
        link: str,
        pose: Pose | Poses | None = None,
        *,
        position: Vectors | None = None,
        orientation: Orientations | None = None,
        point: Vectors | None = None,
        q0: Positions | None = None,
        near: TreePositions | None = None,
        limits: bool = True,
        tolerance: float = 1e-8,
        max_iterations: int = 200,
        restarts: int = 30,
        seed: int = 0,
        throw: bool = True,
    ) -> IKResult:
        """Return coordinates that put a link, or a point of it, at a target (inverse kinematics).

        All joints are solved at once, with the loops as additional equations, so that limits hold for the passive ones too. The
        first search starts on the branch of q0; where it does not reach, others may end on another branch. `tree_q` of the result
        shows it: pass it as `near=`, or as `tree_q=`, to other functions.

        Args:
            link, pose, position, orientation, point: as in `Robot.inverse_kinematics`.
            q0: where the search starts (..., nq); None is home.
            near: branch of q0, as in `closure`.
            limits, tolerance, max_iterations, restarts, seed, throw: as in `Robot.inverse_kinematics`.

        Raises:
            ConvergenceError: a target is missed; the message gives the distance and the limits that hold the link; it has the
                result.
        """
        target = Target.of(check_link(self, link), pose, position, orientation, point)
        if not any(joint.kind.nv for joint in self.tree._joints_to(link)):
            raise StateError(f"no joint moves link {link!r}: it is fixed to the base {self.model.base!r}")
        settings = Settings(as_flag(limits, "limits"), tolerance, max_iterations, restarts, seed)
        start = self._assembled if q0 is None and near is None else self.closure(self.home() if q0 is None else q0, near=near)
        lead = common_lead(q0=start.shape[:-1], **target.shapes)
        start = np.broadcast_to(start, (*lead, self.model.nq))
        # closed to the last digit afterward, which moves the link by about as much as the loops were open
        found = solve(self.tree, target, start, lead, replace(settings, tolerance=tolerance / 4), Closing(self))
        result = self._closed(found, target)
        if as_flag(throw, "throw") and not result.reached.all():
            raise ConvergenceError(f"link {link!r} of {self.name!r}: {result.report()}", result)
        return result

    def _closed(self, found: IKResult, target: Target) -> IKResult:
        """Return a result of the tree in the coordinates of the robot; loops of targets that were reached are closed exactly."""
        table = found.q.reshape(-1, self.model.nq).copy()
        rows = np.flatnonzero(np.reshape(found.reached, -1))
        if len(rows):
            solved = self._newton().solve(self.coordinates(table[rows]), table[rows])
            table[rows] = np.where(solved.good[:, None], solved.q, table[rows])
        tree_q, lead = table.reshape(found.q.shape), found.q.shape[:-1]
        missing = target.spread(lead).error(self.tree.link_pose(table, target.link))
        errors = (np.linalg.norm(missing[:, part], axis=1).reshape(lead)[()] for part in (slice(0, 3), slice(3, 6)))
        names = ("position_error", "orientation_error")
        known: dict[str, Any] = {"robot": self, "target": target, **dict(zip(names, errors, strict=True))}
        return replace(found, q=self.coordinates(tree_q), tree_q=tree_q, **known)
