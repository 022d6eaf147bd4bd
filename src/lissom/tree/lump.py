"""Lump: merge fixed links, and give every moving body a frame whose z axis is its joint's axis."""

from __future__ import annotations

import dataclasses
import math
import weakref

import numpy as np

from ..model.check import inertia_about
from ..model.joint import Coupling, Joint, JointKind
from ..model.link import Inertia
from ..model.model import Model
from ..model.motor import Motor
from ..model.pose import Pose, frame_with_z
from .parts import moving_parts, reflected_drives
from .tree import BASE, Body, Elastic, Tree

_latest: tuple[weakref.ref[Model], Tree] | None = None


def lump(model: Model) -> Tree:
    """Return the tree of moving bodies of `model`; the latest is kept, for formulas ask for it again and again."""
    global _latest
    kept = _latest  # one read: other threads may replace it meanwhile
    if kept is None or kept[0]() is not model:
        kept = _latest = weakref.ref(model), _lumped(model)
    return kept[1]


def _lumped(model: Model) -> Tree:
    bodies: list[Body] = []
    places: dict[str, tuple[int, Pose]] = {model.base: (BASE, Pose())}
    for joint in model.joints:
        index, pose = places[joint.parent]
        if joint.kind is JointKind.FIXED:
            places[joint.child] = (index, pose @ joint.origin @ joint.tail)
        else:
            bodies += moving_parts(joint, model, index, pose @ joint.origin, len(bodies))
            index = len(bodies) - 1
            places[joint.child] = (index, bodies[index].joint_pose @ joint.tail)
        inertia = model.link(joint.child).inertia
        if inertia is not None and index != BASE:  # links fixed to the base never move
            bodies[index] = _with_inertia(bodies[index], inertia, places[joint.child][1])
    bodies += reflected_drives(model, bodies)
    springs = [_joint_spring(joint, model) for joint in model.joints if joint.spring is not None]
    for motor in model.motors:
        _mount(motor, model, bodies, places)
        if motor.elastic:
            springs.append(_drive_spring(motor, model))
    scaled = tuple(_with_scales(bodies))
    return Tree(scaled, model.nq, model.nv, model.gravity, places, tuple(springs), model.force_elements)


def _mount(motor: Motor, model: Model, bodies: list[Body], places: dict[str, tuple[int, Pose]]) -> None:
    """Make the motor part of the link that carries it, except its spin, which becomes a rotor (Hua 2024, section II).

    With w of the link and the rotor's own speed s about z, its energy is 1/2 (Ixx (w_x^2 + w_y^2) + Izz (w_z + s)^2): mass and
    Ixx move with the link, and the rest is a needle with inertia about its axis alone, independent of its place on the link.
    """
    assert motor.link is not None
    carrier, pose = places[motor.link]
    pose = pose @ motor.origin
    part = still_part(motor)
    if part is not None and carrier != BASE:
        bodies[carrier] = _with_inertia(bodies[carrier], part, pose)
    spin, friction, ratio = motor.spin_inertia, motor.friction, motor.ratio
    reflected = motor.rotor == "reflected"
    if not motor.elastic and (reflected or spin == 0.0):
        # the rotor does not rotate relative to the link: inertia and friction are the joint's
        index = next(k for k, body in enumerate(bodies) if body.name == motor.joint and body.drives)
        body = bodies[index]
        bodies[index] = dataclasses.replace(
            body,
            rotor=body.rotor + ratio**2 * spin,
            viscous=body.viscous + ratio**2 * friction.viscous,
            coulomb=body.coulomb + abs(ratio) * friction.coulomb,
        )
        return
    if ratio == 0.0:
        return
    coupling = Coupling(motor.name) if motor.elastic else model.resolve_coupling(model.joint(motor.joint))
    own = model.layout.of(coupling.joint)
    bodies.append(
        Body(
            name=motor.name,
            kind=JointKind.CONTINUOUS,
            parent=BASE if reflected else carrier,
            pose=Pose(frame_with_z(pose.R[:, 2])),
            mass=0.0,
            ms=np.zeros(3),
            J=np.diag([0.0, 0.0, 0.0 if reflected else spin]),
            iq=own.iq,
            iv=own.iv,
            ratio=ratio * coupling.ratio,
            offset=ratio * coupling.offset,
            rotor=spin if reflected else 0.0,
            viscous=friction.viscous,
            coulomb=friction.coulomb,
            spins=True,
            reflected=reflected,
        )
    )


def still_part(motor: Motor) -> Inertia | None:
    """Return the part of a rotor that moves with its link, in the motor's frame; all of it if reflected."""
    if motor.inertia is None:
        return None
    across = motor.inertia.tensor[0][0]
    about = motor.spin_inertia if motor.rotor == "reflected" or motor.ratio == 0.0 else 0.0
    return Inertia(motor.inertia.mass, motor.inertia.com, ((across, 0.0, 0.0), (0.0, across, 0.0), (0.0, 0.0, about)))


def _joint_spring(joint: Joint, model: Model) -> Elastic:
    assert joint.spring is not None
    coupling = model.resolve_coupling(joint)
    own = model.layout.of(coupling.joint)
    shares = ((own.iq, own.iv, coupling.ratio),)
    spring = joint.spring
    return Elastic(joint.name, shares, coupling.offset, spring.rest, spring.stiffness, spring.damping)


def _drive_spring(motor: Motor, model: Model) -> Elastic:
    assert motor.spring is not None
    coupling = model.resolve_coupling(model.joint(motor.joint))
    shaft, own = model.layout.of(motor.name), model.layout.of(coupling.joint)
    shares = ((shaft.iq, shaft.iv, 1.0), (own.iq, own.iv, -coupling.ratio))
    spring = motor.spring
    return Elastic(motor.name, shares, -coupling.offset, spring.rest, spring.stiffness, spring.damping)


def _with_inertia(body: Body, inertia: Inertia, pose: Pose) -> Body:
    R, p = pose.R, pose.p
    return dataclasses.replace(
        body,
        mass=body.mass + inertia.mass,
        ms=body.ms + inertia.mass * (R @ np.array(inertia.com) + p),
        J=body.J + inertia_about(inertia, R, p),
    )


def _with_scales(bodies: list[Body]) -> list[Body]:
    """Set the mass and reach carried by each joint, from the tips inward."""
    mass, reach = [b.mass for b in bodies], [_spread(b) for b in bodies]
    for j in reversed(range(len(bodies))):
        i = bodies[j].parent
        if i != BASE:
            mass[i] += mass[j]
            reach[i] = max(reach[i], reach[j] + float(np.linalg.norm(bodies[j].pose.p)))
    return [dataclasses.replace(b, carried_mass=m, reach=r) for b, m, r in zip(bodies, mass, reach, strict=True)]


def _spread(body: Body) -> float:
    """Return a typical distance of the body's own mass from its origin [m]."""
    if body.mass <= 0:
        return 0.0
    return float(max(np.abs(body.ms).max() / body.mass, math.sqrt(np.abs(body.J).max() / body.mass)))
