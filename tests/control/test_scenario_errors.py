"""Mistakes in scenario files: every message says the line, what was expected and what was probably meant."""

import re
from pathlib import Path

import pytest

from lissom import FileError, robots
from lissom.control import load_scenario
from lissom.control.read import parse

TEXT = """lissom: 1
kind: scenario
robot: robots:hua_arm
start: {q: [0.1, 0.2, -0.3]}
duration: 0.1
reference: {hold: 0.2}
controller: {mixed: {slope: 5, damping: 10}}
"""
HOLD, MIXED = "{hold: 0.2}", "{mixed: {slope: 5, damping: 10}}"


def with_line(key, value):
    """Return the text with another value of a key, at the end if it is new."""
    line = re.compile(rf"^{key}: .*$", re.MULTILINE)
    if value is None:
        return line.sub("", TEXT)
    return line.sub(lambda _: f"{key}: {value}", TEXT) if line.search(TEXT) else f"{TEXT}{key}: {value}\n"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (
            "controller",
            "{mixed: {slope: [5, 5], damping: 10}}",
            "7: 'slope' of controller 'mixed' has 2 numbers, expected 3: q1, q2, q3",
        ),
        ("controller", "{mixed: {slope: 5, damping: 10, motor_slope: [1, 2]}}", "has 2 numbers, expected 1: motor_3"),
        (
            "controller",
            "{mixed: {slope: {q1: 5, q4: 5}, damping: 10}}",
            "unknown key 'q4' in 'slope' of controller 'mixed'; expected one of 'q1', 'q2', 'q3'",
        ),
        ("controller", "{mixed: {slope: {q1: 5, q2: 5}, damping: 10}}", "'slope' of controller 'mixed' has no value for 'q3'"),
        ("controller", "{mixed: {slope: 5, damping: 10deg}}", "'10deg', but not an angle"),
        ("controller", "{mixed: {slope: 5, damping: 0}}", "7: damping of 'q1' must be positive, got 0"),
        ("controller", "{mixed: {slope: 5}}", "7: controller 'mixed' has no key 'damping'"),
        ("controller", "{mixed: {slop: 5, damping: 1}}", "unknown key 'slop' in controller 'mixed'; did you mean 'slope'?"),
        ("controller", "{mixd: {slope: 5, damping: 1}}", "7: unknown key 'mixd' in the controller; did you mean 'mixed'?"),
        ("controller", "mixed", "7: controller 'mixed' needs more: {mixed: ...}"),
        (
            "controller",
            "magic",
            "the controller must be a mapping with the keys computed_torque, pd_gravity, mixed, elastic_feedback",
        ),
        ("controller", "{}", "expected one controller of computed_torque, pd_gravity, mixed, elastic_feedback, got 0: none"),
        ("controller", "{computed_torque: {kp: 4}}", "7: 'hua_arm' has elastic drives: use control.MixedControl"),
        ("controller", "{elastic_feedback: {bandwidth: 4}}", "7: joint 'q1' has no spring between motor and link"),
        ("reference", "{between: {q1: 1, duration: 2, count: 1000000}}", "'count' of reference 'between' must be 10000 at most"),
        (
            "controller",
            "{elastic_feedback: {gains: [1, 2, 3]}}",
            "must be four, k0, k1, k2, k3, each one number or one per joint; got 3",
        ),
        ("controller", "{elastic_feedback: {}}", "7: give either bandwidth or gains"),
        ("reference", "{hold: [1, 2]}", "6: reference 'hold' has 2 numbers, expected 3: q1, q2, q3"),
        ("reference", "{holt: 1}", "6: unknown key 'holt' in the reference; did you mean 'hold'?"),
        (
            "reference",
            "{hold: 1, sine: {amplitude: 1, frequency: 1}}",
            "expected one reference of hold, sine, spline, between, file, got 2",
        ),
        ("reference", "{sine: {amplitude: 1}}", "6: reference 'sine' has no key 'frequency'"),
        (
            "reference",
            "{between: {q1: 1, duration: 2, degree: 4}}",
            "6: derivative number 4 of a path of degree 4 jumps; take degree 5",
        ),
        (
            "reference",
            "{spline: {points: [[0, 0, 0], 1, 1, 1], duration: 2, degree: 3}}",
            "6: derivative number 4 of a path of degree 3",
        ),
        (
            "reference",
            "{spline: {points: [[0, 0], 1, 1, 1], duration: 2}}",
            "item 1 of 'points' of reference 'spline' has 2 numbers, exp",
        ),
        ("reference", "{between: {q1: 1, duration: -2}}", "6: duration is -2 s, expected more than zero"),
        (
            "reference",
            "{file: {path: lost.csv}}",
            "6: there is no file lost.csv; paths of references start from the folder of the sc",
        ),
        ("start", "{}", "4: 'start' has no key 'q': the start positions of q1, q2, q3"),
        ("start", "{q: [0, 0]}", "4: 'q' of 'start' has 2 numbers, expected 3: q1, q2, q3"),
        ("start", "{q: [0, 0, 0, 0]}", "has 4 numbers, expected 3: q1, q2, q3"),
        ("start", "{q: 0, motor_q: equilibrum}", "must be one of equilibrium, got 'equilibrum'; did you mean 'equilibrium'?"),
        ("start", "{q: 0, motor_q: [1, 2]}", "'motor_q' of 'start' has 2 numbers, expected 1: motor_3"),
        ("start", "{q: 0, velocity: 1}", "4: unknown key 'velocity' in 'start'"),
        (
            "external",
            "{tpi: {force: [0, 0, 1], axes: world}}",
            "8: unknown key 'tpi' in 'external' (links of 'hua_arm'); did you mean 'tip'?",
        ),
        ("external", "{tip: {force: [0, 0, 1]}}", "8: the wrench on 'tip' has no key 'axes'"),
        ("external", "{tip: {axes: world}}", "8: the wrench on 'tip' has neither 'force' [N] nor 'moment' [N m]"),
        (
            "external",
            "{tip: {force: [0, 0, 1], axes: wrld}}",
            "8: no axes 'wrld' of a wrench; did you mean 'world'?",
        ),
        ("external", "{tip: {force: [0, 1], axes: world}}", "must be 3 numbers, got 2"),
        ("duration", "0", "5: duration is 0, expected a positive finite number [s]"),
        ("duration", "ten", "5: 'duration' must be a number"),
        ("sample", "-1", "8: sample is -1, expected a positive finite number [s]"),
        ("hold", "1e-12", "8: hold is 1e-12 s: the function would be called 1e+11 times"),
        (
            "method",
            "rk5",
            "8: 'method' must be one of adaptive, implicit, auto, rk4, semi_implicit, got 'rk5'; did you mean 'rk4'?",
        ),
        ("method", "rk4", "8: method='rk4' needs a step: dt=1e-3, for example [s]"),
        ("dt", "0.001", "8: dt is the step of the fixed-step methods"),
        ("rtol", "0", "8: rtol is 0, expected a positive finite number"),
        ("controler", MIXED, "8: unknown key 'controler' in the document; did you mean 'controller'?"),
        (
            "start",
            None,
            "the document has no key 'start'; a scenario starts with 'lissom: 1' and 'kind: scenario', and has start, dur",
        ),
        ("robot", None, "the document has no key 'robot', and no other robot is given"),
        ("robot", "robots:hua_ar", "3: no built-in robot 'hua_ar'; did you mean 'hua_arm'?"),
        ("robot", "arm.yaml", "3: no file arm.yaml; robot files are searched from the folder of the scenario"),
        ("robot", "{model: arm.yaml}", "3: no file arm.yaml"),
        ("robot", "{payload: {link: tip, mass: 1}}", "3: 'robot' has no key 'model'"),
        ("lissom", "2", "1: this is version '2' of the format; this lissom reads version 1"),
        ("kind", "scene", "2: 'kind' of the document must be one of scenario, got 'scene'"),
        ("kind", "motion", "this file is a motion problem, for `lissom predict` (kind: motion), not a scenario"),
        ("kind", "tree", "this file is a robot (kind: tree), not a scenario"),
        ("robot", "robots:panda", "4: 'q' of 'start' has 3 numbers, expected 7: joint_1"),
    ],
)
def test_mistakes_are_told_with_their_line(key, value, message):
    with pytest.raises(FileError) as caught:
        parse(with_line(key, value), "a.yaml")
    said = str(caught.value)
    assert message in said and said.startswith("a.yaml:")


