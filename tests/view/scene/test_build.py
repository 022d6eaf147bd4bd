"""A drawn pose is right: bodies of the encoded scene stand where `link_pose` says, for every kind of robot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom.errors import StateError
from lissom.robots.tree import KINDS, tree_model
from lissom.view.scene.build import motion_scene, robot_scene
from support.scenes import matrices, read_back


def as_drawn(robot, q, poses):
    """Check the bodies of the links in the data of a motion (K, nq) beside poses by name."""
    data = read_back(motion_scene(robot, np.arange(len(q), dtype=float), q))
    assert data["bodies"][: len(robot.link_names) + 1] == ["world", *robot.link_names]
    drawn = matrices(data["poses"])
    np.testing.assert_array_equal(drawn[:, 0], np.broadcast_to(np.eye(4), drawn[:, 0].shape))
    for k, link in enumerate(robot.link_names, 1):
        expected = poses(link)
        size = 1.0 + np.abs(expected[:, :3, 3]).max()
        np.testing.assert_allclose(drawn[:, k], expected, atol=2e-6 * size, rtol=0)


@given(st.integers(0, 10_000))
def test_links_of_random_trees_are_drawn_at_their_poses(seed):
    model = tree_model(5, seed=seed, kinds=KINDS, floating=bool(seed % 2), fixed=0.3, tails=0.5, motors=0.3)
    robot = lissom.Robot(model, backend="numpy")
    q = robot.random_configuration(seed, size=4)
    as_drawn(robot, q, lambda link: robot.link_pose(q, link))


@pytest.mark.parametrize("name", ["hua_arm", "stanford", "panda"])
def test_links_of_arms_are_drawn_at_their_poses(name):
    robot = getattr(lissom.robots, name)()
    q = robot.random_configuration(1, size=3)
    as_drawn(robot, q, lambda link: robot.link_pose(q, link))


@pytest.mark.sweep("four_bar", "slider_crank", "five_bar")
@pytest.mark.parametrize("name", ["four_bar", "five_bar", "slider_crank", "delta", "gough_stewart"])
def test_links_of_closed_robots_are_drawn_at_their_poses(name):
    robot = getattr(lissom.robots, name)()
    q = robot.home() + 0.02 * np.sin(np.arange(3)[:, None] + np.arange(robot.nq))
    tree_q = robot.follow(q).tree_q
    as_drawn(robot, q, lambda link: robot.tree.link_pose(tree_q, link))


def test_times_and_coordinates_that_do_not_fit_are_an_error():
    robot = lissom.robots.rr()
    with pytest.raises(StateError, match=r"t has shape \(3,\) and q \(2, 2\); expected \(K,\) and \(K, 2\)"):
        motion_scene(robot, np.zeros(3), np.zeros((2, 2)))


def test_a_robot_that_stands_still_has_one_pose():
    assert robot_scene(lissom.robots.rr(), [0.1, 0.2]).times.tolist() == [0.0]
