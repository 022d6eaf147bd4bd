"""Curves of a prediction over time, for plots: torques, positions, velocities and deflections of springs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...algorithms.elastic.path_tasks import driving_places
from ..problem.joints import drive_names, joint_units, motor_names, motor_units, path_names

if TYPE_CHECKING:
    from .prediction import Prediction


class Curve(NamedTuple):
    """One entry of a quantity over time; a limit of it has the label "<quantity> of <name>".

    Attributes:
        quantity, name: "torque" and the name of a joint, for example.
        y: values (N,).
        unit: of the values.
    """

    quantity: str
    name: str
    y: np.ndarray
    unit: str


class Column(NamedTuple):
    """Curves of one kind, by the number of the joint in the path: of the joint, and of the motor behind its spring."""

    title: str
    curves: dict[int, Curve]
    motors: dict[int, Curve]


def columns(prediction: Prediction, t: np.ndarray) -> list[Column]:
    """Return torques, positions and velocities of all joints at times (N,), and deflections where there are springs."""
    robot, (q, qd, _, _) = prediction.robot, prediction.states(t)
    joints, drives, tau = path_names(robot), drive_names(robot), prediction.torques(t)

    def of(quantity: str, names: Sequence[str], values: np.ndarray, units: Sequence[str]) -> dict[int, Curve]:
        return {k: Curve(quantity, name, values[:, k], units[k]) for k, name in enumerate(names)}

    if not robot.n_elastic:
        return [
            Column("force", of("torque", drives, tau, joint_units(robot, force=True)), {}),
            Column("position", of("position", joints, q, joint_units(robot)), {}),
            Column("velocity", of("velocity", joints, qd, joint_units(robot, "/s")), {}),
        ]
    motion, springs = prediction.drives(t), prediction.deflections(t)
    behind = [joints.index(motor.joint) for motor in robot.model.elastic_motors]

    def of_motors(quantity: str, values: np.ndarray, per: str = "") -> dict[int, Curve]:
        found = of(quantity, motor_names(robot), values, motor_units(robot, per))
        return {joint: found[e] for e, joint in enumerate(behind)}

    driven = tau[:, driving_places(robot.model)]
    return [
        Column("force", of("torque", drives, driven, joint_units(robot, force=True)), {}),
        Column("position", of("position", joints, q, joint_units(robot)), of_motors("motor_position", motion.theta)),
        Column(
            "velocity", of("velocity", joints, qd, joint_units(robot, "/s")), of_motors("motor_velocity", motion.theta_rate, "/s")
        ),
        Column("deflection", of_motors("deflection", springs), {}),
    ]
