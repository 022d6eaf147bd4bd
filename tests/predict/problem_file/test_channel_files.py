"""Channels in problem files."""

import numpy as np
import pytest

import lissom
from lissom import FileError
from lissom.predict.problem_file.read import parse

FILE = """lissom: 1
kind: motion
name: helped arm
robot: robots:rr
path: {control_points: 8}
duration: 1
channels:
  - {name: help, entries: [fx, fy], link: LINK, point: [0.1, 0, 0], axes: link, degree: 2}
start: {position: [0, -2]}
end: {position: [1, -1]}
limits:
  - {quantity: help, within: 2, hull: true}
  - {quantity: help_rate, within: 50}
minimize:
  - {goal: integral, quantity: torque}
  - {goal: integral, quantity: help, weight: 1e-3}
"""


def read(**changes):
    text = FILE.replace("LINK", lissom.robots.rr().link_names[-1])
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    return parse(text)


def test_channels_are_read_and_the_problem_is_solved():
    problem = read()
    (channel,) = problem.channels
    assert (channel.name, channel.labels, channel.axes, channel.degree) == ("help", ("fx", "fy"), "link", 2)
    assert channel.point == (0.1, 0.0, 0.0)
    found = problem.solve()
    assert np.abs(found.channel("help", found.times())).max() <= 2 + 1e-6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("name: help,", ""), ":8: .*'name'"),
        (("[fx, fy]", "[fx, wy]"), ":8: .*no component 'wy'"),
        (("point:", "force: 3, point:"), ":8: .*force"),
        (("quantity: help, within", "quantity: halp, within"), ":12: .*help"),
        (("degree: 2", "degree: 9"), ":8: .*3 at most"),
        (("point: [0.1, 0, 0]", "point: [0.1, 0]"), ":8: "),
        (("axes: link, ", "axes: link, color: red, "), ":8: .*color"),
        (("start:", "  - {name: idle, entries: [a]}\nstart:"), ":9: .*no limit and no goal depends on channel 'idle'"),
    ],
)
def test_bad_channels_are_refused_with_their_line(change, message):
    with pytest.raises(FileError, match=message):
        read(change=change)
