"""Ends and via poses by the pose of a link."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, StateError
from lissom.predict.problem.surroundings import targets
from lissom.predict.search.starts import straight


def reaching(pose, **options):
    problem = MotionProblem(lissom.robots.rr(), control_points=10, duration=(0.05, 2.0)).start([0.0, -2.0]).end(None)
    return problem.reach("link_2", pose, **options).limit_by_model("torque").minimize("time")


@pytest.mark.slow
def test_a_motion_ends_at_a_links_pose_at_rest():
    robot, home = lissom.robots.panda(), np.deg2rad([0, -45, 0, -135, 0, 90, 45])
    goal = robot.link_pose(home + 0.3, "flange")
    problem = MotionProblem(robot, control_points=8, duration=1.0).start(home).end(None)
    problem.minimize("integral", 1.0, "torque")
    for pose in (goal, lissom.Pose(goal[:3, :3], goal[:3, 3])):
        found = problem.copy().reach("flange", pose).solve()
        q, qd = found.states(found.duration)[:2]
        assert np.abs(robot.link_pose(q, "flange") - goal).max() < 1e-7 and np.abs(qd).max() < 1e-9


def test_a_point_of_a_link_passes_through_a_position():
    robot = lissom.robots.rr()
    place = (robot.link_pose([0.6, -0.8], "link_2") @ [0.1, 0.05, 0.0, 1.0])[:3]
    found = reaching(place, at=0.5, point=(0.1, 0.05, 0.0)).end([1.0, -1.0]).solve()
    q = found.states(found.duration / 2)[0]
    assert np.abs((robot.link_pose(q, "link_2") @ [0.1, 0.05, 0.0, 1.0])[:3] - place).max() < 1e-7


def test_a_pose_that_is_reached_is_drawn_with_its_axes():
    goal = lissom.robots.rr().link_pose([0.6, -0.8], "link_2")
    (target,) = targets(reaching(goal))
    assert np.allclose(target.position, goal[:3, 3]) and np.allclose(target.rotation, goal[:3, :3])
    (place,) = targets(reaching(goal[:3, 3]))
    assert place.rotation is None


@pytest.mark.parametrize(
    ("pose", "options", "message"),
    [
        (np.eye(3), {}, r"pose has shape \(3, 3\), expected \(4, 4\), or \(3,\)"),
        (2 * np.eye(4), {}, "last row must be 0 0 0 1"),
        (np.diag([2.0, 1.0, 1.0, 1.0]), {}, "rotation of the pose is not a rotation matrix"),
        ("home", {}, "pose is 'home', expected a matrix"),
        (np.eye(4), {"at": None}, "reach needs at="),
        (np.eye(4), {"point": (1, 2)}, "point is"),
        ((0.0, np.nan, 0.0), {}, "pose is"),
    ],
)
def test_wrong_poses_are_errors(pose, options, message):
    with pytest.raises(StateError, match=message):
        reaching(pose, **options)


def test_the_first_motion_to_a_far_pose_ends_there():
    robot = lissom.robots.panda()
    rng = np.random.default_rng(3)
    for _ in range(4):
        q0, q1 = rng.uniform(robot.limits.lower, robot.limits.upper, (2, 7))
        goal = robot.link_pose(q1, "flange")
        problem = MotionProblem(robot, control_points=8).limit_by_model().start(q0).end(None).reach("flange", goal)
        first = straight(problem).path
        end = first.at(first.duration)
        assert np.abs(robot.link_pose(end, "flange") - goal).max() < 1e-3
        assert (end >= robot.limits.lower - 1e-12).all() and (end <= robot.limits.upper + 1e-12).all()
        assert np.allclose(first.at(0.0), q0)


def test_a_motion_from_a_pose_to_a_position_of_a_point():
    robot = lissom.robots.rr()
    start, end = robot.link_pose([0.6, -0.8], "link_2")[:3, 3], robot.link_pose([1.2, 0.5], "link_2")[:3, 3]
    problem = MotionProblem(robot, control_points=10, duration=(0.05, 2.0)).start(None).end(None)
    for at, place in ((0.0, start), (1.0, end)):
        problem.limit("link_position", place[:2], place[:2], entries=["x", "y"], at=at, scale=1.0, link="link_2")
    first = straight(problem.limit_by_model("torque").minimize("time")).path
    for t, place in ((0.0, start), (first.duration, end)):
        assert np.abs(robot.link_pose(first.at(t), "link_2")[:3, 3] - place).max() < 1e-3
    assert problem.solve().success


def test_a_pose_out_of_reach_is_approached_and_named():
    found = reaching((2.0, 0.0, 0.0)).solve(throw=False)
    assert not found.success and "link_2.x" in found.message and "out of reach" in found.message


def test_more_equations_than_joints_are_refused_with_both_numbers():
    goal = lissom.robots.rr().link_pose([0.6, -0.8], "link_2")
    with pytest.raises(StateError, match=r"the end has 3 equations for 2 joints: orientation of link_2.z, .*with entries="):
        reaching(goal).solve()  # its height and two of its turns cannot change
    with pytest.raises(StateError, match="the motion at 0.5 of its duration has 3 equations for 2 joints"):
        reaching(goal, at=0.5).solve()
    assert reaching(goal).end([0.6, -0.8]).solve().success  # where they hold at a given end, nothing is asked


@pytest.mark.slow
def test_a_pose_to_pass_through_is_one_limit_and_drawn():
    robot = lissom.robots.panda()
    goal = robot.link_pose(np.array([0.2, -0.6, 0.1, -2.2, 0.1, 1.7, 0.9]), "flange")
    problem = lissom.MotionProblem(robot, control_points=8, duration=1.0).start([0, -0.8, 0, -2.4, 0, 1.6, 0.8]).end(None)
    problem.limit("link_pose", 0.0, 0.0, at=0.4, scale=1.0, link="flange", target=goal).minimize("integral", 1.0, "torque")
    (target,) = targets(problem)
    assert np.allclose(target.position, goal[:3, 3]) and np.allclose(target.rotation, goal[:3, :3])
    found = problem.solve()
    assert np.abs(robot.link_pose(found.states(0.4)[0], "flange") - goal).max() < 1e-6
