"""Scenarios from files: what they mean, what is assumed where they say nothing, and how well they are followed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lissom import SplinePath, StateError, Trajectory, Wrench, control, robots
from lissom.control import ComputedTorque, ElasticFeedback, MixedControl, PDGravity, builtin_scenarios, load_scenario, track
from lissom.control.read import parse
from lissom.control.summary import gains_of, stability

PARTS = {
    "lissom": "1",
    "kind": "scenario",
    "robot": "robots:hua_arm",
    "start": "{q: [0.1, 0.2, -0.3]}",
    "duration": "0.1",
    "reference": "{hold: 0.2}",
    "controller": "{mixed: {slope: 5, damping: 10}}",
}


def text(**changes):
    parts = {**PARTS, **changes}
    return "".join(f"{key}: {value}\n" for key, value in parts.items() if value is not None)


def test_a_scenario_is_the_simulation_that_python_would_run():
    scenario = parse(
        text(
            start="{q: [0, 0, -25deg], qd: [0, 0.1, 0]}",
            reference="{sine: {amplitude: [0.5, 0.4, 0.3], frequency: pi/2, phase: 0.1, offset: {q1: 0, q2: 0.1, q3: 0.2}}}",
            controller="{mixed: {slope: [13, 13, 3.4], damping: 30, motor_slope: 4, motor_damping: [9]}}",
            external="{tip: {force: [0, 0, -3], moment: [0, 1, 0], axes: world, point: [0.1, 0, 0], known: true}}",
            method="implicit",
            sample="0.02",
        )
    )
    robot, push = robots.hua_arm(), {"tip": Wrench((0, 0, -3), (0, 1, 0), axes="world", point=(0.1, 0, 0))}
    swing = control.Sine([0.5, 0.4, 0.3], np.pi / 2, 0.1, [0, 0.1, 0.2])
    controller = MixedControl(robot, swing, [13, 13, 3.4], 30, 4, 9, external=push)
    start = robot.at_rest([0, 0, -np.radians(25)], external=push)
    by_hand = robot.simulate(start, [0, 0.1, 0, 0], 0.1, controller, method="implicit", sample=0.02, external=push)
    found = scenario.run()
    assert np.array_equal(found.q, by_hand.q) and np.array_equal(found.tau, by_hand.tau)
    assert scenario.unknown == () and len(found) == 6


def test_what_the_controller_does_not_know_acts_all_the_same():
    push = "{tip: {force: [0, 0, -3], axes: world}}"
    scenario = parse(text(external=push))
    blind = parse(text())
    assert scenario.unknown == ("tip",) and set(scenario.external) == {"tip"}
    assert np.array_equal(
        scenario.controller.torque(0.0, scenario.q0, scenario.qd0), blind.controller.torque(0.0, scenario.q0, scenario.qd0)
    )
    assert not np.allclose(scenario.run().q, replace(scenario, external={}).run().q)


@pytest.mark.parametrize("external", [None, "{tip: {force: [1, 2, -3], axes: link}}"])
@pytest.mark.parametrize("start", ["{q: [0.1, 0.2, -0.3]}", "{q: [0.1, 0.2, -0.3], motor_q: equilibrium}"])
def test_motors_start_where_springs_hold_the_robot_still_unless_told_otherwise(start, external):
    scenario = parse(text(start=start, external=external))
    robot = scenario.robot
    needed = robot.inverse_dynamics(scenario.q0, scenario.qd0, np.zeros(4), external=scenario.external)
    assert abs(needed[2]) < 1e-12  # at rest nobody but the spring moves joint 3
    assert f"motor_3 {scenario.q0[3]:.6g} rad" in scenario.assumed[0] and "static equilibrium" in scenario.assumed[0]


def test_motors_start_at_the_speeds_of_their_joints_unless_told_otherwise():
    scenario = parse(text(start="{q: 0, qd: [1, 2, 3]}"))
    assert scenario.qd0.tolist() == [1, 2, 3, 3] and "no spring is being stretched" in scenario.assumed[1]
    told = parse(text(start="{q: 0, qd: [1, 2, 3], motor_q: 10deg, motor_qd: {motor_3: -1}}"))
    assert told.q0[3] == np.radians(10) and told.qd0[3] == -1 and told.assumed == ()
    assert parse(text(start="{q: 0, qd: 1, motor_qd: joints}")).qd0.tolist() == [1, 1, 1, 1]


def test_robots_without_springs_have_nothing_to_assume():
    scenario = parse(text(robot="robots:rr", start="{q: 0}", controller="{computed_torque: {kp: 4}}"))
    assert scenario.assumed == () and scenario.q0.tolist() == [0, 0]
    assert isinstance(scenario.controller, ComputedTorque) and scenario.controller.kd.tolist() == [4, 4]


@pytest.mark.sweep("hua_arm_payload")
@pytest.mark.parametrize("name", builtin_scenarios())
def test_built_in_scenarios_run_and_follow(name):
    scenario = load_scenario(name)
    motion = scenario.run(duration=3.0)
    late = motion.t > 2.5
    errors = scenario.tracking(motion).errors
    bound = 0.02 if scenario.unknown else 1e-3
    assert np.abs(errors[late, :2]).max() < bound and np.abs(errors[0, -1]) > 0.04  # from a start beside its way


def test_a_move_rests_at_both_ends_as_smoothly_as_the_controller_needs():
    scenario = parse(text(reference="{between: {q1: [1, 0, 0.5], duration: 2}}"))
    path = scenario.reference
    start, end = path.derivatives(0.0, 4), path.derivatives(2.0 - 1e-12, 4)
    assert start[0].tolist() == [0.1, 0.2, -0.3] and np.allclose(end[0], [1, 0, 0.5])
    assert np.abs(start[1:]).max() < 1e-12 and np.abs(end[1:]).max() < 1e-6
    assert "move from (0.1, 0.2, -0.3) to (1, 0, 0.5) in 2 s" in scenario.task


def test_paths_are_those_of_python():
    points = [[0, 0, 0], [0, 0, 0], [0.1, 0.2, 0.3], [0.5, 0, 0], [1, 1, 1], [1, 1, 1]]
    reference = parse(text(reference=f"{{spline: {{points: {points}, duration: 2}}}}")).reference
    path = SplinePath(np.array(points, float), 2.0, 5)
    assert np.allclose(reference.derivatives(0.7, 3), [path.at(0.7), *(path.rate(0.7, k) for k in (1, 2, 3))])
    options = "q0: 0, q1: 1, duration: 2, count: 12, degree: 6, rest: 3"
    reference = parse(text(reference=f"{{between: {{{options}}}}}")).reference
    assert np.allclose(reference.derivatives(0.7, 0)[0], SplinePath.between([0] * 3, [1] * 3, 2.0, 12, 6, 3).at(0.7))


def test_samples_in_a_file_are_followed_and_the_distance_to_them_is_said(tmp_path):
    t = np.linspace(0, 2, 201)
    swing = 0.3 * np.sin(t)
    table = np.column_stack([t, swing, 2 * swing, 3 * swing, np.full(201, 7.0)])
    np.savetxt(tmp_path / "motion.csv", table, delimiter=",", header="t,q_q1,q_q2,q_q3,tau_q1", comments="")
    (tmp_path / "follow.yaml").write_text(text(reference="{file: {path: motion.csv}}"))
    scenario = load_scenario(tmp_path / "follow.yaml")
    found = scenario.reference.derivatives(1.0, 4)
    exact = [np.sin(1.0), np.cos(1.0), -np.sin(1.0), -np.cos(1.0), np.sin(1.0)]
    assert np.allclose(found, 0.3 * np.outer(exact, [1, 2, 3]), atol=1e-4)
    assert "samples in motion.csv are followed by a spline of degree 5 with 67 control points, at most" in scenario.assumed[-1]
    assert scenario.name == "follow" and scenario.sources == (tmp_path / "follow.yaml", tmp_path / "motion.csv")


@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")  # of the arm's inertias, as printed
def test_a_robots_file_is_found_beside_the_scenario(tmp_path):
    robots.hua_arm().save(tmp_path / "arm.yaml")
    (tmp_path / "a.yaml").write_text(text(robot="arm.yaml"))
    scenario = load_scenario(tmp_path / "a.yaml")
    assert scenario.robot.name == "hua_arm" and tmp_path / "arm.yaml" in scenario.sources
    (tmp_path / "b.yaml").write_text(text(robot="{model: arm.yaml, payload: {link: tip, mass: 0.5}}"))
    assert load_scenario(tmp_path / "b.yaml").robot.total_mass == pytest.approx(scenario.robot.total_mass + 0.5)


def test_another_robot_takes_the_place_of_the_scenarios():
    robot = robots.hua_arm(stiffness=500.0)
    for own in ("robots:hua_arm", None):
        assert parse(text(robot=own), robot=robot).robot is robot


def test_options_of_a_run_can_be_changed_and_those_of_another_method_are_forgotten():
    scenario = parse(text(method="rk4", dt="0.01", sample="0.05", hold="0.02"))
    assert scenario.settings() == {"duration": 0.1, "method": "rk4", "dt": 0.01, "sample": 0.05, "hold": 0.02}
    changed = scenario.settings(method="implicit", duration=0.2, dt=None)
    assert changed == {"duration": 0.2, "method": "implicit", "sample": 0.05, "hold": 0.02}
    assert scenario.settings(dt=0.005)["dt"] == 0.005
    assert scenario.run(duration=0.05).t[-1] == 0.05


def test_every_controller_can_be_named():
    def controller(value, **more):
        return parse(text(controller=value, **more)).controller

    found = controller("{pd_gravity: {kp: {q1: 1, q2: 2, q3: 3}, kd: 5}}")
    assert isinstance(found, PDGravity) and found.kp.tolist() == [1, 2, 3] and found.goal[:3].tolist() == [0.2] * 3
    found = controller("{mixed: {slope: 5, damping: 10}}")
    assert isinstance(found, MixedControl) and found.motor_slope.tolist() == [5] and found.motor_damping.tolist() == [10]


def one_joint():
    """Return a robot of which all joints, one, are elastic."""
    from lissom import Inertia, Joint, JointKind, Link, Model, Motor, Robot, Spring

    inertia = Inertia(1.0, (0.1, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
    rotor = Inertia(0.1, (0.0, 0.0, 0.0), ((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)))
    joint = Joint("a", JointKind.REVOLUTE, "base", "arm")
    motor = Motor("m", "a", None, 1.0, rotor, spring=Spring(50.0, rest=0.05))
    return Robot(Model("one", (Link("base"), Link("arm", inertia)), (joint,), motors=(motor,), gravity=(0.0, -9.81, 0.0)))


@pytest.mark.parametrize("gains", ["bandwidth: 10", "gains: [10000, [4000], 600, 40]"])
def test_all_elastic_robots_have_a_controller_of_their_own(gains):
    scenario = parse(text(robot=None, start="{q: 0}", controller=f"{{elastic_feedback: {{{gains}}}}}"), robot=one_joint())
    assert isinstance(scenario.controller, ElasticFeedback)
    assert np.allclose(scenario.controller.gains[:, 0], [1e4, 4e3, 600, 40])
    assert gains_of(scenario.controller) == {
        "k0 [1/s^4]": ["1e+04"],
        "k1 [1/s^3]": ["4000"],
        "k2 [1/s^2]": ["600"],
        "k3 [1/s]": ["40"],
    }
    # four roots at -10, which is what rounding makes of a fourfold root
    assert "(-9.9" in stability(scenario.controller) or "(-10" in stability(scenario.controller)


def test_stability_is_told_with_its_numbers():
    mixed = parse(text())
    motion = mixed.run()
    least = float(np.min(mixed.controller.decay(motion.q)))
    assert f"c = {least:.3g} /s or more" in stability(mixed.controller, motion.q)
    assert stability(mixed.controller).endswith("V' <= -c V")
    weak, strong = (parse(text(controller=f"{{pd_gravity: {{kp: {kp}, kd: 5}}}}")).controller for kp in (1, 500))
    assert weak.margin() < 0 < strong.margin()
    assert stability(weak).startswith("not known to be stable") and "raise kp" in stability(weak)
    assert stability(strong).startswith("stable: the stiffness of springs and gains exceeds the slope of gravity by ")
    rigid = parse(text(robot="robots:rr", start="{q: 0}", controller="{computed_torque: {kp: 4}}")).controller
    assert f"c = {rigid.decay:.3g} /s" in stability(rigid)
    assert stability(object()) == ""


def test_tracking_is_reckoned_from_the_samples():
    robot = one_joint()
    t = np.linspace(0.0, 1.0, 5)
    q = np.array([[0.0, 0.25], [1.0, 1.25], [2.0, 2.25], [3.0, 3.25], [4.0, 4.25]])
    tau = np.array([[0.0, 1.0], [0.0, -7.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0]])
    motion = Trajectory(robot, t, q, 0 * q, 0 * q, tau)
    found = track(motion, lambda t: [[4 * t + (3.0 if t == 0.5 else 0.0)]])
    assert found.errors.ravel().tolist() == [0, 0, 3, 0, 0] and found.largest.tolist() == [3]
    assert found.rms[0] == pytest.approx(3 / np.sqrt(5))
    assert found.torques.ravel().tolist() == [1, -7, 2, 0, 0] and found.drives == (0,)
    assert np.allclose(found.deflections, 0.2) and found.theta[:, 0].tolist() == q[:, 1].tolist()  # theta - q - rest
    assert found.limits.tolist() == [np.inf] and found.lyapunov is None
    assert found.name == "one" and found.joints == ("a",) and found.units == ("rad",) and found.torque_units == ("N m",)


def test_tracking_of_many_motions_or_of_other_joints_is_refused():
    arm = robots.rr()
    many = arm.simulate(np.zeros((3, 2)), np.zeros(2), 0.1, method="rk4", dt=0.05)
    with pytest.raises(StateError, match=r"tracking needs one motion, and this trajectory has \(3,\) of them"):
        track(many, [0.0, 0.0])
    loose = robots.tree(2, seed=0, kinds=["spherical"])
    moving = loose.simulate(loose.neutral(), np.zeros(loose.nv), 0.05, method="rk4", dt=0.05)
    with pytest.raises(StateError, match="tracking needs one coordinate per velocity"):
        track(moving, np.zeros(loose.nv))


def test_the_lyapunov_function_is_evaluated_along_the_motion():
    scenario = parse(text(method="implicit", duration="1"))
    motion = scenario.run()
    found = scenario.tracking(motion)
    V = [float(scenario.controller.lyapunov(t, q, qd)) for t, q, qd in zip(motion.t, motion.q, motion.qd, strict=True)]
    assert found.lyapunov.tolist() == V and (np.diff(V) < 0).all()
    known = parse(
        text(controller="{pd_gravity: {kp: 300, kd: 5}}", external="{tip: {force: [0, 0, 1], axes: world, known: true}}")
    )
    assert known.tracking(known.run(method="implicit")).lyapunov is None  # it would not hold


def test_built_in_scenarios_are_files_of_the_package():
    assert {"hua_arm", "hua_arm_payload"} <= set(builtin_scenarios())
    assert all(isinstance(file, Path) and file.exists() for file in builtin_scenarios().values())
