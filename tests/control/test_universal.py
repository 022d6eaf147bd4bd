"""Universal joints, whose two angles add up, in timing and control: the same as chains of two revolute joints."""

import numpy as np
import pytest

from lissom import Robot, StateError
from lissom.control import ComputedTorque, PDGravity
from lissom.control.read import parse
from lissom.robots import tree_model
from lissom.timing import time_optimal
from lissom.write.chains import with_chains

MODEL = tree_model(3, branching=1.0, seed=2, kinds=["universal", "revolute"], drives=False)


@pytest.fixture(scope="module")
def pair():
    """A robot with universal joints, and the same as a chain of revolute ones."""
    robot, chain = Robot(MODEL), Robot(with_chains(MODEL))
    assert len(robot.joint_names) < robot.nv == robot.nq == len(chain.joint_names)
    return robot, chain


def test_a_path_takes_as_long_as_that_of_the_chain(pair):
    path = np.random.default_rng(1).uniform(-1, 1, (3, pair[0].nv))
    limits = {"torque": 300.0, "velocity": 2.0, "points": 101}
    ours, theirs = (time_optimal(robot, path, **limits) for robot in pair)
    assert ours.duration == pytest.approx(theirs.duration, rel=1e-9)
    t = np.linspace(0.0, ours.duration, 20)
    assert np.allclose(ours.torques(t), theirs.torques(t), rtol=0, atol=1e-6)


def test_angles_that_look_like_degrees_are_named_by_their_coordinate(pair):
    path = np.zeros((3, pair[0].nv))
    path[1, 1], path[2, 0] = 60.0, 0.1
    name = pair[0].velocity_names[1]
    assert name == "joint_1_2"
    with pytest.raises(StateError, match=f"waypoints turn joint {name!r} to .* which looks like degrees"):
        time_optimal(pair[0], path, torque=300.0)


def test_controllers_give_the_torques_of_the_chain(pair):
    rng = np.random.default_rng(3)
    target, q, qd = rng.normal(size=(3, pair[0].nv))
    gains = rng.uniform(5.0, 50.0, pair[0].nv)
    for make in (lambda robot: ComputedTorque(robot, target, gains), lambda robot: PDGravity(robot, target, gains, 0.2 * gains)):
        ours, theirs = (make(robot) for robot in pair)
        assert np.allclose(ours.torque(0.0, q, qd), theirs.torque(0.0, q, qd), rtol=1e-10, atol=1e-10)
        assert ours.lyapunov(0.0, q, qd) == pytest.approx(theirs.lyapunov(0.0, q, qd), rel=1e-9)
    with pytest.raises(StateError, match="kp has shape .*joint_1_1, joint_1_2"):
        ComputedTorque(pair[0], target, np.ones(3))


def test_computed_torque_brings_the_error_to_zero_as_said(pair):
    """e'' + 2 w e' + w^2 e = 0 from rest: e = e0 (1 + w t) exp(-w t), in both angles of the joint."""
    robot, start, w = pair[0], np.array([0.3, -0.4, 0.2, 0.5]), 4.0
    way = robot.simulate(start, np.zeros(4), 0.5, ComputedTorque(robot, np.zeros(4), w**2), sample=0.1, rtol=1e-10)
    assert np.allclose(way.q, start * ((1 + w * way.t) * np.exp(-w * way.t))[:, None], rtol=0, atol=1e-8)


def test_scenarios_take_gains_by_angle(pair):
    text = """lissom: 1
kind: scenario
start: {q: [0.1, 0.2, 0.3, 0.4]}
reference: {hold: [0, 0, 0, 0]}
controller: {computed_torque: {kp: [1, 2, 3, 4]}}
duration: 0.1
"""
    found = parse(text, robot=pair[0])
    assert np.array_equal(found.controller.kp, [1, 2, 3, 4])
