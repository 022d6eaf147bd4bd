"""Equations of motion by Lagrange, from positions alone: an oracle that knows no recursion, no spatial algebra, no unified body.

Every link and every rotor is a rigid body with its own rotation matrix; a rotor really turns, by ratio times what it drives.
    T = 1/2 sum m p'.p' + 1/2 sum tr(R' P R'^T)    P = tr(I)/2 - I, the integral of r r^T dm about the center of mass
    U = - sum m g.p + 1/2 sum K stretch^2
    tau_k = d/dt dT/dqd_k - dT/dq_k + dU/dq_k + friction and damping
Derivatives are exact, by numbers that vanish when squared: velocities are those of positions along e1, e2 varies coordinate k,
e3 is time. Joints have one axis; couplings, springs, reflected rotors and friction are those of `lissom.Model`.
"""

import numpy as np

from lissom.model import JointKind, Model
from support.dual import E1, E2, E3, Dual

ONE = np.eye(3)


def inverse_dynamics(model: Model, q, qd, qdd) -> np.ndarray:
    """Return tau (nv,)."""
    unit = np.eye(model.nv)
    along_time = Dual.of(one=q, e1=qd, e3=qd, e1e3=qdd, e1e2=unit)  # d/dt of the derivative by qd_k
    along_q = Dual.of(one=q, e1=qd, e2=unit)
    tau = kinetic(model, along_time).parts[E2 | E3] - kinetic(model, along_q).parts[E2] + potential(model, along_q).parts[E2]
    return tau + losses(model, qd)


def energies(model: Model, q, qd):
    """Return kinetic energy and that of gravity and springs, links and rotors on the base included."""
    x = Dual.of(one=np.asarray(q)[None], e1=np.asarray(qd)[None])
    return kinetic(model, x).parts[0, 0], potential(model, x).parts[0, 0]


def kinetic(model: Model, x: Dual) -> Dual:
    """Return T of coordinates (N, nv) whose velocities are their parts along e1."""
    twice = Dual(np.zeros((8, x.parts.shape[1])))
    for inertia, R, p in bodies(model, x):
        v, dR = p.along(E1), R.along(E1)
        tensor = np.array(inertia.tensor)
        P = np.trace(tensor) / 2 * ONE - tensor
        twice = twice + (v * v).sum(-1) * inertia.mass + (dR * (dR @ P)).sum(-1, -2)
    for inertia, share in reflected(model):
        rate = (x * share).sum(-1).along(E1)
        twice = twice + rate * rate * inertia
    return twice * 0.5


def potential(model: Model, x: Dual) -> Dual:
    """Return U of coordinates (N, nv)."""
    total = Dual(np.zeros((8, x.parts.shape[1])))
    for inertia, _, p in bodies(model, x):
        total = total - (p * np.array(model.gravity)).sum(-1) * inertia.mass
    for spring, share, offset in springs(model):
        stretch = (x * share).sum(-1) + (offset - spring.rest)
        total = total + stretch * stretch * (spring.stiffness / 2)
    return total


def losses(model: Model, qd) -> np.ndarray:
    """Return what friction and the damping of springs need (nv,)."""
    tau = np.zeros(model.nv)
    for friction, share in frictions(model):
        tau += share * (friction.viscous * (share @ qd) + friction.coulomb * np.sign(share @ qd))
    for spring, share, _ in springs(model):
        tau += share * spring.damping * (share @ qd)
    return tau


def bodies(model: Model, x: Dual):
    """Yield inertia, rotation and center of mass in the world, of every link and rotor."""
    n = x.parts.shape[1]
    places = {model.base: (Dual.of(one=np.broadcast_to(ONE, (n, 3, 3))), Dual.of(one=np.zeros((n, 3))))}
    for joint in model.joints:
        R, p = _after(*places[joint.parent], joint.origin)
        if joint.kind is not JointKind.FIXED:
            share, offset = joint_share(model, joint)
            own, axis = (x * share).sum(-1) + offset, np.array(joint.axis)
            if joint.kind is JointKind.PRISMATIC:
                p = p + (R @ axis) * own[:, None]
            else:
                R = R @ turn(axis, own)
        places[joint.child] = _after(R, p, joint.tail)
    for link in model.links:
        if link.inertia is not None:
            R, p = places[link.name]
            yield link.inertia, R, p + R @ np.array(link.inertia.com)
    for motor in model.motors:
        if motor.inertia is not None:
            R, p = _after(*places[motor.link], motor.origin)
            if motor.rotor == "full":
                share, offset = motor_share(model, motor)
                R = R @ turn(np.array([0.0, 0.0, 1.0]), ((x * share).sum(-1) + offset) * motor.ratio)
            yield motor.inertia, R, p + R @ np.array(motor.inertia.com)


def turn(axis, angle: Dual) -> Dual:
    """Return the rotation about an axis (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    sine, cosine = angle.sine_cosine()
    return sine[:, None, None] * K - (cosine - 1.0)[:, None, None] * (K @ K) + ONE


def joint_share(model: Model, joint):
    """Return (nv,) and a number: the joint's own coordinate is the product with q, plus the number."""
    coupling = model.resolve_coupling(joint)
    return _unit(model, coupling.joint) * coupling.ratio, coupling.offset


def motor_share(model: Model, motor):
    """Return the same for what a motor turns: its own coordinate, or that of the joint."""
    return (_unit(model, motor.name), 0.0) if motor.elastic else joint_share(model, model.joint(motor.joint))


def springs(model: Model):
    """Yield spring, share and offset of the stretch."""
    for joint in model.joints:
        if joint.spring is not None:
            yield joint.spring, *joint_share(model, joint)
    for motor in model.elastic_motors:
        share, offset = joint_share(model, model.joint(motor.joint))
        yield motor.spring, _unit(model, motor.name) - share, -offset


def frictions(model: Model):
    """Yield friction of joints and of rotors, at their own speeds."""
    for joint in model.joints:
        if joint.kind is not JointKind.FIXED:
            yield joint.friction, joint_share(model, joint)[0]
    for motor in model.motors:
        yield motor.friction, motor_share(model, motor)[0] * motor.ratio


def reflected(model: Model):
    """Yield inertias that have no body, and the share of qd that moves them."""
    for joint in model.joints:
        if joint.rotor_inertia:
            yield joint.rotor_inertia, joint_share(model, joint)[0]
    for motor in model.motors:
        if motor.rotor == "reflected" and motor.inertia is not None:
            yield motor.inertia.tensor[2][2], motor_share(model, motor)[0] * motor.ratio


def _unit(model, name):
    return np.array([float(joint.name == name) for joint in model.independent_joints])


def _after(R: Dual, p: Dual, pose):
    return R @ pose.R, p + R @ pose.p
