"""Inverse kinematics: targets reached, limits kept, misses reported."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import (
    ConvergenceError,
    Coupling,
    IKStatus,
    Inertia,
    Joint,
    Limits,
    Link,
    Model,
    ModelError,
    NameLookupError,
    Pose,
    Robot,
    StateError,
)
from lissom.inverse_kinematics.solve import Bounds
from lissom.robots import puma560_model, tree_model
from lissom.spatial.quaternion import quaternion_exp, quaternion_from_rotation, rotation_from_quaternions
from support.states import random_states

NO_LIMITS = (Limits(), Limits())


def planar_arm(lengths=(1.0, 1.0), limits=NO_LIMITS, coupling=None):
    """Return links in a row, turning about z; the last one's frame, "tip", is at its end."""
    body = Inertia(1.0, (0.5, 0, 0))
    links, joints, at = [Link("ground")], [], 0.0
    for k, (length, limit) in enumerate(zip(lengths, limits, strict=True), 1):
        links.append(Link(f"arm_{k}", body))
        follows = coupling if k == len(lengths) else None
        origin = Pose(translation=(at, 0, 0))
        joints.append(Joint(f"turn_{k}", "revolute", links[-2].name, links[-1].name, origin, limits=limit, coupling=follows))
        at = length
    links.append(Link("tip"))
    joints.append(Joint("end", "fixed", links[-2].name, "tip", Pose(translation=(at, 0, 0))))
    return Model("planar", tuple(links), tuple(joints))


def within(model, q):
    bounds = Bounds.of(model, True)
    own = q[..., bounds.at]
    return bool((own >= bounds.lower).all() and (own <= bounds.upper).all())


def allowed(model, n, seed=1):
    """Return random configurations (n, nq) within the limits."""
    return Robot(model).random_configuration(seed, size=n)


def last_pose(robot, q):
    return robot.link_pose(q, robot.link_names[-1])


@pytest.mark.sweep(1)
def test_poses_of_an_arm_are_reached(backend):
    model = puma560_model()
    robot = Robot(model, backend=backend)
    q = allowed(model, 20)
    found = robot.inverse_kinematics(robot.link_names[-1], last_pose(robot, q))
    assert found.reached.all() and found.status is IKStatus.REACHED and found.limited_joints == ()
    assert found.report() == "reached"
    assert found.q.shape == (20, 6) and found.iterations.shape == (20,)
    assert np.allclose(last_pose(robot, found.q), last_pose(robot, q), rtol=0, atol=3e-8)
    assert found.position_error.max() <= 1e-8 and found.orientation_error.max() <= 1e-8
    assert within(model, found.q)


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_every_joint_reach_their_own_poses(seed):
    model = tree_model(7, branching=1, seed=seed, coupled=0.3, tails=0.4, fixed=0.3, floating=seed % 2 == 1)
    robot = Robot(model, backend="numpy")
    q = allowed(model, 5, seed)
    found = robot.inverse_kinematics(robot.link_names[-1], last_pose(robot, q))
    assert np.allclose(last_pose(robot, found.q), last_pose(robot, q), rtol=0, atol=5e-8)
    assert within(model, found.q)


def test_a_target_may_be_a_position_an_orientation_or_both():
    robot = Robot(puma560_model(), backend="numpy")
    link, q = robot.link_names[-1], np.array([0.3, -0.4, 0.5, 0.2, 0.7, -0.3])
    T = robot.link_pose(q, link)
    R, p = T[:3, :3], T[:3, 3]
    by_position = robot.link_pose(robot.inverse_kinematics(link, position=p).q, link)
    assert np.allclose(by_position[:3, 3], p, rtol=0, atol=1e-8)
    for orientation in (R, quaternion_from_rotation(R), -3 * quaternion_from_rotation(R)):
        found = robot.inverse_kinematics(link, orientation=orientation)
        assert np.allclose(robot.link_pose(found.q, link)[:3, :3], R, rtol=0, atol=2e-8)
        assert found.position_error == 0
        both = robot.inverse_kinematics(link, position=p, orientation=orientation)
        assert np.allclose(robot.link_pose(both.q, link), T, rtol=0, atol=3e-8)
    as_pose = robot.inverse_kinematics(link, Pose(rotation_from_quaternions(quaternion_from_rotation(R)), p))
    assert np.allclose(robot.link_pose(as_pose.q, link), T, rtol=0, atol=3e-8)


