"""HeldBase: a robot with a floating base whose base stays where it is while its hand is dragged.

Otherwise inverse kinematics would move the base, which is free, instead of the arm.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ...doubts import known_doubts
from ...model import JointKind
from ...spatial.quaternion import quaternion_from_rotation, rotation_from_quaternions


class HeldBase:
    """The robot without its floating joint.

    Args:
        robot: a Robot; see `of`.
        place: of its floating joint in q.
    """

    def __init__(self, robot: Any, place: Any) -> None:
        self.robot, self.place, self.link = robot, place, place.joint.child

    @classmethod
    def of(cls, robot: Any) -> HeldBase | None:
        """Return the robot with its base held; None where the base does not float, or the robot has loops."""
        free = [
            place for place in robot.model.layout if place.kind is JointKind.FLOATING and place.joint.parent == robot.model.base
        ]
        return cls(robot, free[0]) if len(free) == 1 and not robot.model.loops else None

    @cached_property
    def held(self) -> Any:
        """The robot whose base is fixed."""
        name = self.place.joint.name

        def fixed(joint: Any) -> Any:
            return replace(joint, kind=JointKind.FIXED) if joint.name == name else joint

        with known_doubts():
            return type(self.robot)(self.robot.model.with_joints(fixed), **self.robot._choices)

    def inverse_kinematics(
        self, link: str, *, position: np.ndarray, orientation: np.ndarray | None, q0: np.ndarray, **options: Any
    ) -> Any:
        """Return the result of `Robot.inverse_kinematics`, with coordinates of the whole robot."""
        base, still = self.robot.link_pose(q0, self.link), self.held.link_pose(self._rest(q0), self.link)
        way = still @ np.linalg.inv(base)  # from where the base is to where it is held
        turn = None if orientation is None else quaternion_from_rotation(way[:3, :3] @ rotation_from_quaternions(orientation))
        moved = way[:3, :3] @ position + way[:3, 3]
        found = self.held.inverse_kinematics(link, position=moved, orientation=turn, q0=self._rest(q0), **options)
        q = np.insert(found.q, self.place.iq, q0[self.place.q])
        return replace(found, q=q)

    def _rest(self, q: np.ndarray) -> np.ndarray:
        return np.delete(q, self.place.q)
