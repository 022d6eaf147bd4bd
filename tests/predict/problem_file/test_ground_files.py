"""Split grounds in problem files, and errors with their lines."""

import pytest

import lissom
from lissom import FileError, MotionProblem
from lissom.predict.problem_file.read import parse

FILE = """lissom: 1
kind: motion
name: half a step
robot: robots:human(active=walking)
undriven: [pelvis_x, pelvis_y, pelvis_z, pelvis_rotation, pelvis_obliquity, pelvis_tilt]
path: {control_points: 10}
phases:
  - {name: double, duration: 0.1}
  - {name: single, duration: 0.3}
  - {name: flight, duration: 0.1}
ground:
  supports:
    double: [{link: left_toes, point: [0, 0, 0], to: [0.06, 0, 0]}, right_foot]
    single: {link: right_foot, height: 0.02}
    flight: []
  internal: true
  friction: 0.6
  surface: {height: -0.01}
limits:
  - {quantity: pressure_point, lower: [-1, -1], upper: [1, 1], during: single}
minimize:
  - {goal: integral, quantity: torque}
"""


def test_a_file_says_what_python_says():
    read = parse(FILE)
    person = lissom.robots.human(active="walking")
    told = MotionProblem(person, control_points=10, undriven=person.global_joints)
    told.phases({"double": 0.1, "single": 0.3, "flight": 0.1})
    supports = {
        "double": [{"link": "left_toes", "to": (0.06, 0, 0)}, "right_foot"],
        "single": {"link": "right_foot", "height": 0.02},
        "flight": (),
    }
    told.split_ground(supports, internal=True, friction=0.6, surface={"height": -0.01})
    own, other = read.quantities.ground, told.quantities.ground
    assert own.stands == other.stands and own.ground == other.ground and own.friction == other.friction
    assert own.channels == other.channels == ("internal_force",)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("    flight: []\n", "", 13, "no key 'flight'"),
        ("right_foot]", "right_hoof]", 12, "no link 'right_hoof'"),
        ("height: 0.02", "hight: 0.02", 14, "hight"),
        ("internal: true", "internal: 3", 16, "one of true, false"),
        ("  friction: 0.6", "  friction: 0", 12, "friction of the ground is 0"),
        ("  surface: {height: -0.01}", "  surface: {link: head}", 12, "cannot move with link 'head'"),
    ],
)
def test_wrong_grounds_name_their_line(old, new, line, said):
    assert old in FILE
    with pytest.raises(FileError, match=said) as error:
        parse(FILE.replace(old, new))
    assert f":{line}:" in str(error.value)
