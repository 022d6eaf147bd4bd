"""Dynamics of closed robots: identities, and outside judges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import ClosedRobot, Friction, Spring, Wrench
from support.loops import FreeBodies, Pinocchio, planar_loop
from support.states import error

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
ROBOTS = ("four_bar", "slider_crank", "five_bar", "delta", "gough_stewart")


def motions(robot, count=5, size=0.03, seed=0):
    """Return coordinates around home, velocities and accelerations."""
    rng = np.random.default_rng(seed)
    units = robot.constraints.column_units[list(robot.plan.coordinates)]
    q = robot.home() + size * units * rng.normal(size=(count, robot.nq))
    return q, rng.normal(size=(count, robot.nq)), rng.normal(size=(count, robot.nq))


@pytest.fixture(scope="module", params=ROBOTS)
def robot(request):
    return getattr(lissom.robots, request.param)()


def test_forward_undoes_inverse(robot):
    q, qd, qdd = motions(robot)
    assert error(robot.forward_dynamics(q, qd, robot.inverse_dynamics(q, qd, qdd)), qdd) < 1e-11


def test_equation_of_motion(robot):
    q, qd, qdd = motions(robot)
    tau = np.einsum("nij,nj->ni", robot.mass_matrix(q), qdd) + robot.bias_torques(q, qd)
    assert error(tau, robot.inverse_dynamics(q, qd, qdd)) < 1e-11
    still = robot.inverse_dynamics(q, 0 * qd, 0 * qdd)
    assert np.abs(robot.gravity_torques(q) - still).max() <= 1e-11 * max(np.abs(still).max(), 1.0)


def test_mass_matrix_is_that_of_the_energy(robot):
    q, qd, _ = motions(robot)
    M = robot.mass_matrix(q)
    assert error(np.einsum("ni,nij,nj->n", qd, M, qd) / 2, robot.kinetic_energy(q, qd)) < 1e-12
    assert np.abs(M - np.swapaxes(M, 1, 2)).max() == 0.0


def test_power_of_the_drives_changes_the_energy(robot):
    q, qd, qdd = motions(robot)

    def energy(s):
        place = q + qd * s + qdd * s**2 / 2
        return robot.kinetic_energy(place, qd + qdd * s) + robot.potential_energy(place)

    h = 1e-3
    rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    power = (robot.inverse_dynamics(q, qd, qdd) * qd).sum(axis=1)
    assert np.abs(power - rate).max() < 1e-6 * np.abs(robot.inverse_dynamics(q, qd, qdd)).max()


@pytest.mark.sweep(1)
def test_numpy_and_machine_code_agree(robot):
    slow = type(robot)(robot.model, backend="numpy")
    q, qd, qdd = motions(robot, 3)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert error(slow.inverse_dynamics(q, qd, qdd), tau) < 1e-12
    assert error(slow.forward_dynamics(q, qd, tau), robot.forward_dynamics(q, qd, tau)) < 1e-11
    assert error(slow.joint_wrenches(q, qd, qdd), robot.joint_wrenches(q, qd, qdd)) < 1e-11


@pytest.mark.parametrize("name", ["gough_stewart", "delta"])
def test_pinocchio_gives_the_same_accelerations(name):
    robot = getattr(lissom.robots, name)()
    judge = Pinocchio(robot.model)
    q, qd, qdd = motions(robot, 10, seed=1)
    tree, v, a = robot.tree_motion(q, qd, qdd)
    tau = robot.inverse_dynamics(q, qd, qdd)
    for k in range(len(q)):
        forces = np.zeros(robot.model.nv)
        forces[list(robot.plan.active)] = tau[k]
        assert error(a[k], judge.accelerations(tree[k], v[k], forces)) < 1e-9
        found, _ = robot.tree_dynamics(tree[k], v[k], forces)
        assert error(found, judge.accelerations(tree[k], v[k], forces)) < 1e-9


@pytest.mark.slow
def test_pinocchio_gives_the_same_forces_of_actuators():
    """Forces of the tree by pin.rnea, projected with the null space of Pinocchio's own constraint Jacobian."""
    robot = lissom.robots.gough_stewart()
    judge = Pinocchio(robot.model)
    q, qd, qdd = motions(robot, 10, seed=2)
    tree, v, a = robot.tree_motion(q, qd, qdd)
    tau = robot.inverse_dynamics(q, qd, qdd)
    for k in range(len(q)):
        J = judge.jacobian(tree[k])
        assert np.abs(J @ v[k]).max() < 1e-11
        _, s, Vt = np.linalg.svd(J)
        N = Vt[len(s) :].T
        G = N @ np.linalg.inv(N[list(robot.plan.active)])
        assert error(tau[k], G.T @ judge.forces(tree[k], v[k], a[k])) < 1e-9


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "five_bar"])
def test_free_bodies_give_the_same_motion(name):
    robot = getattr(lissom.robots, name)()
    q, qd, qdd = motions(robot, 5, 0.2)
    for k in range(len(q)):
        tree, v, a = robot.tree_motion(q[k], qd[k], qdd[k])
        tau = dict(zip(robot.torque_names, robot.inverse_dynamics(q[k], qd[k], qdd[k]), strict=True))
        found = FreeBodies(robot.model, tree, v).solve(tau)
        names = [joint.name for joint in robot.model.independent_joints]
        assert error([found[name] for name in names], a) < 1e-9


