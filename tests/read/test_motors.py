"""Motors in YAML: every key, trees and tables, and everything that can be wrong with them, with its line."""

import textwrap

import numpy as np
import pytest

import lissom
from lissom.errors import FileError
from lissom.model import Friction, Inertia, Limits, Motor, Pose, Spring
from lissom.read import motors
from lissom.read.yaml import parse_yaml
from lissom.write.yaml import to_yaml

GOOD = """\
lissom: 1
kind: tree
name: arm
links:
  - name: base
  - {name: upper, mass: 2, com: [0, 0, 0.1]}
  - {name: lower, mass: 1, com: [0, 0, 0.1]}
joints:
  - {name: j1, kind: revolute, parent: base, child: upper, axis: [0, 1, 0]}
  - {name: j2, kind: prismatic, parent: upper, child: lower}
motors:
  - {name: m1, joint: j1}
  - name: m2
    joint: j2
    link: base
    ratio: -pi/2
    mass: 0.2
    com: [0, 0, 0.01]
    inertia: [1e-5, 1e-5, 2e-5, 0, 0, 0]
    origin: {xyz: [0, 0.05, 1], rpy: [0, 90deg, 0]}
    spring: {stiffness: 500, rest: 0.1, damping: 2}
    friction: {viscous: 1e-4, coulomb: 1e-3}
    limits: {lower: -1, upper: 1, velocity: 3, effort: 60}
    rotor: reflected
"""
TABLE = """\
lissom: 1
kind: dh
convention: modified
name: t
joints:
  - {name: a, mass: 2, com: [1, 0, 0]}
  - {name: b, d: 1, mass: 1, com: [1, 0, 0]}
motors:
  - {name: m, joint: b, link: base, ratio: 30, mass: 1, first_moment: [0, 0, 0.1], inertia_origin: [0.03, 0, 0, 0.03, 0, 0.01]}
"""


def test_a_document_gives_every_field():
    model = parse_yaml(GOOD)
    inertia = Inertia(0.2, (0, 0, 0.01), np.diag([1e-5, 1e-5, 2e-5]))
    origin = Pose([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], (0, 0.05, 1))
    drive = Spring(500.0, 0.1, 2.0), Friction(1e-4, 1e-3), Limits(-1, 1, 3, 60)
    assert model.motors == (
        Motor("m1", "j1", "base"),
        Motor("m2", "j2", "base", -np.pi / 2, inertia, origin, *drive, "reflected"),
    )
    assert lissom.Robot(model).joint_names == ("j1", "j2", "m2")
    assert parse_yaml(to_yaml(model)) == model


def test_tables_have_motors_too_and_khalils_form_of_inertia():
    (motor,) = parse_yaml(TABLE).motors
    assert (motor.joint, motor.link, motor.ratio) == ("b", "base", 30.0)
    assert motor.inertia.com == (0.0, 0.0, 0.1) and np.allclose(motor.inertia.tensor, np.diag([0.02, 0.02, 0.01]), atol=1e-15)
    (motor,) = parse_yaml(TABLE.replace("modified", "standard").replace("d: 1", "a: 1").replace("link: base, ", "")).motors
    assert motor.link == "link_1"


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 1, 0), (-2, 0, 0), (1, -2, 0.5)])
def test_an_axis_says_where_z_points(axis):
    text = GOOD.replace(
        "origin: {xyz: [0, 0.05, 1], rpy: [0, 90deg, 0]}", f"origin: {{xyz: [0, 0.05, 1]}}\n    axis: {list(axis)}"
    )
    origin = parse_yaml(text).motors[1].origin
    assert np.allclose(origin.R[:, 2], np.array(axis) / np.linalg.norm(axis), rtol=0, atol=1e-15)
    assert origin.translation == (0.0, 0.05, 1.0)
    assert parse_yaml(GOOD.replace("joint: j1}", f"joint: j1, axis: {list(axis)}}}")).motors[0].origin.R[:, 2].tolist() == (
        origin.R[:, 2].tolist()
    )


def test_the_section_in_the_documentation_loads():
    section = "\n".join(line for line in motors.__doc__.splitlines() if line.startswith("    "))
    text = GOOD[: GOOD.index("motors:")].replace("j1", "pivot") + textwrap.dedent(section)
    (motor,) = parse_yaml(text).motors
    assert motor.ratio == 100.0 and motor.origin.R[:, 2].tolist() == [0.0, 1.0, 0.0] and motor.elastic


def test_friction_bases_and_couplings_are_the_callers_choice():
    assert parse_yaml(GOOD, friction=False).motors[1].friction == Friction()
    assert parse_yaml(GOOD, friction=False).motors[1].spring == Spring(500.0, 0.1, 2.0)
    floating = parse_yaml(GOOD.replace("name: m1", "name: root_joint"), base="floating")
    assert floating.motors[0].name == "root_joint" and floating.joints[0].name == "root_joint_2"
    assert floating.motors[1] == parse_yaml(GOOD).motors[1]
    coupled = GOOD.replace("child: lower}", "child: lower, coupling: {joint: j1, ratio: 0.1}}")
    assert (parse_yaml(coupled).nv, parse_yaml(coupled, mimic=False).nv) == (2, 3)


