"""Robots with elastic drives: problems and predictions in files and pictures, limits of descriptions, whole problems derived."""

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom import FileError, MotionProblem, Prediction, Robot, Trajectory, Wrench
from lissom.cli.app import app
from lissom.model import Limits
from lissom.nlp import check_derivatives
from lissom.predict import Quantity, load
from lissom.predict.data.motion import Motion
from lissom.predict.problem.model_limits import model_bounds
from lissom.predict.problem_file.read import parse
from lissom.predict.search.run import Run
from support.elastic_arms import chain, hua, rr_file

TEXT = """lissom: 1
kind: motion
name: soft swing
robot: ROBOT
path: {control_points: 12}
duration: {lower: 0.2, upper: 2}
start: {position: {joint_1: 0, joint_2: -2}, snap: 0}
end: {position: [1, -1], acceleration: free}
limits:
  - from: robot
  - {quantity: deflection, within: 5deg}
  - {quantity: motor_velocity, within: 400deg, entries: motor_2}
  - {quantity: motor_position, lower: -200deg}
minimize:
  - {goal: time}
  - {goal: integral, quantity: motor_velocity, weight: 1e-3}
""".replace("ROBOT", rr_file())


@pytest.fixture(scope="module")
def found():
    push = {"tip": Wrench([0.0, 0.0, -3.0], axes="world")}
    p = (
        MotionProblem(hua(), control_points=14, duration=(0.1, 2.0), external=push, name="mixed")
        .start([0, 0, 0])
        .end([1, 0.5, 0.4])
    )
    p.limit("torque", -60, 60).limit("deflection", -0.2, 0.2).limit("motor_velocity", -6, 6).limit("velocity", -40, 40)
    return p.minimize("time").solve()


def panel(figure, title):
    (axis,) = [axis for axis in figure.axes if axis.get_title(loc="left") == title]
    return axis


def test_files_say_what_python_says():
    p, own = parse(TEXT), MotionProblem(lissom.load(rr_file()), control_points=12, duration=(0.2, 2.0), name="soft swing")
    own.start([0, -2], snap=0.0).end([1, -1], acceleration="free").limit_by_model()
    own.limit("deflection", -np.deg2rad(5), np.deg2rad(5))
    own.limit("motor_velocity", -np.deg2rad(400), np.deg2rad(400), entries="motor_2")
    own.limit("motor_position", lower=-np.deg2rad(200))
    own.minimize("time").minimize("integral", 1e-3, "motor_velocity")
    assert repr(p) == repr(own) and p.basis == own.basis and p.points_per_span == own.points_per_span == 8
    assert {side: list(given) for side, given in p.ends.items()} == {
        "start": ["position", "velocity", "acceleration", "jerk", "snap"],
        "end": ["position", "velocity"],
    }
    for one, two in zip(p.parts.limits, own.parts.limits, strict=True):
        assert one.quantity.name == two.quantity.name and np.array_equal(one.entries, two.entries)
        assert np.allclose(one.lower, two.lower) and np.allclose(one.upper, two.upper)


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("snap: 0}", "snap: 1}", "the start's snap must be zero or free"),
        ("control_points: 12}", "control_points: 12, degree: 4}", "it needs degree 5 or more, better 7"),
        ("entries: motor_2}", "entries: joint_2}", "motor_velocity has no entry 'joint_2'"),
        ("from: robot", "{from: robot, quantities: [jerk]}", "no 'jerk' here"),
        ("quantity: deflection,", "quantity: deflektion,", "no quantity 'deflektion'; did you mean 'deflection'"),
    ],
)
def test_mistakes_in_files_are_told_with_their_line(wrong, right, message):
    assert wrong in TEXT
    with pytest.raises(FileError, match=message):
        parse(TEXT.replace(wrong, right))


def test_descriptions_tell_motors_and_springs(found):
    told = str(found.description)
    for text in ("hua_arm: q1 [rad], q2 [rad], q3 [rad]\n", "start     jerk 0", "torque of motor_3: -60 to 60 N m", "degree 7"):
        assert text in told
    assert "deflection of motor_3: -0.2 to 0.2 rad" in told and "motor_velocity of motor_3: -6 to 6 rad/s" in told
    assert "motor_3 [rad]" not in told


