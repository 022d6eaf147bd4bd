"""A model as YAML that reads back as an equal model, bit for bit (`read/tree.py` shows the form)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable

from ..errors import ModelError
from ..model import (
    IDENTITY,
    Composed,
    Friction,
    Function,
    Geometry,
    Inertia,
    Joint,
    JointKind,
    Limits,
    LoopKind,
    Mesh,
    Model,
    Motion,
    Motor,
    Polyline,
    Polynomial,
    Pose,
    Spring,
)
from ..model.pose import EYE3, ZERO3
from .meshes import Addresses


def to_yaml(model: Model, path: str | os.PathLike[str] | None = None) -> str:
    """Return `model` as a YAML document.

    Args:
        model: the model.
        path: the file that it will be, for the addresses of meshes; None writes absolute paths where they are not in packages.
    """
    lines = ["lissom: 1", "kind: tree", f"name: {_text(model.name)}", f"gravity: {_list(model.gravity)}", "links:"]
    idle = _idle_links(model)
    for link in model.links:
        entries = [f"name: {_text(link.name)}"]
        if link.inertia is not None:
            entries += _inertia(link.inertia)
        elif link.name in idle:
            entries.append("massless: true")
        lines.append(f"  - {{{', '.join(entries)}}}")
    if model.joints:
        lines.append("joints:")
    for joint in model.joints:
        first, *rest = _joint(joint)
        lines += [f"  - {first}", *(f"    {entry}" for entry in rest)]
    if model.motors:
        lines.append("motors:")
    for motor in model.motors:
        first, *rest = _motor(motor)
        lines += [f"  - {first}", *(f"    {entry}" for entry in rest)]
    return "\n".join([*lines, *_loops(model), *_elements(model), *_shapes(model, path)]) + "\n"


def _shapes(model: Model, path: str | os.PathLike[str] | None) -> list[str]:
    lines = ["shapes:"] if model.shapes else []
    addresses = Addresses(path)
    for shape in model.shapes:
        entries = [f"link: {_text(shape.link)}", f"kind: {shape.geometry.kind}", *_form(shape.geometry, addresses)]
        if shape.origin != IDENTITY:
            entries.append(f"origin: {_pose(shape.origin)}")
        if shape.color is not None:
            entries.append(f"color: {_list(shape.color)}")
        if shape.role != "visual":
            entries.append(f"role: {shape.role}")
        if shape.name:
            entries.append(f"name: {_text(shape.name)}")
        lines.append(f"  - {{{', '.join(entries)}}}")
    addresses.report(model)
    return lines


def _form(geometry: Geometry, addresses: Addresses) -> list[str]:
    if not isinstance(geometry, Mesh):
        return [f"{key}: {_list(x) if isinstance(x, tuple) else _number(x)}" for key, x in vars(geometry).items()]
    address = addresses.of(geometry)
    entries = [f"file: {_text(address)}"]
    if geometry.source != address:
        entries.append(f"source: {_text(geometry.source)}")
    if geometry.scale != (1.0, 1.0, 1.0):
        entries.append(f"scale: {_list(geometry.scale)}")
    return entries


def _elements(model: Model) -> list[str]:
    lines = ["force_elements:"] if model.force_elements else []
    for element in model.force_elements:
        lines += [f"  - name: {_text(element.name)}", f"    kind: {element.kind}"]
        for key, value in list(vars(element).items())[1:]:
            shown = _text(value) if isinstance(value, str) else _list(value) if isinstance(value, tuple) else _number(value)
            lines.append(f"    {key}: {shown}")
    return lines


def _loops(model: Model) -> list[str]:
    lines = ["loops:"] if model.loops else []
    for loop in model.loops:
        lines += [f"  - name: {_text(loop.name)}", f"    kind: {loop.kind.value}"]
        for key, link, pose in (("first", loop.first, loop.first_pose), ("second", loop.second, loop.second_pose)):
            lines.append(f"    {key}: {{{', '.join([f'link: {_text(link)}', *_pose_parts(pose)])}}}")
        if loop.kind not in (LoopKind.SPHERICAL, LoopKind.RIGID):
            lines.append(f"    axis: {_list(loop.axis)}")
        if loop.kind is LoopKind.UNIVERSAL:
            lines.append(f"    second_axis: {_list(loop.second_axis)}")
    if model.active is not None:
        lines.append(f"active: [{', '.join(map(_text, model.active))}]")
    if model.closure_tolerance is not None:
        lines.append(f"closure_tolerance: {model.closure_tolerance!r}")
    if model.posture:
        lines.append(f"posture: {{{', '.join(f'{_text(name)}: {_list(values)}' for name, values in model.posture)}}}")
    return lines


def _idle_links(model: Model) -> set[str]:
    """Return moved links without mass on or beyond them: the reader warns of these unless marked massless."""
    massive = {link.name for link in model.links if link.inertia is not None}
    massive |= {motor.link for motor in model.motors if motor.link is not None and motor.inertia is not None}
    for joint in reversed(model.joints):
        if joint.child in massive:
            massive.add(joint.parent)
    return {j.child for j in model.joints if j.kind is not JointKind.FIXED and j.child not in massive}


def _inertia(inertia: Inertia) -> list[str]:
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = inertia.tensor
    symmetric = (xy, xz, yz) == (yx, zx, zy)
    tensor = _list((xx, yy, zz, xy, xz, yz)) if symmetric else _matrix(inertia.tensor)
    return [f"mass: {_number(inertia.mass)}", f"com: {_list(inertia.com)}", f"inertia: {tensor}"]


def _joint(joint: Joint) -> list[str]:
    entries = [
        f"name: {_text(joint.name)}",
        f"kind: {joint.kind.value}",
        f"parent: {_text(joint.parent)}",
        f"child: {_text(joint.child)}",
    ]
    for key, pose in (("origin", joint.origin), ("tail", joint.tail)):
        if pose != IDENTITY:
            entries.append(f"{key}: {_pose(pose)}")
    if joint.axis != (0.0, 0.0, 1.0):
        entries.append(f"axis: {_list(joint.axis)}")
    entries += _drive(joint)
    if joint.pitch is not None:
        entries.append(f"pitch: {_number(joint.pitch)}")
    if joint.second_axis is not None:
        entries.append(f"second_axis: {_list(joint.second_axis)}")
    return entries + (_motion(joint.motion) if joint.motion is not None else [])


def _drive(joint: Joint) -> list[str]:
    """Return what acts along a joint: limits, friction, rotor inertia, coupling and spring."""
    entries = _bounds(joint.limits, joint.friction)
    if joint.rotor_inertia:
        entries.append(f"rotor_inertia: {_number(joint.rotor_inertia)}")
    if joint.coupling is not None:
        c = joint.coupling
        entries.append(f"coupling: {{joint: {_text(c.joint)}, ratio: {_number(c.ratio)}, offset: {_number(c.offset)}}}")
    return entries + _spring(joint.spring)


def _motion(motion: Motion) -> list[str]:
    lines = ["motion:", f"  unit: {motion.unit}"]
    for name, pairs in (("translations", motion.translations), ("rotations", motion.rotations)):
        if pairs:
            lines.append(f"  {name}:")
            lines += [f"    - {{axis: {_list(axis)}, function: {_function(law)}}}" for axis, law in pairs]
    return lines


def _function(law: Function) -> str:
    if isinstance(law, Polynomial):
        return f"{{polynomial: {_list(law.coefficients)}}}"
    if isinstance(law, Polyline):
        return f"{{polyline: {{at: {_list(law.at)}, values: {_list(law.values)}}}}}"
    if isinstance(law, Composed):
        return f"{{composed: {{outer: {_function(law.outer)}, inner: {_function(law.inner)}}}}}"
    ends = "" if law.ends == "natural" else f", ends: {law.ends}"
    return f"{{spline: {{at: {_list(law.at)}, values: {_list(law.values)}{ends}}}}}"


def _motor(motor: Motor) -> list[str]:
    entries = [f"name: {_text(motor.name)}", f"joint: {_text(motor.joint)}"]
    if motor.link is not None:
        entries.append(f"link: {_text(motor.link)}")
    entries.append(f"ratio: {_number(motor.ratio)}")
    if motor.inertia is not None:
        entries += _inertia(motor.inertia)
    if motor.origin != IDENTITY:
        entries.append(f"origin: {_pose(motor.origin)}")
    entries += _spring(motor.spring) + _bounds(motor.limits, motor.friction)
    if motor.rotor != "full":
        entries.append(f"rotor: {motor.rotor}")
    return entries


def _bounds(limits: Limits, friction: Friction) -> list[str]:
    entries = []
    for key, part, default in (("limits", limits, Limits()), ("friction", friction, Friction())):
        changed = [f"{k}: {_number(v)}" for k, v in vars(part).items() if v != vars(default)[k]]
        if changed:
            entries.append(f"{key}: {{{', '.join(changed)}}}")
    return entries


def _spring(spring: Spring | None) -> list[str]:
    return [] if spring is None else [f"spring: {{{', '.join(f'{k}: {_number(v)}' for k, v in vars(spring).items())}}}"]


def _pose(pose: Pose) -> str:
    return f"{{{', '.join(_pose_parts(pose))}}}"


def _pose_parts(pose: Pose) -> list[str]:
    parts = [f"xyz: {_list(pose.translation)}"] if pose.translation != ZERO3 else []
    parts += [f"rotation: {_matrix(pose.rotation)}"] if pose.rotation != EYE3 else []
    return parts


def _number(x: float) -> str:
    if math.isinf(x):
        return ".inf" if x > 0 else "-.inf"
    return repr(float(x))


def _list(values: Iterable[float]) -> str:
    return f"[{', '.join(map(_number, values))}]"


def _matrix(rows: Iterable[Iterable[float]]) -> str:
    return f"[{', '.join(map(_list, rows))}]"


def _text(text: str) -> str:
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise ModelError(f"the name {text!r} has half of a character, which YAML cannot hold; rename it")
    # always quoted, so that no name has a meaning in YAML
    return '"' + "".join(f"\\{c}" if c in '"\\' else c if c.isprintable() else f"\\U{ord(c):08x}" for c in text) + '"'