def test_a_point_of_the_link_is_brought_to_the_position(backend):
    robot, point = Robot(puma560_model(), backend=backend), np.array([0.1, -0.05, 0.2])
    link, q = robot.link_names[-1], np.array([0.3, -0.4, 0.5, 0.2, 0.7, -0.3])
    T = robot.link_pose(q, link)
    goal = T[:3, 3] + T[:3, :3] @ point
    for more in ({}, {"orientation": T[:3, :3]}):
        found = robot.link_pose(robot.inverse_kinematics(link, position=goal, point=point, **more).q, link)
        assert np.allclose(found[:3, 3] + found[:3, :3] @ point, goal, rtol=0, atol=1e-8)


def test_leading_axes_broadcast_and_a_target_is_solved_alike_alone_and_among_others():
    robot = Robot(puma560_model(), backend="numpy")
    link, q = robot.link_names[-1], allowed(robot.model, 6).reshape(2, 3, 6)
    T = robot.link_pose(q, link)
    many = robot.inverse_kinematics(link, T, throw=False)
    assert many.q.shape == (2, 3, 6) and many.statuses.shape == (2, 3)
    one = robot.inverse_kinematics(link, T[1, 1], throw=False)
    assert one.q.shape == (6,) and isinstance(one.position_error, float)
    assert np.allclose(one.q, many.q[1, 1], rtol=0, atol=1e-9)
    assert one.iterations == many.iterations[1, 1]
    starts = robot.inverse_kinematics(link, T[0, 0], q0=q[:, 0])
    assert starts.q.shape == (2, 6)
    assert starts.iterations[0] == 0 and np.array_equal(starts.q[0], q[0, 0])


def test_a_target_out_of_reach_is_missed_by_the_least_distance():
    robot = Robot(planar_arm())
    text = "link 'tip' of 'planar': the target is unreachable: it lies 1 m beyond the total length .* and is missed by 1 m; move"
    with pytest.raises(ConvergenceError, match=text) as caught:
        robot.inverse_kinematics("tip", position=(3, 0, 0))
    assert "move the target" in str(caught.value) and isinstance(caught.value, lissom.LissomError)
    found = caught.value.result
    assert found.position_error == pytest.approx(1.0, abs=1e-9) and not found.reached
    assert found.beyond == pytest.approx(1.0, abs=1e-12)
    found = robot.inverse_kinematics("tip", position=(0, 1.5, 1), throw=False)  # off its plane, not beyond its lengths
    assert found.status is IKStatus.UNREACHABLE and found.beyond == 0 and "unreachable: missed by 1 m" in found.report()
    assert found.status.advice in found.report()
    found = robot.inverse_kinematics("tip", position=(0, 3, 1), throw=False)
    assert found.status is IKStatus.UNREACHABLE and found.position_error == pytest.approx(np.sqrt(2), abs=1e-9)
    assert np.allclose(found.q, [np.pi / 2, 0], rtol=0, atol=1e-4)


@pytest.mark.slow
def test_limits_are_not_blamed_where_lengths_are_too_short():
    robot = Robot(planar_arm(limits=(Limits(-0.5, 0.5), Limits(-3, 3))), backend="numpy")
    found = robot.inverse_kinematics("tip", position=[(0, 5, 0), (0, 2, 0), (2, 0, 0)], throw=False)
    assert [s.name for s in found.statuses] == ["UNREACHABLE", "HELD_BY_LIMITS", "REACHED"]
    assert np.allclose(found.beyond, [3, 0, 0], atol=1e-12)
    assert "2 of 3 targets are missed; the worst, (0,), is unreachable: it lies 3 m beyond" in found.report()
    # a point of the link counts, and a sliding joint as far as its limits let it go
    assert robot.inverse_kinematics("tip", position=(5, 0, 0), point=(2, 0, 0), throw=False).beyond == pytest.approx(1.0)
    slide = lissom.robots.stanford()
    assert slide.inverse_kinematics("link_6", position=(50, 0, 0), throw=False).beyond == 0


