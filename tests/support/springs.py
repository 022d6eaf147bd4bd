"""Springs of elastic joints, written down joint by joint: for any numbers, complex ones too."""

from dataclasses import replace

import numpy as np


def _springs(model):
    """Yield each spring with ratio and offset of its joint, and where the joint's leader stands in q and in qd."""
    starts, iq, iv = {}, 0, 0
    for joint in model.independent_joints:
        starts[joint.name] = (iq, iv)
        iq, iv = iq + joint.kind.nq, iv + joint.kind.nv
    for joint in model.joints:
        if joint.spring is not None:
            leader = model.resolve_coupling(joint)
            yield joint.spring, leader.ratio, leader.offset, *starts[leader.joint]


def spring_forces(model, q, qd):
    """Return what springs add to joint forces (nv,)."""
    tau = np.zeros(model.nv, dtype=np.result_type(q, qd))
    for spring, ratio, offset, iq, iv in _springs(model):
        own_q, own_qd = ratio * q[iq] + offset, ratio * qd[iv]
        tau[iv] += ratio * (spring.stiffness * (own_q - spring.rest) + spring.damping * own_qd)
    return tau


def spring_energy(model, q):
    """Return the energy in springs."""
    return sum(s.stiffness * (ratio * q[iq] + offset - s.rest) ** 2 / 2 for s, ratio, offset, iq, _ in _springs(model))


def stiffness_and_damping(model):
    """Return the diagonals (nv,) of the matrices of stiffness and of damping."""
    K, D = np.zeros(model.nv), np.zeros(model.nv)
    for spring, ratio, _, _, iv in _springs(model):
        K[iv] += ratio**2 * spring.stiffness
        D[iv] += ratio**2 * spring.damping
    return K, D


def undamped(model):
    """Return the model with springs that keep what they get."""
    return model.with_joints(lambda j: j if j.spring is None else replace(j, spring=replace(j.spring, damping=0.0)))
