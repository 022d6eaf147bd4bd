"""Poses of a live view: sliders, dragged links, limits, closed loops."""

import numpy as np
import pytest

from lissom import robots
from lissom.errors import LissomError
from lissom.view.live.controls import Controls
from lissom.view.live.links import hand
from lissom.view.live.posing import Posing


def pose_of(answer, robot, link):
    """The pose (4, 4) of a link in an answer."""
    x, y, z, *quaternion = answer["poses"][1 + robot.link_names.index(link)]
    i, j, k, w = quaternion
    R = [
        [1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w)],
        [2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w)],
        [2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j)],
    ]
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = R, (x, y, z)
    return found


@pytest.fixture(scope="module")
def panda():
    return robots.panda()


READY = [0.3, -0.5, 0.2, -2.0, 0.1, 1.6, 0.7]


def test_poses_of_an_answer_are_the_link_poses(panda):
    answer = Posing(panda).answer("slide", {"values": READY})
    assert answer["q"] == READY
    for link in panda.link_names:
        np.testing.assert_allclose(pose_of(answer, panda, link), panda.link_pose(READY, link), atol=1e-12)
    assert answer["poses"][0] == [0, 0, 0, 0, 0, 0, 1]


def test_a_dragged_link_is_at_its_target(panda):
    posing = Posing(panda, READY)
    target = panda.link_pose(READY, "flange")[:3, 3] + [0.05, -0.1, 0.08]
    turned = [0.0, 1.0, 0.0, 0.0]
    for orientation in (None, turned):
        request = {"link": "flange", "position": target.tolist(), "orientation": orientation}
        answer = posing.answer("drag", {"q": READY, **request})
        assert answer["reached"] and answer["settled"] and not answer["message"]
        found = pose_of(answer, panda, "flange")
        np.testing.assert_allclose(found[:3, 3], target, atol=1e-5)
        np.testing.assert_allclose(found, panda.link_pose(answer["q"], "flange"), atol=1e-12)
    np.testing.assert_allclose(found[:3, :3], np.diag([-1.0, 1.0, -1.0]), atol=1e-5)


def test_a_target_out_of_reach_is_approached_and_said_to_be_out_of_reach(panda):
    posing, request = Posing(panda, READY), {"link": "flange", "position": [3.0, 0.0, 0.5], "orientation": None}
    answer = posing.answer("drag", request)
    for _ in range(20):
        if answer["settled"]:
            break
        answer = posing.answer("drag", {"q": answer["q"], **request})
    assert answer["settled"] and not answer["reached"] and "out of reach" in answer["message"]
    # the arm is stretched: shoulder at 0.333 m, then 0.316 m, 0.384 m, and 0.107 m + 0.088 m of the wrist at most
    assert 3.0 - pose_of(answer, panda, "flange")[0, 3] < 3.0 - 0.7


def test_limits_are_kept_and_shown(panda):
    posing = Posing(panda, READY)
    answer = posing.answer("slide", {"values": [9.0, -9.0, *READY[2:]]})
    lower, upper = panda.limits.lower, panda.limits.upper
    assert answer["q"][:2] == [upper[0], lower[1]]
    assert answer["sides"] == [1, -1, 0, 0, 0, 0, 0]
    drag = posing.answer("drag", {"q": READY, "link": "flange", "position": [-2.0, -0.1, 0.0], "orientation": None})
    assert (np.array(drag["q"]) >= lower - 1e-9).all() and (np.array(drag["q"]) <= upper + 1e-9).all()


@pytest.mark.sweep("four_bar", "five_bar")
@pytest.mark.parametrize("name", ["five_bar", "four_bar", "delta", "gough_stewart"])
def test_loops_of_a_closed_robot_stay_closed(name):
    robot = getattr(robots, name)()
    posing = Posing(robot)
    link = hand(robot)
    start = robot.link_pose(robot.home(), link)
    answer = posing.answer("slide", {"values": (robot.home() + 0.02).tolist()})
    assert answer["moved"] and robot.closure_error(answer["tree_q"]) < 1e-9
    whole = robot.nv == 6
    for step in ([0.01, 0.0, 0.0], [0.0, 0.02, 0.01], [5.0, 5.0, 5.0]):
        position = (start[:3, 3] + step).tolist()
        request = {"link": link, "position": position, "orientation": [0, 0, 0, 1] if whole else None}
        before = pose_of(answer, robot, link)[:3, 3]
        answer = posing.answer("drag", {"q": answer["q"], "tree_q": answer["tree_q"], **request})
        assert robot.closure_error(answer["tree_q"]) < 1e-9
        after = pose_of(answer, robot, link)
        np.testing.assert_allclose(after, robot.tree.link_pose(answer["tree_q"], link), atol=1e-12)
        assert np.linalg.norm(after[:3, 3] - position) <= np.linalg.norm(before - position) + 1e-12
        assert answer["reached"] == (np.linalg.norm(after[:3, 3] - position) < 1e-5 and not answer["message"])
    assert not answer["reached"] and "out of reach" in answer["message"]


