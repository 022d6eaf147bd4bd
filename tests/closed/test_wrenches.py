"""Wrenches through all joints of a closed robot, cut ones too."""

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot
from support.loops import FreeBodies, planar_loop
from support.states import error


def test_free_bodies_feel_the_same_forces():
    """In a planar mechanism the forces in the plane are unique."""
    for name in ("four_bar", "slider_crank"):
        robot = getattr(lissom.robots, name)()
        q, qd, qdd = robot.home() + 0.3, np.array([3.0]), np.array([-2.0])
        tree, v, _ = robot.tree_motion(q, qd, qdd)
        judge = FreeBodies(robot.model, tree, v)
        judge.solve(dict(zip(robot.torque_names, robot.inverse_dynamics(q, qd, qdd), strict=True)))
        wrenches = robot.joint_wrenches(q, qd, qdd, axes="world")
        expected = [np.concatenate(judge.wrenches[name]) for name in robot.wrench_names]
        assert error(wrenches, np.array(expected)) < 1e-9


@pytest.mark.slow
def test_every_body_is_in_balance():
    """Newton and Euler for each link of a platform on legs, from poses and accelerations of links alone."""
    robot = lissom.robots.gough_stewart()
    rng = np.random.default_rng(0)
    q, qd, qdd = robot.home() + 0.05 * rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    tree, v, a = robot.tree_motion(q, qd, qdd)
    w = dict(zip(robot.wrench_names, robot.joint_wrenches(q, qd, qdd, axes="world"), strict=True))
    poses = dict(zip(robot.link_names, robot.tree.link_poses(tree), strict=True))
    model = robot.model
    where = {j.name: (poses[j.child] @ _matrix(j.tail.inverse()))[:3, 3] for j in model.joints}
    where |= {loop.name: (poses[loop.second] @ _matrix(loop.second_pose))[:3, 3] for loop in model.loops}
    for link in model.links:
        if link.name == model.base:
            continue
        total = np.zeros(6)
        for joint in (*model.joints, *model.loops):
            first, second = (joint.parent, joint.child) if hasattr(joint, "child") else (joint.first, joint.second)
            for sign, name in ((1.0, second), (-1.0, first)):
                if name == link.name:
                    force, moment = w[joint.name][:3], w[joint.name][3:]
                    total += sign * np.array([*force, *(moment + np.cross(where[joint.name], force))])
        needed = np.zeros(6)
        if link.inertia is not None:
            R, p = poses[link.name][:3, :3], poses[link.name][:3, 3]
            c = p + R @ link.inertia.com
            A = robot.tree.link_acceleration(tree, v, a, link.name, axes="world", point=link.inertia.com, classical=True)
            W = robot.tree.link_velocity(tree, v, link.name, axes="world")[3:]
            I = R @ np.array(link.inertia.tensor) @ R.T
            force = link.inertia.mass * (A[:3] - model.gravity)
            needed = np.array([*force, *(I @ A[3:] + np.cross(W, I @ W) + np.cross(c, force))])
        assert np.abs(total - needed).max() < 1e-9 * 1e4


def _matrix(pose):
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = pose.R, pose.p
    return M


def test_a_ball_joint_carries_no_moment_and_a_passive_joint_none_about_its_axis():
    robot = lissom.robots.delta()
    q, qd, qdd = robot.home() + [0.1, -0.05, 0.02], np.ones(3), np.array([5.0, -3.0, 1.0])
    w = dict(zip(robot.wrench_names, robot.joint_wrenches(q, qd, qdd), strict=True))
    for k in (1, 2, 3):
        assert np.abs(w[f"ball_{k}"][3:]).max() < 1e-13
        assert abs(w[f"fold_{k}"][4]) < 1e-12
        assert abs(w[f"side_{k}"][5]) < 1e-12
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert np.abs([w[f"drive_{k}"][4] for k in (1, 2, 3)] - tau).max() < 1e-12
    assert np.abs([w[name][k] for name, k in (("x", 0), ("y", 1), ("z", 2))]).max() < 1e-12  # nothing holds the platform but legs


@pytest.mark.sweep("joint", "world")
@pytest.mark.parametrize("axes", ["joint", "link", "parent", "world"])
def test_frames_tell_one_force(axes):
    robot = lissom.robots.five_bar(gravity=(0.0, -9.81, 0.0))
    q, qd, qdd = robot.home(), np.ones(2), np.ones(2)
    w, world = robot.joint_wrenches(q, qd, qdd, axes=axes), robot.joint_wrenches(q, qd, qdd, axes="world")
    assert np.abs(np.linalg.norm(w[:, :3], axis=1) - np.linalg.norm(world[:, :3], axis=1)).max() < 1e-12
    poses = dict(zip(robot.link_names, robot.link_poses(q), strict=True))
    loop = robot.model.loops[0]
    R = {
        "joint": poses[loop.second][:3, :3] @ loop.second_pose.R,
        "link": poses[loop.second][:3, :3],
        "parent": poses[loop.first][:3, :3],
        "world": np.eye(3),
    }[axes]
    assert np.abs(R @ w[-1, :3] - world[-1, :3]).max() < 1e-12
    shift = poses[loop.second][:3, :3] @ loop.second_pose.p if axes == "link" else np.zeros(3)
    assert np.abs(R @ w[-1, 3:] - np.cross(shift, world[-1, :3]) - world[-1, 3:]).max() < 1e-12


def test_another_cut_tells_the_same_force_in_the_plane():
    """The force through joint 2 of a loop, once as a joint of the tree, once as the cut one."""
    as_cut = ClosedRobot(planar_loop(5, 4, 2, ("joint_1",)))
    as_joint = ClosedRobot(planar_loop(5, 4, 3, ("joint_1",)))
    q, qd, qdd = np.array([0.05]), np.array([1.0]), np.array([2.0])
    one = dict(zip(as_cut.wrench_names, as_cut.joint_wrenches(q, qd, qdd, axes="world"), strict=True))["cut"]
    two = dict(zip(as_joint.wrench_names, as_joint.joint_wrenches(q, qd, qdd, axes="world"), strict=True))["joint_2"]
    axis = np.array(as_cut.model.loops[0].axis)
    in_plane = np.eye(3) - np.outer(axis, axis)
    assert error(in_plane @ one[:3], in_plane @ two[:3]) < 1e-9