@pytest.mark.parametrize("name", ["gough_stewart", "delta"])
def test_free_bodies_give_the_same_motion_of_platforms(name):
    """All bodies free, every joint and ball a constraint with multipliers: accelerations of legs, loads of the balls."""
    robot = getattr(lissom.robots, name)()
    q, qd, qdd = motions(robot, 3)
    single = [(k, joint.name) for joint, k in zip(*_single(robot.model), strict=True)]
    for k in range(len(q)):
        tree, v, a = robot.tree_motion(q[k], qd[k], qdd[k])
        tau = dict(zip(robot.torque_names, robot.inverse_dynamics(q[k], qd[k], qdd[k]), strict=True))
        bodies = FreeBodies(robot.model, tree, v)
        found = bodies.solve(tau)
        assert error([found[name] for _, name in single], a[[i for i, _ in single]]) < 1e-9
        loads = dict(zip(robot.wrench_names, robot.joint_wrenches(q[k], qd[k], qdd[k], axes="world"), strict=True))
        for loop in robot.loop_names:
            assert error(loads[loop][:3], bodies.wrenches[loop][0]) < 1e-8


def _single(model):
    """Return the joints of one axis, and where their velocities are."""
    joints, places, iv = [], [], 0
    for joint in model.independent_joints:
        if joint.kind.nv == 1:
            joints.append(joint)
            places.append(iv)
        iv += joint.kind.nv
    return joints, places


@settings(max_examples=12)
@given(st.integers(0, 10_000), st.integers(4, 6))
def test_random_planar_loops_beside_free_bodies(seed, n):
    model = planar_loop(
        seed, n, active=("joint_1", "joint_0", "joint_2")[: n - 3] if n < 6 else ("joint_1", "joint_0", "joint_2")
    )
    try:
        robot = ClosedRobot(model, backend="numpy")
        rng = np.random.default_rng(seed)
        qd, qdd = rng.normal(size=(2, robot.nq))
        tree, v, a = robot.tree_motion(robot.home(), qd, qdd)
    except lissom.StateError:
        return  # a polygon that stands at a singular pose
    if robot.singularity(robot.home()).margin < 1e-2:
        return
    tau = dict(zip(robot.torque_names, robot.inverse_dynamics(robot.home(), qd, qdd), strict=True))
    found = FreeBodies(robot.model, tree, v).solve(tau)
    assert error([found[joint.name] for joint in model.independent_joints], a) < 1e-7


@pytest.mark.slow
@settings(max_examples=8)
@given(st.integers(0, 10_000), st.integers(4, 5))
def test_another_cut_of_the_same_loop_changes_nothing(seed, n):
    active = ("joint_1", "joint_0")[: n - 3]
    rng = np.random.default_rng(seed)
    qd, qdd = rng.normal(size=(2, n - 3))
    found = []
    for cut in range(2, n):
        robot = ClosedRobot(planar_loop(seed, n, cut, active), backend="numpy")
        if robot.singularity(robot.home()).margin < 1e-2:
            return
        try:
            tree = robot.closure(robot.home() * 0.0 + 0.01)
        except lissom.StateError:
            return  # a polygon that stands where its crank turns back
        tau, a = robot.inverse_dynamics(None, qd, qdd, tree_q=tree), robot.forward_dynamics(None, qd, qdd, tree_q=tree)
        found.append((tau, a, robot.mass_matrix(None, tree_q=tree)))
    for other in found[1:]:
        for ours, theirs in zip(found[0], other, strict=True):
            assert error(ours, theirs) < 1e-8