@pytest.mark.slow  # takes seconds to compile
def test_a_platform_is_dragged_to_a_pose_of_six_directions():
    robot = robots.gough_stewart()
    posing = Posing(robot)
    pose = robot.link_pose(robot.home(), robot.platform)
    c, s = np.cos(0.05), np.sin(0.05)
    answer = posing.answer(
        "drag", {"link": robot.platform, "position": (pose[:3, 3] + [0.02, 0.01, 0.03]).tolist(), "orientation": [s, 0.0, 0.0, c]}
    )
    assert answer["reached"], answer["message"]
    np.testing.assert_allclose(pose_of(answer, robot, robot.platform)[:3, 3], pose[:3, 3] + [0.02, 0.01, 0.03], atol=1e-5)


def test_a_pose_that_cannot_close_leaves_the_robot_where_it_was():
    robot = robots.five_bar()
    posing = Posing(robot)
    here = posing.answer("neutral", {})
    answer = posing.answer("slide", {"values": [3.0, -3.0], "tree_q": here["tree_q"]})
    assert not answer["moved"] and answer["q"] == pytest.approx(here["q"])
    assert answer["message"] == (
        "left cannot be 3 rad (171.9°) and right cannot be -3 rad (-171.9°): "
        "the loops do not close, or only beyond a singular pose"
    )
    np.testing.assert_allclose(answer["poses"], here["poses"], atol=1e-12)


@pytest.mark.slow
def test_a_leg_that_cannot_be_so_long_is_named_with_its_length():
    robot = robots.gough_stewart()
    posing = Posing(robot)
    wanted = posing.q.copy()
    wanted[0] = robot.limits.upper[0]
    answer = posing.answer("slide", {"values": wanted.tolist()})
    assert (
        answer["message"]
        == f"leg_1 cannot be {wanted[0]:.4g} m while the others stay: the loops do not close, or only beyond a singular pose"
    )
    assert not answer["moved"] and answer["q"] == pytest.approx(robot.neutral())


def test_rotations_in_space_have_three_sliders():
    from lissom import Model, Robot
    from lissom.model import Inertia, Joint, JointKind, Link

    body = Inertia(1.0, (0.1, 0.0, 0.0), np.diag([0.02, 0.03, 0.03]))
    joints = (Joint("hip", JointKind.SPHERICAL, "base", "leg"), Joint("knee", JointKind.REVOLUTE, "leg", "foot"))
    robot = Robot(Model("leg", (Link("base"), Link("leg", body), Link("foot", body)), joints))
    controls = Controls(robot)
    assert [control.name for control in controls.every] == ["hip about x", "hip about y", "hip about z", "knee"]
    values = np.array([0.3, -0.2, 0.5, 1.0])
    q = controls.coordinates(values)
    assert np.linalg.norm(q[:4]) == pytest.approx(1.0)
    np.testing.assert_allclose(controls.values(q), values, atol=1e-12)
    assert robot.link_pose(q, "leg")[:3, :3] @ values[:3] == pytest.approx(values[:3])  # the axis of a rotation stays


@pytest.mark.parametrize(
    ("kind", "request_", "text"),
    [
        ("slide", {}, "values must be a list of numbers"),
        ("slide", {"values": [0.0] * 6}, "values must be 7 numbers"),
        ("slide", {"values": [0.0] * 6 + [float("nan")]}, "finite"),
        ("slide", {"values": [0.0] * 6 + [10**400]}, "too large"),
        ("slide", {"values": [0.0] * 6 + [True]}, "list of numbers"),
        ("slide", {"values": "0000000"}, "list of numbers"),
        ("drag", {"link": "tool", "position": [0.0] * 3}, "no link 'tool'"),
        ("drag", {"link": "flange", "position": [0.0] * 4}, "position must be 3 numbers, got 4"),
        ("drag", {"link": "flange", "position": [0.0] * 3, "q": [0.0]}, "q must be 7 numbers"),
        ("drag", {"link": "flange", "position": [0.0] * 3, "orientation": [0.0] * 4}, "zero quaternion"),
        ("drag", {"link": "base", "position": [0.0] * 3}, "no joint moves link 'base'"),
    ],
)
def test_wrong_requests_are_refused_and_move_nothing(panda, kind, request_, text):
    posing = Posing(panda, READY)
    with pytest.raises(LissomError, match=text):
        posing.answer(kind, request_)
    assert posing.q.tolist() == READY


