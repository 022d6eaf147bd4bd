"""Force elements: what they add to torques, wrenches, derivatives, rates and energies, in every algorithm."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import BaseMotion, PointSpring, Robot
from lissom.algorithms.derivatives import tasks as derivatives
from lissom.algorithms.dynamics import energy, forward_dynamics, inverse_dynamics
from lissom.algorithms.rates import tasks as rates
from lissom.errors import ModelError, StateError
from lissom.robots import panda_model, planar_two_link_model, tree_model
from support.complex_step import directional, jacobians
from support.elements import element_energy, element_torques, length, slope, sprung_trees, with_point_springs
from support.kinematics import link_poses
from support.states import error, random_states

seeds = st.integers(0, 1000)


def bare(model):
    return model.replace(force_elements=())


@given(sprung_trees(), seeds)
@settings(max_examples=60)
def test_elements_add_their_torques_to_every_way_to_joint_torques(model, seed):
    robot, plain, (q, qd, qdd) = (
        Robot(model, backend="numpy"),
        Robot(bare(model), backend="numpy"),
        random_states(model, seed=seed),
    )
    more = element_torques(model, q, qd)
    scale = np.abs(more).max(initial=1.0)
    assert np.abs(robot.inverse_dynamics(q, qd, qdd) - plain.inverse_dynamics(q, qd, qdd) - more).max() < 1e-11 * scale
    assert np.abs(robot.bias_torques(q, qd) - plain.bias_torques(q, qd) - more).max() < 1e-11 * scale
    still = element_torques(model, q, 0 * qd)
    assert np.abs(robot.gravity_torques(q) - plain.gravity_torques(q) - still).max() < 1e-11 * scale
    assert np.array_equal(robot.mass_matrix(q), plain.mass_matrix(q))
    assert np.array_equal(robot.coriolis_matrix(q, qd), plain.coriolis_matrix(q, qd))


@given(sprung_trees(coupled=0.0), seeds)
@settings(max_examples=40)
def test_every_method_of_forward_dynamics_undoes_inverse_dynamics(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    tau, M = robot.inverse_dynamics(q, qd, qdd), robot.mass_matrix(q)
    allowed = 1e-13 * np.linalg.cond(M) + 1e-9
    methods = ["articulated_body", "mass_matrix"] + (["nasser"] if all(j.kind.nv <= 1 for j in model.joints) else [])
    for method in methods:
        assert error(robot.forward_dynamics(q, qd, tau, method=method), qdd) < allowed
    known = np.arange(model.nv) % 2 == 0
    task = forward_dynamics.hybrid_dynamics(model, tuple(known.tolist()))
    found = task.evaluate([q[None], qd[None], np.where(known, tau, qdd)[None]])[0][0]
    assert error(found, np.where(known, qdd, tau)) < allowed


@given(sprung_trees(), seeds)
@settings(max_examples=40)
def test_derivatives_of_inverse_dynamics_are_those_of_complex_steps(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    ours = robot.inverse_dynamics_derivatives(*state)
    by_steps = jacobians(model, inverse_dynamics.inverse_dynamics(model), *state)
    assert error(ours.dq, by_steps["q"]) < 1e-10 and error(ours.dqd, by_steps["qd"]) < 1e-10
    assert error(ours.dqdd, by_steps["qdd"]) < 1e-11
    packed, (rows, columns) = robot.inverse_dynamics_derivatives(*state, packed=True), robot.derivatives_entries
    for whole, entries in zip((ours.dq, ours.dqd, ours.dqdd), (packed.dq, packed.dqd, packed.dqdd), strict=True):
        spread = np.zeros_like(whole)
        spread[rows, columns] = entries
        assert np.abs(spread - whole).max(initial=0.0) < 1e-9 * np.abs(whole).max(initial=1.0)


@given(sprung_trees(coupled=0.0), seeds)
@settings(max_examples=15)
def test_derivatives_of_forward_dynamics_are_those_of_complex_steps(model, seed):
    robot, (q, qd, tau) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    ours = robot.forward_dynamics_derivatives(q, qd, tau)
    by_steps = jacobians(model, forward_dynamics.forward_dynamics(model, method="articulated_body"), q, qd, tau)
    allowed = 1e-12 * np.linalg.cond(robot.mass_matrix(q)) + 1e-10
    assert max(error(a, by_steps[name]) for a, name in ((ours.dq, "q"), (ours.dqd, "qd"), (ours.dtau, "tau"))) < allowed


@given(sprung_trees(), seeds, st.sampled_from(inverse_dynamics.WRENCH_AXES))
@settings(max_examples=40)
def test_derivatives_of_joint_wrenches_are_those_of_complex_steps(model, seed, axes):
    state = random_states(model, seed=seed)
    task = derivatives.joint_wrench_derivatives(model, axes=axes)
    n = len(Robot(model, backend="numpy").moving_joint_names)
    ours = task.evaluate([x[None] for x in state])[0].reshape(3, 6 * n, model.nv)
    by_steps = jacobians(model, inverse_dynamics.joint_wrenches(model, axes=axes), *state)
    for mine, name in zip(ours, ("q", "qd", "qdd"), strict=True):
        scale = max(np.abs(by_steps[x]).max(initial=1e-6) for x in by_steps)
        assert np.abs(mine - by_steps[name]).max(initial=0.0) < 1e-10 * scale


@given(sprung_trees(), seeds)
@settings(max_examples=30)
def test_rates_of_torques_and_wrenches_are_those_along_the_motion(model, seed):
    """Along q' = qd, qd' = qdd, qdd' = qddd, by one complex step of inverse dynamics."""
    (q, qd, qdd), qddd = random_states(model, seed=seed), random_states(model, seed=seed + 1)[1]
    along = {"q": qd, "qd": qdd, "qdd": qddd}
    arguments = [x[None] for x in (q, qd, qdd, qddd)]
    pairs = [(rates.joint_torque_rates(model), inverse_dynamics.inverse_dynamics(model))]
    for axes in inverse_dynamics.WRENCH_AXES:
        pairs.append((rates.joint_wrench_rates(model, axes=axes), inverse_dynamics.joint_wrenches(model, axes=axes)))
    for rate, of in pairs:
        expected = directional(model, of, (q, qd, qdd), along)
        assert np.abs(rate.evaluate(arguments)[0][0] - expected).max() < 1e-10 * np.abs(expected).max(initial=1.0)