def test_predictions_come_back_from_files(found, tmp_path):
    file = found.save(tmp_path / "mixed.npz")
    back = Prediction.load(file, hua())
    t = found.times(7)
    assert repr(back) == repr(found) and np.array_equal(back.torques(t), found.torques(t))
    assert np.array_equal(back.deflections(t), found.deflections(t))
    with pytest.raises(FileError, match="predicted for another robot .* those of 'motor_3' by"):
        Prediction.load(file, hua(stiffness=90.0))
    with pytest.raises(FileError, match="it moves q1, q2, q3; the robot has joint_1, joint_2"):
        Prediction.load(file, lissom.load(rr_file()))
    rows = Trajectory.load(found.save(tmp_path / "mixed.csv", points=21), hua())
    drives = found.drives(rows.t)
    assert np.allclose(rows.q[:, 3:], drives.theta) and np.allclose(rows.tau, drives.tau)
    again = found.problem.solve(start=back, restart=False)
    assert again.duration == pytest.approx(found.duration, rel=1e-4)


def test_trajectories_hold_joints_and_motors(found):
    motion = found.trajectory(31)
    q, qd, qdd, _ = found.states(motion.t)
    assert motion.q.shape == motion.qd.shape == motion.tau.shape == (31, 4)
    assert np.array_equal(motion.q[:, :3], q) and np.array_equal(motion.qd[:, :3], qd) and np.array_equal(motion.qdd[:, :3], qdd)
    # the forces are those of the whole robot: nothing acts at the joint behind the spring but the spring
    tau = hua().inverse_dynamics(motion.q, motion.qd, motion.qdd, external=found.description.external)
    assert np.abs(tau - motion.tau).max() < 1e-9 * np.abs(tau).max()
    wrenches = hua().joint_wrenches(motion.q, motion.qd, motion.qdd, external=found.description.external)
    assert np.abs(found.joint_wrenches(motion.t) - wrenches).max() < 1e-9 * np.abs(wrenches).max()


def test_pictures_show_motors_with_their_joints(found):
    figure, t = found.plot(points=31), found.times(31)
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    assert titles[:3] == ["q1: torque", "q1: position", "q1: velocity"]
    assert titles[6:10] == ["motor_3: torque", "q3: position", "q3: velocity", "motor_3: deflection"]
    drives = found.drives(t)
    curves = [line.get_ydata() for line in panel(figure, "q3: position").lines if len(line.get_xdata()) == 31]
    assert np.array_equal(curves[0], found.states(t)[0][:, 2]) and np.array_equal(curves[1], drives.theta[:, 0])
    (force,) = [line.get_ydata() for line in panel(figure, "motor_3: torque").lines if len(line.get_xdata()) == 31]
    assert np.array_equal(force, drives.tau[:, 3])
    (spring,) = [line.get_ydata() for line in panel(figure, "motor_3: deflection").lines if len(line.get_xdata()) == 31]
    assert np.allclose(spring, drives.theta[:, 0] - found.states(t)[0][:, 2])
    lines = [float(line.get_ydata()[0]) for line in panel(figure, "q3: velocity").lines if line.get_linestyle() == "--"]
    assert sorted(lines) == [-6, 6]  # of the motor; 40 rad/s of the joint are far away
    assert panel(figure, "q3: velocity").get_title(loc="right") == "motor_3"
    few = found.plot(joints="q1").axes
    assert [axis.get_title(loc="left") for axis in few[:3]] == ["q1: torque", "q1: position", "q1: velocity"]


def test_reports_and_animations_are_written(found, tmp_path):
    page = found.report(tmp_path / "mixed.html").read_text(encoding="utf-8")
    assert "control points of 3 joints, degree 7" in page and "deflection of motor_3" in page
    assert found.animate(tmp_path / "mixed.gif", frames=3).stat().st_size > 1000


@pytest.mark.slow
def test_the_command_line_solves_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    (tmp_path / "soft.yaml").write_text(TEXT)
    ran = CliRunner().invoke(app, ["predict", "soft.yaml", "-o", "soft.npz", "--report", "soft.html"])
    assert ran.exit_code == 0, ran.output
    assert "soft swing: solved" in ran.output and "deflection of motor_2" in ran.output
    assert Prediction.load("soft.npz", lissom.load(rr_file())).success
    assert "elastic_rr" in CliRunner().invoke(app, ["predict", "--list"]).output


def test_limits_of_a_description_are_those_of_joints_motors_and_springs():
    model = lissom.load(rr_file()).model
    model = model.with_joints(
        lambda j: replace(j, limits=Limits(-2.5, 2.5, velocity=9.0, effort=7.0 if j.name == "joint_2" else 0))
    )
    model = model.with_motors(lambda m: replace(m, limits=Limits(-3.0, 3.0, velocity=8.0, effort=10.0)))
    robot = Robot(model)
    found = {name: model_bounds(robot, name)[2] for name in ("position", "velocity", "torque", "motor_position")}
    assert found == {
        "position": {"joint_1": 2.5, "joint_2": 2.5},
        "velocity": {"joint_1": 9.0, "joint_2": 9.0},
        "torque": {"motor_1": 10.0, "motor_2": 10.0},
        "motor_position": {"motor_1": 3.0, "motor_2": 3.0},
    }
    assert model_bounds(robot, "motor_velocity")[1] == {"motor_1": -8.0, "motor_2": -8.0}
    assert model_bounds(robot, "deflection")[2] == {"motor_2": 7.0 / 100.0}  # what the joint may get, through its spring
    limits = MotionProblem(robot).limit_by_model().parts.limits
    assert [x.quantity.name for x in limits] == [
        "position",
        "velocity",
        "torque",
        "motor_position",
        "motor_velocity",
        "deflection",
    ]