def test_buttons_give_the_neutral_and_random_poses_within_limits(panda):
    posing = Posing(panda, READY)
    assert posing.answer("neutral", {})["q"] == panda.neutral().tolist()
    first, second = (np.array(posing.answer("random", {})["q"]) for _ in range(2))
    assert (first != second).all()
    assert ((first >= panda.limits.lower) & (first <= panda.limits.upper)).all()


def test_the_page_knows_links_limits_and_the_hand(panda):
    data = Posing(panda, READY).data()
    assert data["links"] == [*panda.link_names[1:]] and data["link"] == "flange"
    assert data["whole"] == [False] * 5 + [True] * 3 and all(data["turns"])
    assert [c["lower"] for c in data["controls"]] == panda.limits.lower.tolist()
    assert data["now"]["q"] == READY


@pytest.mark.parametrize(
    ("name", "link", "directions", "turning"),
    [("delta", "platform", 3, False), ("gough_stewart", "platform", 6, True), ("four_bar", "coupler", 1, True)],
)
def test_links_of_closed_robots_move_in_as_many_directions_as_their_jacobians_have(name, link, directions, turning):
    robot = getattr(robots, name)()
    J = robot.jacobian(robot.home(), link)
    assert np.linalg.matrix_rank(J, tol=1e-6) == directions and (np.abs(J[3:]).max() > 1e-6) == turning
    data = Posing(robot).data()
    at = data["links"].index(link)
    assert data["whole"][at] == (directions == 6) and data["turns"][at] == turning


def test_a_drag_before_the_first_one_moves_nothing(panda):
    posing = Posing(panda, READY)
    posing.prepare()
    assert posing.q.tolist() == READY


def test_a_floating_base_stays_while_the_hand_is_dragged_and_moves_when_it_is_dragged(tmp_path):
    import lissom

    fixed = robots.panda()
    fixed.save(tmp_path / "panda.urdf", lossy=True)
    robot = lissom.load(tmp_path / "panda.urdf", base="floating", friction=False)
    q = np.array([0.5, -0.2, 0.9, *(np.array([0.1, -0.3, 0.2, 0.9]) / np.sqrt(0.95)), *READY])
    posing, link = Posing(robot, q), "flange"
    pose = robot.link_pose(q, link)
    turned = posing._answer(q, None)["poses"][1 + robot.link_names.index(link)][3:]
    request = {"q": q.tolist(), "link": link, "position": (pose[:3, 3] + [0.05, 0.02, -0.03]).tolist(), "orientation": turned}
    answer = posing.answer("drag", request)
    assert answer["reached"] and answer["q"][:7] == q[:7].tolist()
    np.testing.assert_allclose(pose_of(answer, robot, link)[:3, 3], pose[:3, 3] + [0.05, 0.02, -0.03], atol=1e-5)
    np.testing.assert_allclose(pose_of(answer, robot, link)[:3, :3], pose[:3, :3], atol=1e-5)
    base = next(joint.child for joint in robot.model.joints if joint.kind.value == "floating")
    answer = posing.answer("drag", {"q": q.tolist(), "link": base, "position": [0.0, 0.0, 2.0], "orientation": None})
    assert answer["reached"] and answer["q"][7:] == READY
    np.testing.assert_allclose(pose_of(answer, robot, base)[:3, 3], [0.0, 0.0, 2.0], atol=1e-5)
    assert len(answer["values"]) == 6 + 7


def test_the_center_of_mass_moves_with_the_robot(panda):
    from lissom.view.scene.build import robot_scene
    from lissom.view.scene.marks import TOTAL

    scene = robot_scene(panda, panda.neutral())
    answer = Posing(panda, None, scene).answer("slide", {"values": READY})
    assert len(answer["poses"]) == len(scene.bodies)
    place = answer["poses"][scene.bodies.index(TOTAL)]
    np.testing.assert_allclose(place[:3], panda.center_of_mass(READY), atol=1e-12)
