"""Parts: the bodies of a joint. Most joints have one; a joint of several simple motions is a chain of them.

A helical joint translates and rotates, a universal one rotates twice, a custom one does both by functions of its coordinate: each
simple motion is a body of the tree, without mass except the last, so that the recursions have only simple joints. Bodies of one
coordinate share its index in q and qd, as coupled joints do.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ..joints.motion import Part
from ..model.displacement import moved
from ..model.joint import SINGLE_DOF, Joint, JointKind
from ..model.model import Model
from ..model.pose import IDENTITY, Pose, frame_with_z
from .tree import BASE, Body


def moving_parts(joint: Joint, model: Model, parent: int, place: Pose, first: int) -> list[Body]:
    """Return the bodies of a joint at `place` in the body `parent`; the first of them gets the index `first`."""
    parts = joint.kind.traits.parts(joint)
    if not parts:
        return [_body(joint, model, parent, place, _toward(joint))]
    bodies: list[Body] = []
    for part in parts:
        if (constant := part.constant) is not None:
            place = place @ moved(part, constant)
            continue
        to_axis = Pose(frame_with_z(part.axis))
        bodies.append(_body(joint, model, parent, place, to_axis, part))
        parent, place = first + len(bodies) - 1, to_axis.inverse()
    last = bodies.pop()
    return [*(_replaced(body, inner=True) for body in bodies), _replaced(last, joint_pose=place)]


def reflected_drives(model: Model, bodies: Sequence[Body]) -> list[Body]:
    """Return rotors for the drives of joints without a part that moves by the coordinate itself."""
    bearing = {body.name for body in bodies if body.drives}
    found = []
    for joint in model.joints:
        if joint.kind in SINGLE_DOF and joint.name not in bearing:
            body = _body(joint, model, BASE, IDENTITY, IDENTITY)
            found.append(_replaced(body, kind=JointKind.CONTINUOUS, spins=True, reflected=True))
    return found


def _toward(joint: Joint) -> Pose:
    return Pose(frame_with_z(joint.axis)) if joint.kind.traits.has_axis else Pose()


def _body(joint: Joint, model: Model, parent: int, place: Pose, to_axis: Pose, part: Part | None = None) -> Body:
    coupling = model.resolve_coupling(joint)
    own = model.layout.of(coupling.joint)
    kind, factor, coordinate = joint.kind, 1.0, 0
    if part is not None:
        kind = JointKind.PRISMATIC if part.slides else JointKind.REVOLUTE
        factor, coordinate = part.factor, part.coordinate
    # a part that moves by the coordinate itself has the drive
    drives = part is None or (joint.kind in SINGLE_DOF and part.law is None and factor == 1.0 and not part.slides)
    return Body(
        name=joint.name,
        kind=kind,
        parent=parent,
        pose=place @ to_axis,
        mass=0.0,
        ms=np.zeros(3),
        J=np.zeros((3, 3)),
        iq=own.iq + coordinate,
        iv=own.iv + coordinate,
        ratio=factor * coupling.ratio,
        offset=factor * coupling.offset,
        rotor=joint.rotor_inertia if drives else 0.0,
        viscous=joint.friction.viscous if drives else 0.0,
        coulomb=joint.friction.coulomb if drives else 0.0,
        law=None if part is None else part.law,
        drives=drives,
        joint_pose=to_axis.inverse(),
    )


def _replaced(body: Body, **changes: object) -> Body:
    return dataclasses.replace(body, **changes)  # type: ignore[arg-type]
