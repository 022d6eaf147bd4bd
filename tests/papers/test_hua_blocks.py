"""Hua 2024, eq. (30): M, S, B, C, C1, C2, G and elastic forces, and what the paper says of them and of its rotors."""

from dataclasses import replace

import numpy as np
import pytest

from lissom import Inertia, Joint, Link, Motor, Robot
from lissom.errors import ModelError
from lissom.model import Coupling
from lissom.robots import tree_model
from lissom.robots.hua_arm import hua_arm_model
from papers.hua import Arm, forward_dynamics
from papers.test_hua_algorithms import NONE, TOOL, algorithm_1, mixed_arm, situation
from support import lagrangian
from support.motors import with_motors
from support.states import error, random_states

SEEDS = range(4)
H = 1e-30


def elastic_tree(seed):
    """A tree of revolute and prismatic joints, half of its drives elastic, motors anywhere."""
    tree = tree_model(6, 1.2, 1.1, seed=seed, kinds=["revolute", "revolute", "prismatic"], drives=False)
    return with_motors(tree, seed, 1.0, 0.5, friction=False)


def blocks(robot, q, qd):
    """Return M, S, B, C, C1, C2 by the mass matrix and Christoffel's symbols of the velocities of joints alone."""
    N = robot.nv - len(robot.model.elastic_motors)
    A, still = robot.mass_matrix(q), np.where(np.arange(robot.nv) < N, qd, 0.0)
    C = robot.coriolis_matrix(q, still)
    return A[:N, :N], A[:N, N:], A[N:, N:], C[:N, :N], 2 * C[:N, N:], C[N:, :N]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("make", [mixed_arm, elastic_tree])
@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_make_the_equations_of_motion(seed, make):
    model = make(seed)
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    M, S, B, C, C1, C2 = blocks(robot, q, qd)
    N = len(M)
    v, dtheta, a, ddtheta = qd[:N], qd[N:], qdd[:N], qdd[N:]
    rest = lagrangian.inverse_dynamics(model, q, 0 * qd, 0 * qd)  # G and U_theta, elastic torques on the load side too
    load = M @ a + S @ ddtheta + C @ v + C1 @ dtheta + rest[:N]
    motors = S.T @ a + B @ ddtheta + C2 @ v + rest[N:]
    assert error(np.concatenate([load, motors]), lagrangian.inverse_dynamics(model, q, qd, qdd)) < 1e-11


@pytest.mark.sweep(4)
@pytest.mark.parametrize("make", [mixed_arm, elastic_tree])
@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_does_not_depend_on_motors_and_that_of_motors_is_constant(seed, make):
    model = make(seed)
    robot, q = Robot(model, backend="numpy"), random_states(model, seed=seed)[0]
    N = model.nv - len(model.elastic_motors)
    turned = q + np.where(np.arange(model.nv) < N, 0.0, 1.0)
    assert np.array_equal(robot.mass_matrix(turned), robot.mass_matrix(q))
    B = [motor.ratio**2 * motor.inertia.tensor[2][2] for motor in model.elastic_motors]
    assert error(robot.mass_matrix(0 * q)[N:, N:], np.diag(B)) < 1e-14
    assert error(robot.mass_matrix(q)[N:, N:], np.diag(B)) < 1e-14


@pytest.mark.sweep(4)
@pytest.mark.parametrize("make", [mixed_arm, elastic_tree])
@pytest.mark.parametrize("seed", SEEDS)
def test_rate_of_m_less_twice_c_is_skew(seed, make):
    """What the controller of section IV needs, (42): by a complex step of M along qd."""
    from lissom.algorithms.dynamics.forward_dynamics import mass_matrix
    from support.complex_step import evaluate

    model = make(seed)
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    M, S, _, C, C1, C2 = blocks(robot, q, qd)
    N = len(M)
    rate = np.imag(evaluate(mass_matrix(model), [(q + 1j * H * qd)[None]])[0]).reshape(model.nv, -1) / H
    skew = rate[:N, :N] - 2 * C
    assert np.abs(skew + skew.T).max() < 1e-12 * max(1.0, np.abs(C).max())
    # of the whole matrix the same: S' = C1 / 2 + C2'
    assert np.abs(rate[:N, N:] - C1 / 2 - C2.T).max() < 1e-12 * max(1.0, np.abs(S).max())


@pytest.mark.sweep(4)
@pytest.mark.parametrize("make", [mixed_arm, elastic_tree])
@pytest.mark.parametrize("seed", SEEDS)
def test_c1_is_linear_in_the_velocities_of_joints_not_of_motors(seed, make):
    """(30) prints C1(q, theta'); (31) has it right. Rotors are round: no force is quadratic in their speeds.

    C1 is zero where at most one joint lies between the base and the carriers of elastic drives: S is constant there.
    """
    model = make(seed)
    smooth = model.replace(gravity=(0, 0, 0))
    robot, (q, qd, _) = Robot(smooth, backend="numpy"), random_states(model, seed=seed)
    N = model.nv - len(model.elastic_motors)
    motors_alone = np.where(np.arange(model.nv) < N, 0.0, qd)
    still = robot.bias_torques(q, 0 * qd)
    assert error(robot.bias_torques(q, 10 * motors_alone), still) < 1e-13
    C1 = blocks(robot, q, qd)[4]
    assert error(blocks(robot, q, 2 * qd)[4], 2 * C1) < 1e-13
    assert C1.any() or max(_turns_before(model, motor.link) for motor in model.elastic_motors) < 2


