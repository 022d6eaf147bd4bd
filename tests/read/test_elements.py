"""Force elements in files: every key, trees and tables, round trips, and everything that can be wrong, with its line."""

import textwrap

import numpy as np
import pytest

import lissom
from lissom import PointSpring
from lissom.errors import FileError, ModelError
from lissom.read import elements
from lissom.read.yaml import parse_yaml
from lissom.write import to_urdf, to_yaml
from support.elements import element_torques

GOOD = """\
lissom: 1
kind: tree
name: arm
links:
  - name: base
  - {name: rod, mass: 2, com: [0, 0, 0.1]}
joints:
  - {name: j1, kind: revolute, parent: base, child: rod, axis: [0, 1, 0]}
force_elements:
  - name: tendon
    kind: point_spring
    link_a: base
    point_a: [0, 0, 0.2]
    link_b: rod
    point_b: [0, 0.1, -0.4]
    stiffness: 800
    rest: 0.3
    damping: 5
  - {name: belt, kind: point_spring, link_a: rod, point_a: [1, 0, 0], link_b: base, point_b: [0, 0, 1], stiffness: 10}
"""
TABLE = """\
lissom: 1
kind: dh
convention: modified
name: t
joints:
  - {name: a, mass: 2, com: [1, 0, 0]}
  - {name: b, d: 1, mass: 1, com: [1, 0, 0]}
force_elements:
  - {name: s, kind: point_spring, link_a: base, point_a: [0, 0, 0], link_b: link_2, point_b: [0.5, 0, 0], stiffness: 9}
"""


def test_a_document_gives_every_field_and_is_written_back():
    model = parse_yaml(GOOD)
    assert model.force_elements == (
        PointSpring("tendon", "base", (0, 0, 0.2), "rod", (0, 0.1, -0.4), 800.0, 0.3, 5.0),
        PointSpring("belt", "rod", (1, 0, 0), "base", (0, 0, 1), 10.0),
    )
    assert parse_yaml(to_yaml(model)) == model
    assert parse_yaml(GOOD, friction=False).force_elements == model.force_elements


def test_tables_and_floating_bases_have_elements_too():
    assert parse_yaml(TABLE).force_elements[0].link_b == "link_2"
    floating = parse_yaml(GOOD, base="floating")
    assert floating.force_elements == parse_yaml(GOOD).force_elements and floating.nv == 7


def test_the_section_in_the_documentation_loads():
    section = "\n".join(line for line in elements.__doc__.splitlines() if line.startswith("    "))
    (spring,) = parse_yaml(GOOD[: GOOD.index("force_elements:")] + textwrap.dedent(section)).force_elements
    assert (spring.stiffness, spring.rest, spring.damping) == (800.0, 0.3, 5.0)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("kind: point_spring\n", "kind: point_sprin\n", 11, "must be one of point_spring, got 'point_sprin'"),
        ("    kind: point_spring\n", "", 10, "item 1 of 'force_elements' of the document has no key 'kind'"),
        ("    stiffness: 800\n", "", 10, "has no key 'stiffness'"),
        ("rest: 0.3", "length: 0.3", 17, "unknown key 'length'"),
        ("rest: 0.3", "rest: long", 17, "'rest' of force element 'tendon'"),
        ("point_a: [0, 0, 0.2]", "point_a: [0, 0]", 13, "'point_a' of force element 'tendon'"),
        ("stiffness: 800", "stiffness: -1", 10, "force element 'tendon': stiffness must be zero or positive"),
        ("    link_b: rod", "    link_b: base", 10, "both ends are on link 'base'"),
        ("    link_b: rod", "    link_b: rd", 10, "no link 'rd'.*force element 'tendon'.*did you mean 'rod'"),
        ("name: belt", "name: tendon", 19, "two force elements are called 'tendon' .the first at line 10"),
        ("force_elements:\n", "force_element:\n", 9, "unknown key 'force_element'.*did you mean 'force_elements'"),
        (GOOD[GOOD.index("  - name: tendon") :], "  tendon\n", 10, "'force_elements' of the document must be a list"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old, new, line, message):
    assert old in GOOD
    with pytest.raises(FileError, match=message) as caught:
        parse_yaml(GOOD.replace(old, new, 1))
    assert caught.value.line == line


def test_urdf_refuses_elements_and_drops_them_if_asked():
    model = parse_yaml(GOOD)
    with pytest.raises(ModelError, match="URDF cannot express force element 'tendon'; force element 'belt'"):
        to_urdf(model)
    assert "tendon" not in to_urdf(model, lossy=True)


def test_a_file_loads_as_a_robot_that_feels_its_springs(tmp_path):
    (tmp_path / "arm.yaml").write_text(GOOD)
    robot = lissom.load(tmp_path / "arm.yaml")
    model = robot.model
    plain = lissom.Robot(model.replace(force_elements=()))
    more = robot.bias_torques([0.3], [2.0]) - plain.bias_torques([0.3], [2.0])
    assert more == pytest.approx(element_torques(model, np.array([0.3]), np.array([2.0])), rel=1e-12)
