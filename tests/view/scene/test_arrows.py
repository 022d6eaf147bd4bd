"""Arrows equal torques, external wrenches and joint reactions, and share a scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom.view.scene.arrows import Force
from lissom.view.scene.build import SceneMotion, scene_of
from support.scenes import read_back

REACTIONS = {"reactions": True}


def random_states(robot, seed, count=3):
    rng = np.random.default_rng(seed)
    q = robot.random_configuration(seed, size=count)
    return np.arange(float(count)), q, rng.normal(size=(count, robot.nv)), rng.normal(size=(count, robot.nv))


@given(st.integers(0, 10_000))
def test_torque_arrows_are_the_part_of_the_reaction_that_the_drive_gives(seed):
    kinds = ("revolute", "continuous", "prismatic", "spherical", "universal")
    robot = lissom.Robot(lissom.robots.tree_model(4, seed=seed, kinds=kinds, tails=0.5, drives=False), backend="numpy")
    t, q, qd, qdd = random_states(robot, seed)
    tau = robot.inverse_dynamics(q, qd, qdd)
    data = read_back(scene_of(SceneMotion(robot, t, q, tau=tau)))
    through = dict(zip(robot.wrench_names, np.moveaxis(robot.joint_wrenches(q, qd, qdd, axes="world"), 1, 0), strict=True))
    work = {name: np.zeros(len(t)) for name in through}
    square = {name: np.zeros(len(t)) for name in through}
    for arrow in data["arrows"]:
        name = arrow["name"] if arrow["name"] in through else arrow["name"][:-2]  # universal: _1 and _2
        own = through[name][:, :3] if arrow["unit"] == "N" else through[name][:, 3:]
        work[name] += np.sum(own * arrow["vector"], axis=1)
    for k, name in enumerate(robot.torque_names):
        owner = next(joint for joint in through if name.startswith(joint + "_") or name == joint)
        square[owner] += tau[:, k] ** 2
    for name in through:  # an arrow along another direction would give less
        np.testing.assert_allclose(work[name], square[name], rtol=1e-4, atol=1e-4 * np.abs(tau).max() ** 2)


@pytest.mark.parametrize("axes", ["link", "world"])
def test_external_wrenches_are_drawn_where_they_act(axes):
    robot = lissom.robots.stanford()
    t, q, qd, qdd = random_states(robot, 3)
    link = robot.link_names[-1]
    wrench = lissom.Wrench(force=(1.0, 2.0, 3.0), moment=(-0.5, 0.7, 0.1), axes=axes, point=(0.1, 0.2, 0.3))
    data = read_back(scene_of(SceneMotion(robot, t, q, external={link: wrench})))
    force, moment = data["arrows"]
    assert (force["unit"], moment["unit"]) == ("N", "N m")
    # virtual work: the drives hold what J' w does
    held = robot.gravity_torques(q, external={link: wrench}) - robot.gravity_torques(q)
    pose = robot.link_pose(q, link)
    J = robot.jacobian(q, link, axes="world")
    shift = force["at"] - pose[:, :3, 3]
    total = moment["vector"] + np.cross(shift, force["vector"])
    work = np.einsum("kji,kj->ki", J[:, :3], force["vector"]) + np.einsum("kji,kj->ki", J[:, 3:], total)
    np.testing.assert_allclose(-work, held, atol=1e-5)


@pytest.mark.parametrize("name", ["panda", "five_bar"])
def test_reactions_are_those_of_joint_wrenches_at_the_joints(name):
    robot = getattr(lissom.robots, name)()
    if name == "panda":
        t, q, qd, qdd = random_states(robot, 1)
    else:
        t, q = np.arange(3.0), robot.home() + np.array([[0.0], [0.02], [0.05]])
        qd, qdd = np.ones((3, robot.nv)), np.ones((3, robot.nv))
    external = {robot.link_names[-1]: lissom.Wrench(force=(1.0, 2.0, 3.0), axes="world")}
    data = read_back(scene_of(SceneMotion(robot, t, q, qd, qdd, external=external), layers=REACTIONS))
    expected = robot.joint_wrenches(q, qd, qdd, external=external, axes="world")
    found = [arrow for arrow in data["arrows"] if arrow["layer"] == "reactions"]
    assert len(found) == 2 * len(robot.wrench_names)
    size = np.abs(expected).max()
    for k, joint in enumerate(robot.wrench_names):
        force, moment = found[2 * k : 2 * k + 2]
        assert (force["name"], moment["name"]) == (f"force through {joint}", f"moment through {joint}")
        np.testing.assert_allclose(np.concatenate([force["vector"], moment["vector"]], axis=1), expected[:, k], atol=1e-6 * size)


def test_reactions_are_not_computed_unless_asked_for():
    robot = lissom.robots.rr()
    t, q, qd, qdd = random_states(robot, 1)
    assert not scene_of(SceneMotion(robot, t, q, qd, qdd)).arrows


def test_the_largest_arrow_of_a_layer_and_unit_is_a_third_of_the_robot():
    robot = lissom.robots.stanford()  # turning and sliding joints
    t, q, qd, qdd = random_states(robot, 2)
    scene = scene_of(SceneMotion(robot, t, q, qd, qdd, tau=robot.inverse_dynamics(q, qd, qdd)), layers=REACTIONS)
    lengths = {}
    for arrow in scene.arrows:
        longest = arrow.scale * np.linalg.norm(arrow.vector, axis=1).max()
        lengths.setdefault((arrow.layer, arrow.unit), []).append(longest)
    assert set(lengths) == {("torques", "N m"), ("torques", "N"), ("reactions", "N"), ("reactions", "N m")}
    largest = [max(each) for each in lengths.values()]
    np.testing.assert_allclose(largest, largest[0])
    scales = {(arrow.layer, arrow.unit): set() for arrow in scene.arrows}
    for arrow in scene.arrows:
        scales[arrow.layer, arrow.unit].add(arrow.scale)
    assert all(len(each) == 1 for each in scales.values())


def test_torques_of_closed_robots_and_motors_behind_springs_are_at_their_joints():
    robot = lissom.robots.hua_arm()
    tau = np.array([[1.0, 2.0, 0.0, 4.0]])
    data = read_back(scene_of(SceneMotion(robot, np.zeros(1), np.zeros((1, 4)), tau=tau)))
    found = {arrow["name"]: arrow for arrow in data["arrows"]}
    np.testing.assert_allclose(found["motor_3"]["vector"], 4.0 * found["q2"]["vector"] / 2.0, atol=1e-6)
    np.testing.assert_allclose(found["motor_3"]["at"], robot.link_pose(np.zeros(4), "link_3")[None, :3, 3], atol=1e-6)
    closed = lissom.robots.five_bar()
    scene = scene_of(SceneMotion(closed, np.zeros(1), closed.home()[None], tau=np.ones((1, 2))))
    assert [arrow.name for arrow in scene.arrows] == list(closed.torque_names)


def test_ground_forces_are_drawn_where_they_act():
    robot = lissom.robots.rr()
    t, q = np.arange(3.0), np.zeros((3, 2))
    force = Force("left foot", np.arange(9.0).reshape(3, 3), np.array([0.0, 0.0, 700.0]))
    (arrow,) = read_back(scene_of(SceneMotion(robot, t, q, ground_forces=(force,))))["arrows"]
    assert (arrow["name"], arrow["layer"], arrow["unit"]) == ("left foot", "ground_forces", "N")
    np.testing.assert_array_equal(arrow["at"], force.at)
    np.testing.assert_array_equal(arrow["vector"], [[0.0, 0.0, 700.0]] * 3)


def test_joints_without_a_drive_carry_no_moment_about_their_axes_between_samples():
    robot = lissom.load("robots:panda")
    fall = robot.simulate(robot.neutral() + 0.3, np.zeros(robot.nv), 0.5, sample=0.05)
    motion = fall._scene_motion(np.linspace(0.0, 0.5, 37))
    left = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd) - motion.tau
    assert np.abs(left).max() < 1e-8
    pushed = lissom.Trajectory(robot, fall.t, fall.q, fall.qd, fall.qdd + 1.0, fall.tau)  # torques do not say how it moves
    assert np.abs(pushed._scene_motion(fall.t).qdd - fall.qdd - 1.0).max() < 1e-9


def test_a_ground_force_that_is_zero_waits_where_it_acts_next_or_acted_last():
    robot = lissom.robots.rr()
    t = np.array([0.0, 1.0, 2.0, 2.4, 4.0, 5.0])
    at = np.outer([9.0, 1.0, 9.0, 9.0, 5.0, 9.0], [1.0, 0.0, 0.0])  # 9: wherever, as nothing acts
    vector = np.outer([0.0, 700.0, 0.0, 0.0, 700.0, 0.0], [0.0, 0.0, 1.0])
    scene = scene_of(SceneMotion(robot, t, np.zeros((6, 2)), ground_forces=[Force("left foot", at, vector)]))
    (arrow,) = scene.arrows
    np.testing.assert_array_equal(arrow.at[:, 0], [1, 1, 1, 1, 5, 5])
    (once,) = scene_of(
        SceneMotion(robot, t, np.zeros((6, 2)), ground_forces=[Force("left foot", at, vector * (t == 4)[:, None])])
    ).arrows
    np.testing.assert_array_equal(once.at[:, 0], 5.0)