def _turns_before(model, link):
    """Count the revolute joints between the base and a link."""
    joint = next((j for j in model.joints if j.child == link), None)
    return 0 if joint is None else (joint.kind.value == "revolute") + _turns_before(model, joint.parent)


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_are_those_of_algorithm_2(seed):
    model, arm, (x, xd, _), _, _ = situation(seed)
    robot, g = Robot(model, backend="numpy"), np.array(model.gravity)
    _, A, zeta = forward_dynamics(arm, x, xd, np.zeros(arm.N), NONE, NONE, g)
    M, S, B, C, C1, C2 = blocks(robot, x, xd)
    N = arm.N
    assert error(A, np.block([[M, S], [S.T, B]])) < 1e-12
    elastic = [arm.K[k] * (x[N + k] - x[i]) for i, k in arm.k.items()]
    _, _, still = forward_dynamics(arm, x, 0 * xd, np.zeros(N), NONE, NONE, g)
    load = C @ xd[:N] + C1 @ xd[N:] + still[:N]
    assert error(zeta, np.concatenate([load, C2 @ xd[:N] + elastic])) < 1e-12


@pytest.mark.parametrize(("seed", "backend"), [(0, "llvm"), (0, "numpy"), (1, "numpy"), (2, "numpy")])
def test_named_blocks_are_these(seed, backend):
    model = elastic_tree(seed)
    robot, (q, qd, _) = Robot(model, backend=backend), random_states(model, 3, seed=seed)
    found = robot.elastic_blocks(q, qd)
    for row in range(3):
        for name, value in zip(("M", "S", "B", "C", "C1", "C2"), blocks(robot, q[row], qd[row]), strict=True):
            assert error(getattr(found, name)[row], value) < 1e-12
        N = found.M.shape[-1]
        rest = lagrangian.inverse_dynamics(model, q[row], 0 * qd[row], 0 * qd[row])
        pull = np.zeros(model.nv)
        for spring, share, offset in lagrangian.springs(model):
            pull += share * spring.stiffness * (share @ q[row] + offset - spring.rest)
        assert error(found.G[row], (rest - pull)[:N]) < 1e-11
        assert error(found.elastic[row], pull[N:]) < 1e-12


def test_link_and_rotor_are_one_body_only_if_the_rotor_is_round():
    """Imx = Imy is needed and not said: a rotor with unequal moments is another machine at every angle."""
    model = mixed_arm(1, n=3, elastic=0.0)
    lobed = Inertia(0.5, (0, 0, 0), np.diag([0.3, 0.1, 0.35]))
    with pytest.raises(ModelError, match=r"the rotor is not round about its axis: Ixx = 0.3 and Iyy = 0.1 kg m\^2"):
        model.with_motors(lambda m: replace(m, inertia=lobed))
    state = random_states(model, seed=1)
    for Iyy, agrees in ((0.3, True), (0.1, False)):
        rotor = Inertia(0.5, (0, 0, 0), np.diag([0.3, Iyy, 0.35]))
        unified = model.with_motors(lambda m, rotor=rotor: _unchecked(m, rotor))
        told = algorithm_1(Arm(unified, TOOL), state, NONE, NONE)
        true = lagrangian.inverse_dynamics(_as_links(model, rotor), *state)
        assert (error(told, true) < 1e-12) == agrees


def _unchecked(motor: Motor, rotor: Inertia) -> Motor:
    changed = replace(motor)
    object.__setattr__(changed, "inertia", rotor)
    return changed


def _as_links(model, rotor):
    """The same machine with rotors as links of their own, on joints that follow the driven ones."""
    links = tuple(Link(f"rotor of {m.name}", rotor) for m in model.motors)
    joints = tuple(
        Joint(f"bearing of {m.name}", "continuous", m.link, f"rotor of {m.name}", m.origin, coupling=Coupling(m.joint, m.ratio))
        for m in model.motors
    )
    return model.replace(links=model.links + links, joints=model.joints + joints, motors=())


@pytest.mark.parametrize(("link", "excess"), [("link_2", 0.27), ("link_3", 0.37)])
def test_table_1_has_inertias_that_no_body_has(link, excess):
    """One principal moment is greater than the two others together."""
    a, b, c = np.linalg.eigvalsh(hua_arm_model().link(link).inertia.tensor)
    assert c - a - b == pytest.approx(excess, abs=0.005)
