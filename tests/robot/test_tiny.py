"""The shortest check that lissom is alive."""

import numpy as np

import lissom


def test_pendulum_needs_the_torque_of_its_weight():
    rod = lissom.Link("rod", lissom.Inertia(2.0, (0.5, 0.0, 0.0)))
    pivot = lissom.Joint("pivot", "revolute", "ground", "rod", axis=(0, -1, 0))
    robot = lissom.Robot(lissom.Model("pendulum", (lissom.Link("ground"), rod), (pivot,)))
    angles = np.array([[0.0], [np.pi / 3], [np.pi / 2]])
    expected = 2.0 * 9.81 * 0.5 * np.cos(angles)
    assert np.allclose(robot.gravity_torques(angles), expected, rtol=0, atol=1e-14)
    assert np.allclose(robot.inverse_dynamics([0.0], [3.0], [4.0]), [2.0 * 9.81 * 0.5 + 2.0 * 0.25 * 4.0])
    assert np.allclose(robot.joint_wrenches([0.0], [3.0], [0.0], axes="world")[0, :3], [-2.0 * 0.5 * 9.0, 0.0, 2.0 * 9.81])
