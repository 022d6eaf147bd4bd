"""Motors behind springs in trajectories: their coordinates, and how far the springs are stretched."""

import numpy as np
import pytest

from lissom import StateError, Trajectory, robots
from lissom.robots import planar_two_link


@pytest.mark.sweep("lead0")
@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_motors_and_springs_have_names_of_their_own(lead):
    robot = robots.hua_arm(stiffness=80.0)
    start = np.random.default_rng(0).normal(size=(*lead, 4))
    motion = robot.simulate(start, np.zeros(4), 0.02, method="rk4", dt=0.01)
    assert motion.motor_names == ("motor_3",) and motion.units["deflections"] == ("rad",)
    assert np.array_equal(motion.theta, motion.q[..., 3:]) and np.array_equal(motion.theta_rate, motion.qd[..., 3:])
    assert motion.deflections.shape == (3, *lead, 1)
    # the energy of a spring is K d^2 / 2
    assert np.allclose(motion.spring_energy, 0.5 * 80.0 * motion.deflections[..., 0] ** 2)


def test_deflections_that_are_needed_are_those_that_are_found():
    robot = robots.hua_arm()
    rng = np.random.default_rng(1)
    q, qd, qdd, qddd, qdddd = rng.normal(size=(5, 3))
    drives = robot.elastic_inverse_dynamics(q, qd, qdd, qddd, qdddd)
    whole = np.concatenate([q, drives.theta])
    motion = Trajectory(robot, np.zeros(1), whole[None], *np.zeros((3, 1, 4)))
    assert np.allclose(motion.deflections[0], robot.drive_deflections(q, qd, qdd), atol=1e-12)


def test_robots_without_springs_have_none():
    motion = planar_two_link().simulate([0.1, 0.2], [0.0, 0.0], 0.02, method="rk4", dt=0.01)
    assert motion.motor_names == () and motion.units["deflections"] == ()
    assert motion.deflections.shape == motion.theta.shape == motion.theta_rate.shape == (3, 0)


def test_a_start_without_motors_says_how_to_add_them():
    robot = robots.hua_arm()
    with pytest.raises(StateError, match=r"q0 has size 3, expected 4 .*; robot.at_rest\(q0\) adds motors where their springs"):
        robot.simulate(np.zeros(3), np.zeros(4), 0.1)
    with pytest.raises(StateError, match=r"q0 has size 2, expected 4 \(robot 'hua_arm'\)$"):
        robot.simulate(np.zeros(2), np.zeros(4), 0.1)