@given(sprung_trees(), seeds)
@settings(max_examples=30)
def test_energy_of_elements_and_its_gradient(model, seed):
    robot, plain, (q, qd, _) = Robot(model, backend="numpy"), Robot(bare(model), backend="numpy"), random_states(model, seed=seed)
    stored = robot.spring_energy(q) - plain.spring_energy(q)
    assert stored == pytest.approx(element_energy(model, q), rel=1e-10, abs=1e-8 * max(1.0, robot.spring_energy(q)))
    gradient = robot.spring_energy_derivatives(q).dq - plain.spring_energy_derivatives(q).dq
    expected = element_torques(model, q, 0 * qd)
    assert np.abs(gradient - expected).max() < 1e-10 * np.abs(expected).max(initial=1.0)
    by_steps = jacobians(model, energy.spring_energy(model), q)["q"][0]
    whole = robot.spring_energy_derivatives(q).dq
    assert np.abs(whole - by_steps).max() < 1e-10 * np.abs(by_steps).max(initial=1.0)


@given(sprung_trees(motors=0.0, coupled=0.0), seeds)
@settings(max_examples=20)
def test_power_of_elements_is_the_rate_of_their_energy_and_losses(model, seed):
    robot, plain, (q, qd, _) = Robot(model, backend="numpy"), Robot(bare(model), backend="numpy"), random_states(model, seed=seed)
    more = robot.bias_torques(q, qd) - plain.bias_torques(q, qd)
    stored = (robot.spring_energy_derivatives(q).dq - plain.spring_energy_derivatives(q).dq) @ qd
    lost = sum(e.damping * (lengthening(model, e, q, qd)) ** 2 for e in model.force_elements)
    assert more @ qd == pytest.approx(stored + lost, rel=1e-9, abs=1e-8 * np.abs(more).max(initial=1.0))


