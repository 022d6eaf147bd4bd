"""Jacobians: what they give times qd, and how that changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom import Robot
from lissom.algorithms.kinematics import jacobian as tasks
from lissom.algorithms.kinematics.kinematics import FRAMES
from lissom.robots import tree_model
from support.kinematics import Motion
from support.states import random_states
from support.trees import trees

seeds = st.integers(0, 1000)
ALL = tree_model(9, seed=3, floating=True, coupled=0.4, tails=0.4, fixed=0.4)


def last_link(model, seed):
    return model.links[seed % len(model.links)].name


@given(trees(), seeds)
def test_the_jacobian_times_qd_is_the_velocity(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    link, point = last_link(model, seed), np.array([0.2, -0.4, 0.1])
    for frame in FRAMES:
        for more in ({}, {"point": point}) if frame != "world" else ({},):
            J, V = robot.jacobian(q, link, frame, **more), robot.link_velocity(q, qd, link, frame, **more)
            assert J.shape == (3, 6, model.nv)
            assert np.allclose(np.einsum("nij,nj->ni", J, qd), V, rtol=0, atol=1e-12 * max(1.0, np.abs(V).max()))


@given(trees(), seeds)
def test_the_rate_product_is_the_acceleration_less_that_of_qdd(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    link, point = last_link(model, seed), np.array([0.2, -0.4, 0.1])
    for frame in FRAMES:
        for more in ({}, {"point": point}) if frame != "world" else ({},):
            A = robot.link_acceleration(*state, link, frame, classical=frame == "world_aligned", **more)
            ours = robot.jacobian(state[0], link, frame, **more) @ state[2]
            ours = ours + robot.jacobian_rate_product(*state[:2], link, frame, **more)
            assert np.allclose(ours, A, rtol=0, atol=1e-11 * max(1.0, np.abs(A).max()))


@given(trees(), seeds)
def test_the_rate_product_is_the_rate_of_the_components_at_constant_qd(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    motion, link, h = Motion(model, q, qd, 0 * qd), last_link(model, seed), 1e-3
    steps = np.array([-3, -2, -1, 1, 2, 3])
    path = np.array([motion.q(k * h) for k in steps])
    for frame in FRAMES:
        V = robot.link_velocity(path, qd, link, frame)
        rate = (np.array([-1, 9, -45, 45, -9, 1]) @ V) / (60 * h)
        ours = robot.jacobian_rate_product(q, qd, link, frame)
        assert np.allclose(ours, rate, rtol=0, atol=1e-8 * max(1.0, np.abs(V).max(), np.abs(rate).max()))


def test_joints_off_the_way_have_no_part(backend):
    robot = Robot(tree_model(7, branching=2, seed=1, kinds=["revolute"]), backend)
    holder = {joint.child: joint for joint in robot.model.joints}
    for link in ("link_1", "link_2", "link_7"):
        J, path, above = robot.jacobian(np.full(7, 0.3), link), set(), link
        while above in holder:
            path.add(robot.joint_names.index(holder[above].name))
            above = holder[above].parent
        assert {k for k in range(7) if J[:, k].any()} == path


@pytest.mark.parametrize("frame", FRAMES)
def test_keys_tell_tasks_apart(frame):
    keys = {tasks.jacobian(ALL, "link_1", frame, point).key for point in (False, True)}
    keys |= {tasks.jacobian_rate_product(ALL, "link_1", frame, point).key for point in (False, True)}
    keys |= {tasks.jacobian(ALL, "link_2", frame).key}
    keys |= {tasks.jacobian(ALL, "link_1", other).key for other in FRAMES if other != frame}
    assert len(keys) == 7
