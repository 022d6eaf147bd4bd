"""Obstacles in problem files."""

import pytest

from lissom.errors import FileError
from lissom.predict.problem_file.read import parse

TEXT = """lissom: 1
kind: motion
name: test
robot: robots:panda
duration: 2
start: {position: [0, -0.8, 0, -2.4, 0, 1.6, 0.8]}
minimize: time
avoid:
"""


def quantity(entry):
    return parse(TEXT + f"  - {entry}\n").parts.limits[0].quantity


def test_obstacles_of_every_kind_are_read():
    capsule = "capsule: {start: [0.7, 0, 0], end: [0.7, 0, 0.9], radius: 0.05}"
    found = quantity(f"{{link: link_7, {capsule}, margin: 0.01}}")
    assert found.labels == ("link_7 to the capsule",) and found.meetings[0].solid.end == (0.7, 0.0, 0.9)
    assert quantity(f"{{links: [link_6, link_7], {capsule}}}").size == 2
    assert quantity("{sphere: {center: [0.9, 0, 0], radius: 0.1}}").size == 7
    found = quantity("{link: link_7, box: {center: [0.9, 0, 0.3], size: [0.2, 0.4, 0.6], rpy: [0, 0, 90deg]}, margin: 0.01}")
    assert found.labels == ("link_7 to the box",) and found.meetings[0].solid.size == (0.2, 0.4, 0.6)
    assert abs(found.meetings[0].solid.rotation[1][0] - 1.0) < 1e-12
    own = "capsules: [{sphere: {center: [0, 0, 0.1], radius: 0.1}}]"
    assert quantity(f"{{link: flange, {capsule}, {own}}}").meetings[0].body.radius == 0.1
    assert quantity("{self: true, pairs: [[base, link_7]], margin: 0.02}").labels == ("base to link_7",)
    assert "link_1 to link_7" not in quantity("{self: true, exclude: [base, [link_1, link_7]]}").labels


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{link: link_7, sphere: {center: [9, 0, 0], radius: -1}}", "radius of a sphere is -1"),
        ("{link: link_7, sphere: {center: [9, 0, 0]}}", "radius"),
        ("{link: link_9, sphere: {center: [9, 0, 0], radius: 1}}", "link_9"),
        ("{link: link_7, links: [link_6], sphere: {center: [9, 0, 0], radius: 1}}", "'link' or 'links'"),
        ("{link: link_7, box: {center: [9, 0, 0], size: [1, -1, 1]}}", "size of a box is .* expected three positive numbers"),
        ("{link: link_7, box: {center: [9, 0, 0], radius: 1}}", "unknown key 'radius'"),
        ("{link: link_7, box: {center: [9, 0, 0], size: [1, 1, 1], rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}}", "give it once"),
        ("{self: false}", "leave the entry out"),
        ("{self: true, link: link_7}", "link"),
        ("{self: true, capsules: {link_7: {}}}", "one of 'sphere' and 'capsule'"),
        ("{link: link_7, center: [0, 0, 0]}", "distance"),
    ],
)
def test_mistakes_name_the_line(entry, message):
    with pytest.raises(FileError, match=message) as caught:
        quantity(entry)
    assert "9" in str(caught.value)
