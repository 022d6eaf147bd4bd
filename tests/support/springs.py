"""Springs of elastic joints and drives, written down one by one: for any numbers, complex ones too."""

from dataclasses import replace

import numpy as np


def _springs(model):
    """Yield each spring with its stretch at q = 0 and its shares: places in q and in qd, and what the stretch has of these."""
    starts, iq, iv = {}, 0, 0
    for joint in model.independent_joints:
        starts[joint.name] = (iq, iv)
        iq, iv = iq + joint.kind.nq, iv + joint.kind.nv
    for joint in model.joints:
        if joint.spring is not None:
            leader = model.resolve_coupling(joint)
            yield joint.spring, leader.offset - joint.spring.rest, [(*starts[leader.joint], leader.ratio)]
    for motor in model.motors:
        if motor.spring is not None:
            leader = model.resolve_coupling(model.joint(motor.joint))
            shares = [(*starts[motor.name], 1.0), (*starts[leader.joint], -leader.ratio)]
            yield motor.spring, -leader.offset - motor.spring.rest, shares


def spring_forces(model, q, qd):
    """Return what springs add to joint forces (nv,)."""
    tau = np.zeros(model.nv, dtype=np.result_type(q, qd))
    for spring, start, shares in _springs(model):
        stretch, rate = start + sum(share * q[iq] for iq, _, share in shares), sum(share * qd[iv] for _, iv, share in shares)
        for _, iv, share in shares:
            tau[iv] += share * (spring.stiffness * stretch + spring.damping * rate)
    return tau


def spring_energy(model, q):
    """Return the energy in springs."""
    return sum(
        s.stiffness * (start + sum(share * q[iq] for iq, _, share in shares)) ** 2 / 2 for s, start, shares in _springs(model)
    )


def stiffness_and_damping(model):
    """Return the diagonals (nv,) of the matrices of stiffness and of damping; they are all where no drive is elastic."""
    return tuple(np.diag(matrix).copy() for matrix in spring_matrices(model))


def spring_matrices(model):
    """Return the matrices (nv, nv) of stiffness and of damping."""
    K, D = np.zeros((model.nv, model.nv)), np.zeros((model.nv, model.nv))
    for spring, _, shares in _springs(model):
        along = np.zeros(model.nv)
        for _, iv, share in shares:
            along[iv] += share
        K += spring.stiffness * np.outer(along, along)
        D += spring.damping * np.outer(along, along)
    return K, D


def undamped(model):
    """Return the model with springs that keep what they get."""

    def still(part):
        return part if part.spring is None else replace(part, spring=replace(part.spring, damping=0.0))

    return model.with_joints(still).with_motors(still)
