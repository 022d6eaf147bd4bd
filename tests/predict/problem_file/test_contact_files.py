"""Contacts in problem files, and errors with their lines."""

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom import FileError, MotionProblem
from lissom.cli.app import app
from lissom.predict import Surface
from lissom.predict.problem_file.read import parse

TIP = lissom.robots.rr().link_names[-1]
WALL = "normal: [0, -1, 0], point: [0, 0.6, 0]"
FILE = f"""lissom: 1
kind: motion
name: arm on a wall
robot: robots:rr
path: {{control_points: 12}}
phases:
  - {{name: reach, duration: 0.5}}
  - {{name: press, duration: 0.5}}
contacts:
  - {{name: tip, link: {TIP}, points: [0.3, 0, 0], surface: {{{WALL}}}, friction: 0.5, during: press}}
start: {{position: [0, 0.5]}}
limits:
  - {{quantity: contact_force, contact: tip, lower: 5, entries: [n], during: press}}
  - {{quantity: clearance, link: {TIP}, points: {{end: [0.3, 0, 0]}}, surface: {{{WALL}}}, lower: -0.001}}
minimize:
  - {{goal: integral, quantity: torque}}
  - {{goal: integral, quantity: contact_force_rate, contact: tip, weight: 1e-4}}
"""


def test_a_file_says_what_python_says():
    read = parse(FILE)
    told = MotionProblem(lissom.robots.rr(), control_points=12).phases({"reach": 0.5, "press": 0.5})
    wall = Surface(normal=(0, -1, 0), point=(0, 0.6, 0))
    told.contact("tip", TIP, (0.3, 0, 0), surface=wall, friction=0.5, during="press")
    assert read.contacts == told.contacts and read.channels == told.channels
    found = read.solve()
    t = np.linspace(0.51, 0.99, 9)
    assert found.contact_forces(t)["tip"][:, 0, 2].min() > 5 - 1e-3
    robot = found.robot
    y = (robot.link_poses(found.coordinates(t)[0])[:, robot.link_names.index(TIP)] @ [0.3, 0, 0, 1.0])[:, 1]
    assert np.allclose(y, 0.6, atol=1e-3)
    # the wall pushes back on the drives
    q, qd, qdd = found.coordinates(t)
    assert np.allclose(found.torques(t), robot.inverse_dynamics(q, qd, qdd, external=found._external(t)))
    assert np.abs(found.torques(t) - robot.inverse_dynamics(q, qd, qdd)).max() > 0.5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("friction: 0.5", "friction: 0", ":10: .*friction of contact 'tip' is 0"),
        ("during: press}", "during: pres}", ":10: .*no phase 'pres'"),
        (
            "start: {position: [0, 0.5]}",
            f"  - {{name: tip, link: {TIP}, during: reach}}\nstart: {{position: [0, 0.5]}}",
            ":11: there is a contact 'tip' on line 10 already; give each contact a name of its own",
        ),
        (
            "contacts:",
            f"channels:\n  - {{name: push, entries: fx, link: {TIP}}}\n  - {{name: push, entries: a}}\ncontacts:",
            ":11: there is a channel 'push' on line 10 already; give each a name of its own",
        ),
        ("during: press}", "during: [reach, press]}", ":11: contact 'tip' does not hold at the start: its points are not where"),
        (f"link: {TIP}, points: [0.3, 0, 0]", "link: hand, points: [0.3, 0, 0]", ":10: .*no link 'hand'"),
        ("name: tip, ", "", ":10: .*'name'"),
        ("contact: tip, lower", "contact: top, lower", ":13: .*no contact 'top'"),
        ("friction: 0.5", "cone: box", ":10: .*'box'"),
        ("normal: [0, -1, 0], point: [0, 0.6, 0]}, friction", "norml: [0, -1, 0]}, friction", ":10: .*'norml'"),
    ],
)
def test_errors_name_the_line(old, new, message):
    assert old in FILE
    with pytest.raises(FileError, match=message):
        parse(FILE.replace(old, new, 1))


def test_a_contact_out_of_reach_is_told_with_its_line_by_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "far.yaml").write_text(FILE.replace("point: [0, 0.6, 0]", "point: [0, 1.9, 0]"))
    ran = CliRunner().invoke(app, ["predict", "far.yaml"])
    assert ran.exit_code == 2
    told = " ".join(str(ran.output).split())
    assert "far.yaml:10: contact 'tip' cannot be reached" in told and "m away from it in phase 'press'" in told
