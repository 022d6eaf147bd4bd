"""Locked joints: what they join moves as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom.errors import ModelError, NameLookupError
from lissom.model.lock import locked
from support.states import error, random_states
from support.trees import SINGLE, trees


@given(trees(kinds=SINGLE, floating=False), st.data())
def test_a_locked_robot_moves_as_the_whole_one_with_joints_at_rest(model, data):
    robot = lissom.Robot(model, "numpy")
    names = data.draw(st.lists(st.sampled_from(robot.joint_names), unique=True, max_size=robot.nv - 1))
    q, qd, qdd = random_states(model)
    held = [robot.joint_names.index(name) for name in names]
    qd[held] = qdd[held] = 0.0
    rest = lissom.Robot(locked(model, {name: q[k] for name, k in zip(names, held, strict=True)}), "numpy")
    free = [k for k in range(robot.nv) if k not in held]
    assert rest.joint_names == tuple(robot.joint_names[k] for k in free)
    assert error(rest.inverse_dynamics(q[free], qd[free], qdd[free]), robot.inverse_dynamics(q, qd, qdd)[free]) < 1e-11


def test_the_front_door_locks_too():
    robot = lissom.robots.puma560()
    rest = robot.locked({"joint_4": 0.3, "joint_6": -0.2})
    q = np.array([0.1, 0.2, 0.4, 0.5])
    full = np.array([0.1, 0.2, 0.4, 0.3, 0.5, -0.2])
    assert np.allclose(rest.link_pose(q, "link_6"), robot.link_pose(full, "link_6"), atol=1e-14)


def test_wrong_names_and_kinds_are_refused():
    robot = lissom.robots.puma560()
    with pytest.raises(NameLookupError, match="no joint 'joint_44'.*did you mean 'joint_4'"):
        robot.locked({"joint_44": 0.0})
    ball = lissom.Robot(lissom.robots.tree_model(n=2, kinds=["spherical"], seed=1), "numpy")
    with pytest.raises(ModelError, match="spherical; only joints of one axis"):
        ball.locked({ball.joint_names[0]: 0.0})
