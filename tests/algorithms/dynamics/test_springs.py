"""Springs of joints: what they add to forces, derivatives, rates, energies and parameters, and that they cost what they need.

Random trees of the other tests have springs too: complex steps, Pinocchio, power and every method of forward dynamics hold there.
"""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Robot, Spring
from lissom.algorithms.dynamics import energy, forward_dynamics, inverse_dynamics
from lissom.robots import planar_two_link_model, tree_model
from support.complex_step import jacobians
from support.springs import spring_energy, spring_forces, stiffness_and_damping
from support.states import error, random_states
from support.trees import trees

seeds = st.integers(0, 1000)


def rigid(model):
    return model.with_joints(lambda joint: dataclasses.replace(joint, spring=None))


@given(trees(springs=1.0, motors=0.0), seeds)
@settings(max_examples=30)
def test_springs_add_their_forces_to_every_way_to_joint_forces(model, seed):
    soft, hard, (q, qd, qdd) = (
        Robot(model, backend="numpy"),
        Robot(rigid(model), backend="numpy"),
        random_states(model, seed=seed),
    )
    more = spring_forces(model, q, qd)
    assert error(soft.inverse_dynamics(q, qd, qdd), hard.inverse_dynamics(q, qd, qdd) + more) < 1e-12
    assert error(soft.bias_torques(q, qd), hard.bias_torques(q, qd) + more) < 1e-12
    assert error(soft.gravity_torques(q), hard.gravity_torques(q) + spring_forces(model, q, 0 * qd)) < 1e-12
    assert np.array_equal(soft.mass_matrix(q), hard.mass_matrix(q))
    assert np.array_equal(soft.joint_wrenches(q, qd, qdd), hard.joint_wrenches(q, qd, qdd))


@given(trees(springs=1.0, motors=0.0), seeds)
@settings(max_examples=20)
def test_derivatives_have_stiffness_and_damping_on_their_diagonals(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    ours, bare = (
        robot.inverse_dynamics_derivatives(*state),
        Robot(rigid(model), backend="numpy").inverse_dynamics_derivatives(*state),
    )
    K, D = stiffness_and_damping(model)
    assert error(ours.dq - bare.dq, np.diag(K)) < 1e-9
    assert error(ours.dqd - bare.dqd, np.diag(D)) < 1e-9
    by_steps = jacobians(model, inverse_dynamics.inverse_dynamics(model), *state)
    assert error(ours.dq, by_steps["q"]) < 1e-11 and error(ours.dqd, by_steps["qd"]) < 1e-11


@given(trees(springs=1.0), seeds)
@settings(max_examples=20)
def test_energy_in_springs_and_its_gradient(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    assert robot.spring_energy(q) == pytest.approx(spring_energy(model, q), rel=1e-12, abs=1e-12)
    gradient = robot.spring_energy_derivatives(q).dq
    assert np.abs(gradient - spring_forces(model, q, 0 * qd)).max(initial=0.0) < 1e-11 * max(1.0, np.abs(gradient).max())
    by_steps = jacobians(model, energy.spring_energy(model), q)["q"]
    assert np.abs(gradient - by_steps[0]).max(initial=0.0) < 1e-11 * max(1.0, np.abs(gradient).max())


@given(trees(springs=1.0, coupled=0.0), seeds)
@settings(max_examples=10)
def test_accelerations_change_with_springs_as_complex_steps_say(model, seed):
    robot, (q, qd, tau) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    ours = robot.forward_dynamics_derivatives(q, qd, tau)
    by_steps = jacobians(model, forward_dynamics.forward_dynamics(model, method="articulated_body"), q, qd, tau)
    allowed = 1e-13 * np.linalg.cond(robot.mass_matrix(q)) + 1e-11
    assert max(error(a, by_steps[name]) for a, name in ((ours.dq, "q"), (ours.dqd, "qd"), (ours.dtau, "tau"))) < allowed


def test_stiffness_preload_and_damping_are_parameters(backend):
    model = planar_two_link_model()
    spring = Spring(40.0, 0.25, 0.8)
    model = model.with_joints(lambda joint: dataclasses.replace(joint, spring=spring) if joint.name == "elbow" else joint)
    robot, state = Robot(model, backend=backend), random_states(model, 5, seed=1)
    names, pi = robot.inertial_parameter_names, robot.inertial_parameters()
    assert names[-4:] == ("elbow.coulomb", "elbow.stiffness", "elbow.preload", "elbow.damping")
    assert pi[-4:].tolist() == [0.0, 40.0, 10.0, 0.8]
    assert error(robot.inverse_dynamics_regressor(*state) @ pi, robot.inverse_dynamics(*state)) < 1e-13
    found = robot.base_parameters()
    Y = robot.inverse_dynamics_regressor(*state)[..., found.columns]
    assert error(Y @ found.values, robot.inverse_dynamics(*state)) < 1e-11
    assert {names[k] for k in found.columns} >= {"elbow.stiffness", "elbow.preload"}


def test_energy_in_springs_of_a_robot_without_any_is_zero(backend):
    robot = Robot(tree_model(3, seed=1), backend=backend)
    q = random_states(robot.model, 7, seed=1)[0]
    assert robot.spring_energy(q).tolist() == [0.0] * 7 and robot.spring_energy(q[0]) == 0.0


def test_a_spring_costs_two_products_and_three_sums_at_most():
    model = tree_model(5, seed=3, kinds=["revolute"], drives=False)
    soft = Robot(tree_model(5, seed=3, kinds=["revolute"], drives=False, springs=1.0))
    for name in ("inverse_dynamics", "forward_dynamics"):
        before, after = Robot(model).operation_count(name), soft.operation_count(name)
        assert after.multiplications - before.multiplications <= 2 * 5
        assert after.additions - before.additions <= 3 * 5
        assert after.trigonometric == before.trigonometric


def test_trees_are_the_same_but_for_their_springs():
    plain, sprung = (tree_model(9, seed=4, coupled=0.3, springs=share) for share in (0.0, 1.0))
    assert rigid(sprung) == plain == tree_model(9, seed=4, coupled=0.3)
    assert all((j.spring is not None) == (j.kind.nv == 1) for j in sprung.joints)
