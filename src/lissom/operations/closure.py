"""Closure: the configuration of a closed robot's tree as a function of its coordinates, and how it moves with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms.closed.along import configuration_rates
from ..algorithms.closed.assembled import from_home
from ..errors import StateError
from ..locks import once_property
from .operation import Operation


class Closure:
    """The closure of a closed robot.

    Args:
        robot: a `ClosedRobot` whose coordinates belong to joints of one axis.
    """

    def __init__(self, robot: Any) -> None:
        if not robot._coordinates.plain:
            raise StateError(
                f"the coordinates of {robot.name!r} are those of joints of several axes ({', '.join(robot.coordinate_names)}); "
                "other libraries need those of joints of one axis; choose others with lissom.ClosedRobot(model, active=[...])"
            )
        self.robot, self.size = robot, robot.model.nq

    def solve(self, q: np.ndarray) -> np.ndarray:
        """Return configurations of the tree (..., nq of the tree) at coordinates (..., nq), wherever the robot can be."""
        return np.ascontiguousarray(self.robot._settled(q, None, None))

    @once_property
    def near_home(self) -> Operation:
        """The same as a program, whose result is NaN too far from home."""
        home = tuple(float(x) for x in self.robot._assembled)
        return Operation(self.robot, from_home(self.robot.model, self.robot.plan, home))

    @once_property
    def rates(self) -> Operation:
        """Rates of the configuration, a function of it and of rates of the coordinates, in which it is linear."""
        return Operation(self.robot, configuration_rates(self.robot.model, self.robot.plan))
