"""Problem files: what they say is what the same problem says in Python; robots with payloads and locked joints."""

import math
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom.model.payload import with_payload
from lissom.predict import builtin_problems, load
from lissom.predict.problem_file.read import about, parse

HEAD = "lissom: 1\nkind: motion\nname: test\n"
RR = HEAD + "robot: robots:rr\npath: {control_points: 8}\n"


def same(one, two):
    """Compare the parts of two problems."""
    assert (one.basis.count, one.basis.degree, one.points_per_span) == (two.basis.count, two.basis.degree, two.points_per_span)
    assert one.duration == two.duration and one.robot.model == two.robot.model and one.goals == two.goals
    for side in ("start", "end"):
        a, b = one.ends.get(side, {}), two.ends.get(side, {})
        assert a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)
    for a, b in zip(one.parts.limits, two.parts.limits, strict=True):
        assert a.quantity.name == b.quantity.name and a.quantity.labels == b.quantity.labels and a.peak == b.peak
        for field in ("entries", "lower", "upper", "scale"):
            assert np.array_equal(getattr(a, field), getattr(b, field)), field
        assert (a.at is None) == (b.at is None) and (a.at is None or np.array_equal(a.at, b.at))
    for a, b in zip(one.parts.integrals, two.parts.integrals, strict=True):
        assert a.quantity.name == b.quantity.name and np.array_equal(a.factors, b.factors)
        assert (a.weight, a.square) == (b.weight, b.square)
    for a, b in zip(one.parts.equations, two.parts.equations, strict=True):
        assert a.label == b.label and np.array_equal(a.coefficients, b.coefficients)
    assert one.parts.time == two.parts.time and one.parts.peaks == two.parts.peaks


def test_a_file_says_what_python_says(tmp_path):
    text = """lissom: 1
kind: motion
name: test
robot: robots:rp(theta2=pi/4)
path: {control_points: 12, degree: 5, points_per_span: 6}
duration: {lower: 0.5, upper: 3}
start: {position: {joint_1: 0.1, joint_2: 30deg}, velocity: [0.2, 90deg], acceleration: free}
end: {position: [0.5, -45deg], velocity: free, acceleration: 0}
limits:
  - {quantity: torque, within: [10, 8]}
  - {quantity: torque_rate, within: {joint_2: 100}}
  - {quantity: velocity, upper: 2, entries: joint_1, scale: 0.5}
  - {quantity: position, lower: {joint_2: -100deg}, upper: 3}
  - {quantity: link_position, link: link_2, point: [0.1, 0, 0], equal: {z: 0.7}, at: [0.5, 0.25]}
  - {quantity: joint_wrench, joint: joint_2, components: [fx, fy], within: 50}
  - {quantity: power, lower: -20, upper: .inf}
avoid:
  - {link: link_2, center: [0, 0.3, 0.2], distance: 0.05, point: [0.05, 0, 0]}
minimize:
  - {goal: time, weight: 0.9}
  - {goal: integral, quantity: torque, weight: 0.1, entries: [joint_2]}
  - {goal: integral, quantity: kinetic_energy, square: false}
  - {goal: peak, quantity: jerk, weight: 0.01, scale: 100}
solve: {refine: 2, starts: 3, seed: 5, tolerance: 1e-6, iterations: 50,
        seconds: 2.5, restart: false, hessian: gauss-newton, solver: uno}
"""
    file = tmp_path / "problem.yaml"
    file.write_text(text)
    angle = np.deg2rad
    robot = lissom.robots.rp(math.pi / 4)
    expected = lissom.MotionProblem(robot, control_points=12, degree=5, points_per_span=6, duration=(0.5, 3.0), name="test")
    expected.start([0.1, angle(30.0)], velocity=[0.2, angle(90.0)])
    expected.end([0.5, angle(-45.0)], velocity=None, acceleration=0.0)
    expected.limit("torque", [-10, -8], [10, 8]).limit("torque_rate", [-np.inf, -100], [np.inf, 100])
    expected.limit("velocity", None, 2, entries="joint_1", scale=0.5)
    expected.limit("position", [-np.inf, angle(-100.0)], [3, 3])
    free = np.inf
    expected.limit("link_position", [-free, -free, 0.7], [free, free, 0.7], at=[0.25, 0.5], link="link_2", point=(0.1, 0, 0))
    expected.limit("joint_wrench", -50, 50, joint="joint_2", components=["fx", "fy"]).limit("power", -20, None)
    expected.avoid("link_2", (0, 0.3, 0.2), 0.05, (0.05, 0, 0))
    expected.minimize("time", 0.9).minimize("integral", 0.1, "torque", entries=["joint_2"])
    expected.minimize("integral", 1.0, "kinetic_energy", square=False).minimize("peak", 0.01, "jerk", scale=100)
    found = load(file)
    same(found, expected)
    rest = {"iterations": 50, "seconds": 2.5, "restart": False, "hessian": "gauss-newton", "solver": "uno"}
    assert found.settings == {"refine": 2, "starts": 3, "seed": 5, "tolerance": 1e-6} | rest


