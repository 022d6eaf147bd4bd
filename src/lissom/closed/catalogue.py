"""Catalogue of the functions of a closed robot; see `robot/catalogue.py`.

Tasks take the closed configuration of the tree instead of coordinates, so that operations of the closure are not counted. Their
makers take the plan of the closure and the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..algorithms.closed import forward, tasks, wrenches
from ..errors import StateError
from ..robot import options as o
from ..robot.entry import Entry
from .weights import check_weights


def _weights(robot: Any, value: Any, chosen: o.Chosen, values: Mapping[str, Any]) -> None:
    weights = check_weights(value, robot.torque_names)
    if len(robot.torque_names) == robot.nv:
        raise StateError(
            "weights are for robots with more drives than coordinates; this one has one drive per coordinate: leave them out"
        )
    chosen.options["weights"] = weights


def _drives(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (len(robot.torque_names),)


def _square(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (robot.nv, robot.nv)


WEIGHTS = o.Option("weights", _weights)
DRIVEN = (o.EXTERNAL, WEIGHTS)
Q, QD, QDD, QDDD, TAU = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "qdd", "qddd"), ("q", "qd", "tau")

ENTRIES = (
    Entry("inverse_dynamics", tasks.inverse_dynamics, QDD, _drives, DRIVEN, basic=True),
    Entry("gravity_torques", tasks.gravity_torques, Q, _drives, (o.EXTERNAL,), basic=True),
    Entry("bias_torques", tasks.bias_torques, QD, _drives, (o.EXTERNAL,), basic=True),
    Entry(
        "joint_wrenches",
        wrenches.joint_wrenches,
        QDD,
        lambda robot, options: (len(robot.wrench_names), 6),
        (*DRIVEN, o.JOINT_AXES),
        basic=True,
    ),
    Entry("forward_dynamics", forward.forward_dynamics, TAU, lambda robot, options: (robot.nv,), (o.EXTERNAL,), basic=True),
    Entry("mass_matrix", forward.mass_matrix, Q, _square, basic=True),
    Entry("torque_rates", tasks.torque_rates, QDDD, _drives, DRIVEN),
    Entry("velocity_matrix", tasks.velocity_matrix, Q, lambda robot, options: (robot.model.nv, robot.nv)),
    Entry("tree_motion", tasks.tree_motion, QDD, lambda robot, options: (2 * robot.model.nv,)),
)

CATALOGUE: Mapping[str, Entry] = {entry.name: entry for entry in ENTRIES}
