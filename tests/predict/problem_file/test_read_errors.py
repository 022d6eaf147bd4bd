"""Every mistake in a problem file gives one message with the line, and a remedy."""

from pathlib import Path

import pytest

import lissom
from lissom.errors import FileError
from lissom.predict import load
from lissom.predict.problem_file.read import parse

GOOD = """lissom: 1
kind: motion
name: test
robot: robots:rr
path: {control_points: 8}
duration: {lower: 0.1, upper: 2}
start: {position: [0, -2]}
end: {position: [1, -1]}
limits:
  - {quantity: torque, within: 10}
minimize:
  - {goal: time}
"""
LIMIT = "  - {quantity: torque, within: 10}\n"


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


def test_the_text_below_is_good():
    parse(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        # keys and kinds
        ("path:", "pth:", 5, "unknown key 'pth' in the document; did you mean 'path'?"),
        ("control_points", "controlpoints", 5, "unknown key 'controlpoints' in 'path' of the document; did you mean"),
        ("within: 10", "withn: 10", 10, "unknown key 'withn' in item 1 of 'limits' of the document; did you mean 'within'?"),
        ("within: 10", "within: 10, link: link_1", 10, "unknown key 'link' in item 1 of 'limits'"),
        ("kind: motion", "kind: dh", 2, "this file is a robot (kind: dh), not a motion problem"),
        ("kind: motion", "kind: walk", 2, "must be one of motion, got 'walk'"),
        ("lissom: 1", "lissom: 2", 1, "this is version '2' of the format; this lissom reads version 1"),
        ("name: test\n", "", 1, "the document has no key 'name'; a motion problem starts with"),
        # the robot
        ("robots:rr", "robots:rrr", 4, "no built-in robot 'rrr'; did you mean 'rr'?"),
        ("robots:rr", "robots:five_bra", 4, "no built-in robot 'five_bra'; did you mean 'five_bar'?"),
        ("robots:rr", "robots:rp(theta=0)", 4, "robot 'rp' has no argument 'theta'; did you mean 'theta2'?"),
        ("robots:rr", "robots:rp(theta2=fast)", 4, "argument 'theta2' of robot 'rp' must be a number such as 0.5, pi/2 or 90deg"),
        ("robots:rr", "robots:puma560(friction=2)", 4, "argument 'friction' of robot 'puma560' must be true or false, got '2'"),
        ("robots:rr", "robots:rr)", 4, "'rr)' is not the name of a built-in robot; write robots:rr"),
        ("robots:rr", "{model: robots:rr, mimic: true}", 4, "'mimic' and 'friction: true' apply to robots from files"),
        ("robots:rr", "{model: robots:rr, lock: {elbow: 0}}", 4, "unknown key 'elbow' in 'lock' of 'robot'"),
        ("robots:rr", "{model: robots:rr, payload: {link: link_3, mass: 1}}", 4, "no link 'link_3' in 'barman_rr'; did you mean"),
        ("robots:rr", "{model: robots:rr, payload: {link: link_2, mass: -1}}", 4, "mass must be positive, got -1"),
        ("robots:rr", "{model: robots:rr, boxes: [{name: box, mass: -1, size: [1, 1, 1]}]}", 4, "mass must be positive, got -1"),
        ("robots:rr", "{model: robots:rr, boxes: [{name: box, mass: 1, size: [1, 0, 1]}]}", 4, "size of a box"),
        ("robots:rr", "{model: robots:rr, boxes: [{name: box, mass: 1, size: [1, 1]}]}", 4, "must be 3 numbers, got 2"),
        ("robots:rr", "{model: robots:rr, boxes: [{name: link_2, mass: 1, size: [1, 1, 1]}]}", 4, "link_2"),
        ("robots:rr", "{model: robots:rr, boxes: [{name: box, mass: 1}]}", 4, "has no key 'size'"),
        # the path and the duration
        ("8}", "3}", 5, "3"),
        ("8}", "8, points_per_span: 1}", 5, "with too few, limits hold at the instants"),
        ("8}", "8.5}", 5, "must be a whole number of at least 1, got '8.5'"),
        ("duration: {lower: 0.1, upper: 2}\n", "", 1, "no key 'duration'; it needs bounds"),
        ("{lower: 0.1, upper: 2}", "{lower: 0.1}", 6, "the duration has no 'upper'; it needs both bounds [s]"),
        ("{lower: 0.1, upper: 2}", "{lower: 3, upper: 2}", 6, "between 3 and 2 s, expected 0 < lower <= upper"),
        ("{lower: 0.1, upper: 2}", "-1", 6, "expected 0 < lower <= upper"),
        # the ends
        ("[0, -2]", "[0, -2, 1]", 7, "'position' of 'start' of the document has 3 numbers, expected 2: joint_1, joint_2"),
        ("[0, -2]", "{joint_1: 0}", 7, "start's position has no value for joint 'joint_2'"),
        ("[0, -2]", "{joint_1: 0, joint_3: 1}", 7, "unknown key 'joint_3' in 'position' of 'start'"),
        ("[1, -1]", "[90, -1]", 8, "is 90 rad, 14.3 turns; it looks like degrees: write numpy.deg2rad(90), or 90deg in a file"),
        ("[1, -1]", "[fast, -1]", 8, "must be a number such as 0.5, 1e-3, -pi/2 or 90deg, got 'fast'"),
        ("{position: [1, -1]}", "{velocity: 0}", 8, "has no key 'position'"),
        ("{position: [1, -1]}", "{position: [1, -1], acceleration: 2}", 8, "acceleration must be zero or free"),
        # limits
        ("torque,", "torqe,", 10, "no quantity 'torqe'; did you mean 'torque'"),
        ("quantity: torque, ", "", 10, "item 1 of 'limits' of the document has no key 'quantity'"),
        (", within: 10", "", 10, "has no bounds; give 'lower' and 'upper', 'within' (plus or minus), or 'equal'"),
        ("within: 10", "within: 10, lower: 1", 10, "has 'lower' and 'within'; 'within' and 'equal' exclude other bounds"),
        ("within: 10", "lower: 5, upper: 1", 10, "lower 5 is above upper 1 N m"),
        ("within: 10", "within: 90deg", 10, "is '90deg', but not an angle; give a number in SI units"),
        ("within: 10", "within: [1, 2, 3]", 10, "has 3 numbers, expected 2: joint_1, joint_2"),
        ("within: 10", "within: {elbow: 1}", 10, "unknown key 'elbow' in 'within'"),
        ("within: 10", "within: 10, entries: joint_9", 10, "torque has no entry 'joint_9'; did you mean"),
        ("within: 10", "within: 10, at: 1.5", 10, "expected fractions of the duration from 0 (start) to 1 (end)"),
        ("within: 10", "within: 10, scale: -1", 10, "expected positive numbers"),
        ("torque, within: 10", "position, within: 170", 10, "is -170 rad, 27.1 turns; it looks like degrees"),
        (
            "torque, within: 10",
            "position, within: 1",
            10,
            "the start's position of joint_2, -2 rad, breaks a limit: it must be between -1 and 1 rad",
        ),
        ("torque, within: 10", "link_position, equal: 0", 10, "has no key 'link'"),
        ("torque, within: 10", "link_position, link: hand, equal: 0", 10, "no link 'hand'"),
        (
            *("torque, within: 10", "joint_wrench, joint: joint_1, components: [fq], within: 1"),
            *(10, "no component 'fq' of a wrench; expected one of 'fx'"),
        ),
        (LIMIT, LIMIT + "  - {quantity: torque, lower: 12}\n", 11, "limits contradict each other: torque of joint_1 at least 12"),
        (LIMIT, LIMIT + "  - {quantity: torque, lower: 12}\n", 11, "between -10 and 10 N m (line 10)"),
        (LIMIT, "  - from: model\n", 10, "must be one of robot, got 'model'"),
        (
            LIMIT,
            "  - {from: robot, quantities: speed}\n",
            10,
            "no 'speed' here; expected one of 'position', 'velocity', 'torque'",
        ),
        (LIMIT, "  - {from: robot, quantities: velocity}\n", 10, "'barman_rr' has no limits of velocity"),
        # the rest
        (LIMIT, LIMIT + "avoid: [{link: link_2, center: [0, 0, 0], distance: 0}]\n", 11, "expected a positive number: the sum"),
        (LIMIT, LIMIT + "repeat: [speed]\n", 11, "no 'speed' here; expected one of 'position'"),
        (LIMIT, LIMIT + "repeat: {pairs: [{start: joint_1, end: joint_7}]}\n", 11, "no joint 'joint_7' with its own coordinates"),
        ("  - {goal: time}", "  []", 12, "nothing is minimized; add a goal such as {goal: time}"),
        ("goal: time", "goal: tim", 12, "did you mean 'time'"),
        ("goal: time", "goal: time, quantity: torque", 12, "unknown key 'quantity' in item 1 of 'minimize'"),
        ("goal: time", "goal: integral", 12, "has no key 'quantity'"),
        ("goal: time", "goal: peak, quantity: torque, square: true", 12, "unknown key 'square'"),
        ("goal: time", "goal: time, weight: -1", 12, "weight of 'time' is -1.0, expected a finite number >= 0"),
        (LIMIT, LIMIT + "solve: {refine: often}\n", 11, "must be a number"),
        (LIMIT, LIMIT + "solve: {solver: snopt}\n", 11, "must be one of ipopt, uno, got 'snopt'"),
        (LIMIT, LIMIT + "solve: {tolerance: 2}\n", 11, "'tolerance' must be between 0 and 1, got 2"),
        (LIMIT, LIMIT + "solve: {iteration: 9}\n", 11, "unknown key 'iteration' in 'solve' of the document; did you mean 'iter"),
        ("name: test", "name: *x", 3, "aliases (*name) are not allowed"),
        ("name: test", "name: !!python/none x", 3, "is not allowed; lissom reads plain YAML"),
    ],
)
def test_a_mistake_is_told_with_its_line(old, new, line, message):
    with pytest.raises(FileError) as caught:
        parse(changed(old, new), "problem.yaml")
    assert str(caught.value).startswith(f"problem.yaml:{line}: "), caught.value
    assert message in str(caught.value)


