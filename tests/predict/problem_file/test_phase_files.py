"""Phases in problem files: the same problem as in Python, and errors with their lines."""

import pytest

import lissom
from lissom import FileError
from lissom.predict.problem_file.read import parse

TEXT = """\
lissom: 1
kind: motion
name: two phases
robot: robots:rr
path: {control_points: 12, smooth: 1}
phases:
  - {name: lift, duration: 0.2}
  - {name: carry, duration: {lower: 0.3, upper: 0.9}}
channels:
  - {name: place, entries: [x], unit: m, degree: 0}
  - {name: push, entries: [a, b], unit: N, during: [lift, carry]}
  - {name: hold, entries: [h], unit: N, during: carry}
start: {position: [0, -2]}
end: {position: [1, -1]}
limits:
  - {quantity: torque, within: 10, during: carry}
  - {quantity: hold, equal: 1, at: knots, scale: 1}
  - {quantity: position, equal: 0.1, at: 1, during: lift, entries: [joint1]}
minimize:
  - {goal: integral, quantity: torque, during: [lift]}
  - {goal: integral, quantity: place}
  - {goal: integral, quantity: push}
"""


def test_phases_in_a_file_are_those_of_python():
    robot = lissom.robots.rr()
    joint = robot.joint_names[0]
    read = parse(TEXT.replace("joint1", joint))
    made = lissom.MotionProblem(robot, control_points=12).phases({"lift": 0.2, "carry": (0.3, 0.9)}, smooth=1)
    assert vars(read.timing) == vars(made.timing)
    assert read.basis == made.basis and read.duration == made.duration == (0.5, 1.1)
    assert [channel.run for channel in read.channels] == [None, None, (1, 2)]
    assert [channel.degree for channel in read.channels] == [0, 1, 1]
    torque, hold, place = read.parts.limits
    assert torque.during == hold.during == (1,) and hold.knots and place.during == (0,) and place.at.tolist() == [1.0]
    assert [integral.during for integral in read.parts.integrals] == [(0,), None, None]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (
            "during: carry}\n  - {quantity: hold",
            "during: cary}\n  - {quantity: hold",
            16,
            "no phase 'cary'; did you mean 'carry'",
        ),
        ("duration: 0.2}", "duration: 0}", 7, "expected 0 < lower <= upper"),
        ("name: carry, duration", "name: lift, duration", 8, "two phases 'lift'"),
        ("path: {control_points: 12, smooth: 1}", "path: {control_points: 12, smooth: 3}", 7, "smooth is 3, expected"),
        ("robot: robots:rr", "robot: robots:rr\nduration: 5", 8, "the phases do not add up: together they take 0.5 to 1.1 s"),
        ("at: knots, scale", "at: knot, scale", 17, "'at' of item 2 of 'limits'"),
        ("duration: 0.2}", "duration: 0.2, spans: 3}", 7, "spans has no number for phase 'carry'"),
    ],
)
def test_errors_in_phases_name_the_line(old, new, line, words):
    text = TEXT.replace("joint1", lissom.robots.rr().joint_names[0])
    assert old in text
    with pytest.raises(FileError, match=rf":{line}: ") as error:
        parse(text.replace(old, new))
    assert words in str(error.value)


def test_smooth_without_phases_is_an_error():
    text = TEXT[: TEXT.index("phases:")] + "duration: 1\nstart: {position: [0, -2]}\nminimize: time\n"
    with pytest.raises(FileError, match="'smooth' is of phases, and there are none"):
        parse(text)