@pytest.mark.slow
def test_limits_that_hold_the_link_are_named():
    model = planar_arm(limits=(Limits(-0.5, 0.5), Limits(-3, 3)))
    robot = Robot(model, backend="numpy")
    with pytest.raises(ConvergenceError, match="is held by limits: missed by .* held by the limit of 'turn_1'; .*limits=False"):
        robot.inverse_kinematics("tip", position=(0, 2, 0))
    found = robot.inverse_kinematics("tip", position=(0, 2, 0), throw=False)
    assert found.status is IKStatus.HELD_BY_LIMITS and found.limited_joints == ("turn_1",)
    assert found.q[0] == 0.5
    # the elbow turns the forearm toward the target: the nearest point of the circle about it
    elbow = np.array([np.cos(0.5), np.sin(0.5)])
    assert found.position_error == pytest.approx(np.linalg.norm([0, 2] - elbow) - 1, abs=1e-9)
    free = robot.inverse_kinematics("tip", position=(0, 2, 0), limits=False, tolerance=1e-6)
    assert free.q[0] == pytest.approx(np.pi / 2, abs=1e-2)


def test_a_start_outside_the_limits_is_brought_within():
    robot = Robot(planar_arm(limits=(Limits(-2, 2), Limits(-3, 3))), backend="numpy")
    found = robot.inverse_kinematics("tip", position=(1, 1, 0), q0=[5.0, -9.0])
    assert within(robot.model, found.q)


def test_limits_of_followers_limit_their_leaders():
    coupling = Coupling("turn_1", -2.0, 0.1)
    model = planar_arm(limits=(Limits(-3, 3), Limits(-1.9, 0.5)), coupling=coupling)
    bounds = Bounds.of(model, True)
    assert bounds.lower == pytest.approx([-0.2]) and bounds.upper == pytest.approx([1.0])
    robot = Robot(model, backend="numpy")
    goal = robot.link_pose([0.7], "tip")[:3, 3]
    assert robot.inverse_kinematics("tip", position=goal).q == pytest.approx([0.7])
    found = robot.inverse_kinematics("tip", position=robot.link_pose([1.3], "tip")[:3, 3], throw=False)
    assert found.q == pytest.approx([1.0]) and found.limited_joints == ("turn_1",)
    empty = planar_arm(limits=(Limits(-3, -2), Limits(-1.9, 0.5)), coupling=coupling)
    with pytest.raises(ModelError, match="limits of joint 'turn_1' and of 'turn_2', which follows it, leave no position"):
        Robot(empty, backend="numpy").inverse_kinematics("tip", position=(1, 0, 0))


def test_running_out_of_iterations_is_said():
    robot = Robot(planar_arm(), backend="numpy")
    found = robot.inverse_kinematics("tip", position=(1, 1, 0), q0=[0.1, 0.1], max_iterations=2, restarts=0, throw=False)
    assert found.status is IKStatus.OUT_OF_ITERATIONS and found.iterations == 2
    assert "increase max_iterations" in found.report()


@pytest.mark.slow
def test_one_of_many_missed_targets_is_reported():
    robot = Robot(planar_arm(), backend="numpy")
    with pytest.raises(ConvergenceError, match=r"2 of 3 targets are missed; the worst, \(2,\), is unreachable: it lies 3 m"):
        robot.inverse_kinematics("tip", position=[(1, 1, 0), (4, 0, 0), (0, 5, 0)])


def test_the_same_call_gives_the_same_answer_and_restarts_help():
    robot = Robot(planar_arm(), backend="numpy")
    # stretched toward the target there is no slope: only another start gets away
    alone = robot.inverse_kinematics("tip", position=(1, 0, 0), q0=[0.0, 0.0], restarts=0, throw=False)
    assert not alone.reached
    answers = [robot.inverse_kinematics("tip", position=(1, 0, 0), q0=[0.0, 0.0]).q for _ in range(2)]
    assert np.array_equal(*answers)
    other = robot.inverse_kinematics("tip", position=(1, 0, 0), q0=[0.0, 0.0], seed=5)
    assert other.reached