def test_a_target_that_moves_is_no_target():
    moving = with_line("controller", "{pd_gravity: {kp: 1, kd: 1}}").replace(HOLD, "{sine: {amplitude: 1, frequency: 1}}")
    with pytest.raises(
        FileError,
        match=r"a.yaml:7: pd_gravity needs a constant posture, but the reference is to swing by 1 .*: \{hold: \[...\]\}",
    ):
        parse(moving, "a.yaml")


def test_drives_that_a_robot_does_not_have_get_neither_start_nor_gains():
    rigid = TEXT.replace("hua_arm", "rr").replace("[0.1, 0.2, -0.3]", "0")
    with pytest.raises(FileError, match="robot 'barman_rr' has no motors behind springs: leave 'motor_q' out"):
        parse(rigid.replace("{q: 0}", "{q: 0, motor_q: 0}"))
    with pytest.raises(FileError, match="robot 'barman_rr' has no motors behind springs: leave 'motor_slope' out"):
        parse(rigid.replace("slope: 5", "slope: 5, motor_slope: 5"))


def test_a_scenario_for_another_robot_names_the_joints_of_this_one():
    with pytest.raises(FileError, match="'q' of 'start' has 3 numbers, expected 2: joint_1, joint_2"):
        parse(TEXT, robot=robots.rr())
    with pytest.raises(FileError, match="a.yaml:3: the scenario gives options of its robot, which 'barman_rr' would not get"):
        parse(with_line("robot", "{model: robots:rr, friction: false}"), "a.yaml", robot=robots.rr())