def test_limits_of_the_robot_and_motions_that_repeat():
    text = RR + "duration: 1\nlimits:\n  - {from: robot, quantities: torque}\n"
    found = parse(text + "repeat: [position, velocity]\nminimize: time\n")
    expected = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0)
    expected.limit_by_model("torque").same_at_both_ends("position", "velocity").minimize("time")
    same(found, expected)
    pairs = "repeat: {quantities: position, pairs: [{start: joint_1, end: joint_2, sign: -1}]}\n"
    found = parse(RR + "duration: 1\n" + pairs + "minimize: time\n")
    expected = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0)
    same(found, expected.same_at_both_ends("position", pairs=[("joint_1", "joint_2", -1.0)]).minimize("time"))


def test_settings_of_the_file_hold_unless_given():
    text = RR + "duration: {lower: 0.1, upper: 2}\nstart: {position: 0}\nend: {position: 1}\n"
    text += "limits: [{quantity: torque, within: 10}]\nminimize: time\nsolve: {iterations: 1}\n"
    problem = parse(text)
    assert problem.solve(throw=False).status is lissom.nlp.Status.ITERATION_LIMIT
    assert problem.solve(iterations=200).success


@pytest.mark.sweep("rr", "panda", "go2")
@pytest.mark.parametrize("name", builtin_problems())
def test_every_builtin_problem_can_be_read(name):
    problem = load(name)
    assert problem.goals and (problem.ends or problem.parts.equations) and len(about(builtin_problems()[name])[1]) > 10


def test_builtin_names_give_way_to_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rr").write_text(RR + "duration: 1\nminimize: time\n")
    assert load("rr").name == "test"


def test_a_robots_file_is_looked_for_beside_the_problem(tmp_path, monkeypatch):
    (tmp_path / "robots").mkdir()
    lissom.robots.stanford().save(tmp_path / "robots" / "arm.yaml")
    (tmp_path / "problem.yaml").write_text(HEAD + "robot: robots/arm.yaml\nduration: 1\nminimize: time\n")
    monkeypatch.chdir(tmp_path / "robots")
    assert load("../problem.yaml").robot.model == lissom.robots.stanford().model
    assert load("../problem.yaml", robot="arm.yaml").robot.model == lissom.robots.stanford().model
    assert load("../problem.yaml", robot="robots:rr").robot.model == lissom.robots.rr().model


def test_a_payload_is_a_body_fixed_to_the_link(states=8):
    # the same body as a link of its own on a fixed joint must give the same torques
    model = lissom.robots.panda().model
    com, tensor = (0.02, -0.03, 0.1), np.array([[0.02, 0.001, 0.002], [0.001, 0.03, -0.003], [0.002, -0.003, 0.025]])
    box = lissom.Link("box", lissom.Inertia(2.5, com, tensor))
    joint = lissom.Joint("grip", lissom.JointKind.FIXED, "link_7", "box")
    apart = lissom.Robot(model.replace(links=(*model.links, box), joints=(*model.joints, joint)))
    text = HEAD + "robot:\n  model: robots:panda\n  payload: {link: link_7, mass: 2.5, com: [0.02, -0.03, 0.1], "
    text += "inertia: [0.02, 0.03, 0.025, 0.001, 0.002, -0.003]}\nduration: 1\nminimize: time\n"
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, states, 7))
    expected = apart.inverse_dynamics(q, qd, qdd)
    for robot in (lissom.Robot(model).with_payload(2.5, com, tensor, "link_7"), parse(text).robot):
        assert np.allclose(robot.inverse_dynamics(q, qd, qdd), expected, rtol=1e-12, atol=1e-12)
    on_flange = with_payload(model, 1.0, link="flange")  # a point, on a link without mass
    assert on_flange.link("flange").inertia == lissom.Inertia(1.0)


def test_locked_joints_do_not_move():
    robot = lissom.robots.panda()
    held = {"joint_2": 0.3, "joint_5": -0.7}
    text = HEAD + "robot: {model: robots:panda, lock: {joint_2: 0.3, joint_5: -0.7}}\nduration: 1\nminimize: time\n"
    locked = parse(text).robot
    assert locked.model == robot.locked(held).model and locked.nv == 5
    rng = np.random.default_rng(1)
    free = [0, 2, 3, 5, 6]
    q, qd, qdd = np.zeros((3, 4, 7))
    q[:, [1, 4]] = 0.3, -0.7
    for part in (q, qd, qdd):
        part[:, free] = rng.normal(size=(4, 5))
    expected = robot.inverse_dynamics(q, qd, qdd)[:, free]
    found = locked.inverse_dynamics(q[:, free], qd[:, free], qdd[:, free])
    assert np.allclose(found, expected, rtol=1e-11, atol=1e-11)
    assert np.allclose(locked.link_pose(q[:, free], "flange"), robot.link_pose(q, "flange"), atol=1e-13)