def test_free_bodies_are_put_anywhere():
    robot = Robot(tree_model(1, kinds=["floating"], seed=2), backend="numpy")
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation_from_quaternions(quaternion_exp(np.array([3.0, 0.4, -0.5]))), (50.0, -20.0, 3.0)
    found = robot.inverse_kinematics("link_1", T)
    assert np.allclose(robot.link_pose(found.q, "link_1"), T, rtol=0, atol=1e-8)
    assert np.linalg.norm(found.q[3:]) == pytest.approx(1, abs=1e-15)


def test_rotations_and_quaternions_are_two_ways_to_say_one_thing():
    model = tree_model(1, kinds=["spherical"])
    u = random_states(model, 200, seed=1)[0]
    u = np.concatenate([u, np.eye(4), [[1e-9, 0, 0, 1], [1, 1e-9, 0, 0], [0.5, 0.5, 0.5, 0.5]]])
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    back = quaternion_from_rotation(rotation_from_quaternions(u))
    assert np.allclose(back * np.sign((back * u).sum(axis=1, keepdims=True)), u, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "no target given; expected pose"),
        ({"pose": np.eye(4), "position": (1, 0, 0)}, "either as pose or as position and orientation, not both"),
        ({"pose": np.eye(3)}, r"pose has shape \(3, 3\), expected \(..., 4, 4\)"),
        ({"pose": np.ones((4, 4))}, "its last row must be 0 0 0 1"),
        ({"pose": "there"}, "pose must be numbers of shape .*, got 'there'"),
        ({"position": (1, 0)}, r"position has shape \(2,\), expected \(..., 3\)"),
        ({"position": (1, 0, np.nan)}, "position is not finite"),
        ({"orientation": np.ones((3, 3))}, "orientation is not a rotation"),
        ({"orientation": np.diag([1.0, 1.0, -1.0])}, "or R is a mirror image"),
        ({"orientation": (0, 0, 0, 0)}, "orientation is a zero quaternion"),
        ({"orientation": np.eye(3), "point": (0, 0, 0.1)}, "point is given without a position; .*; give position too"),
        ({"orientation": 3}, r"orientation has shape \(\), expected \(..., 3, 3\)"),
        ({"position": (1, 0, 0), "point": (1, 0)}, r"point has shape \(2,\), expected"),
        ({"position": (1, 0, 0), "q0": (1, 0, 0)}, "q0 has size 3, expected 2"),
        ({"position": (1, 0, 0), "q0": (1, np.inf)}, "q0 is not finite"),
        ({"position": [(1, 0, 0)] * 2, "q0": [(1, 0)] * 3}, r"leading axes of q0 \(3,\), point \(\), position \(2,\) do not fit"),
        ({"position": (1, 0, 0), "tolerance": 0}, "tolerance must be positive .* got 0"),
        ({"position": (1, 0, 0), "tolerance": np.nan}, "tolerance must be positive .* got nan"),
        ({"position": (1, 0, 0), "max_iterations": 0}, "max_iterations must be a whole number, 1 or more, got 0"),
        ({"position": (1, 0, 0), "restarts": 1.5}, "restarts must be a whole number, 0 or more, got 1.5"),
        ({"position": (1, 0, 0), "seed": -1}, "seed must be a whole number, 0 or more, got -1"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(StateError, match=message):
        Robot(planar_arm(), backend="numpy").inverse_kinematics("tip", **arguments)


def test_links_that_do_not_exist_or_move_are_named():
    model = planar_arm()
    model = dataclasses.replace(
        model, links=(*model.links, Link("post")), joints=(*model.joints, Joint("weld", "fixed", "ground", "post"))
    )
    robot = Robot(model, backend="numpy")
    with pytest.raises(NameLookupError, match="no link 'tib' in 'planar'; did you mean 'tip'"):
        robot.inverse_kinematics("tib", position=(1, 0, 0))
    for link in ("post", "ground"):
        with pytest.raises(StateError, match=f"no joint moves link {link!r}: it is fixed to the base 'ground'"):
            robot.inverse_kinematics(link, position=(1, 0, 0))
