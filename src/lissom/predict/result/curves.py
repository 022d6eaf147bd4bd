"""Curves of a prediction over time: torques, positions, velocities, deflections of springs, and other limited quantities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...algorithms.elastic.path_tasks import driving_places
from ..data.joints import drive_names, joint_units, motor_names, motor_units, path_names
from ..problem.description import Description
from ..quantities.state import State

if TYPE_CHECKING:
    from .prediction import LimitReport, Prediction


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


class Limited(NamedTuple):
    """A limited entry of any quantity over time, such as a component of a wrench or an entry of a quantity of your own.

    Attributes:
        label, unit: of the entry.
        y: values (N,).
        limits: its limits.
    """

    label: str
    unit: str
    y: np.ndarray
    limits: list[LimitReport]


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


def limited(prediction: Prediction, t: np.ndarray, drawn: Sequence[Column]) -> list[Limited] | None:
    """Return limited entries at times (N,) that `drawn` does not have.

    None where they are not known: of a prediction from a file, or where the problem was changed since it was solved.
    """
    if isinstance(prediction.problem, Description):
        return None
    parts = prediction.problem.parts
    entries = [(limit, e) for limit in parts.limits if limit.peak is None for e in range(len(limit.entries))]
    if [limit.label(e) for limit, e in entries] != [report.label for report in prediction.limits]:
        return None
    curves = [curve for column in drawn for curve in (*column.curves.values(), *column.motors.values())]
    known = {f"{curve.quantity} of {curve.name}" for curve in curves}
    state = State.along(prediction.motion, t, parts.orders, prediction.problem.timing)
    values: dict[int, np.ndarray] = {}
    found: dict[tuple[int, int], Limited] = {}  # by quantity and entry: entries of two quantities may have one label
    for (limit, e), report in zip(entries, prediction.limits, strict=True):
        if report.label in known:
            continue
        quantity, entry = limit.quantity, int(limit.entries[e])
        if id(quantity) not in values:
            values[id(quantity)] = quantity.values(state.part(prediction.problem.columns.of(quantity)))
        y = values[id(quantity)][:, entry]
        found.setdefault((id(quantity), entry), Limited(report.label, report.unit, y, [])).limits.append(report)
    return list(found.values())
