"""Quantities of task space in problem files."""

import numpy as np
import pytest

import lissom
from lissom import FileError, MotionProblem
from lissom.predict import load
from lissom.predict.problem_file.read import parse

HEAD = "lissom: 1\nkind: motion\nname: test\nrobot: robots:rr\npath: {control_points: 8}\nduration: 1\nminimize: time\nlimits:\n"
LIMITS = """  - {quantity: link_velocity, link: link_2, point: [0.1, 0, 0], axes: link, entries: [vx, wz], within: [1, 2]}
  - {quantity: link_acceleration, link: link_2, entries: ax, upper: 9}
  - {quantity: speed_squared, link: link_2, point: [0.1, 0, 0], upper: 4}
  - {quantity: orientation, link: link_2, target: {rpy: [0, 0, 90deg]}, equal: 0, at: 1, scale: 0.5}
  - {quantity: link_pose, link: link_2, target: {xyz: [0.5, 0.1, 0], rpy: [0, 0, 90deg]}, entries: [x, rz], within: 0.1, at: 0.5}
  - {quantity: tilt, link: link_2, axis: [1, 0, 0], direction: [0, 1, 0], within: {u: 0.1}}
  - {quantity: momentum, about: origin, entries: Lz, within: 3}
  - {quantity: center_of_mass_velocity, within: 2}
"""


def test_a_file_says_what_python_says():
    mine = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0)
    mine.limit("link_velocity", [-1, -2], [1, 2], entries=["vx", "wz"], link="link_2", point=(0.1, 0, 0), axes="link")
    mine.limit("link_acceleration", upper=9, entries="ax", link="link_2")
    mine.limit("speed_squared", upper=4, link="link_2", point=(0.1, 0, 0))
    mine.limit("orientation", 0, 0, at=1, scale=0.5, link="link_2", target=[[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    pose = [[0, -1, 0, 0.5], [1, 0, 0, 0.1], [0, 0, 1, 0], [0, 0, 0, 1]]
    mine.limit("link_pose", -0.1, 0.1, entries=["x", "rz"], at=0.5, link="link_2", target=pose)
    mine.limit("tilt", {"link_2.u": -0.1}, {"link_2.u": 0.1}, link="link_2", axis=(1, 0, 0), direction=(0, 1, 0))
    mine.limit("momentum", -3, 3, entries="Lz", about="origin").limit("center_of_mass_velocity", -2, 2)
    theirs = parse(HEAD + LIMITS)
    for a, b in zip(mine.parts.limits, theirs.parts.limits, strict=True):
        assert a.quantity.name == b.quantity.name and a.quantity.labels == b.quantity.labels
        assert a.quantity.options == b.quantity.options
        for field in ("entries", "lower", "upper", "scale"):
            assert np.array_equal(getattr(a, field), getattr(b, field)), (a.quantity.name, field)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("{quantity: speed_squared, upper: 1}", "has no key 'link'"),
        ("{quantity: tilt, link: link_2, point: [0, 0, 0], within: 1}", "unknown key 'point'"),
        ("{quantity: tilt, link: link_2, axis: [0, 0, 0], within: 1}", "axis is zero"),
        ("{quantity: link_velocity, link: link_2, axes: sky, within: 1}", "no axes 'sky'"),
        ("{quantity: orientation, link: link_2, target: [0, 0, 0], equal: 0}", "target"),
        ("{quantity: orientation, link: link_2, target: {xyz: [0, 0, 0]}, equal: 0}", "unknown key 'xyz'"),
        ("{quantity: orientation, link: link_2, target: {quaternion: [0, 0, 0, 0]}, equal: 0}", "must not be zero"),
        ("{quantity: momentum, about: foot, within: 1}", "no momentum about 'foot'"),
    ],
)
def test_a_mistake_is_an_error_with_its_line(limit, message):
    with pytest.raises(FileError, match=message) as caught:
        parse(HEAD + f"  - {limit}\n", "problem.yaml")
    assert str(caught.value).startswith("problem.yaml:9: ")


def test_poses_of_links_are_read_as_python_takes_them():
    head = HEAD.removesuffix("limits:\n") + "reach:\n"
    turned = lissom.Pose(((0, -1, 0), (1, 0, 0), (0, 0, 1)), (0.3, 0.4, 0.0))
    mine = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0)
    mine.reach("link_2", turned).reach("link_2", [0.3, 0.1, 0.0], at=[0.2, 0.5], point=(0.1, 0, 0))
    theirs = parse(
        head + "  - {link: link_2, xyz: [0.3, 0.4, 0], rpy: [0, 0, 90deg]}\n"
        "  - {link: link_2, xyz: [0.3, 0.1, 0], at: [0.2, 0.5], point: [0.1, 0, 0]}\n"
    )
    for a, b in zip(mine.parts.limits, theirs.parts.limits, strict=True):
        assert a.quantity.labels == b.quantity.labels and np.array_equal(a.at, b.at)
        assert np.allclose(a.lower, b.lower) and a.quantity.options["link"] == b.quantity.options["link"]
    for wrong, message in [("{xyz: [0, 0, 0]}", "link"), ("{link: link_2}", "xyz"), ("{link: sky, xyz: [0, 0, 0]}", "sky")]:
        with pytest.raises(FileError, match=message):
            parse(head + f"  - {wrong}\n")


@pytest.mark.slow
def test_a_panda_carries_its_cup_level_and_slow():
    found = load("panda_level").solve()
    q, qd = found.states(found.times(501))[:2]
    R, v = found.robot.link_pose(q, "flange")[:, :3, :3], found.robot.link_velocity(q, qd, "flange")[:, :3]
    assert np.arccos(np.clip(-R[:, 2, 2], -1, 1)).max() < np.hypot(0.01, 0.01) * 1.001
    assert 0.79 < np.linalg.norm(v, axis=1).max() < 0.8 * 1.001


@pytest.mark.slow
def test_a_panda_carries_a_cup_around_a_post():
    problem = load("panda_cup")
    found = problem.solve()
    q = found.states(found.times(2001))[0]
    down = problem.robot.link_pose(q, "flange")[:, :3, 2]
    assert np.degrees(np.arccos(np.clip(-down[:, 2], -1, 1))).max() < 0.75  # half a degree along each of two axes
    tip = problem.robot.link_pose(q, "flange")[:, :2, 3]
    assert np.linalg.norm(tip - [0.55, -0.05], axis=1).min() > 0.08
