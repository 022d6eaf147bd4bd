"""Forces to accelerations and back, by every method; the mass matrix; mixtures of known forces and accelerations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import ModelError, NameLookupError, Robot, StateError, Wrench
from lissom.robots import tree_model
from support.springs import spring_forces
from support.states import error, random_states
from support.trees import trees

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

seeds = st.integers(0, 1000)


@given(trees(drives=True), seeds)
def test_forward_dynamics_undoes_inverse_dynamics(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    tau = robot.inverse_dynamics(q, qd, qdd)
    M = robot.mass_matrix(q)
    allowed = 1e-14 * max(np.linalg.cond(m) for m in M) + 1e-12
    assert error(robot.forward_dynamics(q, qd, tau), qdd) < allowed
    assert error(robot.forward_dynamics(q, qd, tau, method="mass_matrix"), qdd) < allowed


@settings(max_examples=10)
@given(trees(n=4), seeds)
def test_compiled_forward_dynamics_and_mass_matrix_are_those_of_numpy(model, seed):
    compiled, definition = Robot(model, backend="llvm"), Robot(model, backend="numpy")
    q, qd, tau = random_states(model, 9, seed=seed)
    M = definition.mass_matrix(q)
    assert error(compiled.mass_matrix(q), M) < 1e-12
    allowed = 1e-14 * max(np.linalg.cond(m) for m in M) + 1e-12
    for _ in range(2):
        assert error(compiled.forward_dynamics(q, qd, tau), definition.forward_dynamics(q, qd, tau)) < allowed
        assert error(compiled.forward_dynamics(q[0], qd[0], tau[0]), definition.forward_dynamics(q[0], qd[0], tau[0])) < allowed


@given(trees(), seeds)
def test_mass_matrix_is_that_of_inverse_dynamics_and_symmetric(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    M = robot.mass_matrix(q)
    columns = (robot.inverse_dynamics(q, qd, np.eye(model.nv)) - robot.bias_torques(q, qd)).T
    assert np.allclose(M, columns, rtol=0, atol=1e-11 * np.abs(M).max())
    assert np.array_equal(M, M.T)
    out = np.empty_like(M)
    assert robot.mass_matrix(q, out=out) is out


@given(trees(coupled=0.0, motors=0.0), seeds)
def test_mass_matrix_and_accelerations_are_those_of_pinocchio(model, seed):
    model = model.without_friction()
    peer, robot, (q, qd, tau) = Peer(model), Robot(model, backend="numpy"), random_states(model, seed=seed)
    crba = pin.crba(peer.model, peer.data, peer.q(q))
    M = np.triu(crba) + np.triu(crba, 1).T
    assert error(robot.mass_matrix(q), M) < 1e-12
    aba = pin.aba(peer.model, peer.data, peer.q(q), qd, tau - spring_forces(model, q, qd))
    assert error(robot.forward_dynamics(q, qd, tau), aba) < 1e-14 * np.linalg.cond(M) + 1e-12


@given(trees(coupled=0.0), seeds)
def test_hybrid_dynamics_agrees_with_inverse_dynamics_whatever_is_known(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    wrench = {"link_1": Wrench((1, 2, 3), (0.1, 0.2, 0.3), axes="world", point=(0.1, 0, 0))}
    tau = robot.inverse_dynamics(q, qd, qdd, external=wrench)
    rng = np.random.default_rng(seed)
    forced = [name for name in robot.joint_names if rng.random() < 0.5]
    rest = [name for name in robot.joint_names if name not in forced]
    allowed = 1e-14 * np.linalg.cond(robot.mass_matrix(q)) + 1e-12
    for known in (
        {"torque": forced, "acceleration": rest},
        {"torque": forced, "acceleration": ...},
        {"torque": ..., "acceleration": rest},
    ):
        found = robot.hybrid_dynamics(q, qd, known=known, qdd=qdd, tau=tau, external=wrench)
        assert error(found.qdd, qdd) < allowed
        assert error(found.tau, tau) < allowed


def test_wrong_mixtures_are_refused():
    robot = Robot(tree_model(3, kinds=["revolute"], seed=1), backend="numpy")
    x = np.zeros(3)
    for known, kind, message in (
        ([], StateError, "known must map 'torque' and 'acceleration' to joints"),
        ({"force": ...}, StateError, "known has no 'force'; .*'torque', 'acceleration'"),
        ({"torque": ["joint_9"]}, NameLookupError, "no joint 'joint_9' with .*did you mean"),
        (
            {"torque": "joint_1", "acceleration": ["joint_1"]},
            StateError,
            "'joint_1' cannot have both its torque and its acceleration known",
        ),
        ({"torque": ..., "acceleration": ...}, StateError, "only one of 'torque' and 'acceleration' can be '...'"),
        ({"torque": ["joint_1"]}, StateError, "neither the torque nor the acceleration of joint 'joint_[23]' is known"),
    ):
        with pytest.raises(kind, match=message):
            robot.hybrid_dynamics(x, x, known=known)


def test_methods_that_do_not_fit_are_refused():
    robot = Robot(tree_model(4, kinds=["revolute"], seed=1, coupled=0.9), backend="numpy")
    x = np.zeros(robot.nv)
    with pytest.raises(StateError, match="no method 'mass_matrx'; did you mean 'mass_matrix'"):
        robot.forward_dynamics(x, x, x, method="mass_matrx")
    with pytest.raises(ModelError, match="the articulated-body recursion cannot treat joint .*, which is coupled to"):
        robot.forward_dynamics(x, x, x, method="articulated_body")


@settings(max_examples=15)
@given(trees(coupled=0.0), seeds, st.sampled_from(["joint", "link", "parent", "world"]))
def test_hybrid_dynamics_know_the_wrenches_inside_the_joints(model, seed, axes):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    tau = robot.inverse_dynamics(q, qd, qdd)
    found = robot.hybrid_dynamics(
        q, qd, known={"torque": robot.joint_names[::2], "acceleration": ...}, qdd=qdd, tau=tau, wrenches=True, axes=axes
    )
    expected = robot.joint_wrenches(q, qd, qdd, axes=axes)
    allowed = 1e-13 * max(np.linalg.cond(m) for m in robot.mass_matrix(q)) + 1e-11
    assert error(found.wrenches, expected) < allowed


def test_hybrid_wrenches_in_an_unknown_frame_are_refused():
    robot = Robot(tree_model(2, seed=1, coupled=0.0), backend="numpy")
    q, qd, tau = random_states(robot.model)
    with pytest.raises(StateError, match="no axes 'joints' of joint wrenches; did you mean 'joint'"):
        robot.hybrid_dynamics(q, qd, known={"torque": ...}, tau=tau, wrenches=True, axes="joints")
