"""A model as a modified Denavit-Hartenberg table, after Khalil and Kleinfinger, which `read/dh.py` reads.

Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r) is any pose, so that all trees of revolute, prismatic and fixed joints are tables.
Its frames have z along the joints' axes: links keep their names, not their frames.
"""

from __future__ import annotations

import math

import numpy as np

from ..errors import ModelError
from ..model import IDENTITY, Joint, JointKind, Model, Pose
from ..model.payload import placed
from ..model.pose import as_matrix3, frame_with_z, rotation_about
from .yaml import _drive, _idle_links, _inertia, _list, _number, _text

KINDS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC, JointKind.FIXED)
_PARALLEL = 1e-12
_NAMES = ("gamma", "b", "alpha", "d", "theta", "r")
_ANGLES = {math.pi: "pi", -math.pi: "-pi", math.pi / 2: "pi/2", -math.pi / 2: "-pi/2"}


def to_dh(model: Model) -> str:
    """Return a tree as a modified Denavit-Hartenberg table in YAML: one row per joint, with the same equations of motion.

    Coordinates, names and limits are the model's; the frames of links are those of the table. Shapes are left out, since a table
    has none.

    Raises:
        ModelError: a joint is not revolute, prismatic or fixed, or the model has motors, loops or force elements.
    """
    for what in ("motors", "loops", "force_elements"):
        if getattr(model, what):
            raise ModelError(
                f"model {model.name!r} has {what.replace('_', ' ')}, which are not written in a table; save it as YAML"
            )
    lines = ["lissom: 1", "kind: dh", "convention: modified", f"name: {_text(model.name)}", f"gravity: {_list(model.gravity)}"]
    lines += [f"base: {_text(model.base)}", "joints:"]
    frames, idle = {model.base: IDENTITY}, _idle_links(model)
    last = model.base
    known = {"0": last, "base": last, last: last}  # names and numbers of rows, as the reader knows them
    for row, joint in enumerate(model.joints, 1):
        if joint.kind not in KINDS:
            raise ModelError(f"joint {joint.name!r} is {joint.kind.value}; tables have revolute, prismatic and fixed joints")
        E = IDENTITY if joint.kind is JointKind.FIXED else Pose(as_matrix3(frame_with_z(joint.axis), "rotation"))
        # the table's frame is in the moved joint's frame; that of the link is behind the tail
        frames[joint.child] = joint.tail.inverse() @ E
        entries = [f"name: {_text(joint.name)}", f"link: {_text(joint.child)}"]
        if joint.kind is not JointKind.REVOLUTE:
            entries.append(f"kind: {joint.kind.value}")
        if joint.parent != last:
            entries.append(f"antecedent: {_text(_label(joint.parent, known))}")
        values = dh_parameters(frames[joint.parent].inverse() @ joint.origin @ E)
        entries += [
            f"{name}: {_angle(x) if name in ('gamma', 'alpha', 'theta') else _number(x)}" for name, x in values.items() if x
        ]
        lines.append(f"  - {{{', '.join(entries + _body(model, joint, frames[joint.child], idle))}}}")
        last = joint.child
        known |= {str(row): last, joint.name: last, last: last}
    return "\n".join(lines) + "\n"


def dh_parameters(pose: Pose) -> dict[str, float]:
    """Return gamma, b, alpha, d, theta, r of a pose: Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)."""
    R, p = pose.R, pose.p
    if math.hypot(R[0, 2], R[1, 2]) < _PARALLEL:  # parallel axes: gamma is the direction of their common normal, if there is one
        alpha, r = (0.0, 0.0) if R[2, 2] > 0 else (math.pi, 0.0)
        d = math.hypot(p[0], p[1])
        gamma, b = (math.atan2(p[1], p[0]) if d else 0.0), float(p[2])
    else:
        # the third column is (sin gamma, -cos gamma, ...) sin alpha; of the two solutions, that with the smaller gamma
        gamma = math.atan2(R[0, 2], -R[1, 2])
        sign = 1.0
        if abs(gamma) > math.pi / 2:
            gamma, sign = math.atan2(-R[0, 2], R[1, 2]), -1.0
        alpha = math.atan2(sign * math.hypot(R[0, 2], R[1, 2]), R[2, 2])
        normal = (math.cos(gamma), math.sin(gamma), 0.0)
        b, d, r = (float(x) for x in np.linalg.solve(np.column_stack([(0.0, 0.0, 1.0), normal, R[:, 2]]), p))
    rest = rotation_about((1, 0, 0), -alpha) @ rotation_about((0, 0, 1), -gamma) @ R
    theta = math.atan2(rest[1, 0], rest[0, 0])
    return {name: float(x) + 0.0 for name, x in zip(_NAMES, (gamma, b, alpha, d, theta, r), strict=True)}


def _label(link: str, known: dict[str, str]) -> str:
    """Return how a row names its antecedent: by the link, or by a row's number where a joint has the link's name."""
    for label in (link, *known):
        if known.get(label) == link:
            return label
    raise ModelError(f"link {link!r} cannot be named in a table, where joints have its name; rename it")


def _body(model: Model, joint: Joint, frame: Pose, idle: set[str]) -> list[str]:
    inertia, entries = model.link(joint.child).inertia, list[str]()
    if inertia is not None:
        entries += _inertia(placed(inertia, frame.inverse()))
    elif joint.child in idle:
        entries.append("massless: true")
    return entries + _drive(joint)


def _angle(x: float) -> str:
    return _ANGLES.get(x, _number(x))
