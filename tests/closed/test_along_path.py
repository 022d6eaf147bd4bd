"""Closed robots in problem files, timing, control and pictures: the same code that serves trees."""

import dataclasses

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom import MotionProblem, StateError
from lissom.cli.app import app
from lissom.control import ComputedTorque, ElasticFeedback, MixedControl, PDGravity, load_scenario
from lissom.model.lock import locked
from lissom.predict import load
from lissom.timing import time_optimal


@pytest.fixture(scope="module")
def five_bar():
    return lissom.robots.five_bar()


@pytest.fixture(scope="module")
def solved():
    return load("five_bar").solve()


@pytest.mark.slow
def test_a_problem_file_limits_the_wrench_of_a_cut_joint(solved):
    t = solved.times(2001)
    q, qd, qdd, _ = solved.states(t)
    robot = solved.robot
    through = robot.joint_wrenches(q, qd, qdd)[:, robot.wrench_names.index("pin")]
    assert solved.success and (np.abs(through[:, :2]).max(axis=0) < 10 * 1.002).all()
    assert np.abs(through[:, :2]).max() > 10 * 0.99  # and it is what limits the motion
    free = load("five_bar")
    free.parts.limits = [limit for limit in free.parts.limits if limit.quantity.name != "joint_wrench"]
    assert free.solve().duration < 0.995 * solved.duration


@pytest.mark.slow
def test_a_problem_file_takes_a_closed_robot_from_a_file(tmp_path, solved):
    lissom.write.save(lissom.robots.five_bar_model(), tmp_path / "five.yaml")
    text = lissom.predict.builtin_problems()["five_bar"].read_text().replace("robots:five_bar", "five.yaml")
    (tmp_path / "problem.yaml").write_text(text)
    assert abs(load(tmp_path / "problem.yaml").solve().duration - solved.duration) < 1e-6


