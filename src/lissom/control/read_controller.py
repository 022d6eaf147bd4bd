"""The controller of a scenario: its name, and gains with the names of the Python arguments.

{computed_torque: {kp: 100}}                      kd: 2 sqrt(kp)         rigid robots
{pd_gravity: {kp: 300, kd: 40}}                   to a posture, reference: {hold: [...]}
{mixed: {slope: [13, 13, 3.4], damping: 30}}      motor_slope, motor_damping: those of the joints that the motors drive
{elastic_feedback: {bandwidth: 20}}               or gains: [k0, k1, k2, k3]; all joints elastic
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..protocol import DrivenRobot
from ..read.entry import Entry
from ..read.values import line_of, numbers_of, only_key
from ..wrench import Wrench
from .computed_torque import ComputedTorque
from .elastic_feedback import ElasticFeedback
from .mixed import MixedControl
from .pd_gravity import PDGravity

if TYPE_CHECKING:
    from .read_reference import Followed


@dataclass(frozen=True)
class Kind:
    """A controller that a file may name: its maker, its gains, the required ones, and the derivatives it needs."""

    make: Any
    gains: tuple[str, ...]
    required: tuple[str, ...]
    order: int


CONTROLLERS = {
    "computed_torque": Kind(ComputedTorque, ("kp", "kd"), ("kp",), ComputedTorque.order),
    "pd_gravity": Kind(PDGravity, ("kp", "kd"), ("kp", "kd"), 0),
    "mixed": Kind(MixedControl, ("slope", "damping", "motor_slope", "motor_damping"), ("slope", "damping"), MixedControl.order),
    "elastic_feedback": Kind(ElasticFeedback, ("bandwidth", "gains"), (), ElasticFeedback.order),
}


def read_controller(entry: Entry, robot: DrivenRobot, reference: Followed, known: dict[str, Wrench]) -> Any:
    """Return the controller; `known` are the wrenches on links that are known to it."""
    name, own = only_key(entry, "controller", CONTROLLERS)
    kind = CONTROLLERS[name]
    keys = own.mapping(kind.gains, required=kind.required)
    n = robot.link_nv
    joints, motors = robot.velocity_names[:n], robot.velocity_names[n:]
    gains: dict[str, Any] = {}
    for key, value in keys.items():
        if key == "gains":
            gains[key] = _rows(value, joints)
        elif key.startswith("motor_") and not motors:
            raise value.error(f"robot {robot.name!r} has no motors behind springs: leave {key!r} out")
        else:
            gains[key] = numbers_of(value, motors if key.startswith("motor_") else joints)
    follow: Any = reference.follow
    if kind.make is PDGravity:
        if reference.target is None:
            raise entry.error(
                f"pd_gravity needs a constant posture, but the reference is to {reference.text}; write reference: {{hold: [...]}}"
            )
        follow = reference.target
    with line_of(own):
        return kind.make(robot, follow, **gains, external=known or None)


def _rows(entry: Entry, joints: tuple[str, ...]) -> np.ndarray:
    """Return k0, k1, k2, k3, each one number for all joints or one per joint."""
    rows = entry.items()
    if len(rows) != 4:
        raise entry.error(f"{entry.label} must be four, k0, k1, k2, k3, each one number or one per joint; got {len(rows)}")
    return np.array([numbers_of(row, joints) for row in rows])