def test_mixed_arms_take_forces_of_rigid_joints_from_their_joints():
    model = hua().model
    with pytest.warns(lissom.ModelWarning):
        model = model.with_joints(lambda j: replace(j, limits=Limits(effort=50.0)))
    with pytest.warns(lissom.ModelWarning):
        model = model.with_motors(lambda m: m if m.spring is None else replace(m, limits=Limits(effort=20.0)))
    assert model_bounds(Robot(model), "torque")[2] == {"q1": 50.0, "q2": 50.0, "motor_3": 20.0}
    assert model_bounds(Robot(model), "deflection")[2] == {"motor_3": 0.5}


class Sway(Quantity):
    """A quantity of one's own of the fourth and fifth derivative: (q'''' . q''''', ...)."""

    name, labels, unit, orders = "sway", ("all",), "1", (4, 5)
    depends = np.ones((1, 3), dtype=bool)

    def values(self, state):
        return (state.rates[4] * state.rates[5]).sum(axis=1, keepdims=True)

    def derivatives(self, state):
        return np.stack([state.rates[5][:, None], state.rates[4][:, None]])

    def curvature(self, state, weights):
        found = np.zeros((len(state), 2, 3, 2, 3))
        found[:, 0, :, 1] = found[:, 1, :, 0] = weights[:, 0, None, None] * np.eye(3)
        return found


@pytest.mark.slow
@pytest.mark.sweep(1)
@pytest.mark.parametrize("degree", [6, 7])
def test_derivatives_of_whole_problems_are_those_of_differences(degree):
    robot = Robot(chain().model.without_friction())
    p = MotionProblem(robot, control_points=degree + 3, degree=degree, points_per_span=2, duration=(0.2, 9.0))
    p.limit("torque", -60, 60).limit("torque_rate", -90, [80, 90, 100]).limit("power", None, 30.0).limit("snap", -9, 9)
    p.limit("deflection", -0.2, 0.3, scale=0.1).limit("motor_velocity", -1, 1, at=[0.31, 1.0]).limit("motor_position", -2, 2)
    p.limit("joint_wrench", -50, 50, joint=robot.joint_names[1], components=("fx", "mz")).limit("kinetic_energy", None, 9.0)
    p.limit("link_position", -1, 1, link=robot.link_names[-1]).limit(Sway(), -5, 5, scale=100.0)
    p.minimize("time", 0.7).minimize("integral", 0.3, "torque").minimize("integral", 1e-4, "torque_rate")
    p.minimize("peak", 0.2, "deflection").minimize("integral", 0.1, "drawn_power", square=False)
    p.start([0.1, 0.2, -0.3], velocity=[0.5, 0.0, -0.4]).end(None, velocity=0.0, snap=0.0).same_at_both_ends("velocity", "snap")
    run = Run(p, "ipopt", 1e-8, 10, {}, None)
    made = run._transcription(Motion(lissom.SplinePath(np.zeros((p.basis.count, 3)), 1.0, degree)), {})
    rng = np.random.default_rng(degree)
    # slow, for derivatives of high order not to drown the others
    x = np.concatenate([rng.uniform(-0.3, 0.3, made.size), rng.uniform(5.0, 6.0, 1), [0.7]])
    made.lower[:], made.upper[:] = -np.inf, np.inf
    made.lower[made.size] = 1e-3
    told = check_derivatives(made.nlp(), x, factor=1.3, tolerance=2e-5)
    assert told.ok, told


def test_quantities_of_ones_own_may_depend_on_five_derivatives_where_motors_do():
    with pytest.raises(lissom.StateError, match=r"'sway' are \(4, 5\), expected some of 0, 1, 2, 3, increasing"):
        MotionProblem(Robot(chain().model.with_rigid_drives()), degree=7).limit(Sway(), -1, 1)
    assert MotionProblem(chain(), degree=7).limit(Sway(), -1, 1).parts.orders == 6


def test_problems_that_ship_name_their_motors():
    assert load("elastic_rr").parts.limits[0].quantity.labels == ("motor_1", "motor_2")
    assert load("hua_arm").parts.limits[0].quantity.labels == ("q1", "q2", "motor_3")
