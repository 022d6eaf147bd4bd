"""Lump: join what is fixed, and give every moving body a frame whose z axis is its joint's axis."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..model.check import inertia_about
from ..model.joint import JointKind
from ..model.link import Inertia
from ..model.model import Model
from ..model.pose import Pose, Vector3, tidy
from .tree import BASE, Body, Tree


def lump(model: Model) -> Tree:
    """Return the tree of moving bodies of `model`."""
    bodies: list[Body] = []
    places: dict[str, tuple[int, Pose]] = {model.base: (BASE, Pose())}
    starts = _coordinate_starts(model)
    for joint in model.joints:
        index, pose = places[joint.parent]
        if joint.kind is JointKind.FIXED:
            places[joint.child] = (index, pose @ joint.origin @ joint.tail)
        else:
            to_axis = Pose(_frame_with_z(joint.axis)) if _has_axis(joint.kind) else Pose()
            coupling = model.resolve_coupling(joint)
            iq, iv = starts[coupling.joint]
            body = Body(
                name=joint.name,
                kind=joint.kind,
                parent=index,
                pose=pose @ joint.origin @ to_axis,
                mass=0.0,
                ms=np.zeros(3),
                J=np.zeros((3, 3)),
                iq=iq,
                iv=iv,
                ratio=coupling.ratio,
                offset=coupling.offset,
                rotor=joint.rotor_inertia,
                viscous=joint.friction.viscous,
                coulomb=joint.friction.coulomb,
                **({} if joint.spring is None else vars(joint.spring)),
                joint_pose=to_axis.inverse(),
            )
            index = len(bodies)
            bodies.append(body)
            places[joint.child] = (index, body.joint_pose @ joint.tail)
        inertia = model.link(joint.child).inertia
        if inertia is not None and index != BASE:  # what is fixed to the base never moves
            bodies[index] = _with_inertia(bodies[index], inertia, places[joint.child][1])
    return Tree(tuple(_with_scales(bodies)), model.nq, model.nv, model.gravity, places)


def _coordinate_starts(model: Model) -> dict[str, tuple[int, int]]:
    starts, iq, iv = {}, 0, 0
    for joint in model.independent_joints:
        starts[joint.name] = (iq, iv)
        iq, iv = iq + joint.kind.nq, iv + joint.kind.nv
    return starts


def _has_axis(kind: JointKind) -> bool:
    return kind not in (JointKind.SPHERICAL, JointKind.FLOATING)


def _frame_with_z(axis: Vector3) -> np.ndarray:
    """Return axes x, y, z (columns) with z along `axis`; quarter turns, hence exact, where the axis is one of the frame's."""
    z = np.array(axis)
    k = int(np.argmax(np.abs(z)))
    # the next axis in cyclic order becomes x: for +x, +y and +z this is a cyclic exchange of the axes
    x = np.eye(3)[(k + 1) % 3]
    x = x - z * (x @ z)
    x /= np.linalg.norm(x)
    return tidy(np.column_stack([x, np.cross(z, x), z]))


def _with_inertia(body: Body, inertia: Inertia, pose: Pose) -> Body:
    R, p = pose.R, pose.p
    return dataclasses.replace(
        body,
        mass=body.mass + inertia.mass,
        ms=body.ms + inertia.mass * (R @ np.array(inertia.com) + p),
        J=body.J + inertia_about(inertia, R, p),
    )


def _with_scales(bodies: list[Body]) -> list[Body]:
    """Note the mass and reach that each joint carries, from the tips inwards."""
    mass, reach = [b.mass for b in bodies], [_spread(b) for b in bodies]
    for j in reversed(range(len(bodies))):
        i = bodies[j].parent
        if i != BASE:
            mass[i] += mass[j]
            reach[i] = max(reach[i], reach[j] + float(np.linalg.norm(bodies[j].pose.p)))
    return [dataclasses.replace(b, carried_mass=m, reach=r) for b, m, r in zip(bodies, mass, reach, strict=True)]


def _spread(body: Body) -> float:
    """Return a length that describes how far the body's own mass lies from its origin [m]."""
    if body.mass <= 0:
        return 0.0
    return float(max(np.abs(body.ms).max() / body.mass, math.sqrt(np.abs(body.J).max() / body.mass)))
