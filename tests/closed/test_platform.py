"""Parallel robots: platform and legs beside cutting and projecting, kinematics of legs, measures."""

import numpy as np
import pytest

import lissom
from lissom import ModelError, StateError
from support.states import error


@pytest.fixture(scope="module", params=["gough_stewart", "delta"])
def robot(request):
    return getattr(lissom.robots, request.param)()


def state(robot, count=6, seed=0):
    rng = np.random.default_rng(seed)
    units = robot.constraints.column_units[list(robot.plan.coordinates)]
    q = robot.home() + 0.04 * units * rng.normal(size=(count, robot.nq))
    qd, qdd = rng.normal(size=(2, count, robot.nq))
    tree, v, a = robot.tree_motion(q, qd, qdd)
    x = robot.platform_pose(q)
    along = list(robot.plan.independent)
    return q, qd, qdd, tree, x, v[:, along], a[:, along]


def test_both_ways_give_the_same_forces(robot):
    q, qd, qdd, _, x, xd, xdd = state(robot)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert error(robot.platform_inverse_dynamics(x, xd, xdd), tau) < 1e-9
    assert error(robot.platform_forward_dynamics(x, xd, tau), xdd) < 1e-9


def test_legs_follow_the_platform_and_back(robot):
    q, _, _, tree, x, _, _ = state(robot)
    assert np.abs(robot.leg_coordinates(x) - q).max() < 1e-12
    assert np.abs(robot.leg_configuration(x) - tree).max() < 1e-10


def test_leg_lengths_are_distances():
    """Inverse kinematics of a Gough-Stewart platform in one line."""
    robot = lissom.robots.gough_stewart()
    rng = np.random.default_rng(1)
    x = robot.home_pose() + np.concatenate([0.2 * rng.normal(size=3), 0.1 * rng.normal(size=4)])
    x[3:] /= np.linalg.norm(x[3:])
    from lissom.spatial.quaternion import rotate

    feet = np.array([robot.model.joint(f"swing_{k}").origin.translation for k in range(1, 7)])
    balls = np.array([loop.second_pose.translation for loop in robot.model.loops])
    lengths = np.linalg.norm(x[:3] + rotate(x[3:], balls) - feet, axis=1)
    assert np.abs(robot.leg_coordinates(x) - lengths).max() < 1e-12
    # Smith and Wendlandt: pairs of joints on circles of 3 m and 1 m, 2 m apart
    assert np.abs(np.linalg.norm(feet, axis=1) - 3.0).max() < 1e-15
    assert np.abs(robot.home() - np.sqrt(9 + 1 + 4 - 6 * np.cos(np.radians(47.5)))).max() < 1e-12


def test_platform_jacobian(robot):
    q, qd, _, _, _, xd, _ = state(robot)
    J = robot.platform_jacobian(q)
    assert error(np.einsum("nij,nj->ni", J, qd), xd) < 1e-12
    # virtual work: a wrench along the platform's own velocities, held by the drives
    assert J.shape == (len(q), robot.nv, robot.nv)


def test_measures(robot):
    q = robot.home()
    assert 0 < robot.dexterity(q) < 1
    assert robot.margin(q) > 0
    assert robot.manipulability(q) > 0


def test_workspace_ends_at_strokes():
    robot = lissom.robots.gough_stewart()
    limits = robot.model.joint("leg_1").limits
    heights = np.array([0.3, 2.0, 3.9, 4.6])
    poses = np.tile(robot.home_pose(), (4, 1))
    poses[:, 2] = heights
    found = robot.workspace(poses)
    lengths = np.sqrt(robot.home()[0] ** 2 - 4 + heights**2)
    inside = (lengths >= limits.lower) & (lengths <= limits.upper)
    assert (found.reachable == inside).all()
    assert found.share == inside.mean()


def test_what_is_no_platform_is_refused():
    with pytest.raises(ModelError, match="is not a platform"):
        lissom.ParallelRobot(lissom.robots.five_bar_model(), "left_arm")
    with pytest.raises(lissom.NameLookupError):
        lissom.ParallelRobot(lissom.robots.delta_model(), "plattform")
    robot = lissom.robots.delta()
    with pytest.raises(StateError, match="legs do not reach the platform"):
        robot.leg_coordinates([0.0, 0.0, -3.0])


def test_legs_do_not_leap_to_another_branch():
    """Far from home, lengths of legs stay distances; arms of a Delta robot go where a slow motion of its platform takes them."""
    from lissom.spatial.quaternion import rotate

    robot, rng = lissom.robots.gough_stewart(), np.random.default_rng(0)
    x = np.concatenate([robot.home_pose()[:3] + rng.uniform(-2, 2, (60, 3)), rng.normal(size=(60, 3)), np.ones((60, 1))], axis=1)
    x[:, 3:] /= np.linalg.norm(x[:, 3:], axis=1)[:, None]
    feet = np.array([robot.model.joint(f"swing_{k}").origin.translation for k in range(1, 7)])
    balls = np.array([loop.second_pose.translation for loop in robot.model.loops])
    found = robot.workspace(x).tree_q
    reached = np.isfinite(found).all(axis=1)
    assert reached.sum() > 50
    for pose, tree in zip(x[reached], found[reached], strict=True):
        lengths = np.linalg.norm(pose[:3] + rotate(pose[3:], balls) - feet, axis=1)
        assert np.abs(robot.coordinates(tree) - lengths).max() < 1e-9
    robot = lissom.robots.delta()
    goal = np.array([0.253, -0.021, -0.343])
    slow = robot.home_tree_q()
    for s in np.linspace(0.0, 1.0, 80)[1:]:
        slow = robot.leg_configuration(robot.home_pose() * (1 - s) + goal * s, near=slow)
    assert np.abs(robot.leg_configuration(goal) - slow).max() < 1e-9
    with pytest.raises(StateError, match="has nan in sample 1"):
        robot.leg_coordinates([goal, [0.0, np.nan, 0.0]])
