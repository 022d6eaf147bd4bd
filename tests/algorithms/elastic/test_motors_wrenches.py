"""Wrenches through joints, with motors anywhere, are what passes from parent to child: beside free bodies and multipliers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Robot
from lissom.robots import tree_model
from support.kinematics import link_poses
from support.maximal import Maximal
from support.motors import single_axis_trees, with_motors
from support.states import error, random_states

seeds = st.integers(0, 1000)


def compare(model, seed):
    """Return how far wrenches and accelerations are from those of free bodies, and the reference's wrenches."""
    robot, (q, qd, tau) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    reference = Maximal(model, q, qd)
    passed = reference.solve(20 * tau)
    qdd = robot.forward_dynamics(q, qd, 20 * tau)
    rates = reference.rates()
    theirs = np.array([rates[name] for name in robot.joint_names])
    ours = robot.joint_wrenches(q, qd, qdd, axes="world")
    wrenches = np.array([np.concatenate(passed[name]) for name in robot.moving_joint_names])
    return error(ours, wrenches), error(qdd, theirs), wrenches


@given(single_axis_trees({"ratios": (1.0, -3.0, 8.0, -20.0)}, fixed=0.0, drives=False), seeds)
@settings(max_examples=25)
def test_joint_wrenches_are_those_between_free_bodies(model, seed):
    wrenches, accelerations, _ = compare(model, seed)
    assert wrenches < 1e-9
    assert accelerations < 1e-9


@given(single_axis_trees({"ratios": (1.0, -3.0, 8.0, -20.0)}, fixed=0.0, drives=False), seeds)
@settings(max_examples=15)
def test_wrenches_on_rotors_are_those_of_free_bodies(model, seed):
    """Bearings, gear, spring and coils together, on a rotor that is a body by itself."""
    robot, (q, qd, tau) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    passed = Maximal(model, q, qd).solve(20 * tau)
    ours = robot.motor_wrenches(q, qd, robot.forward_dynamics(q, qd, 20 * tau))
    poses = link_poses(model, q)[0]
    for found, motor in zip(ours, model.motors, strict=True):
        R = poses[motor.link][0] @ motor.origin.R
        assert error(found, np.concatenate([R.T @ part for part in passed[motor.name]])) < 1e-9


@pytest.mark.parametrize("elastic", [0.0, 1.0], ids=["rigid", "elastic"])
@pytest.mark.parametrize("place", ["base", "remote"])
def test_remote_motors_leave_joint_wrenches_physical(place, elastic):
    model = tree_model(5, 1.0, 1.2, seed=4, kinds=["revolute"], drives=False)
    model = with_motors(model, 5, 1.0, elastic, (place,), friction=False, ratios=(10.0, -6.0))
    ours, _, _ = compare(model, 1)
    assert ours < 1e-11


def test_wrenches_by_reflected_rotors_are_other_than_the_physical_ones():
    model = tree_model(4, 1.0, 1.2, seed=4, kinds=["revolute"], drives=False)
    full, reflected = (with_motors(model, 5, 1.0, 0.0, ("remote",), rotor, ratios=(100.0,)) for rotor in ("full", "reflected"))
    q, qd, tau = random_states(full, seed=1)
    found = []
    for each in (full, reflected):
        robot = Robot(each, backend="numpy")
        found.append(robot.joint_wrenches(q, qd, robot.forward_dynamics(q, qd, 20 * tau)))
    assert error(found[1][:, 3:], found[0][:, 3:]) > 0.01
