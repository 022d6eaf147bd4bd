"""The same machine with every rotor as a link of its own: motors by nothing but links, joints and couplings."""

import dataclasses

from lissom.model import Coupling, Friction, Joint, JointKind, Link, Model
from lissom.model.payload import placed, with_body

ROTOR, SHAFT = "rotor of ", "shaft of "


def unfolded(model: Model) -> Model:
    """Return `model` without motors, in the same coordinates; springs of elastic drives are left out.

    A rotor is a link in a joint that follows what drives it. The coordinate of an elastic drive is that of a joint on the base
    that carries nothing. Where a rotor is reflected, it is part of its link, its spin inertia of the joint or of that coordinate.
    """
    links = {link.name: link for link in model.links}
    joints = {joint.name: joint for joint in model.joints}
    for motor in model.motors:
        leader, reflected = motor.joint, motor.rotor == "reflected" or motor.inertia is None
        if motor.elastic:
            links[SHAFT + motor.name] = Link(SHAFT + motor.name, massless=True)
            kind = JointKind.PRISMATIC if joints[leader].kind is JointKind.PRISMATIC else JointKind.REVOLUTE
            joints[motor.name] = Joint(motor.name, kind, model.base, SHAFT + motor.name)
            leader = motor.name
        if reflected:
            if motor.inertia is not None:
                links[motor.link] = with_body(links[motor.link], placed(motor.inertia, motor.origin))
            joints[leader] = _heavier(joints[leader], motor)
        else:
            name = ROTOR + motor.name
            links[name] = Link(name, motor.inertia)
            coupling = Coupling(leader, motor.ratio)
            kind = JointKind.CONTINUOUS
            joints[name] = Joint(name, kind, motor.link, name, motor.origin, friction=motor.friction, coupling=coupling)
    return model.replace(links=tuple(links.values()), joints=tuple(joints.values()), motors=())


def _heavier(joint, motor):
    more, ratio = motor.friction, motor.ratio
    friction = Friction(joint.friction.viscous + ratio**2 * more.viscous, joint.friction.coulomb + abs(ratio) * more.coulomb)
    return dataclasses.replace(joint, friction=friction, rotor_inertia=joint.rotor_inertia + motor.reflected_inertia)


def grounded(model: Model) -> set[str]:
    """Return the links that never move."""
    still = {model.base}
    for joint in model.joints:
        if joint.kind is JointKind.FIXED and joint.parent in still:
            still.add(joint.child)
    return still