def test_files_that_are_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("list.yaml").write_text("- 1\n")
    Path("large.yaml").write_bytes(b"#" * ((1 << 20) + 1))
    Path("folder.yaml").mkdir()
    Path("lost.yaml").write_text(GOOD.replace("robots:rr", "arm.urdf"))
    for name, message in (
        ("missing.yaml", "missing.yaml: no such file"),
        ("folder.yaml", "is a folder; give the path of a problem file"),
        ("list.yaml", "list.yaml:1: this is not a motion problem"),
        ("large.yaml", "larger than 1 MiB"),
        ("pandas", "pandas: neither a file nor a built-in problem; did you mean 'panda'"),
        ("lost.yaml", "lost.yaml:4: no file "),
    ):
        with pytest.raises(FileError) as caught:
            load(name)
        assert message in str(caught.value)


def test_a_robot_without_limits_of_its_own_is_told():
    text = changed(LIMIT, "  - from: robot\n").replace("robots:rr", "robots:planar_two_link")
    with pytest.raises(FileError, match="problem.yaml:10: the model of 'planar_two_link' has no limits"):
        parse(text, "problem.yaml")


def test_an_end_that_a_closed_robot_cannot_reach_is_told_with_its_line(tmp_path):
    lissom.write.save(lissom.robots.five_bar_model(), tmp_path / "five.yaml")
    (tmp_path / "problem.yaml").write_text(GOOD.replace("robots:rr", "five.yaml").replace("[0, -2]", "[3.14, 0]"))
    with pytest.raises(
        FileError, match=r"problem.yaml:7: the start of the motion is out of reach: at left = .*loop 'pin' stays open"
    ):
        load(tmp_path / "problem.yaml")


