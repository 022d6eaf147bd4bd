"""Targets and weights of goals, and sums and shifts of repeating motions, in problem files."""

import os

import numpy as np
import pytest

import lissom
from lissom.errors import FileError
from lissom.predict.problem_file.read import parse

HEAD = "lissom: 1\nkind: motion\nname: test\nrobot: robots:rr\npath: {control_points: 8}\nduration: 1\n"
S = np.linspace(0.0, 1.0, 7)


def goal(text, folder=None):
    """Return target and weights of a goal at some fractions."""
    found = parse(HEAD + f"minimize:\n  - {{goal: integral, {text}}}\n", folder=folder).parts.integrals[0].quantity
    return tuple(None if curve is None else curve(S) for curve in (found.target, found.weights))


def test_targets_and_weights_are_written_out():
    target, weights = goal("quantity: position, target: [10deg, pi/4], weights: [0, 2]")
    assert np.allclose(target, [np.deg2rad(10), np.pi / 4]) and np.allclose(weights, 2 * np.stack([S, S], axis=1))
    target, weights = goal("quantity: torque, target: {joint_1: 2, joint_2: 3}, weights: 2, scale: [2, 4]")
    assert np.allclose(target, [2.0, 3.0]) and np.allclose(weights, 2.0)
    target, _ = goal("quantity: link_position, link: link_2, entries: [x, y], target: [[0, 1], [1, 3]]")
    assert np.allclose(target, np.stack([S, 1 + 2 * S], axis=1))
    target, _ = goal("quantity: link_position, link: link_2, entries: [x], target: [0, 1, 0]")
    assert np.allclose(target[:, 0], 1 - np.abs(2 * S - 1))
    found = parse(HEAD + "minimize:\n  - {goal: peak, quantity: torque, target: 3, scale: 2}\n")
    assert np.allclose(found.parts.limits[0].quantity.target(S), 3.0) and (found.parts.limits[0].scale == 2.0).all()
    found = parse(HEAD + "minimize:\n  - {goal: integral, quantity: orientation, link: link_2, target: {rpy: [0, 0, 1]}}\n")
    assert found.parts.integrals[0].quantity.options["target"][0][0] == pytest.approx(np.cos(1.0))


def test_curves_lie_in_files_beside_the_problem(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "rows.csv").write_text("x,y\n0,1\n1,3\n")
    (tmp_path / "below" / "timed.csv").write_text("t,q_joint_2,q_joint_1\n2,0,0\n3,1,4\n6,1,8\n")
    (tmp_path / "weights.csv").write_text("s,weight\n0,1\n1,3\n")
    target, weights = goal(
        "quantity: link_position, link: link_2, entries: [x, y], target: {file: rows.csv}, weights: {file: weights.csv}", tmp_path
    )
    assert np.allclose(target, np.stack([S, 1 + 2 * S], axis=1)) and np.allclose(weights, 1 + 2 * S[:, None])
    target, _ = goal("quantity: position, target: {file: below/timed.csv}", tmp_path)
    assert np.allclose(target, [[np.interp(s, [0, 0.25, 1], [0, 4, 8]), np.interp(s, [0, 0.25, 1], [0, 1, 1])] for s in S])


def test_curves_outside_the_folder_are_not_read(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.csv").write_text("joint_1,joint_2\n1,2\n")
    os.symlink(tmp_path / "secret.csv", home / "link.csv")
    for name in ("../secret.csv", str(tmp_path / "secret.csv"), "link.csv", "/dev/zero"):
        with pytest.raises(FileError, match=r":8: file .* is outside the folder of the problem"):
            goal(f"quantity: torque, target: {{file: {name}}}", home)


@pytest.mark.parametrize(
    ("text", "content", "message"),
    [
        ("target: {file: none.csv}", "", ":8: there is no file .*none.csv; files are searched from the folder of the problem"),
        ("target: {file: .}", "", ":8: there is no file"),
        ("target: {file: a.csv}", "joint_1\n1\n", "a.csv:1: no column 'joint_2' for torque; it has joint_1"),
        ("target: {file: a.csv}", "s,joint_1,joint_2\n0,1,1\n0,1,1\n", "column 's' must increase from line to line"),
        ("target: {file: a.csv}", "joint_1,joint_2\n1,nan\n", "all values must be finite"),
        ("target: [1, 2, 3]", "", "has 3 numbers, expected 2"),
        ("target: 3deg", "", "but not an angle"),
        ("target: [[1, 2], [1]]", "", "has 1 numbers, expected 2"),
        ("target: {joint_1: 1}", "", "has no value for 'joint_2'"),
        ("weights: [-1, 2]", "", ":8: weights of torque are -1 to 2, expected zero or more"),
        ("target: 1, square: false", "", "square=False has no least value"),
    ],
)
def test_wrong_curves_are_refused(text, content, message, tmp_path):
    (tmp_path / "a.csv").write_text(content)
    with pytest.raises(FileError, match=message):
        goal(f"quantity: torque, {text}", tmp_path)


def equations(text):
    return [(e.label, e.ends) for e in parse(HEAD + f"repeat: {text}\nminimize: time\n").parts.equations]


def test_motions_repeat_shifted_and_by_sums():
    p = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0)
    p.same_at_both_ends("position", "velocity", pairs=[(("joint_1", "joint_2"), {"joint_2": 0.5}, -1)], shift=[0.3])
    text = "{quantities: [position, velocity], pairs: [{start: [joint_1, joint_2], end: {joint_2: 0.5}, sign: -1, shift: 0.3}]}"
    assert equations(text) == [(e.label, e.ends) for e in p.parts.equations]
    p = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0).same_at_both_ends(shift={"joint_2": np.pi / 2})
    assert equations("{shift: {joint_2: 90deg}}") == [(e.label, e.ends) for e in p.parts.equations]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{shift: {elbow: 1}}", ":7: unknown key 'elbow'"),
        ("{quantities: velocity, shift: {joint_1: 1}}", ":7: shift= is one of positions"),
        ("{pairs: [{start: [joint_1, joint_1], end: joint_2}]}", "expected a joint, joints .each once., or factors"),
        ("{pairs: [{start: joint_1, end: {joint_2: 0}}]}", "factor of joint 'joint_2' in a sum is 0.0"),
        ("{shift: {joint_1: 1}, pairs: [{start: joint_1, end: joint_1, shift: 2}]}", "beside pairs that have their own"),
    ],
)
def test_wrong_repetitions_are_refused(text, message):
    with pytest.raises(FileError, match=message):
        equations(text)


def test_targets_and_poses_belong_to_phases():
    head = HEAD.replace(
        "duration: 1\n", "phases: [{name: out, duration: {lower: 0.2, upper: 0.6}}, {name: back, duration: 0.5}]\n"
    )
    text = "reach:\n  - {link: link_2, xyz: [0.4, 0.2, 0], at: 1, during: out}\n"
    text += "minimize:\n  - {goal: integral, quantity: torque, target: [1, 2], during: back}\n"
    found = parse(head + text)
    mine = lissom.MotionProblem(lissom.robots.rr(), control_points=8).phases({"out": (0.2, 0.6), "back": 0.5})
    mine.reach("link_2", [0.4, 0.2, 0.0], at=1.0, during="out").minimize("integral", 1.0, "torque", target=[1, 2], during="back")
    assert [limit.during for limit in found.parts.limits] == [limit.during for limit in mine.parts.limits] == [(0,)]
    assert found.parts.integrals[0].during == (1,)
    assert found.parts.integrals[0].quantity.over == mine.parts.integrals[0].quantity.over == (mine.timing.ends[1], 1.0)
