"""Catalogue of the functions of a closed robot; see `robot/catalogue.py`.

Tasks take the closed configuration of the tree instead of coordinates, so that operations of the closure are not counted. Their
makers take the plan of the closure and the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..algorithms.closed import forward, hybrid, links, tasks, wrenches
from ..algorithms.closed.links import at_place, by_columns, moved
from ..algorithms.dynamics import energy, momentum
from ..algorithms.kinematics import jacobian, kinematics
from ..errors import StateError
from ..robot import options as o
from ..robot.catalogue import with_mass
from ..robot.entry import Entry, Shape
from .weights import check_weights, torques_known


def _weights(robot: Any, value: Any, chosen: o.Chosen, values: Mapping[str, Any]) -> None:
    weights = check_weights(value, robot.torque_names)
    if len(robot.torque_names) == robot.nv:
        raise StateError(
            "weights are for robots with more drives than coordinates; this one has one drive per coordinate: leave them out"
        )
    chosen.options["weights"] = weights


def _known(robot: Any, value: Any, chosen: o.Chosen, values: Mapping[str, Any]) -> None:
    mask = torques_known(robot.name, robot.torque_names, robot.nv, value)
    chosen.options["torque_known"] = tuple(bool(x) for x in mask)


def _drives(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (len(robot.torque_names),)


def _square(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (robot.nv, robot.nv)


def _accelerations(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (robot.nv,)


def _all(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (robot.nv + len(robot.torque_names),)


def _wrenches(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (len(robot.wrench_names), 6)


def _of(*shape: int) -> Shape:
    return lambda robot, options: shape


def _columns(rows: int) -> Shape:
    return lambda robot, options: (rows, robot.nv)


WEIGHTS = o.Option("weights", _weights)
KNOWN = o.Option("known", _known, o.REQUIRED, o.KNOWN.meaning, o.KNOWN.example)
DRIVEN = (o.EXTERNAL, WEIGHTS)
OF_LINK = (o.LINK, o.LINK_AXES, o.POINT)
Q, QD, QDD, QDDD, TAU = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "qdd", "qddd"), ("q", "qd", "tau")

ENTRIES = (
    # torques of a motion
    Entry("inverse_dynamics", tasks.inverse_dynamics, QDD, _drives, DRIVEN, basic=True),
    Entry("gravity_torques", tasks.gravity_torques, Q, _drives, DRIVEN, basic=True),
    Entry("bias_torques", tasks.bias_torques, QD, _drives, DRIVEN, basic=True),
    Entry("joint_wrenches", wrenches.joint_wrenches, QDD, _wrenches, (*DRIVEN, o.JOINT_AXES), basic=True),
    # accelerations
    Entry("forward_dynamics", forward.forward_dynamics, TAU, _accelerations, (o.EXTERNAL,), basic=True),
    Entry("hybrid_dynamics", hybrid.hybrid_dynamics, ("q", "qd", "given"), _all, (o.EXTERNAL, KNOWN)),
    Entry("mass_matrix", forward.mass_matrix, Q, _square, basic=True),
    # rates of torques and wrenches
    Entry("torque_rates", tasks.torque_rates, QDDD, _drives, DRIVEN),
    Entry("torques_and_rates", tasks.torques_and_rates, QDDD, lambda robot, options: (2, len(robot.torque_names)), DRIVEN),
    Entry("joint_wrench_rates", wrenches.joint_wrench_rates, QDDD, _wrenches, (*DRIVEN, o.JOINT_AXES)),
    # the tree
    Entry("velocity_matrix", tasks.velocity_matrix, Q, lambda robot, options: (robot.model.nv, robot.nv)),
    Entry("tree_motion", tasks.tree_motion, QDD, lambda robot, options: (2 * robot.model.nv,)),
    # links
    Entry("link_pose", at_place(kinematics.link_pose), Q, _of(4, 4), (o.LINK,)),
    Entry("link_poses", at_place(kinematics.link_poses), Q, lambda robot, options: (len(robot.link_names), 4, 4)),
    Entry("link_velocity", moved(kinematics.link_velocity), QD, _of(6), OF_LINK),
    Entry("link_acceleration", moved(kinematics.link_acceleration), QDD, _of(6), (*OF_LINK, o.CLASSICAL)),
    Entry("jacobian", by_columns(jacobian.jacobian), Q, _columns(6), OF_LINK),
    Entry("jacobian_rate_product", links.jacobian_rate_product, QD, _of(6), OF_LINK),
    # the robot as a whole
    Entry("kinetic_energy", moved(energy.kinetic_energy), QD, _of()),
    Entry("potential_energy", at_place(energy.potential_energy), Q, _of()),
    Entry("spring_energy", at_place(energy.spring_energy), Q, _of()),
    Entry("center_of_mass", at_place(momentum.center_of_mass), Q, _of(3), check=with_mass),
    Entry("center_of_mass_jacobian", by_columns(momentum.center_of_mass_jacobian), Q, _columns(3), check=with_mass),
    Entry("momentum", moved(momentum.momentum), QD, _of(6), (o.MOMENTUM_POINT,), check=with_mass),
    Entry("centroidal_momentum_matrix", by_columns(momentum.centroidal_momentum_matrix), Q, _columns(6), check=with_mass),
)

CATALOGUE: Mapping[str, Entry] = {entry.name: entry for entry in ENTRIES}
