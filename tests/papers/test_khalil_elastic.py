"""Khalil 2010, section 6: robots whose joints are rigid or elastic, beside springs in forward and hybrid dynamics.

6.1 is done with Pinocchio's mass matrix and bias, 6.3 transcribed with 6x6 matrices; what is wrong in print fails here.
"""

import dataclasses

import numpy as np
import pinocchio as pin
import pytest

from lissom import Robot
from lissom.algorithms.dynamics import forward_dynamics
from lissom.model import JointKind
from lissom.robots import tree_model
from lissom.tree import BASE, lump
from papers.test_khalil_forward import direction, pose_in_parent, skew
from support.peer import Peer
from support.springs import spring_forces
from support.states import error, random_states

SEEDS = range(5)


def elastic(seed, n=8, branching=1.6, **more):
    """A tree with rotors at rigid joints only: an elastic joint has no drive."""
    model = tree_model(
        n, branching, seed=seed, kinds=("revolute", "prismatic"), fixed=0.3, tails=0.3, drives=False, springs=0.5, **more
    )
    assert any(joint.spring for joint in model.independent_joints)
    return model, np.array([joint.spring is not None for joint in model.independent_joints])


def hybrid(model, q, qd, qdd):
    """Khalil's inverse model: accelerations of rigid joints given, no force at elastic ones."""
    free = [joint.name for joint in model.independent_joints if joint.spring is not None]
    found = Robot(model, backend="numpy").hybrid_dynamics(q, qd, qdd=qdd, known={"torque": free, "acceleration": ...})
    return found.qdd, found.tau


def matrices(model, q, qd):
    """Return A and H of (67) by Pinocchio, which knows no springs."""
    peer = Peer(model)
    A = pin.crba(peer.model, peer.data, peer.q(q))
    return np.triu(A) + np.triu(A, 1).T, peer.bias(q, qd)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_direct_model_is_the_rigid_one_with_the_forces_of_springs(seed):
    """6.2: A qdd + H = Gamma, with (69) at the elastic joints."""
    model, soft = elastic(seed)
    q, qd, tau = random_states(model, seed=seed)
    tau = np.where(soft, 0.0, tau)
    A, H = matrices(model, q, qd)
    Gamma = np.where(soft, -spring_forces(model, q, 0 * qd), tau)  # (69), (70)
    expected = np.linalg.solve(A, Gamma - H)
    for method in ("articulated_body", "mass_matrix", "nasser"):
        assert error(Robot(model, backend="numpy").forward_dynamics(q, qd, tau, method=method), expected) < 1e-10


@pytest.mark.parametrize("seed", SEEDS)
def test_the_inverse_model_is_that_of_the_partitioned_matrix(seed):
    model, soft = elastic(seed)
    q, qd, given = random_states(model, seed=seed)
    A, H = matrices(model, q, qd)
    r, f = np.flatnonzero(~soft), np.flatnonzero(soft)
    Gamma_f = -spring_forces(model, q, 0 * qd)[f]  # (69), (70)
    qdd = given.copy()
    qdd[f] = np.linalg.solve(A[np.ix_(f, f)], Gamma_f - H[f] - A[np.ix_(f, r)] @ given[r])  # (71)
    Gamma_r = A[np.ix_(r, r)] @ given[r] + A[np.ix_(r, f)] @ qdd[f] + H[r]  # (68), first row
    ours, tau = hybrid(model, q, qd, given)
    assert error(ours, qdd) < 1e-10
    assert error(tau[r], Gamma_r) < 1e-10
    assert not tau[f].any()


