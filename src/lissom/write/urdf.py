"""A model as URDF.

Names, structure and numbers are kept; rotations become roll, pitch and yaw, so that poses agree to rounding. A joint with a
tail (standard Denavit-Hartenberg tables have them) gets a massless link at the moved joint frame and a fixed joint for the
tail: every link keeps its name, its frame and its inertia. Gear ratios of motors become transmissions, shapes visuals and
collisions (`urdf_shapes.py`). What URDF cannot express is an error, or dropped with lossy=True: helical and universal joints then
become chains of two joints.
"""

from __future__ import annotations

import math
import os
import sys

from ..errors import ModelError
from ..model import EARTH, IDENTITY, Ellipsoid, Friction, Inertia, Joint, JointKind, Limits, Model, Motor, Pose, Shape
from ..model.joint import SINGLE_DOF
from ..model.names import take
from .chains import is_chain, replaceable, with_chains
from .meshes import Addresses
from .urdf_shapes import shape_lines
from .urdf_values import numbers, origin_lines, quoted

# URDF readers want limits as numbers; lissom reads the largest float back as no limit
HUGE = sys.float_info.max


def to_urdf(model: Model, lossy: bool = False, path: str | os.PathLike[str] | None = None) -> str:
    """Return `model` as a URDF document.

    Args:
        model: the model.
        lossy: True writes the model without what URDF cannot express, instead of raising.
        path: the file that it will be, for the addresses of meshes; None writes absolute paths where they are not in packages.

    Raises:
        ModelError: URDF cannot express the parts of the model named in the message.
    """
    if not lossy:
        _refuse_losses(model)
    model = with_chains(model)
    lines = ['<?xml version="1.0"?>', f"<robot name={quoted(model.name)}>"]
    joint_names, link_names = {j.name for j in model.joints}, {link.name for link in model.links}
    joint_names |= {motor.name for motor in model.motors}
    shapes: dict[str, list[Shape]] = {}
    for shape in model.shapes:
        shapes.setdefault(shape.link, []).append(shape)
    addresses, colors = Addresses(path), dict[tuple[float, ...], str]()
    for link in model.links:
        forms = shape_lines(shapes.get(link.name, ()), addresses, colors)
        lines += [f"  <link name={quoted(link.name)}>", *_inertial(link.inertia), *forms, "  </link>"]
    addresses.report(model)
    for joint in model.joints:
        if joint.tail == IDENTITY or joint.kind is JointKind.FIXED:
            lines += _joint(joint, joint.child, joint.origin @ joint.tail)
            continue
        frame = take(f"{joint.child}_joint_frame", link_names)
        tail = take(f"{joint.name}_tail", joint_names)
        lines += [f"  <link name={quoted(frame)}/>", *_joint(joint, frame, joint.origin)]
        lines += _joint(Joint(tail, JointKind.FIXED, frame, joint.child), joint.child, joint.tail)
    for motor in model.motors:
        lines += _transmission(motor)
    return "\n".join([*lines, "</robot>", ""])


def _refuse_losses(model: Model) -> None:
    losses = urdf_losses(model)
    if losses:
        custom = any(is_chain(joint) and not replaceable(joint) for joint in model.joints)  # has no replacement: nothing to drop
        advice = "" if custom else ", or drop it (lossy=True, --lossy)"
        raise ModelError(f"URDF cannot express {'; '.join(losses)}; write YAML, which keeps everything{advice}")


def urdf_losses(model: Model, written: bool = False) -> list[str]:
    """Return the parts of a model that URDF cannot express, each in a few words; `written`: as they are said of a lossy file."""
    losses = [f"gravity {model.gravity}"] if model.gravity != EARTH else []
    losses += [f"loop {loop.name!r}" for loop in model.loops]
    losses += [f"force element {element.name!r}" for element in model.force_elements]
    losses += [f"an ellipsoid of link {shape.link!r}" for shape in model.shapes if isinstance(shape.geometry, Ellipsoid)]
    before: dict[str, Joint] = {}
    for joint in model.joints:
        single = joint.kind in SINGLE_DOF
        if joint.kind is JointKind.SPHERICAL:
            losses.append(f"spherical joint {joint.name!r}")
        if is_chain(joint):
            replaced = " (written as two joints)" if written else " (lossy replaces it by two joints)"
            chain = replaced if replaceable(joint) else ""
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
    return losses


def _inertial(inertia: Inertia | None) -> list[str]:
    if inertia is None:
        return []
    names = ("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2)
    entries = " ".join(f'{name}="{inertia.tensor[i][j]!r}"' for name, i, j in names)
    return [
        "    <inertial>",
        f"      <origin xyz={numbers(inertia.com)}/>",
        f'      <mass value="{inertia.mass!r}"/>',
        f"      <inertia {entries}/>",
        "    </inertial>",
    ]


def _joint(joint: Joint, child: str, origin: Pose) -> list[str]:
    lines = [f'  <joint name={quoted(joint.name)} type="{joint.kind.value}">']
    lines += [f"    <parent link={quoted(joint.parent)}/>", f"    <child link={quoted(child)}/>"]
    lines += origin_lines(origin, "    ")
    if joint.kind in SINGLE_DOF or joint.kind is JointKind.PLANAR:
        lines.append(f"    <axis xyz={numbers(joint.axis)}/>")
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
        lines.append(f'    <mimic joint={quoted(c.joint)} multiplier="{c.ratio!r}" offset="{c.offset!r}"/>')
    return lines


def _transmission(motor: Motor) -> list[str]:
    """Return a motor as a transmission: its joint and its gear ratio."""
    if motor.ratio == 0.0:
        return []
    return [
        f"  <transmission name={quoted(motor.name)}>",
        "    <type>transmission_interface/SimpleTransmission</type>",
        f"    <joint name={quoted(motor.joint)}/>",
        f"    <actuator name={quoted(motor.name)}>",
        f"      <mechanicalReduction>{motor.ratio!r}</mechanicalReduction>",
        "    </actuator>",
        "  </transmission>",
    ]
