"""A model as URDF.

Names, structure and numbers are kept; rotations become roll, pitch and yaw, so that poses agree to rounding. A joint with a
tail (standard Denavit-Hartenberg tables have them) gets a massless link at the moved joint frame and a fixed joint for the
tail: every link keeps its name, its frame and its inertia. Gear ratios of motors become transmissions. What URDF cannot
express is an error, or dropped with lossy=True: helical and universal joints then become chains of two joints.
"""

from __future__ import annotations

import math
import sys
from xml.sax.saxutils import quoteattr

from ..errors import ModelError
from ..model import EARTH, IDENTITY, Friction, Inertia, Joint, JointKind, Limits, Model, Motor, Pose
from ..model.joint import SINGLE_DOF
from ..model.pose import EYE3, rotation_about
from .chains import CHAINS, with_chains

# URDF readers want limits as numbers; lissom reads the largest float back as no limit
HUGE = sys.float_info.max


def to_urdf(model: Model, lossy: bool = False) -> str:
    """Return `model` as a URDF document.

    Args:
        model: the model.
        lossy: True writes the model without what URDF cannot express, instead of raising.

    Raises:
        ModelError: URDF cannot express the parts of the model named in the message.
    """
    if not lossy:
        _refuse_losses(model)
    model = with_chains(model)
    lines = ['<?xml version="1.0"?>', f"<robot name={_text(model.name)}>"]
    joint_names, link_names = {j.name for j in model.joints}, {link.name for link in model.links}
    joint_names |= {motor.name for motor in model.motors}
    for link in model.links:
        lines += [f"  <link name={_text(link.name)}>", *_inertial(link.inertia), "  </link>"]
    for joint in model.joints:
        if joint.tail == IDENTITY or joint.kind is JointKind.FIXED:
            lines += _joint(joint, joint.child, joint.origin @ joint.tail)
            continue
        frame = _unused(f"{joint.child}_joint_frame", link_names)
        tail = _unused(f"{joint.name}_tail", joint_names)
        lines += [f"  <link name={_text(frame)}/>", *_joint(joint, frame, joint.origin)]
        lines += _joint(Joint(tail, JointKind.FIXED, frame, joint.child), joint.child, joint.tail)
    for motor in model.motors:
        lines += _transmission(motor)
    return "\n".join([*lines, "</robot>", ""])


def _refuse_losses(model: Model) -> None:
    losses = [f"gravity {model.gravity}"] if model.gravity != EARTH else []
    losses += [f"loop {loop.name!r}" for loop in model.loops]
    losses += [f"force element {element.name!r}" for element in model.force_elements]
    before: dict[str, Joint] = {}
    for joint in model.joints:
        single = joint.kind in SINGLE_DOF
        if joint.kind is JointKind.SPHERICAL:
            losses.append(f"spherical joint {joint.name!r}")
        if joint.kind in CHAINS:
            chain = "" if joint.kind is JointKind.CUSTOM else " (lossy replaces it by two joints)"
            losses.append(f"{joint.kind.value} joint {joint.name!r}{chain}")
        if joint.rotor_inertia:
            losses.append(f"rotor inertia of joint {joint.name!r}")
        if joint.spring is not None:
            losses.append(f"spring of joint {joint.name!r}")
        bounded = joint.kind is JointKind.CONTINUOUS and (joint.limits.lower, joint.limits.upper) != (-math.inf, math.inf)
        if bounded or (not single and joint.limits != Limits()):
            losses.append(f"limits of the {joint.kind.value} joint {joint.name!r}")
        elder = before.get(joint.parent)
        if elder is not None and elder.name.encode("utf-8", "replace") > joint.name.encode("utf-8", "replace"):
            losses.append(f"joint {joint.name!r} after {elder.name!r} on one link (URDF readers sort them by name)")
        before[joint.parent] = joint
    for motor in model.motors:
        parts = {"mass and inertia": motor.inertia, "spring": motor.spring, "friction": motor.friction != Friction()}
        losses += [f"{what} of motor {motor.name!r}" for what, part in parts.items() if part]
        if motor.ratio == 0.0:
            losses.append(f"motor {motor.name!r}, whose gear ratio is 0")
    if losses:
        custom = any(joint.kind is JointKind.CUSTOM for joint in model.joints)  # has no replacement: nothing to drop
        advice = "" if custom else ", or drop it (lossy=True, --lossy)"
        raise ModelError(f"URDF cannot express {'; '.join(losses)}; write YAML, which keeps everything{advice}")


