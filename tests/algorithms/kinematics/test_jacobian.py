"""Jacobians: what they give times qd, and how that changes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lissom import Robot
from lissom.algorithms.kinematics import jacobian as tasks
from lissom.algorithms.kinematics.kinematics import AXES
from lissom.robots import tree_model
from support.kinematics import Motion
from support.states import random_states
from support.trees import trees

seeds = st.integers(0, 1000)
POINT = np.array([0.2, -0.4, 0.1])
WAYS = [{"axes": axes, "point": point} for axes in AXES for point in (None, POINT, "origin")]
ALL = tree_model(9, seed=3, floating=True, coupled=0.4, tails=0.4, fixed=0.4)


def last_link(model, seed):
    return model.links[seed % len(model.links)].name


@given(trees(), seeds)
def test_the_jacobian_times_qd_is_the_velocity(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    link = last_link(model, seed)
    for way in WAYS:
        J, V = robot.jacobian(q, link, **way), robot.link_velocity(q, qd, link, **way)
        assert J.shape == (3, 6, model.nv)
        assert np.allclose(np.einsum("nij,nj->ni", J, qd), V, rtol=0, atol=1e-12 * max(1.0, np.abs(V).max()))


@given(trees(), seeds)
def test_the_rate_product_is_the_acceleration_less_that_of_qdd(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    link = last_link(model, seed)
    for way in WAYS:
        turning = (way["axes"] == "link") + (way["point"] is not None and way["point"] is not POINT)
        A, V = robot.link_acceleration(*state, link, **way), robot.link_velocity(*state[:2], link, **way)
        A[:3] -= turning * np.cross(V[3:], V[:3])
        ours = robot.jacobian(state[0], link, **way) @ state[2] + robot.jacobian_rate_product(*state[:2], link, **way)
        assert np.allclose(ours, A, rtol=0, atol=1e-11 * max(1.0, np.abs(A).max()))


@given(trees(), seeds)
def test_the_rate_product_is_the_rate_of_the_components_at_constant_qd(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    motion, link, h = Motion(model, q, qd, 0 * qd), last_link(model, seed), 1e-3
    steps = np.array([-3, -2, -1, 1, 2, 3])
    path = np.array([motion.q(k * h) for k in steps])
    for way in WAYS:
        V = robot.link_velocity(path, qd, link, **way)
        rate = (np.array([-1, 9, -45, 45, -9, 1]) @ V) / (60 * h)
        ours = robot.jacobian_rate_product(q, qd, link, **way)
        assert np.allclose(ours, rate, rtol=0, atol=1e-8 * max(1.0, np.abs(V).max(), np.abs(rate).max()))


def test_joints_off_the_way_have_no_part(backend):
    robot = Robot(tree_model(7, branching=2, seed=1, kinds=["revolute"]), backend=backend)
    holder = {joint.child: joint for joint in robot.model.joints}
    for link in ("link_1", "link_2", "link_7"):
        J, path, above = robot.jacobian(np.full(7, 0.3), link), set(), link
        while above in holder:
            path.add(robot.joint_names.index(holder[above].name))
            above = holder[above].parent
        assert {k for k in range(7) if J[:, k].any()} == path


def test_keys_tell_tasks_apart():
    makers = (tasks.jacobian, tasks.jacobian_rate_product)
    points = ("link", "given", "origin")
    keys = {f(ALL, link, axes, point).key for f in makers for link in ("link_1", "link_2") for axes in AXES for point in points}
    assert len(keys) == 2 * 2 * 2 * 3
