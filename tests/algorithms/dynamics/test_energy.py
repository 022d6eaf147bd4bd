"""Energies: of the mass matrix, of gravity, and their balance with the power of the joint forces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom import Robot, StateError
from lissom.robots import planar_two_link_model, tree_model
from support.kinematics import Motion, energy
from support.rotors import grounded, unfolded
from support.springs import undamped
from support.states import random_states
from support.trees import trees

seeds = st.integers(0, 1000)
STEPS, WEIGHTS = np.array([-3, -2, -1, 1, 2, 3]), np.array([-1, 9, -45, 45, -9, 1]) / 60


@given(trees(every=True), seeds)
def test_kinetic_energy_is_that_of_the_mass_matrix(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    quadratic = 0.5 * np.einsum("ni,nij,nj->n", qd, robot.mass_matrix(q), qd)
    assert np.allclose(robot.kinetic_energy(q, qd), quadratic, rtol=1e-12, atol=0)


@given(trees(every=True), seeds)
def test_energies_are_the_sums_over_links(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    kinetic, potential = energy(Motion(unfolded(model), *state), 0.0)
    assert robot.kinetic_energy(*state[:2]) == pytest.approx(kinetic, rel=1e-8)
    still = grounded(model)
    if len(still) == 1 and not any(motor.link in still for motor in model.motors):
        # the sum counts brackets and rotors on the ground, lissom does not
        assert robot.potential_energy(state[0]) == pytest.approx(potential, rel=1e-11, abs=1e-10)


@given(trees(every=True), seeds)
def test_the_power_of_the_joint_forces_is_the_rate_of_the_energies(model, seed):
    model = undamped(model.without_friction())
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    motion, h = Motion(model, q, qd, qdd), 1e-3
    path, speeds = (np.array([x(k * h) for k in STEPS]) for x in (motion.q, motion.qd))
    power = WEIGHTS @ (robot.kinetic_energy(path, speeds) + robot.potential_energy(path) + robot.spring_energy(path)) / h
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert abs(tau @ qd - power) < 1e-6 * max(1.0, np.abs(tau * qd).sum())


@given(trees(every=True), seeds)
def test_gravity_forces_are_the_slope_of_the_potential_energy_and_that_of_springs(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    motion, h = Motion(model, q, qd, 0 * qd), 1e-3
    path = np.array([motion.q(k * h) for k in STEPS])
    slope = WEIGHTS @ (robot.potential_energy(path) + robot.spring_energy(path)) / h
    g = robot.gravity_torques(q)
    assert abs(g @ qd - slope) < 1e-7 * max(1.0, np.abs(g * qd).sum())


def test_energies_of_one_state_are_numbers_and_of_many_arrays(backend):
    model = tree_model(6, seed=1, floating=True)
    robot, (q, qd, _) = Robot(model, backend=backend), random_states(model, (2, 3), seed=1)
    many = robot.kinetic_energy(q, qd), robot.potential_energy(q)
    assert many[0].shape == many[1].shape == (2, 3)
    for one, all_ in zip((robot.kinetic_energy(q[1, 2], qd[1, 2]), robot.potential_energy(q[1, 2])), many, strict=True):
        assert isinstance(one, float)
        assert one == pytest.approx(all_[1, 2], rel=1e-13)
    for shape, index in (((2, 3), ...), ((), (1, 2))):
        out = np.empty(shape)
        assert robot.kinetic_energy(q[index], qd[index], out=out) is out
        assert np.allclose(out, many[0][index], rtol=1e-13)
        assert robot.potential_energy(q[index], out=out) is out
        assert np.allclose(out, many[1][index], rtol=1e-13)


def test_a_robot_at_rest_without_gravity_has_no_energy(backend):
    model = planar_two_link_model().replace(gravity=(0, 0, 0))
    robot = Robot(model, backend=backend)
    assert robot.kinetic_energy([0.3, 0.4], [0, 0]) == 0
    assert robot.potential_energy([0.3, 0.4]) == 0


def test_wrong_sizes_are_named():
    with pytest.raises(StateError, match="qd has size 3, expected nv = 2"):
        Robot(planar_two_link_model(), backend="numpy").kinetic_energy([0, 0], [0, 0, 0])