def _inertial(inertia: Inertia | None) -> list[str]:
    if inertia is None:
        return []
    names = ("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2)
    entries = " ".join(f'{name}="{inertia.tensor[i][j]!r}"' for name, i, j in names)
    return [
        "    <inertial>",
        f"      <origin xyz={_vector(inertia.com)}/>",
        f'      <mass value="{inertia.mass!r}"/>',
        f"      <inertia {entries}/>",
        "    </inertial>",
    ]


def _joint(joint: Joint, child: str, origin: Pose) -> list[str]:
    lines = [f'  <joint name={_text(joint.name)} type="{joint.kind.value}">']
    lines += [f"    <parent link={_text(joint.parent)}/>", f"    <child link={_text(child)}/>"]
    if origin != IDENTITY:
        rpy = f" rpy={_vector(to_rpy(origin))}" if origin.rotation != EYE3 else ""
        lines.append(f"    <origin xyz={_vector(origin.translation)}{rpy}/>")
    if joint.kind in SINGLE_DOF or joint.kind is JointKind.PLANAR:
        lines.append(f"    <axis xyz={_vector(joint.axis)}/>")
    if joint.kind in SINGLE_DOF:
        lines += _drive(joint)
    return [*lines, "  </joint>"]


def _drive(joint: Joint) -> list[str]:
    keys = ("velocity", "effort") if joint.kind is JointKind.CONTINUOUS else ("lower", "upper", "velocity", "effort")
    values = {key: max(-HUGE, min(HUGE, getattr(joint.limits, key))) for key in keys}
    lines = ["    <limit " + " ".join(f'{key}="{value!r}"' for key, value in values.items()) + "/>"]
    if joint.friction != Friction():
        lines.append(f'    <dynamics damping="{joint.friction.viscous!r}" friction="{joint.friction.coulomb!r}"/>')
    if joint.coupling is not None:
        c = joint.coupling
        lines.append(f'    <mimic joint={_text(c.joint)} multiplier="{c.ratio!r}" offset="{c.offset!r}"/>')
    return lines


def _transmission(motor: Motor) -> list[str]:
    """Return a motor as a transmission: its joint and its gear ratio."""
    if motor.ratio == 0.0:
        return []
    return [
        f"  <transmission name={_text(motor.name)}>",
        "    <type>transmission_interface/SimpleTransmission</type>",
        f"    <joint name={_text(motor.joint)}/>",
        f"    <actuator name={_text(motor.name)}>",
        f"      <mechanicalReduction>{motor.ratio!r}</mechanicalReduction>",
        "    </actuator>",
        "  </transmission>",
    ]


def to_rpy(pose: Pose) -> tuple[float, float, float]:
    """Return roll, pitch and yaw [rad] of Rz(yaw) Ry(pitch) Rx(roll), accurate also at pitch = 90 degrees."""
    R = pose.R
    yaw = math.atan2(R[1, 0], R[0, 0])
    # the rotation without yaw is Ry Rx for any yaw, so nothing is divided by a small cosine
    R = rotation_about((0, 0, 1), -yaw) @ R
    return math.atan2(-R[1, 2], R[1, 1]), math.atan2(-R[2, 0], R[0, 0]), yaw


def _vector(values: tuple[float, float, float]) -> str:
    return '"' + " ".join(repr(float(v)) for v in values) + '"'


def _text(text: str) -> str:
    if any((c < " " and c not in "\t\n\r") or "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" for c in text):
        raise ModelError(f"the name {text!r} has characters that XML cannot hold; rename it or write YAML")
    return quoteattr(text)


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
