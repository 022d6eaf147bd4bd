"""Limits of a motion as arrays (2, nv), lowest above highest; by default those of the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import JointBounds
from ..errors import StateError
from ..model.show import by_shape
from ..protocol import DrivenRobot

KINDS = ("velocity", "acceleration", "torque", "torque_rate")


@dataclass(frozen=True, eq=False)
class Bounds:
    """Limits of every joint, each (2, nv): lowest and highest; infinite where there is none.

    Attributes:
        velocity: [rad/s or m/s].
        acceleration: [rad/s^2 or m/s^2].
        torque: [N m or N].
        torque_rate: [N m/s or N/s].
    """

    velocity: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray
    torque_rate: np.ndarray
    __repr__ = by_shape


def bounds(
    robot: DrivenRobot,
    velocity: JointBounds | None,
    acceleration: JointBounds | None,
    torque: JointBounds | None,
    torque_rate: JointBounds | None,
) -> Bounds:
    """Return the limits; those of velocity and torque that are None come from the model, the others are then infinite."""
    if velocity is None:
        velocity = robot.limits.velocity
    if torque is None:
        torque = robot.limits.effort
    given = {"velocity": velocity, "acceleration": acceleration, "torque": torque, "torque_rate": torque_rate}
    made = {name: _pair(robot, name, np.inf if value is None else value) for name, value in given.items()}
    if np.isinf(made["torque"]).all() and np.isinf(made["acceleration"]).all():
        raise StateError("nothing limits the acceleration: the model has no effort limits; give torque= or acceleration=")
    return Bounds(**made)


def _pair(robot: DrivenRobot, name: str, value: JointBounds) -> np.ndarray:
    wanted = f"expected one number, ({robot.nv},) magnitudes, or (2, {robot.nv}) lowest and highest"
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{name} is {value!r}; {wanted}") from None
    if array.shape in ((), (robot.nv,)):
        if (array < 0).any():
            raise StateError(f"{name} has the negative entry {array.min():g}; {wanted}")
        array = np.array([-1.0, 1.0])[:, None] * array * np.ones(robot.nv)
    if array.shape != (2, robot.nv):
        raise StateError(f"{name} has shape {array.shape}; {wanted}")
    names = robot.velocity_names
    if np.isnan(array).any():
        raise StateError(f"{name} of joint {names[int(np.argwhere(np.isnan(array))[0, 1])]!r} is nan; write inf for no limit")
    low, high = array
    wrong = (low > high) if name == "torque" else (low > 0) | (high < 0)
    if wrong.any():
        j = int(np.argmax(wrong))
        order = "the lowest not above the highest" if name == "torque" else "zero between both"
        raise StateError(f"{name} of joint {names[j]!r} is {low[j]:g} ... {high[j]:g}; expected {order}")
    return array.copy()
