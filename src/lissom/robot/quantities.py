"""Quantities: what a robot computes that can be differentiated, with its state, the shape of its result and its options."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ..algorithms.dynamics import coriolis, energy, forward_dynamics, inverse_dynamics, momentum
from ..algorithms.dynamics.motor_wrenches import motor_wrenches
from ..algorithms.elastic import blocks as elastic_blocks
from ..algorithms.elastic import motors as elastic
from ..algorithms.kinematics import jacobian, kinematics
from .base import RobotBase, TaskMaker


class Quantity(NamedTuple):
    """A function of the state.

    Attributes:
        maker: makes its task.
        state: names of the inputs that derivatives are taken by.
        shape: of the result of one sample.
        options: that the function takes, beside its state.
        of_joints: whether the state is a path of the joints alone, without the coordinates of elastic drives.
    """

    maker: TaskMaker
    state: tuple[str, ...]
    shape: Callable[[RobotBase], tuple[int, ...]]
    options: tuple[str, ...] = ()
    of_joints: bool = False

    def width(self, robot: RobotBase) -> int:
        """Return the number of velocities of the state."""
        return elastic.link_nv(robot.model) if self.of_joints else robot.nv


def _quantity(
    maker: TaskMaker, state: str, shape: Callable[[RobotBase], tuple[int, ...]] | tuple[int, ...], options: str = ""
) -> Quantity:
    known = shape if callable(shape) else lambda robot: shape
    return Quantity(maker, tuple(state.split()), known, tuple(options.split()))


def _forces(robot: RobotBase) -> tuple[int, ...]:
    return (robot.nv,)


def _square(robot: RobotBase) -> tuple[int, ...]:
    return (robot.nv, robot.nv)


_LOADS, _LINK = "external base_motion", "link axes point"

QUANTITIES: dict[str, Quantity] = {
    "inverse_dynamics": _quantity(inverse_dynamics.inverse_dynamics, "q qd qdd", _forces, _LOADS),
    "bias_torques": _quantity(inverse_dynamics.bias_torques, "q qd", _forces, _LOADS),
    "gravity_torques": _quantity(inverse_dynamics.gravity_torques, "q", _forces, _LOADS),
    "joint_wrenches": _quantity(
        inverse_dynamics.joint_wrenches, "q qd qdd", lambda robot: (len(robot.moving_joint_names), 6), _LOADS + " axes"
    ),
    "forward_dynamics": _quantity(forward_dynamics.forward_dynamics, "q qd tau", _forces, _LOADS + " method"),
    "mass_matrix": _quantity(forward_dynamics.mass_matrix, "q", _square),
    "coriolis_matrix": _quantity(coriolis.coriolis_matrix, "q qd", _square),
    "kinetic_energy": _quantity(energy.kinetic_energy, "q qd", ()),
    "potential_energy": _quantity(energy.potential_energy, "q", ()),
    "spring_energy": _quantity(energy.spring_energy, "q", ()),
    "center_of_mass": _quantity(momentum.center_of_mass, "q", (3,)),
    "center_of_mass_jacobian": _quantity(momentum.center_of_mass_jacobian, "q", lambda robot: (3, robot.nv)),
    "momentum": _quantity(momentum.momentum, "q qd", (6,), "point"),
    "centroidal_momentum_matrix": _quantity(momentum.centroidal_momentum_matrix, "q", lambda robot: (6, robot.nv)),
    "link_pose": _quantity(kinematics.link_pose, "q", (4, 4), "link"),
    "link_poses": _quantity(kinematics.link_poses, "q", lambda robot: (len(robot.link_names), 4, 4)),
    "link_velocity": _quantity(kinematics.link_velocity, "q qd", (6,), _LINK),
    "link_acceleration": _quantity(kinematics.link_acceleration, "q qd qdd", (6,), _LINK + " classical"),
    "jacobian": _quantity(jacobian.jacobian, "q", lambda robot: (6, robot.nv), _LINK),
    "jacobian_rate_product": _quantity(jacobian.jacobian_rate_product, "q qd", (6,), _LINK),
}


def _of_path(maker: TaskMaker, orders: int, shape: Callable[[RobotBase], tuple[int, ...]]) -> Quantity:
    return Quantity(maker, elastic.PATH[:orders], shape, ("external",), of_joints=True)


def _motors(robot: RobotBase) -> int:
    return len(robot.model.elastic_motors)


# what motors behind springs have to do, by a path of the joints; theta, its two rates and tau stand one after the other
ELASTIC: dict[str, Quantity] = {
    "elastic_inverse_dynamics": _of_path(elastic.elastic_inverse_dynamics, 5, lambda robot: (3 * _motors(robot) + robot.nv,)),
    "elastic_torque_rates": _of_path(elastic.elastic_torque_rates, 6, _forces),
    "drive_deflections": _of_path(elastic.drive_deflections, 3, lambda robot: (_motors(robot),)),
}


def _blocks(robot: RobotBase) -> tuple[int, ...]:
    return (sum(map(math.prod, elastic_blocks.block_shapes(robot.model).values())),)


# of robots with motors, by the whole state; blocks stand one after the other, row by row
MOTORS: dict[str, Quantity] = {
    "elastic_blocks": _quantity(elastic_blocks.elastic_blocks, "q qd", _blocks),
    "motor_wrenches": _quantity(motor_wrenches, "q qd qdd", lambda robot: (len(robot.model.motors), 6), _LOADS),
}