def test_redundant_drives_share_their_work():
    """A drive more than degrees of freedom: the least sum of squares, by weights, and the same motion."""
    model = lissom.robots.five_bar_model(gravity=(1.0, -9.0, 0.0))
    plain = ClosedRobot(model)
    robot = ClosedRobot(model.replace(active=("left", "right", "left_elbow")))
    assert robot.nq == 2 and robot.joint_names == ("left", "right")
    q, qd, qdd = motions(plain)
    tau, alone = robot.inverse_dynamics(q, qd, qdd), plain.inverse_dynamics(q, qd, qdd)
    G = robot.velocity_matrix(q)[:, list(robot.plan.active)]
    assert error(np.einsum("nij,ni->nj", G, tau), alone) < 1e-11  # they do the same work
    assert error(tau, np.stack([np.linalg.pinv(g.T) @ t for g, t in zip(G, alone, strict=True)])) < 1e-10
    assert error(robot.forward_dynamics(q, qd, tau), qdd) < 1e-10
    W = np.array([1.0, 4.0, 0.25])
    heavy = robot.inverse_dynamics(q, qd, qdd, weights=W)
    by_root = [np.linalg.pinv(g.T / np.sqrt(W)) @ t / np.sqrt(W) for g, t in zip(G, alone, strict=True)]
    assert error(heavy, np.stack(by_root)) < 1e-10
    named = robot.inverse_dynamics(q, qd, qdd, weights={"right": 4.0, "left_elbow": 0.25})
    assert error(named, heavy) < 1e-14


def test_friction_and_springs_of_passive_joints_reach_the_drives():
    """Power of the drives less dissipation and less what springs take is the rate of the rigid energy."""
    model = lissom.robots.four_bar_model()
    import dataclasses

    changed = [
        dataclasses.replace(j, friction=Friction(viscous=0.3), spring=Spring(5.0, 0.2) if j.name == "rocker_joint" else None)
        for j in model.joints
    ]
    robot, smooth = ClosedRobot(model.replace(joints=tuple(changed))), ClosedRobot(model)
    q, qd, qdd = motions(robot)
    tree, v, _ = robot.tree_motion(q, qd, qdd)
    extra = (robot.inverse_dynamics(q, qd, qdd) - smooth.inverse_dynamics(q, qd, qdd)) * qd
    rocker = [j.name for j in model.independent_joints].index("rocker_joint")
    expected = 0.3 * (v**2).sum(axis=1) + 5.0 * (tree[:, rocker] - 0.2) * v[:, rocker]
    assert error(extra[:, 0], expected) < 1e-11


@pytest.mark.slow
def test_an_external_wrench_is_felt_by_the_drives():
    """Its power along the velocity of the link is what the drives save."""
    robot = lissom.robots.gough_stewart()
    q, qd, qdd = motions(robot)
    force, moment = (100.0, -20.0, 50.0), (5.0, 6.0, 7.0)
    push = {"platform": Wrench(force, moment, axes="world", point=(0.1, 0.2, 0.3))}
    less = robot.inverse_dynamics(q, qd, qdd) - robot.inverse_dynamics(q, qd, qdd, external=push)
    tree, v, _ = robot.tree_motion(q, qd, qdd)
    V = robot.tree.link_velocity(tree, v, "platform", axes="world", point=(0.1, 0.2, 0.3))
    assert error((less * qd).sum(axis=1), V @ np.array([*force, *moment])) < 1e-10


def test_known_configurations_save_the_closure():
    robot = lissom.robots.delta()
    q, qd, qdd = motions(robot)
    tree = robot.closure(q)
    assert (robot.inverse_dynamics(None, qd, qdd, tree_q=tree) == robot.inverse_dynamics(q, qd, qdd)).all()
    with pytest.raises(lissom.StateError, match="tree_q= is not the configuration"):
        robot.inverse_dynamics(q + 0.1, qd, qdd, tree_q=tree)