def lengthening(model, element, q, qd):
    return slope(model, element, q) @ qd


def test_every_free_body_balances(backend):
    """Every link of a chain, cut free: what springs add to the wrenches through its joints holds against the springs."""
    model = with_point_springs(tree_model(6, branching=1.0, seed=5, kinds=["revolute", "prismatic"]), seed=2, count=4)
    robot, state = Robot(model, backend=backend), random_states(model, seed=3)
    plain = Robot(bare(model), backend=backend)
    more = robot.joint_wrenches(*state, axes="world") - plain.joint_wrenches(*state, axes="world")
    poses, joints = link_poses(model, state[0])
    names = list(robot.moving_joint_names)
    below = {joint.parent: joint.name for joint in model.joints}
    for joint in model.joints:
        force, moment = np.zeros(3), np.zeros(3)  # on the link, about the world's origin
        for sign, name in ((1, joint.name), (-1, below.get(joint.child))):
            if name is not None:
                f, m = more[names.index(name), :3], more[names.index(name), 3:]
                force, moment = force + sign * f, moment + sign * (m + np.cross(joints[name][1], f))
        for element in model.force_elements:
            (a, pa), (b, pb) = element.ends
            at_a, at_b = poses[a][1] + poses[a][0] @ np.array(pa), poses[b][1] + poses[b][0] @ np.array(pb)
            L, J = length(model, element, state[0]), lengthening(model, element, state[0], state[1])
            pull = (element.stiffness * (L - element.rest) + element.damping * J) * (at_b - at_a) / L
            for link, at, f in ((a, at_a, pull), (b, at_b, -pull)):
                if link == joint.child:
                    force, moment = force + f, moment + np.cross(at, f)
        assert np.abs(force).max() < 1e-9 * np.abs(more).max() and np.abs(moment).max() < 1e-9 * np.abs(more).max()


@pytest.mark.slow
def test_backends_agree():
    model = with_point_springs(tree_model(6, branching=1.6, seed=8, floating=True), seed=1, count=4)
    (q, qd, qdd), compiled, plain = random_states(model, 30, seed=4), Robot(model), Robot(model, backend="numpy")
    tau = plain.inverse_dynamics(q, qd, qdd)
    assert error(compiled.inverse_dynamics(q, qd, qdd), tau) < 1e-12
    assert error(compiled.inverse_dynamics(q[0], qd[0], qdd[0]), tau[0]) < 1e-12
    assert error(compiled.forward_dynamics(q, qd, tau), qdd) < 1e-8
    assert error(compiled.joint_wrenches(q, qd, qdd), plain.joint_wrenches(q, qd, qdd)) < 1e-12
    assert error(compiled.torque_rates(q, qd, qdd, qdd), plain.torque_rates(q, qd, qdd, qdd)) < 1e-11
    ours, theirs = (robot.inverse_dynamics_derivatives(q, qd, qdd) for robot in (compiled, plain))
    assert error(ours.dq, theirs.dq) < 1e-11 and error(ours.dqd, theirs.dqd) < 1e-11


def test_the_motion_of_the_base_does_not_change_an_element():
    model = with_point_springs(tree_model(4, seed=2, kinds=["revolute"]), seed=5)
    robot, plain, (q, qd, qdd) = Robot(model, backend="numpy"), Robot(bare(model), backend="numpy"), random_states(model, seed=6)
    moving = BaseMotion(angular_velocity=(0.3, -0.2, 0.5), acceleration=(1.0, 2.0, -1.0), angular_acceleration=(0.1, 0.4, -0.2))
    more = robot.inverse_dynamics(q, qd, qdd, base_motion=moving) - plain.inverse_dynamics(q, qd, qdd, base_motion=moving)
    assert error(more, element_torques(model, q, qd)) < 1e-11


