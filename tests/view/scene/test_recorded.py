"""Motions of samples: what is drawn at the samples and between them."""

import numpy as np

from lissom import Wrench, robots
from lissom.parameters import random_states
from lissom.view.scene.recorded import Recorded
from lissom.view.show import motion_scene_of


def test_samples_are_drawn_where_the_robot_has_its_links():
    robot = robots.tree(6, seed=2, kinds=["revolute", "spherical", "prismatic"])
    q = random_states(robot.model, np.random.default_rng(3), 5)[0]
    t = np.array([0.0, 0.1, 0.3, 0.35, 0.5])
    motion = Recorded(robot, t, q)._scene_motion(t)
    assert np.abs(motion.poses() - robot.link_poses(q)).max() < 1e-12
    halfway = Recorded(robot, t, q)._scene_motion(t[:-1] + np.diff(t) / 2)
    left, right = robot.difference(q[:-1], halfway.q), robot.difference(halfway.q, q[1:])
    assert np.abs(left - right).max() < 1e-9  # as far from the one as from the other, quaternions too


def test_torques_rates_and_wrenches_are_linear_between_samples():
    robot = robots.planar_two_link()
    t, q = np.array([1.0, 2.0]), np.zeros((2, 2))
    pull = Wrench([[0.0, 0.0, 2.0], [0.0, 0.0, 4.0]], axes="world")
    link = robot.link_names[-1]
    own = Recorded(
        robot,
        t,
        q,
        (q, np.array([[0.0, 0.0], [0.0, 1.0]])),
        np.array([[1.0, 0.0], [3.0, 0.0]]),
        {link: pull},
        events=((1.5, "half"),),
    )
    found = own._scene_motion(np.array([1.25]))
    assert found.tau[0, 0] == 1.5 and found.qdd[0, 1] == 0.25 and found.external[link].force[0, 2] == 2.5
    scene = motion_scene_of(own, {"layers": {"reactions": True}})
    assert scene.events == ((1.5, "half"),) and (scene.times[0], scene.times[-1]) == (1.0, 2.0)
    one = Recorded(robot, t[:1], q[:1])
    assert one._scene_span() == (1.0, 1.0) and len(motion_scene_of(one, {}).times) == 1
