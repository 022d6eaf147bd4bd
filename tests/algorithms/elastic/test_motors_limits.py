"""Motors where the answer is known otherwise: stiff springs, no gear, rotors on the ground, arms of one and two joints."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Inertia, Joint, Link, Model, Motor, Pose, Robot, Spring
from lissom.model import JointKind
from lissom.model.names import coordinate_names, velocity_names
from lissom.robots import tree_model
from support.motors import motor_trees, smooth, with_motors
from support.states import error, random_states
from support.trees import SINGLE

seeds = st.integers(0, 1000)


def together(model):
    """Return P (nv of the elastic model, nv of the rigid one): motors that move as their joints do, which no spring notices."""
    rigid = model.with_rigid_drives()
    P = np.zeros((model.nv, rigid.nv))
    P[: rigid.nv] = np.eye(rigid.nv)
    for k, motor in enumerate(model.elastic_motors):
        leader = model.resolve_coupling(model.joint(motor.joint))
        P[rigid.nv + k, velocity_names(rigid).index(leader.joint)] = leader.ratio
    return P


@given(motor_trees({"elastic": 0.7, "rotor": ("full", "reflected")}), seeds)
@settings(max_examples=25)
def test_springs_that_do_not_stretch_leave_the_rigid_model(model, seed):
    """With theta moving as q, forces of joint and motor add up to those of the rigid drive, whatever the stiffness."""
    rigid, P = model.with_rigid_drives(), together(model)
    q, qd, qdd = random_states(rigid, seed=seed)
    angles = [_own(model, motor, q) for motor in model.elastic_motors]
    whole = np.concatenate([q, angles])
    ours, theirs = Robot(model, backend="numpy"), Robot(rigid, backend="numpy")
    assert error(P.T @ ours.inverse_dynamics(whole, P @ qd, P @ qdd), theirs.inverse_dynamics(q, qd, qdd)) < 1e-11
    assert error(P.T @ ours.mass_matrix(whole) @ P, theirs.mass_matrix(q)) < 1e-12
    assert error(ours.joint_wrenches(whole, P @ qd, P @ qdd), theirs.joint_wrenches(q, qd, qdd)) < 1e-11


def _own(model, motor, q):
    """Return the coordinate of the joint that a motor drives."""
    leader = model.resolve_coupling(model.joint(motor.joint))
    return leader.ratio * q[coordinate_names(model).index(leader.joint)] + leader.offset


def test_stiff_drives_converge_to_rigid_ones_as_one_over_the_stiffness():
    model = tree_model(3, 1.0, 1.1, seed=2, kinds=["revolute"], drives=False)
    soft = with_motors(model, 3, 1.0, 1.0, friction=False, ratios=(5.0, -8.0))
    rigid = Robot(soft.with_rigid_drives())
    start, tau = np.array([0.3, 0.4, -0.2]), np.array([4.0, -2.0, 1.0])
    exact = {"rtol": 1e-11, "atol": 1e-13, "method": "adaptive", "sample": 2e-4}
    limit, apart = rigid.simulate(start, np.zeros(3), 0.06, tau, **exact).q, []
    for K in (3e3, 3e4, 3e5):
        robot = Robot(soft.with_motors(lambda m, K=K: replace(m, spring=Spring(K))))
        q = np.concatenate([start, start])
        run = robot.simulate(q, np.zeros(6), 0.06, np.concatenate([np.zeros(3), tau]), **exact)
        apart.append(np.abs(run.q[:, :3] - limit).max())
        assert np.abs(run.q[:, 3:] - run.q[:, :3]).max() < 100 / K
    assert apart[0] < 1e-2
    for before, after in zip(apart, apart[1:], strict=False):
        assert 0.05 < after / before < 0.2


@pytest.mark.parametrize("seed", range(4))
def test_without_a_gear_the_rotor_is_part_of_its_link(seed):
    tree = tree_model(5, 1.5, seed=seed)
    model = with_motors(tree, seed, 1.0, 0.0, friction=False, ratios=(0.0,))
    parts = [Link(f"rotor of {m.name}", m.inertia) for m in model.motors]
    welds = [Joint(f"weld of {m.name}", "fixed", m.link, f"rotor of {m.name}", m.origin) for m in model.motors]
    still = Robot(tree.replace(links=(*tree.links, *parts), joints=(*tree.joints, *welds)), backend="numpy")
    state = random_states(model, seed=seed)
    for rotor in ("full", "reflected"):
        robot = Robot(model.with_motors(lambda m, rotor=rotor: replace(m, rotor=rotor)), backend="numpy")
        assert error(robot.inverse_dynamics(*state), still.inverse_dynamics(*state)) < 1e-13
        assert error(robot.joint_wrenches(*state), still.joint_wrenches(*state)) < 1e-13
        assert error(robot.momentum(*state[:2]), still.momentum(*state[:2])) < 1e-12
    # and what spin does goes with the ratio
    apart = []
    for ratio in (1e-3, 1e-6):
        robot = Robot(model.with_motors(lambda m, ratio=ratio: replace(m, ratio=ratio)), backend="numpy")
        apart.append(error(robot.inverse_dynamics(*state), still.inverse_dynamics(*state)))
    assert apart[1] < 1.01e-3 * apart[0] + 1e-14


@given(motor_trees({"places": ("base",)}, floating=False), seeds)
@settings(max_examples=20)
def test_on_the_ground_a_rotor_is_what_the_joint_feels_of_it(model, seed):
    full, reflected = (
        Robot(model.with_motors(lambda m, r=r: replace(m, rotor=r)), backend="numpy") for r in ("full", "reflected")
    )
    state = random_states(model, seed=seed)
    assert error(full.inverse_dynamics(*state), reflected.inverse_dynamics(*state)) < 1e-12
    assert error(full.mass_matrix(state[0]), reflected.mass_matrix(state[0])) < 1e-12
    assert error(full.joint_wrenches(*state), reflected.joint_wrenches(*state)) < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_on_links_that_turn_it_is_not(seed):
    tree = tree_model(4, 1.0, 1.1, seed=seed, kinds=["revolute"], drives=False)
    state = random_states(tree, seed=seed)
    forces = []
    for rotor in ("full", "reflected"):
        robot = Robot(
            with_motors(tree, seed, 1.0, 0.0, ("parent", "child"), rotor, friction=False, ratios=(20.0,)), backend="numpy"
        )
        forces.append(robot.inverse_dynamics(*state))
    assert error(forces[1], forces[0]) > 1e-3


def one_joint(place, ratio, spring=None):
    """A body that turns about z, inertia 0.3; the motor's axis is along z too, 0.2 m off."""
    links = (Link("ground"), Link("body", Inertia(2.0, (0, 0, 0), np.diag([1.0, 1.0, 0.3]))))
    rotor = Inertia(0.5, (0, 0, 0.1), np.diag([0.01, 0.01, 0.02]))
    motor = Motor("m", "turn", place, ratio, rotor, Pose(np.eye(3), (0.2, 0, 0)), spring)
    return Model("one", links, (Joint("turn", "continuous", "ground", "body", axis=(0, 0, 1)),), motors=(motor,))