def transcription(model, q, qd, given, printed=()):
    """Return accelerations and forces by (72)-(82); `printed` names equations to be taken as printed."""
    tree = lump(model)
    n = len(tree.bodies)
    T, w, gamma, beta, J, a, H, K, alpha = ([None] * n for _ in range(9))
    for j, body in enumerate(tree.bodies):
        w_i = np.zeros(3) if body.parent == BASE else w[body.parent]
        R, p = pose_in_parent(body, q[j])
        T[j] = np.block([[R.T, -R.T @ skew(p)], [np.zeros((3, 3)), R.T]])
        sigma, z = float(body.kind is JointKind.PRISMATIC), np.array([0.0, 0.0, 1.0])
        turned = np.cross(R.T @ w_i, qd[j] * z)
        w[j] = R.T @ w_i + (1 - sigma) * qd[j] * z
        gamma[j] = np.concatenate([R.T @ np.cross(w_i, np.cross(w_i, p)) + 2 * sigma * turned, (1 - sigma) * turned])  # (34)
        J[j] = np.block([[body.mass * np.eye(3), -skew(body.ms)], [skew(body.ms), body.J]])
        beta[j] = -np.concatenate([np.cross(w[j], np.cross(w[j], body.ms)), np.cross(w[j], body.J @ w[j])])  # (35)
        a[j] = direction(body, ())
    spring = {s.name: -s.stiffness * (q[s.shares[0][0]] - s.rest) for s in tree.springs}
    for j in reversed(range(n)):
        if tree.bodies[j].name in spring:
            H[j] = a[j] @ J[j] @ a[j]  # (72)
            K[j] = J[j] - np.outer(J[j] @ a[j], a[j] @ J[j]) / H[j]  # (73)
            alpha[j] = K[j] @ gamma[j] + J[j] @ a[j] / H[j] * (spring[tree.bodies[j].name] + a[j] @ beta[j]) - beta[j]  # (74)
        else:
            K[j] = J[j]  # (75)
            alpha[j] = K[j] @ gamma[j] + J[j] @ a[j] * given[j] - beta[j]  # (76)
        i = tree.bodies[j].parent
        if i != BASE:
            beta[i] = beta[i] - T[j].T @ alpha[j]  # (77)
            J[i] = J[i] + T[j].T @ K[j] @ T[j]  # (78)
    qdd, Gamma, V = given.copy(), np.zeros(n), [None] * n
    for j, body in enumerate(tree.bodies):
        V_i = np.concatenate([-np.array(tree.gravity), np.zeros(3)]) if body.parent == BASE else V[body.parent]
        carried = {number: (T[j].T if number in printed else T[j]) @ V_i for number in ("79", "80", "81")}
        f = K[j] @ carried["79"] + alpha[j]  # (79)
        if body.name in spring:
            qdd[j] = (-a[j] @ J[j] @ (carried["80"] + gamma[j]) + spring[body.name] + a[j] @ beta[j]) / H[j]  # (80)
        else:
            Gamma[j] = a[j] @ f  # (82), no rotors
        V[j] = carried["81"] + a[j] * qdd[j] + gamma[j]  # (81)
    return qdd, Gamma


def differences(seed, printed=(), **more):
    model, _ = elastic(seed, **more)
    q, qd, given = random_states(model, seed=seed)
    return [error(a, b) for a, b in zip(transcription(model, q, qd, given, printed), hybrid(model, q, qd, given), strict=True)]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("branching", [1.0, 3.0])
def test_the_inverse_model_is_khalils_recursion(seed, branching):
    assert max(differences(seed, branching=branching)) < 1e-11


@pytest.mark.parametrize("equation", ["79", "80", "81"])
def test_accelerations_go_outwards_by_the_transform_not_its_transpose(equation):
    assert max(differences(0, [equation])) > 1e-3


@pytest.mark.slow
def test_the_inverse_model_costs_the_same_for_every_further_joint():
    def operations(n):
        model = tree_model(n, 1.0, 0.4, kinds=["revolute"], drives=False, springs=1.0)
        model = model.with_joints(lambda j: j if int(j.name.split("_")[1]) % 2 else dataclasses.replace(j, spring=None))
        known = tuple(joint.spring is not None for joint in model.independent_joints)
        count = forward_dynamics.hybrid_dynamics(model, known).program(model.name).operation_count()
        return count.multiplications + count.additions

    few, more, most = operations(10), operations(20), operations(40)
    assert (most - more) < 2.2 * (more - few)
