"""Quantities of robots with elastic drives: a path of the joints says, by its higher derivatives, what motors have to do.

Forces are those of motors: behind springs, or at joints without one. Second derivatives by the r-th and the s-th derivative of
the path are zero where r + s is more than the quantity's weight: its terms are products of derivatives of the path, whose orders
add up to that at most. So tau, of weight 4, has M qdddd, and qddd qd, but nothing with qdddd qd.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...algorithms.derivatives import directional
from ...algorithms.dynamics import energy
from ...algorithms.elastic import path_tasks as motor_tasks
from ...algorithms.elastic.motors import drive_deflections, refuse_entangled
from ...compiler.task import Task
from ...robot import Robot
from ..problem.joints import drive_names, joint_units, motor_names, motor_units
from .by_name import Quantities
from .quantity import NAMES, Compiled, Quantity, State

SPRING, FORCE, FORCE_RATE = 2, 4, 5  # weights


class AlongPath(Compiled):
    """A quantity of a path of the joints and its higher derivatives.

    Args:
        weight: the largest sum of orders of derivatives in a product; see above.
        arguments, options: of Compiled.
    """

    def __init__(self, weight: int, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.weight = weight

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Run products of the second derivatives with unit vectors, for one of each pair of orders that can meet."""
        n, r, k = self.n, len(self.orders), len(state)
        found = np.zeros((k, r, n, r, n))
        arguments = [*(x[:, None] for x in self._arguments(state, k)), weights[:, None], np.eye(n)]
        for order in self.orders:
            by = tuple(NAMES[o] for o in self.orders if o >= order and (order == 0 or order + o <= self.weight))
            if not by:
                continue
            function = self._function(directional.hvp, (len(by), n), of=self._maker, along=(NAMES[order],), by=by)
            product = function(arguments)  # (K, n, len(by), n)
            row = self.orders.index(order)
            for number, name in enumerate(by):
                column = self._state.index(name)
                found[:, row, :, column] = product[:, :, number]
                found[:, column, :, row] = product[:, :, number].swapaxes(1, 2)
        return found


class MotorQuantities(Quantities):
    """The quantities of one robot with elastic drives.

    Args:
        robot: joints of one axis each, springs of drives without damping.
        external: wrenches that act all the time.
    """

    def __init__(self, robot: Robot, external: Mapping[str, Any] | None = None) -> None:
        super().__init__(robot, external)
        refuse_entangled(robot.model)
        self._makers |= {
            "deflection": self._deflection,
            "motor_position": self._motor_position,
            "motor_velocity": self._motor_velocity,
        }

    def _torque(self) -> Quantity:
        units = joint_units(self.robot, force=True)
        return self._along(FORCE, "torque", drive_names(self.robot), units, motor_tasks.motor_forces)

    def _torque_rate(self) -> Quantity:
        units = joint_units(self.robot, "/s", force=True)
        return self._along(FORCE_RATE, "torque_rate", drive_names(self.robot), units, motor_tasks.motor_torque_rates)

    def _power(self) -> Quantity:
        return self._along(FORCE + SPRING + 1, "power", drive_names(self.robot), "W", motor_tasks.motor_power)

    def _deflection(self) -> Quantity:
        units = motor_units(self.robot)
        return self._along(SPRING, "deflection", motor_names(self.robot), units, drive_deflections)

    def _motor_position(self) -> Quantity:
        units = motor_units(self.robot)
        return self._along(SPRING, "motor_position", motor_names(self.robot), units, motor_tasks.motor_rate, order=0)

    def _motor_velocity(self) -> Quantity:
        units = motor_units(self.robot, "/s")
        return self._along(SPRING + 1, "motor_velocity", motor_names(self.robot), units, motor_tasks.motor_rate, order=1)

    def _kinetic_energy(self) -> Quantity:
        options = {"inner": energy.kinetic_energy, "loaded": False}
        return self._along(2 * (SPRING + 1), "kinetic_energy", ["T"], "J", motor_tasks.with_motors, **options)

    def _of_forces(self, name: str, labels: Sequence[str], unit: Any, maker: Callable[..., Task], **options: Any) -> Quantity:
        inner = {"inner": maker, "loaded": True, **options}
        return self._along(FORCE, name, labels, unit, motor_tasks.with_motors, **inner)

    def _of_places(self, name: str, labels: Sequence[str], unit: Any, maker: Callable[..., Task], **options: Any) -> Quantity:
        return Compiled(self.robot, name, labels, unit, motor_tasks.of_joints, inner=maker, **options)

    def _along(
        self, weight: int, name: str, labels: Sequence[str], unit: Any, maker: Callable[..., Task], **options: Any
    ) -> Quantity:
        return AlongPath(weight, self.robot, name, labels, unit, maker, self._loads, **self._told, **options)