@pytest.mark.parametrize("ratio", [1.0, -1.0, 7.0, -30.0])
def test_inertia_of_one_joint_in_closed_form(ratio, backend):
    on_ground = Robot(one_joint("ground", ratio), backend=backend).mass_matrix([0.4])[0, 0]
    assert on_ground == pytest.approx(0.3 + ratio**2 * 0.02, rel=1e-14)
    # carried by the body itself, the rotor turns with it as well: (1 + ratio) times as fast, and is carried round
    carried = Robot(one_joint("body", ratio), backend=backend).mass_matrix([0.4])[0, 0]
    assert carried == pytest.approx(0.3 + 0.5 * 0.2**2 + (1 + ratio) ** 2 * 0.02, rel=1e-13)
    elastic = Robot(one_joint("body", ratio, spring=Spring(10.0)), backend=backend).mass_matrix([0.4, -1.0])
    expected = [[0.3 + 0.5 * 0.2**2 + 0.02, ratio * 0.02], [ratio * 0.02, ratio**2 * 0.02]]
    assert np.allclose(elastic, expected, rtol=0, atol=1e-14 * ratio**2)


def test_a_drive_between_two_bodies_swings_at_the_frequency_of_the_textbook():
    """Rotor on the ground, spring, body: one free mode with K (1 / J + 1 / I), I of the body and J of the rotor as reflected."""
    model = one_joint("ground", 10.0, spring=Spring(50.0)).replace(gravity=(0, 0, 0))
    J, I, amplitude = 100 * 0.02, 0.3, 0.01
    w = np.sqrt(50.0 * (1 / J + 1 / I))
    run = Robot(model).simulate([amplitude, 0.0], [0.0, 0.0], 3.0)
    mean = I * amplitude / (I + J)
    expected = mean + (amplitude - mean) * np.cos(w * run.t)
    assert np.abs(run.q[:, 0] - expected).max() < 1e-9
    assert np.abs(run.q[:, 1] - (mean - mean * np.cos(w * run.t))).max() < 1e-9


