"""Torques from outside: generalized momentum, its bias, the observer, and the wrench that torques show."""

import numpy as np
import pytest

from lissom import ModelError, Robot, StateError, Wrench
from lissom.robots import hua_arm_model, panda_model, puma560_model, tree_model
from support.states import error, random_states

MODELS = {
    "puma": puma560_model(),
    "tree": tree_model(4, seed=4, kinds=["revolute", "spherical", "prismatic"], drives=True),
    "floating": tree_model(3, seed=3, floating=True, drives=True),
    "elastic": hua_arm_model(),
    "custom": tree_model(4, seed=6, kinds=["helical", "universal", "custom", "planar"], drives=True),
}


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", MODELS)
def test_generalized_momentum_is_mass_matrix_times_velocity(name, backend):
    robot = Robot(MODELS[name], backend=backend)
    q, qd, _ = random_states(robot.model, (3,), seed=2)
    expected = (robot.mass_matrix(q) @ qd[..., None])[..., 0]
    assert error(robot.generalized_momentum(q, qd), expected) < 1e-12


@pytest.mark.parametrize("name", MODELS)
def test_momentum_bias_is_the_bias_less_the_rate_of_the_mass_matrix(name):
    robot = Robot(MODELS[name], backend="numpy")
    q, qd, _ = random_states(robot.model, (3,), seed=2)
    C = robot.coriolis_matrix(q, qd)
    expected = robot.bias_torques(q, qd) - ((C + np.swapaxes(C, 1, 2)) @ qd[..., None])[..., 0]
    assert error(robot.momentum_bias(q, qd), expected) < 1e-12


def test_momentum_changes_by_torques_less_its_bias():
    robot = Robot(MODELS["tree"], backend="numpy")
    q, qd, qdd = random_states(robot.model, (), seed=5)
    link = robot.link_names[-1]
    load = {link: Wrench((3.0, -1.0, 2.0), (0.1, 0.2, -0.3), axes="link")}
    tau = robot.inverse_dynamics(q, qd, qdd, external=load)
    # along the motion: the momentum's own derivatives, by another algorithm
    rate = robot.jvp("generalized_momentum", (q, qd), (qd, qdd))
    assert error(rate, tau - robot.momentum_bias(q, qd, external=load)) < 1e-10


@pytest.mark.sweep(5)
@pytest.mark.parametrize("axes", ["world", "link"])
@pytest.mark.parametrize("point", [None, (0.1, -0.2, 0.3), "origin"])
def test_a_wrench_is_found_from_the_torques_that_it_makes(axes, point, backend):
    robot = Robot(panda_model(), backend=backend)
    q = np.random.default_rng(3).uniform(-1.0, 1.0, (4, 7))
    w = np.random.default_rng(4).normal(size=(4, 6))
    tau = (np.swapaxes(robot.jacobian(q, "link_7", axes=axes, point=point), 1, 2) @ w[..., None])[..., 0]
    assert error(robot.felt_wrench(q, tau, "link_7", axes=axes, point=point), w) < 1e-9


def test_with_few_joints_the_wrench_explains_the_torques_and_is_the_smallest():
    robot = Robot(puma560_model(), backend="numpy")
    q, tau = np.array([0.3, -0.4, 0.8, 0.2, 0.5, 0.1]), np.array([1.0, 2.0, -3.0, 0.0, 0.0, 0.0])
    J = robot.jacobian(q, "link_3")
    w = robot.felt_wrench(q, tau, "link_3")
    assert error(J.T @ w, tau) < 1e-12
    length = 0.672 + 0.4318 + 0.15005 + 0.0203  # d and a from the base to link 3 [m]
    scale = np.array([1.0] * 3 + [length] * 3)
    assert error(w, scale * (np.linalg.pinv(J.T * scale) @ tau)) < 1e-12


def test_where_the_jacobian_loses_rank_the_wrench_is_refused():
    robot = Robot(puma560_model(), backend="numpy")
    with pytest.raises(StateError, match="link 'link_6' loses rank at this configuration"):
        robot.felt_wrench(np.zeros(6), np.ones(6), "link_6")  # axes 4 and 6 in line


def test_the_residual_follows_a_torque_from_outside_with_its_time_constant():
    robot = Robot(tree_model(3, seed=4, kinds=["revolute"], drives=True).without_friction(), backend="numpy")
    gain, outside = 20.0, np.array([0.7, -0.4, 0.2])
    q, qd, _ = random_states(robot.model, (), seed=1)
    p = robot.generalized_momentum(q, qd)
    integral = p - outside / gain * 0.3  # the residual is 0.3 of the torque
    tau = robot.gravity_torques(q)
    residual, rate = robot.momentum_observer(q, qd, tau, integral, gain)
    assert error(residual, 0.3 * outside) < 1e-12
    # dp/dt with the torque from outside acting, by forward dynamics
    qdd = robot.forward_dynamics(q, qd, tau + outside)
    momentum_rate = robot.jvp("generalized_momentum", (q, qd), (qd, qdd))
    assert error(gain * (momentum_rate - rate), gain * (outside - residual)) < 1e-9


@pytest.mark.parametrize("gain", [0.0, -1.0, np.inf, "fast"])
def test_gains_must_be_positive_numbers(gain):
    robot = Robot(panda_model(), backend="numpy")
    with pytest.raises((StateError, ModelError), match="gain must be positive numbers"):
        robot.momentum_observer(np.zeros(7), np.zeros(7), np.zeros(7), np.zeros(7), gain)