@pytest.mark.slow
def test_a_prediction_is_saved_as_a_motion_of_the_whole_robot(tmp_path, solved):
    robot = solved.robot
    found = lissom.closed.ClosedTrajectory.load(solved.save(tmp_path / "motion.csv"), robot)
    assert found.closure_error.max() < 1e-12
    assert np.abs(found.tau - robot.inverse_dynamics(found.q, found.qd, found.qdd)).max() < 1e-9
    # the equations of the tree hold under drives and the forces that keep the loops closed
    along = np.zeros_like(found.tree_qd)
    along[:, list(robot.plan.active)] = found.tau
    qdd, forces = robot.tree_dynamics(found.tree_q, found.tree_qd, along)
    assert np.abs(qdd - found.tree_qdd).max() < 1e-6 * np.abs(qdd).max() and np.allclose(forces, found.forces)
    again = lissom.predict.Prediction.load(solved.save(tmp_path / "motion.npz"), robot)
    assert again.duration == solved.duration and "five_bar" in str(again.description)
    assert solved.report(tmp_path / "page.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_command_line_predicts_and_simulates_closed_robots(tmp_path):
    run = CliRunner()
    out = tmp_path / "motion.csv"
    found = run.invoke(app, ["predict", "five_bar", "-o", str(out), "--animate", str(tmp_path / "five.gif")])
    assert found.exit_code == 0 and "joint_wrench of pin.fy" in found.output and (tmp_path / "five.gif").exists()
    options = ["--state", str(out), "--torque", str(out), "-o", str(tmp_path / "again.csv")]
    found = run.invoke(app, ["simulate", "robots:five_bar", *options])
    assert found.exit_code == 0, found.output
    robot = lissom.robots.five_bar()
    end = lissom.closed.ClosedTrajectory.load(tmp_path / "again.csv", robot).end
    assert np.abs(end.q - [2.5, 1.5416]).max() < 1e-5 and np.abs(end.qd).max() < 1e-3
    found = run.invoke(app, ["simulate", "five_bar", "-o", str(tmp_path / "c.csv"), "--plot", str(tmp_path / "c.png")])
    assert found.exit_code == 0 and "ComputedTorque, to move from (2, 1.1416)" in found.output, found.output


def test_computed_torque_makes_errors_obey_their_equation(five_bar):
    """e'' + kd e' + kp e = 0 from anywhere: beside its closed form for kd = 2 sqrt(kp)."""
    kp, goal = 64.0, five_bar.home() + [0.3, 0.2]
    controller = ComputedTorque(five_bar, goal, kp=kp)
    found = five_bar.simulate(five_bar.home(), [0.0, 0.0], 1.0, controller, rtol=1e-10, atol=1e-12)
    w = np.sqrt(kp)
    expected = ((1 + w * found.t) * np.exp(-w * found.t))[:, None] * [0.3, 0.2]
    assert np.abs(goal - found.q - expected).max() < 1e-8
    V = np.array([controller.lyapunov(0.0, q, qd) for q, qd in zip(found.q, found.qd, strict=True)])
    assert (np.diff(V) < 0).all()
    with pytest.raises(StateError, match="every input must be finite"):
        controller.lyapunov(0.0, [np.nan, 0.0], [0.0, 0.0])


@pytest.mark.slow
def test_pd_control_holds_a_closed_robot_against_gravity():
    robot = lissom.robots.five_bar(gravity=(0.0, -9.81, 0.0))
    goal = robot.home() + [0.2, 0.1]
    controller = PDGravity(robot, goal, kp=200.0, kd=15.0)
    found = robot.simulate(robot.home(), [0.0, 0.0], 3.0, controller, rtol=1e-9, atol=1e-10)
    assert np.abs(found.end.q - goal).max() < 1e-6
    V = np.array([controller.lyapunov(0.0, q, qd) for q, qd in zip(found.q, found.qd, strict=True)])
    rate = np.array([controller.lyapunov_rate(0.0, q, qd) for q, qd in zip(found.q, found.qd, strict=True)])
    # V' is what the dampers take: its integral is the change of V
    taken = np.sum(0.5 * (rate[1:] + rate[:-1]) * np.diff(found.t))
    assert abs(taken - (V[-1] - V[0])) < 1e-3 * V[0]


def test_friction_takes_power_from_the_lyapunov_function():
    model = lissom.robots.five_bar_model().with_joints(
        lambda j: dataclasses.replace(j, friction=lissom.Friction(0.3, 0.2)) if j.name == "left_elbow" else j
    )
    rough, smooth = lissom.ClosedRobot(model), lissom.robots.five_bar()
    q, qd = smooth.home(), np.array([0.4, -0.2])
    rates = [PDGravity(robot, q, 50.0, 5.0).lyapunov_rate(0.0, q, qd) for robot in (rough, smooth)]
    speed = smooth.tree_motion(q, qd)[1][smooth.tree.joint_names.index("left_elbow")]
    assert abs(rates[0] - rates[1] + 0.3 * speed**2 + 0.2 * abs(speed)) < 1e-12


@pytest.mark.slow
def test_scenarios_of_closed_robots(tmp_path):
    scenario = load_scenario("five_bar")
    found = scenario.run()
    tracking = scenario.tracking(found)
    assert tracking.joints == ("left", "right") and np.abs(tracking.errors[-1]).max() < 1e-5
    assert tracking.plot(tmp_path / "tracking.png").exists() and tracking.limits.tolist() == [30.0, 30.0]


def test_the_timing_of_a_closed_robot_becomes_a_motion_of_all_its_joints(five_bar):
    way = five_bar.home() + np.array([[0.0, 0.0], [0.2, 0.1], [0.4, 0.3]])
    timing = time_optimal(five_bar, way)
    assert np.abs(timing.limits.torque[1] - 30.0).max() == 0 and np.abs(timing.limits.velocity[1] - 20.0).max() == 0
    found = timing.trajectory()
    assert isinstance(found, lissom.closed.ClosedTrajectory) and found.closure_error.max() < 1e-12
    assert timing.violation["torque"].joint in ("left", "right") and timing.plot() is not None


def test_what_a_path_or_controller_cannot_determine_is_refused(five_bar):
    """Springs that carry a degree of freedom, a moving base, and more drives than coordinates."""
    model, spring = five_bar.model, lissom.Spring(5.0)
    sprung = model.with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "left_elbow" else j)
    sprung = lissom.ClosedRobot(sprung.replace(active=("left",)))
    extra = lissom.ClosedRobot(model.replace(active=("left", "right", "left_elbow")))
    links = tuple(
        dataclasses.replace(link, name="body", inertia=lissom.Inertia(2.0, tensor=np.eye(3))) if link.name == "base" else link
        for link in model.links
    )
    joints = [dataclasses.replace(j, parent="body") if j.parent == "base" else j for j in model.joints]
    free = lissom.Joint("free", "floating", "ground", "body")
    moving = lissom.ClosedRobot(model.replace(links=(lissom.Link("ground"), *links), joints=(free, *joints)))
    uses = {
        "a motion problem": MotionProblem,
        "a path": lambda robot: time_optimal(robot, np.zeros((3, robot.nq))),
        "computed torque": lambda robot: ComputedTorque(robot, np.zeros(robot.nq), 1.0),
        "PD control with gravity": lambda robot: PDGravity(robot, np.zeros(robot.nq), 1.0, 1.0),
    }
    for what, use in uses.items():
        with pytest.raises(StateError, match=rf"has velocities without a drive \(left_elbow\); {what} needs a drive for each"):
            use(sprung)
        with pytest.raises(StateError, match=f"3 drives for 2 coordinates; {what} needs as many active joints"):
            use(extra)
        with pytest.raises(StateError, match=f"joint 'free' is floating: {what} needs joints whose velocities are the rates"):
            use(moving)
    for make in (
        lambda: MixedControl(five_bar, five_bar.home(), 1.0, 1.0),
        lambda: MixedControl(five_bar, five_bar.home(), 1.0, 1.0, 1.0, 1.0),
        lambda: ElasticFeedback(five_bar, five_bar.home(), 1.0),
    ):
        with pytest.raises(
            StateError, match="is for robots without closed loops.*use control.ComputedTorque or control.PDGravity"
        ):
            make()


