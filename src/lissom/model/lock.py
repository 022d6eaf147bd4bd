"""Lock joints of a model, so that the links they connect become one body."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..doubts import known_doubts
from ..errors import ModelError, NameLookupError
from .displacement import displacement
from .joint import SINGLE_DOF, Joint, JointKind
from .payload import placed, with_body
from .pose import as_number
from .spring import Spring

if TYPE_CHECKING:
    from .model import Model
    from .motor import Motor


def locked(model: Model, positions: Mapping[str, float]) -> Model:
    """Return the model with joints locked at positions [rad or m]; joints coupled to them are locked as well.

    The rigid motor of a locked joint becomes part of the link that carries it. So does an elastic motor locked by its own name,
    and its spring then acts at the joint; combined with a spring of the joint, it makes one spring with the same torque, whose
    energy differs by a constant.

    Args:
        model: the model.
        positions: by the names of independent joints of one axis, and of motors of elastic drives.

    Raises:
        ModelError: a joint is locked, but not its elastic motor, which would be left without a joint to drive.
    """
    if not isinstance(positions, Mapping):
        raise ModelError(f"positions of locked joints must be given by name, such as {{'elbow': 0.5}}, got {positions!r:.60}")
    own = {joint.name: joint for joint in model.independent_joints}
    values = {}
    for name, value in positions.items():
        if name not in own:
            raise NameLookupError("joint", str(name), own, f" with its own coordinates in {model.name!r}")
        if own[name].kind not in SINGLE_DOF:
            raise ModelError(f"joint {name!r} is {own[name].kind.value}; only joints of one axis can be locked")
        values[name] = as_number(value, f"position of joint {name!r}")
        if not math.isfinite(values[name]):
            raise ModelError(f"position of joint {name!r} is {values[name]}; expected a finite number [rad or m]")
    joints = {joint.name: _held(joint, model, values) for joint in model.joints}
    links = {link.name: link for link in model.links}
    motors = []
    for motor in model.motors:
        if not _stands_still(motor, joints[motor.joint], values):
            motors.append(motor)
            continue
        if motor.inertia is not None and motor.link is not None:
            links[motor.link] = with_body(links[motor.link], placed(motor.inertia, motor.origin))
        if motor.spring is not None and joints[motor.joint].kind is not JointKind.FIXED:
            joints[motor.joint] = _sprung(joints[motor.joint], motor.spring, values[motor.name])
    gone = {name for name, joint in joints.items() if joint.kind is JointKind.FIXED} | set(values)
    active = model.active if model.active is None else tuple(name for name in model.active if name not in gone)
    posture = tuple(entry for entry in model.posture if entry[0] not in gone)
    changes = {"links": tuple(links.values()), "joints": tuple(joints.values()), "motors": tuple(motors)}
    with known_doubts():
        return model.replace(**changes, active=active, posture=posture)


def _held(joint: Joint, model: Model, values: Mapping[str, float]) -> Joint:
    leader = model.resolve_coupling(joint) if joint.kind is not JointKind.FIXED else None
    if leader is None or leader.joint not in values:
        return joint
    origin = joint.origin @ displacement(joint, leader.ratio * values[leader.joint] + leader.offset)
    return Joint(joint.name, JointKind.FIXED, joint.parent, joint.child, origin, joint.axis, joint.tail)


def _stands_still(motor: Motor, joint: Joint, values: Mapping[str, float]) -> bool:
    if motor.elastic and joint.kind is JointKind.FIXED and motor.name not in values:
        raise ModelError(
            f"joint {joint.name!r} cannot be locked alone: its motor {motor.name!r}, behind a spring, would still move without a "
            f"joint to drive; lock {motor.name!r} as well, or use model.with_rigid_drives()"
        )
    return motor.name in values if motor.elastic else joint.kind is JointKind.FIXED


def _sprung(joint: Joint, spring: Spring, theta: float) -> Joint:
    """Return the joint with the spring of a drive locked at `theta`: K (theta - q - rest) is K (rest' - q)."""
    K, rest, damping = spring.stiffness, theta - spring.rest, spring.damping
    if (own := joint.spring) is not None:
        K, rest = K + own.stiffness, (K * rest + own.stiffness * own.rest) / (K + own.stiffness)
        damping += own.damping
    return dataclasses.replace(joint, spring=Spring(K, rest, damping))