def test_a_folder_does_not_hide_a_built_in_problem(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rr").mkdir()
    (tmp_path / "reach").mkdir()
    assert load("rr").name == "RR arm, minimum time"
    with pytest.raises(FileError, match="is a folder; give the path of a problem file"):
        load("reach")
    (tmp_path / "rp").write_text(GOOD)  # a file comes first
    assert load("rp").name == "test"


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("control_points: 8", "control_points: 1e18", "control_points is 1000000000000000000, expected 1000 at most"),
        ("control_points: 8", "control_points: 900, points_per_span: 100", "900 control points of degree 3 .* make tables"),
        ("control_points: 8", "control_points: 8, points_per_span: 1000000", "points_per_span is 1000000, expected an even"),
        ("control_points: 8", "control_points: 400, degree: 31", "degree is 31, expected 30 at most"),
        ("control_points: 8", "control_points: 1e13, degree: 1e12", "control_points is 10000000000000, expected 1000 at most"),
        ("upper: 2", "upper: 1e200", "expected times between 1e-09 and 1e.09 s"),
        ("lower: 0.1", "lower: 1e-200", "expected times between 1e-09 and 1e.09 s"),
        ("minimize:", "solve: {starts: 1e9}\nminimize:", "'starts' of .* must be 1000 at most, got 1e9"),
        ("minimize:", "solve: {refine: 21}\nminimize:", "'refine' of .* must be 20 at most, got 21"),
        ("minimize:", "solve: {seconds: 0}\nminimize:", "'seconds' must be more than 0, got 0"),
        ("minimize:", "solve: {iterations: 1e12}\nminimize:", "'iterations' of .* must be 1000000 at most"),
    ],
)
def test_numbers_that_would_fill_the_memory_or_take_days_are_refused(old, new, message):
    with pytest.raises(FileError, match=message):
        parse(changed(old, new))


@pytest.mark.parametrize("name", ["x" * 5000, "a/" * 3000 + "b", '"a\\0b"'], ids=["long", "deep", "nul"])
def test_names_that_no_file_can_have_are_those_of_no_file(name):
    with pytest.raises(FileError, match="no file"):
        parse(changed("robots:rr", name))
    with pytest.raises(FileError):
        load(name)