def test_joints_of_several_axes_are_refused():
    with pytest.raises(FileError, match="a.yaml:3: joint 'joint_1' is spherical: a controller needs joints whose velocities"):
        parse(TEXT, "a.yaml", robot=robots.tree(2, seed=0, kinds=["spherical"]))


def test_controllers_for_trees_refuse_closed_robots():
    text = TEXT.replace("[0.1, 0.2, -0.3]", "1")
    with pytest.raises(FileError, match="a.yaml:7: MixedControl is for robots without closed loops, and 'four_bar' has loops"):
        parse(text, "a.yaml", robot=robots.four_bar())


def test_samples_that_cannot_be_followed_are_told_with_their_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = with_line("reference", "{file: {path: m.csv}}")
    for rows, message in [
        ("q_q1,q_q2,q_q3\n0,0,0\n", "m.csv:1: needs a column t with the time in seconds"),
        ("t,q_q1,q_q2,q_qq3\n0,0,0,0\n", "m.csv:1: column 'q_q3' missing; the file has 'q_q"),
        ("t,q_q1,q_q2,q_q3\n0,0,0,x\n", "m.csv:2: column 'q_q3' holds 'x', which is not a number"),
        ("t,q_q1,q_q2,q_q3\n0,0,0,0\n0,0,0,0\n", "<text>:6: times[1] is 0 s after 0 s, expected times that increase"),
        ("t,q_q1,q_q2,q_q3\n0,0,0,0\n1,0,0,0\n", "<text>:6: 2 samples do not determine 4 free control points"),
    ]:
        Path("m.csv").write_text(rows)
        with pytest.raises(FileError, match=re.escape(message)):
            parse(text)


def test_what_is_no_scenario_at_all_is_told(tmp_path):
    with pytest.raises(FileError, match="this is not a scenario; a scenario starts with"):
        parse("- 1\n")
    with pytest.raises(FileError, match="no such file"):
        load_scenario(tmp_path / "lost.yaml")
    with pytest.raises(FileError, match="hua_amr: neither a file nor a built-in scenario; did you mean 'hua_arm'"):
        load_scenario("hua_amr")
    with pytest.raises(
        FileError, match="robots:hua_arm: this is a robot, not a scenario; .*a built-in one: .*hua_arm, hua_arm_pay"
    ):
        load_scenario("robots:hua_arm")
    with pytest.raises(FileError, match="aliases"):
        parse("lissom: &a 1\nkind: *a\n")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_device_that_never_ends_is_no_table():
    with pytest.raises(FileError, match="/dev/zero: is not a text file with comma-separated values"):
        parse(with_line("reference", "{file: {path: /dev/zero}}"))


@pytest.mark.parametrize(
    "key, value, message",
    [
        ("reference", "{between: {q1: 1, duration: 1, degree: 31}}", "6: 'degree' of .* must be 30 at most, got 31"),
        ("reference", "{between: {q1: 1, duration: 1, rest: 1e12}}", "'rest' of .* must be 30 at most, got 1e12"),
        ("reference", "{between: {q1: 1, duration: 1, count: 10001}}", "'count' of reference 'between' must be 10000 at most"),
        (
            "reference",
            "{spline: {points: [" + ", ".join(["[0, 0, 0]"] * 10_001) + "], duration: 1}}",
            "'points' of reference 'spline' must be 10000 at most, got 10001",
        ),
        ("duration", "2e6", "5: duration is 2e.06 s, expected 1e.06 s at most"),
        ("sample", "1e-8", "8: sample = 1e-08 s makes 1e\\+07 of them in 0.1 s, expected 1e\\+06 at most"),
        ("hold", "9e-9", "hold = 9e-09 s makes 1.11e\\+07 of them"),
        ("method", "rk4\ndt: 9e-10", "9: dt = 9e-10 s makes 1.11e\\+08 of them"),
    ],
    ids=["degree", "rest", "count", "points", "duration", "sample", "hold", "dt"],
)
def test_numbers_that_make_work_without_end_are_refused(key, value, message):
    with pytest.raises(FileError, match=message):
        parse(with_line(key, value))


@pytest.mark.parametrize("name", ["x" * 5000, "a/" * 3000 + "b", '"a\\0b"'], ids=["long", "deep", "nul"])
def test_names_that_no_file_can_have_are_those_of_no_file(name):
    for key, value in (("robot", name), ("reference", f"{{file: {{path: {name}}}}}")):
        with pytest.raises(FileError, match="no file"):
            parse(with_line(key, value))