def test_a_motor_is_mass_enough_for_a_joint():
    light = GOOD.replace("lower, mass: 1, com: [0, 0, 0.1]", "lower")
    with pytest.raises(FileError, match="joint 'j2' moves no mass"):
        parse_yaml(light)
    rigid = light.replace("    spring: {stiffness: 500, rest: 0.1, damping: 2}\n", "").replace("    limits:", "    #")
    assert parse_yaml(rigid).nv == 2  # its rotor turns with the joint
    carried = light.replace("link: base", "link: lower")
    assert parse_yaml(to_yaml(parse_yaml(carried))) == parse_yaml(carried)  # its mass is what the joint moves


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("motors:", "motor:", 11, "unknown key 'motor' in the document; did you mean 'motors'"),
        (
            "  - {name: m1, joint: j1}",
            "  - m1",
            12,
            "item 1 of 'motors' of the document must be a mapping with the keys name, joint",
        ),
        ("name: m1, ", "", 12, "item 1 of 'motors' of the document has no key 'name'"),
        ("{name: m1, joint: j1}", "{name: m1}", 12, "item 1 of 'motors' of the document has no key 'joint'"),
        ("    ratio:", "    ration:", 16, "unknown key 'ration' in item 2 of 'motors' of the document; did you mean 'ratio'"),
        ("mass: 0.2", "massless: true", 17, "unknown key 'massless'"),
        ("ratio: -pi/2", "ratio: fast", 16, "'ratio' of item 2 of 'motors' of the document must be a number"),
        ("ratio: -pi/2", "ratio: 0", 13, "motor 'm2': gear ratio is 0, but an elastic drive needs another"),
        ("    mass: 0.2\n", "", 17, "motor 'm2' has 'com' but no 'mass'"),
        ("mass: 0.2", "mass: -1", 17, "mass must be positive, got -1"),
        ("com: [0, 0, 0.01]", "com: [0.1, 0, 0]", 13, "motor 'm2': the rotor's center of mass must lie on its axis"),
        (
            "[1e-5, 1e-5, 2e-5",
            "[1e-5, 3e-5, 3e-5",
            13,
            "motor 'm2': the rotor is not round about its axis: .*, expected Ixx = Iyy",
        ),
        ("2e-5, 0, 0, 0]", "2e-5, 0, 1e-6, 0]", 13, "motor 'm2': the rotor's axis is not a principal axis"),
        ("stiffness: 500", "stiffness: 0", 13, "motor 'm2': stiffness of the spring must be positive and finite, got 0"),
        ("stiffness: 500", "stiffness: -3", 13, "motor 'm2': stiffness of the spring must be positive and finite, got -3"),
        ("stiffness: 500, ", "", 21, "has no key 'stiffness'"),
        ("stiffness:", "stifness:", 21, "unknown key 'stifness' .*did you mean 'stiffness'"),
        ("coulomb: 1e-3", "coulomb: -1", 22, "coulomb friction must be zero or positive"),
        ("lower: -1,", "lower: 2,", 23, "lower limit 2 is above the upper limit 1"),
        (
            "rotor: reflected",
            "rotor: reflect",
            24,
            "'rotor' of motor 'm2' must be one of full, reflected, got 'reflect'; did you mean",
        ),
        (
            "    spring: {stiffness: 500, rest: 0.1, damping: 2}\n",
            "",
            13,
            "motor 'm2': a rigid drive has no coordinate",
        ),
        ("link: base", "link: bas", 13, r"no link 'bas' \(it carries motor 'm2'\); did you mean 'base'"),
        ("joint: j2", "joint: j3", 13, r"no joint 'j3' \(motor 'm2' drives it\); expected one of 'j1', 'j2'"),
        ("joint: j2", "joint: j1", 13, r"motors 'm1' \(line 12\) and 'm2' both drive joint 'j1'; a joint has one motor"),
        ("name: m2", "name: m1", 13, r"two motors are called 'm1' \(the first at line 12\); names must be unique"),
        ("name: m2", "name: j1", 13, r"motor 'j1' has the name of a joint \(the joint at line 9\); names must be unique"),
        ("kind: prismatic", "kind: planar", 13, "motor 'm2' drives joint 'j2', which is planar; only joints of one coordinate"),
        (
            "rpy: [0, 90deg, 0]}",
            "rpy: [0, 0, 0]}\n    axis: [0, 0, 1]",
            21,
            r"gives its direction twice \('axis' and 'rpy' of its origin\)",
        ),
        (", rpy: [0, 90deg, 0]}", "}\n    axis: [0, 0, 0]", 21, r"motor 'm2': its axis has zero length: \[0.0, 0.0, 0.0\]"),
        (", rpy: [0, 90deg, 0]}", "}\n    axis: [0, 1]", 21, "must be 3 numbers, got 2"),
        (", rpy: [0, 90deg, 0]}", ", rol: 1}", 20, "unknown key 'rol'"),
    ],
)
def test_refusals_name_line_and_reason(old, new, line, said):
    assert old in GOOD
    with pytest.raises(FileError, match=said) as caught:
        parse_yaml(GOOD.replace(old, new, 1), path="f.yaml")
    assert caught.value.line == line
    assert str(caught.value).startswith("f.yaml:")


def test_a_motor_on_a_frozen_follower_is_refused_by_name():
    text = TABLE.replace("name: a,", "name: a, kind: fixed,").replace("name: b, d: 1,", "name: b, d: 1, coupling: {joint: a},")
    with pytest.raises(FileError, match="f.yaml:9: motor 'm' drives joint 'b', which is fixed"):
        parse_yaml(text, path="f.yaml")