@pytest.mark.slow
def test_forces_of_the_closure_along_a_prediction_know_external_wrenches(five_bar):
    push = {"left_forearm": lissom.Wrench(force=[30.0, 10.0, 0.0], axes="world")}
    problem = MotionProblem(five_bar, control_points=8, duration=(0.2, 1.0), external=push)
    problem.start(five_bar.home()).end(five_bar.home() + 0.1).limit("torque", -30, 30).minimize("time")
    found = problem.solve().trajectory(21)
    torques = np.zeros_like(found.tree_qd)
    torques[:, list(five_bar.plan.active)] = found.tau
    accelerations, forces = five_bar.tree_dynamics(found.tree_q, found.tree_qd, torques, external=push)
    assert np.allclose(accelerations, found.tree_qdd, atol=1e-10) and np.allclose(found.forces, forces, atol=1e-10)


def test_elastic_drives_of_closed_robots_have_no_path():
    rotor = lissom.Inertia(0.1, (0, 0, 0), np.diag([1e-4] * 3))
    motor = lissom.Motor("motor", "left", "base", 10.0, rotor, spring=lissom.Spring(40.0, 0.1, 0.2))
    robot = lissom.ClosedRobot(lissom.robots.five_bar_model().replace(motors=(motor,), active=("motor", "right", "left")))
    for use in (lambda: ComputedTorque(robot, robot.home(), kp=100.0), lambda: MotionProblem(robot)):
        with pytest.raises(StateError, match="joint 'left' of 'five_bar' is driven through a spring by 'motor'.*rigid drives"):
            use()


def with_left_as_given(tree_q):
    return {"left": tree_q[0], "right": tree_q[2]}


@pytest.mark.sweep("all joints")
@pytest.mark.parametrize("posture", [None, with_left_as_given, np.array], ids=["the model's", "by name", "all joints"])
def test_a_locked_closed_robot_moves_as_the_whole_one_with_that_joint_at_rest(posture):
    whole = lissom.robots.five_bar()
    if posture is not None:
        whole = lissom.ClosedRobot(whole.model, posture=posture(whole.home_tree_q()))
    robot = whole.locked({"left": 2.0})
    assert type(robot) is type(whole) and robot.coordinate_names == robot.torque_names == ("right",)
    state = [1.1], [0.7], [-0.4]
    tau = whole.inverse_dynamics([2.0, *state[0]], [0.0, *state[1]], [0.0, *state[2]])
    assert np.allclose(robot.inverse_dynamics(*state), tau[1:], rtol=1e-10, atol=1e-12)
    # the other way round: the driven joint accelerates as if the other drive held its own
    both = whole.mass_matrix([2.0, *state[0]])
    assert robot.mass_matrix(state[0])[0, 0] == pytest.approx(both[1, 1], rel=1e-10)


def test_a_platform_with_a_locked_leg_is_a_closed_robot_of_five_degrees_of_freedom():
    robot = lissom.robots.gough_stewart()
    held = robot.locked({robot.torque_names[0]: float(robot.home()[0])})
    assert type(held) is lissom.ClosedRobot and held.torque_names == robot.torque_names[1:]
    assert held.mobility().degrees_of_freedom == 5


def test_locked_joints_leave_the_posture_and_the_drives_of_a_closed_robot():
    robot = lissom.ClosedRobot(locked(lissom.robots.five_bar_model(), {"left": 2.0}))
    assert robot.torque_names == ("right",) and robot.mobility().degrees_of_freedom == 1