@pytest.mark.slow
def test_robots_without_elements_have_the_programs_that_they_had():
    model = panda_model()
    spring = PointSpring("s", model.links[0].name, (0, 0, 0), model.links[-1].name, (0, 0, 0.1), 9.0)
    far = model.replace(force_elements=(spring,))
    for name in ("inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives", "torque_rates"):
        assert Robot(bare(far)).operation_count(name) == Robot(model).operation_count(name)
    assert bare(far).fingerprint == model.fingerprint != far.fingerprint


def test_a_spring_between_neighbors_costs_little():
    """It is seen from the link that carries both: one joint, whatever the robot."""
    model = panda_model()
    links = [joint.child for joint in model.joints if joint.kind.nv]
    spring = PointSpring("s", links[4], (0.1, 0, 0), links[5], (0, 0.1, 0.05), 100.0, 0.1, 1.0)
    before, after = (Robot(m).operation_count("inverse_dynamics") for m in (model, model.replace(force_elements=(spring,))))
    assert after.multiplications - before.multiplications <= 24 and after.additions - before.additions <= 24


def hung(**numbers):
    """A two-link arm with a spring whose points meet at q = 0."""
    model = planar_two_link_model()
    names = [link.name for link in model.links]
    robot = Robot(model, backend="numpy")
    at = robot.link_pose(np.zeros(2), names[-1])[:3, 3]
    spring = PointSpring("tether", names[0], at, names[-1], (0.0, 0.0, 0.0), **{"stiffness": 30.0, **numbers})
    return model.replace(force_elements=(spring,))


@pytest.mark.parametrize("numbers", [{"rest": 0.2}, {"damping": 2.0}], ids=["rest", "damping"])
def test_a_spring_of_no_length_is_refused_by_name(numbers, backend):
    robot, zero = Robot(hung(**numbers), backend=backend), np.zeros(2)
    with pytest.raises(StateError, match="force element 'tether': its points on links .* coincide"):
        robot.inverse_dynamics(zero, zero + 1.0, zero)
    assert np.isfinite(robot.inverse_dynamics(zero + 1e-3, zero, zero)).all()


def test_a_spring_without_rest_length_and_damping_may_have_no_length(backend):
    robot, zero = Robot(hung(), backend=backend), np.zeros(2)
    plain = Robot(bare(robot.model), backend=backend)
    assert error(robot.gravity_torques(zero), plain.gravity_torques(zero)) < 1e-13
    by_q = robot.inverse_dynamics_derivatives(zero, zero, zero).dq - plain.inverse_dynamics_derivatives(zero, zero, zero).dq
    J = robot.jacobian(zero, robot.model.links[-1].name)[:3]
    assert error(by_q, 30.0 * J.T @ J) < 1e-12


def test_an_element_within_one_body_does_nothing():
    model = tree_model(3, seed=1, fixed=1.0, kinds=["revolute"])
    weld = next(j for j in model.joints if j.kind.nv == 0)
    model = model.replace(force_elements=(PointSpring("s", weld.parent, (0.1, 0, 0), weld.child, (0, 0.2, 0), 50.0, 0.1, 1.0),))
    state = random_states(model, seed=2)
    assert np.array_equal(Robot(model).inverse_dynamics(*state), Robot(bare(model)).inverse_dynamics(*state))
    assert Robot(model).spring_energy(state[0]) == pytest.approx(element_energy(model, state[0]), rel=1e-12)


def test_what_does_not_support_elements_refuses_them_by_name():
    model = with_point_springs(tree_model(3, seed=1, kinds=["revolute"]), count=1)
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=2)
    for call in (
        lambda: robot.inverse_dynamics_regressor(*state),
        lambda: robot.base_parameters(),
        lambda: robot.inertial_parameters(),
        lambda: robot.inverse_dynamics_geometry_derivatives(*state),
    ):
        with pytest.raises(ModelError, match="force elements are not supported, and model 'tree_3_1.5_1' has 'spring_0'"):
            call()
    links = Robot(bare(model), backend="numpy")
    assert np.array_equal(
        robot.inverse_dynamics_regressor(*state, drives=False), links.inverse_dynamics_regressor(*state, drives=False)
    )