def test_planar_arms_feel_a_motor_of_their_elbow_on_the_upper_arm_as_ratio_times_its_inertia():
    """All axes parallel: M_12 is greater by ratio Izz, M_22 by ratio^2 Izz; nothing of the rotor depends on q."""
    ratio, Izz = -12.0, 0.003
    body = Inertia(1.0, (0.2, 0, 0), np.diag([0.01, 0.02, 0.03]))
    joints = (
        Joint("shoulder", "continuous", "ground", "upper", axis=(0, 0, 1)),
        Joint("elbow", "continuous", "upper", "fore", Pose(np.eye(3), (0.4, 0, 0)), axis=(0, 0, 1)),
    )
    arm = Model("arm", (Link("ground"), Link("upper", body), Link("fore", body)), joints)
    rotor = Inertia(0.7, (0, 0, 0), np.diag([0.002, 0.002, Izz]))
    weight = arm.replace(motors=(Motor("m", "elbow", "upper", 0.0, rotor, Pose(np.eye(3), (0.4, 0, 0))),))
    driven = weight.with_motors(lambda m: replace(m, ratio=ratio))
    for q in random_states(arm, 3, seed=1)[0]:
        more = Robot(driven, backend="numpy").mass_matrix(q) - Robot(weight, backend="numpy").mass_matrix(q)
        assert np.allclose(more, [[0.0, ratio * Izz], [ratio * Izz, ratio**2 * Izz]], rtol=0, atol=1e-14)


@given(motor_trees({"rotor": ("full", "reflected")}, kinds=SINGLE, floating=False), seeds)
@settings(max_examples=15)
def test_locking_everything_but_one_joint_is_that_row_of_the_model(model, seed):
    """A locked joint keeps its motor's mass; a locked motor leaves its spring with the joint."""
    model = smooth(model)
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    names = list(robot.joint_names)
    k = names.index([j.name for j in model.joints if j.coupling is None and j.kind is not JointKind.FIXED][0])
    alone = robot.locked({name: q[i] for i, name in enumerate(names) if i != k})
    one, acceleration = np.eye(model.nv)[k] * qd[k], np.eye(model.nv)[k]
    expected = robot.inverse_dynamics(q, one, acceleration)[k]
    assert alone.inverse_dynamics(q[[k]], one[[k]], [1.0])[0] == pytest.approx(expected, rel=1e-10, abs=1e-10)
