"""Computed torque: errors of rigid robots obey e'' + kd e' + kp e = 0."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Robot, StateError, Wrench
from lissom.control import ComputedTorque, Sine
from lissom.robots import hua_arm, planar_two_link, puma560, tree_model
from lissom.spline import SplinePath
from support.control import along, bound, differences, linear, rate_along
from support.motors import single_axis_trees
from support.states import error, random_states

seeds = st.integers(0, 1000)


@given(single_axis_trees({"elastic": 0.0}), seeds, st.booleans())
@settings(max_examples=15)
def test_accelerations_are_those_of_the_linear_law(model, seed, loaded):
    robot, n = Robot(model, backend="numpy"), model.nv
    rng = np.random.default_rng(seed)
    external = {model.links[-1].name: Wrench(rng.normal(size=3), axes="world")} if loaded else None
    reference = Sine(rng.uniform(-1, 1, n), rng.uniform(0.5, 2, n), rng.uniform(-3, 3, n))
    kp, kd = rng.uniform(5, 50, n), rng.uniform(2, 9, n)
    control = ComputedTorque(robot, reference, kp, kd, external=external)
    q, qd, _ = random_states(model, 3, seed=seed)
    found = robot.forward_dynamics(q, qd, control.torque(0.4, q, qd), external=external)
    q_d, qd_d, qdd_d = reference.derivatives(0.4, 2)
    spoils = 1e-13 * np.linalg.cond(robot.mass_matrix(q)).max()
    assert error(found, qdd_d + kd * (qd_d - qd) + kp * (q_d - q)) < 1e-10 + spoils
    V, rate = control.lyapunov(0.4, q, qd), control.lyapunov_rate(0.4, q, qd)
    assert (rate <= -control.decay * V * (1 - 1e-12)).all()


def test_errors_follow_their_linear_law():
    robot = puma560()
    reference = Sine(0.5, 2.0, np.arange(6.0))
    kp, kd = np.linspace(50, 150, 6), np.linspace(10, 40, 6)
    control = ComputedTorque(robot, reference, kp, kd)
    e0 = np.linspace(-0.3, 0.3, 6)
    start = reference.derivatives(0.0, 1)
    way = robot.simulate(start[0] - e0, start[1], 0.5, control, sample=5e-3, rtol=1e-11, atol=1e-13)
    e = along(way, lambda t, q, qd: reference.derivatives(t, 1) - [q, qd])
    for k in range(6):
        x = linear(np.array([[0.0, 1.0], [-kp[k], -kd[k]]]), [e0[k], 0.0], way.t)
        assert np.abs(x - e[:, :, k]).max() < 1e-8
    V, fall = along(way, control.lyapunov), along(way, control.lyapunov_rate)
    assert np.abs(differences(V, way.t[1]) - fall[4:-4]).max() < 1e-6 * np.abs(fall).max()
    assert (V / bound(V[0], control.decay, way.t)).max() < 1 + 1e-9


def test_without_kd_nothing_overshoots():
    control = ComputedTorque(planar_two_link(), [0.3, 0.4], 25.0)
    assert np.array_equal(control.kd, [10.0, 10.0])
    way = control.robot.simulate([0.0, 0.0], [0.0, 0.0], 1.0, control, sample=0.01)
    # the double root: e = e0 (1 + w t) exp(-w t)
    assert np.allclose([0.3, 0.4] - way.q, np.outer((1 + 5 * way.t) * np.exp(-5 * way.t), [0.3, 0.4]), rtol=0, atol=1e-10)


def test_friction_and_rotors_of_rigid_drives_are_known():
    with pytest.warns(UserWarning, match="triangle inequality"):
        robot = Robot(hua_arm().model.with_rigid_drives())
    control = ComputedTorque(robot, Sine(0.5, 0.5 * np.pi, n=3), 100.0)
    q, qd = np.random.default_rng(1).normal(size=(2, 4, 3))
    assert error(control.lyapunov_rate(0.2, q, qd), rate_along(control, control.lyapunov, 0.2, q, qd)) < 1e-9


def test_a_spline_may_be_cubic():
    robot = planar_two_link()
    path = SplinePath.between([0.0, 0.0], [1.0, -0.5], 1.0, count=8)
    control = ComputedTorque(robot, path, 100.0)
    way = robot.simulate([0.0, 0.0], [0.0, 0.0], 1.2, control, sample=0.1, rtol=1e-9, atol=1e-11)
    assert np.abs(way.q - path.at(np.minimum(way.t, 1.0))).max() < 1e-5
    flat = SplinePath(np.zeros((4, 2)), 1.0, degree=2)
    with pytest.raises(StateError, match="derivative number 2 of a path of degree 2 jumps; take degree 3 or more"):
        ComputedTorque(robot, flat, 100.0)


def test_many_robots_at_once():
    robot, rng = planar_two_link(), np.random.default_rng(1)
    amplitude = rng.normal(size=(1024, 2))
    control = ComputedTorque(robot, Sine(amplitude, 1.0), 30.0)
    q, qd = rng.normal(size=(2, 1024, 2))
    tau = control.torque(0.3, q, qd)
    assert tau.shape == (1024, 2) and control.lyapunov(0.3, q, qd).shape == (1024,)
    for k in (0, 1023):
        alone = ComputedTorque(robot, Sine(amplitude[k], 1.0), 30.0)
        assert np.allclose(alone.torque(0.3, q[k], qd[k]), tau[k], rtol=1e-12, atol=1e-12)


def test_robots_that_it_cannot_control_are_named():
    with pytest.raises(StateError, match="'hua_arm' has elastic drives: use control.MixedControl or control.ElasticFeedback"):
        ComputedTorque(hua_arm(), np.zeros(3), 10.0)
    model = tree_model(2, 1.0, seed=1, kinds=["revolute"], floating=True)
    with pytest.raises(StateError, match="joint 'free' is floating: .* by three prismatic and three revolute joints"):
        ComputedTorque(Robot(model), np.zeros(8), 10.0)
    # springs at joints are no elastic drives
    sprung = tree_model(2, 1.0, seed=1, kinds=["revolute"], springs=1.0)
    sprung = sprung.with_joints(lambda j: replace(j, friction=type(j.friction)()))
    control = ComputedTorque(Robot(sprung), [0.1, 0.2], 10.0)
    assert np.allclose(control.torque(0.0, [0.1, 0.2], [0.0, 0.0]), control.robot.gravity_torques([0.1, 0.2]))
