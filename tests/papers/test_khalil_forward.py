"""Khalil 2010, section 3.3.2, transcribed equation by equation with 6x6 matrices, beside the recursion of hybrid.py.

What is wrong in print fails here, and what lissom uses instead holds. External wrenches are Khalil's: of the links ON the
environment.
"""

import numpy as np
import pytest

from lissom.algorithms.dynamics import hybrid
from lissom.model import JointKind
from lissom.robots import tree_model
from lissom.spatial.vector import Vector
from lissom.tree import BASE, lump


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def pose_in_parent(body, q):
    """Return iR_j and iP_j (1)."""
    R, p = body.pose.R, body.pose.p
    if body.kind is JointKind.PRISMATIC:
        return R, p + R[:, 2] * q
    c, s = np.cos(q), np.sin(q)
    return R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), p


def direction(body, printed):
    if "16" in printed:
        sigma = body.kind is JointKind.PRISMATIC
        return np.array([0, 0, 0, sigma, 0, 0, not sigma], float)  # seven entries
    return np.eye(6)[2 if body.kind is JointKind.PRISMATIC else 5]


def transcription(tree, q, qd, Gamma, f_e, printed=()):
    """Return joint accelerations and joint wrenches (n, 6); `printed` names equations to be taken as printed."""
    n = len(tree.bodies)
    T, w, gamma, beta, J, a, tau, H, K, alpha = ([None] * n for _ in range(10))
    for j, body in enumerate(tree.bodies):
        w_i = np.zeros(3) if body.parent == BASE else w[body.parent]
        R, p = pose_in_parent(body, q[j])
        T[j] = np.block([[R.T, -R.T @ skew(p)], [np.zeros((3, 3)), R.T]])  # (17), jT_i
        sigma = float(body.kind is JointKind.PRISMATIC)
        z = np.array([0.0, 0.0, 1.0])
        j_w_i = R.T @ w_i  # (18)
        w[j] = j_w_i + (1 - sigma) * qd[j] * z  # (19)
        turned = np.cross(j_w_i, qd[j] * z)
        gamma[j] = np.concatenate([R.T @ np.cross(w_i, np.cross(w_i, p)) + 2 * sigma * turned, (1 - sigma) * turned])  # (34)
        MS = body.ms
        J[j] = np.block([[body.mass * np.eye(3), -skew(MS)], [skew(MS), body.J]])  # (11)
        beta[j] = -f_e[j] - np.concatenate([np.cross(w[j], np.cross(w[j], MS)), np.cross(w[j], body.J @ w[j])])  # (35)
        a[j] = direction(body, printed)  # (16)
        tau[j] = Gamma[j] - body.coulomb * np.sign(qd[j]) - body.viscous * qd[j]  # (44)
    for j in reversed(range(n)):
        i = tree.bodies[j].parent
        H[j] = a[j] @ J[j] @ a[j] + tree.bodies[j].rotor  # (36)
        K[j] = J[j] - np.outer(J[j] @ a[j], a[j] @ J[j]) / H[j]  # (37)
        alpha[j] = K[j] @ gamma[j] + J[j] @ a[j] / H[j] * (tau[j] + a[j] @ beta[j]) - beta[j]  # (38)
        if i != BASE:
            beta[i] = beta[i] - (T[j] if "39" in printed else T[j].T) @ alpha[j]  # (39)
            J[i] = J[i] + T[j].T @ K[j] @ T[j]  # (40)
    qdd, f, V = np.zeros(n), np.zeros((n, 6)), [None] * n
    for j, body in enumerate(tree.bodies):
        V_i = np.concatenate([-np.array(tree.gravity), np.zeros(3)]) if body.parent == BASE else V[body.parent]
        carried = {number: (T[j].T if number in printed else T[j]) @ V_i for number in ("41", "42", "43")}
        qdd[j] = (-a[j] @ J[j] @ (carried["41"] + gamma[j]) + tau[j] + a[j] @ beta[j]) / H[j]  # (41)
        f[j] = K[j] @ carried["42"] + alpha[j]  # (42)
        V[j] = carried["43"] + a[j] * qdd[j] + gamma[j]  # (43)
    return qdd, f


def both(printed=(), n=8, branching=1.6, seed=0):
    tree = lump(tree_model(n, branching, seed=seed, kinds=("revolute", "prismatic"), fixed=0.3, tails=0.3))
    rng = np.random.default_rng(seed)
    q, qd, Gamma = rng.normal(size=(3, n))
    f_e = rng.normal(size=(n, 6))
    assert [body.iv for body in tree.bodies] == list(range(n))
    on_robot = {j: (Vector.of(-x[:3]), Vector.of(-x[3:])) for j, x in enumerate(f_e)}
    found = hybrid.hybrid(tree, q.tolist(), qd.tolist(), Gamma.tolist(), [True] * n, on_robot)
    ours = np.array(found.qdd), np.array([[*f, *m] for f, m in zip(found.f, found.m, strict=True)])
    return transcription(tree, q, qd, Gamma, f_e, printed), ours


def errors(printed=(), **more):
    """Return the largest differences of accelerations and of joint wrenches, as shares of the largest entries."""
    return [np.abs(a - b).max() / np.abs(b).max() for a, b in zip(*both(printed, **more), strict=True)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("branching", [1.0, 1.6, 3.0])
def test_the_direct_model_is_khalils_with_accelerations_and_joint_wrenches(seed, branching):
    assert max(errors(seed=seed, branching=branching)) < 1e-12


def test_the_wrench_of_a_joint_goes_to_the_parent_by_the_transposed_transform():
    """(39): jT_i' alpha_j; the transform itself takes accelerations, not wrenches."""
    accelerations, wrenches = errors(["39"])
    assert accelerations > 1e-3
    assert wrenches > 1e-3


@pytest.mark.parametrize("equation", ["41", "43"])
def test_accelerations_go_to_the_child_by_the_transform_not_its_transpose(equation):
    assert errors([equation])[0] > 1e-3


def test_the_wrench_of_a_joint_needs_the_acceleration_that_the_transform_carries():
    accelerations, wrenches = errors(["42"])
    assert accelerations < 1e-12  # (42) is a result only
    assert wrenches > 1e-3


def test_the_direction_of_a_joint_has_six_entries_not_seven():
    with pytest.raises(ValueError, match="matmul"):
        both(["16"])


def test_a_known_acceleration_gives_back_the_force_that_caused_it():
    """The direct model undone by the inverse one, (14)-(31), in the same recursion."""
    n = 8
    tree = lump(tree_model(n, seed=2, kinds=("revolute", "prismatic")))
    q, qd, tau = np.random.default_rng(2).normal(size=(3, n)).tolist()
    qdd = hybrid.hybrid(tree, q, qd, tau, [True] * n).qdd
    assert np.allclose(hybrid.hybrid(tree, q, qd, qdd, [False] * n).tau, tau, rtol=0, atol=1e-12)
    # and every mixture of the two
    mask = [k % 2 == 0 for k in range(n)]
    mixed = hybrid.hybrid(tree, q, qd, [t if known else x for t, x, known in zip(tau, qdd, mask, strict=True)], mask)
    assert np.allclose(mixed.tau, tau, rtol=0, atol=1e-12)
    assert np.allclose(mixed.qdd, qdd, rtol=0, atol=1e-11)
