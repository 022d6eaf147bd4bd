"""Predicted motions of robots with elastic drives, beside closed forms, the rigid robot, differences and simulation."""

import numpy as np
import pytest
from scipy.integrate import quad_vec
from scipy.linalg import expm
from scipy.optimize import brentq

import lissom
from lissom import MotionProblem, Robot, StateError
from lissom.algorithms.elastic.path_tasks import driving_places
from lissom.predict import builtin_problems
from support.builtin_problems import solved
from support.elastic_arms import by_differences, hua, one_joint, panda, rr_file, stiffened

OWN = ("elastic_rr", "elastic_rr_effort", "hua_arm", "hua_arm_effort")
LINK, MOTOR, STIFFNESS, EFFORT, WAY = 0.3, 0.1, 40.0, 5.0, 1.0


def test_elastic_problems_ship_with_lissom():
    assert set(OWN) <= set(builtin_problems())


@pytest.mark.parametrize(("refine", "off"), [(3, 3e-4), pytest.param(4, 2e-4, marks=pytest.mark.slow)])
def test_minimum_time_of_one_joint_is_that_of_four_bangs(refine, off):
    # two inertias and a spring, from rest to rest: torques +, -, +, - with switches at t1, T/2 and T - t1, for which with h = T/2
    # and a = h - t1 the swing ends, 2 cos(w a) = 1 + cos(w h), and the way is effort / (I + J) (h^2 - 2 a^2)
    w = np.sqrt(STIFFNESS * (1 / LINK + 1 / MOTOR))

    def beyond(h):
        return EFFORT / (LINK + MOTOR) * (h * h - 2 * (np.arccos((1 + np.cos(w * h)) / 2) / w) ** 2) - WAY

    exact = 2 * brentq(beyond, 0.2, 0.4)
    p = MotionProblem(one_joint(LINK, MOTOR, STIFFNESS, EFFORT), degree=5, duration=(0.05, 3.0))
    p.start([0.0]).end([WAY]).limit_by_model("torque").minimize("time")
    found = p.solve(refine=refine)
    above = [r.objective / exact - 1 for r in found.rounds]
    assert all(later < earlier for earlier, later in zip(above, above[1:], strict=False))
    assert -1e-6 < above[-1] < off
    rigid = 2 * np.sqrt((LINK + MOTOR) * WAY / EFFORT)
    assert exact > 1.0005 * rigid


@pytest.mark.slow
def test_least_effort_of_one_joint_is_that_of_the_gramian():
    # linear: x' = A x + b tau, and the least integral of tau^2 from rest to rest is dx' W^-1 dx with W the Gramian
    A = np.array(
        [[0, 1, 0, 0], [-STIFFNESS / LINK, 0, STIFFNESS / LINK, 0], [0, 0, 0, 1], [STIFFNESS / MOTOR, 0, -STIFFNESS / MOTOR, 0]]
    )
    b, T = np.array([[0], [0], [0], [1 / MOTOR]]), 0.8
    W = quad_vec(lambda s: expm(A * s) @ b @ b.T @ expm(A * s).T, 0.0, T, epsrel=1e-12)[0]
    there = np.array([WAY, 0, WAY, 0])
    exact = there @ np.linalg.solve(W, there)  # from the origin, which stays where it is
    p = MotionProblem(one_joint(LINK, MOTOR, STIFFNESS), control_points=24, duration=T)
    found = p.start([0.0]).end([WAY]).minimize("integral", 1.0, "torque").solve()
    assert found.success and found.objective == pytest.approx(exact, rel=1e-5)


@pytest.mark.slow
def test_stiff_springs_give_the_minimum_time_of_the_rigid_robot():
    arm = lissom.load(rr_file())
    rigid = Robot(arm.model.with_rigid_drives())

    def fastest(robot, **rest):
        p = MotionProblem(robot, control_points=16, degree=7, points_per_span=8, duration=(0.1, 2.0))
        p.start([0, -2], **rest).end([1, -1], **rest)
        found = p.limit("torque", -10, 10).minimize("time").solve()
        assert found.success, found.message
        return found.duration

    goal = fastest(rigid, acceleration=0.0, jerk=0.0)
    apart = [abs(fastest(stiffened(arm, K)) - goal) / goal for K in (1e4, 1e5, 1e6)]
    assert apart[0] < 2e-3 and apart[2] < 2e-5
    assert all(5 < soft / stiff < 20 for soft, stiff in zip(apart, apart[1:], strict=False))  # as 1 / K


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", OWN)
def test_limits_are_kept_by_motors_whose_motion_comes_from_differences(name):
    found = solved(name)
    assert found.success, found.message
    assert found.violation < 0.01
    robot, t = found.robot, np.linspace(0.01, 0.99, 501) * found.duration
    places, n = driving_places(robot.model), robot.link_nv
    q, qd, _, tau = by_differences(robot, found.path, t, h=2e-4)
    behind = [robot.joint_names.index(motor.joint) for motor in robot.model.elastic_motors]
    size = np.abs(tau).max()
    assert np.abs(tau[:, places] - found.torques(t)[:, places]).max() < 1e-4 * size
    assert not found.torques(t)[:, behind].any()
    most = np.array([60, 60, 30]) if name.startswith("hua") else np.array([10, 10])
    assert (np.abs(tau[:, places]) < 1.005 * most).all()
    deflections = q[:, n:] - q[:, behind]
    assert np.abs(deflections).max() < (0.15 if name.startswith("hua") else 0.08) * 1.005
    assert np.abs(deflections - found.deflections(t)).max() < 1e-10
    rates = np.gradient(tau[:, places], t, axis=0, edge_order=2)[2:-2]
    assert np.abs(rates).max() < (600 if name.startswith("hua") else 250) * 1.02
    assert np.abs(rates - found.torque_rates(t)[2:-2][:, places]).max() < 0.05 * np.abs(rates).max()


@pytest.mark.slow
@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", OWN)
def test_links_follow_when_the_torques_drive_the_whole_robot(name):
    found = solved(name)
    robot, (q, qd, _) = found.robot, found.coordinates(np.array([0.0, found.duration]))
    # the motion begins and ends at rest, motors too
    assert np.abs(q - robot.at_rest(q[:, : robot.link_nv])).max() < 1e-9
    assert np.abs(qd).max() < 1e-9
    torque = lambda t, q, qd: found.torques(min(t, found.duration))  # noqa: E731
    run = robot.simulate(q[0], qd[0], found.duration, torque, rtol=1e-8, atol=1e-9, sample=0.01)
    there = found.coordinates(run.t)
    assert np.abs(run.q - there[0]).max() < 1e-6
    assert np.abs(run.qd - there[1]).max() < 1e-5
    # what motors supply is what links, motors and springs have
    energy = run.kinetic_energy + run.potential_energy + run.spring_energy
    t = found.times(4001)
    power = (found.torques(t) * found.coordinates(t)[1]).sum(axis=1)
    assert np.trapezoid(power, t) == pytest.approx(energy[-1] - energy[0], abs=1e-4 * np.abs(power).max() * found.duration)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", OWN)
def test_torques_begin_and_end_where_they_hold_the_robot(name):
    found = solved(name)
    ends = np.array([0.0, found.duration])
    robot, tau = found.robot, found.torques(ends)
    q = robot.at_rest(found.states(ends)[0])
    assert np.abs(tau - robot.inverse_dynamics(q, 0 * q, 0 * q)).max() < 1e-6


@pytest.mark.slow
def test_springs_take_time_that_rigid_drives_do_not():
    rigid = Robot(lissom.load(rr_file()).model.with_rigid_drives())
    p = MotionProblem(rigid, degree=7, duration=(0.1, 3.0)).start([0, -2], acceleration=0.0).end([1, -1], acceleration=0.0)
    p.limit("torque", -10, 10).limit("torque_rate", -250, 250).minimize("time")
    assert solved("elastic_rr").duration > 1.05 * p.solve().duration


def test_ends_without_a_word_about_accelerations_rest():
    p = MotionProblem(hua()).start([0.1, 0.2, 0.3]).end(None)
    assert p.basis.degree == 7
    assert list(p.ends["start"]) == ["position", "velocity", "acceleration", "jerk"]
    lower, upper = p.bounds(p.basis)
    assert (lower == upper).all(axis=1).tolist() == [True] * 4 + [False] * 16
    assert [e.label.split(" of ")[0] for e in p.equations(p.basis)] == ["velocity"] * 3 + ["acceleration"] * 3 + ["jerk"] * 3
    lower, upper = MotionProblem(hua()).start([0.1, 0.2, 0.3], snap=0.0).bounds(p.basis)
    assert (lower == upper).all(axis=1).sum() == 5
    moving = MotionProblem(hua()).start([0.1, 0.2, 0.3], velocity=[0.1, 0.0, 0.0])
    assert list(moving.ends["start"]) == ["position", "velocity"]
    free = MotionProblem(hua()).start([0.1, 0.2, 0.3], acceleration="free")
    assert list(free.ends["start"]) == ["position", "velocity"]
    rigid = MotionProblem(lissom.robots.rr()).start([0.0, 0.0])
    assert list(rigid.ends["start"]) == ["position", "velocity"] and rigid.basis.degree == 3


@pytest.mark.slow
def test_rigid_joints_of_a_mixed_arm_may_start_at_once_if_only_the_motor_has_to_rest():
    robot, a, b = hua(), np.zeros(3), np.array([0.5, 0.4, 0.3])

    def problem():
        return MotionProblem(robot, control_points=16, duration=(0.1, 2.0)).limit("torque", -60, 60).minimize("time")

    strict = problem().start(a).end(b).solve()
    loose = problem().start(a, acceleration="free").end(b, acceleration="free")
    loose.limit("motor_velocity", 0, 0, at=[0.0, 1.0], scale=1.0)
    for share, pose in ((0.0, a), (1.0, b)):
        still = robot.drive_deflections(pose, 0 * a, 0 * a)
        loose.limit("deflection", still, still, at=share, scale=0.1)
    found = loose.solve(start=strict)
    assert found.success and found.duration < 0.99 * strict.duration
    q, qd, qdd = found.coordinates(np.array([0.0, found.duration]))
    assert np.abs(q - robot.at_rest(q[:, :3])).max() < 1e-8 and np.abs(qd).max() < 1e-6
    assert np.abs(qdd[:, :2]).max() > 1.0


def test_motions_that_repeat_do_so_with_their_motors():
    robot = lissom.load(rr_file())
    p = MotionProblem(robot, control_points=18, duration=0.8).same_at_both_ends().minimize("integral", 1.0, "torque")
    p.limit("position", [0.0, -2.0], [0.0, -2.0], at=0.25, scale=1.0).limit(
        "position", [0.6, -1.4], [0.6, -1.4], at=0.75, scale=1.0
    )
    found = p.solve()
    assert found.success
    ends = np.array([0.0, found.duration])
    q, qd, qdd = found.coordinates(ends)
    for x, size in ((q, 1), (qd, 1), (qdd, 10), (found.torques(ends), 1)):
        assert np.abs(x[1] - x[0]).max() < 1e-6 * size


@pytest.mark.slow
def test_a_panda_behind_springs_keeps_its_limits_and_takes_longer_the_softer_they_are():
    start, end = [0, -0.785, 0, -2.356, 0, 1.571, 0.785], [0.52, 0.7, -0.35, -1.05, 0.7, 2.27, 1.4]
    found = {}
    for name, robot in {"soft": panda(), "softer": panda(2000.0)}.items():
        p = MotionProblem(robot, control_points=18, duration=(0.2, 5.0)).start(start).end(end).limit_by_model()
        found[name] = p.minimize("time").minimize("integral", 1e-5, "acceleration").solve(refine=1)
        assert found[name].success and found[name].violation < 0.02
    assert found["softer"].duration > found["soft"].duration
    t = np.linspace(0.01, 0.99, 301) * found["soft"].duration
    tau = by_differences(panda(), found["soft"].path, t)[3]
    effort = [motor.limits.effort for motor in panda().model.motors]
    assert (np.abs(tau[:, 7:]) < 1.02 * np.array(effort)).all()


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda p: p.start([0, 0, 0, 0]), r"start's position has shape \(4,\), expected \(3,\): q1, q2, q3"),
        (lambda p: p.start({"q1": 0, "q2": 0, "motor_3": 0}), "start's position: no joint 'motor_3'"),
        (lambda p: p.start([0, 0, 0], snap=1.0), "the start's snap must be zero or free; limit 'snap' at= instead"),
        (lambda p: p.limit("torque", -1, 1, entries="q3"), "torque has no entry 'q3'"),
        (lambda p: p.limit_by_model("jerk"), "a robot's model has no limits of 'jerk'"),
        (lambda p: p.limit_by_model("motor_velocity"), "has no limits of motor_velocity"),
        (
            lambda p: p.start([0, 0, 0]).limit("deflection", -0.01, 0.01),
            "the start's deflection of motor_3, 0.0245.* rad, breaks a limit",
        ),
        (lambda p: p.same_at_both_ends("crackle"), "no 'crackle' at both ends"),
    ],
)
def test_what_cannot_be_meant_is_refused(act, message):
    with pytest.raises(StateError, match=message):
        act(MotionProblem(hua()))


def test_rigid_robots_take_a_jerk_of_zero_where_the_degree_allows():
    with pytest.raises(
        StateError, match="the start's jerk is zero, for which a path of degree 3 would not move; it needs degree 4"
    ):
        MotionProblem(lissom.robots.rr()).start([0, 0], acceleration=0.0, jerk=0.0)
    p = MotionProblem(lissom.robots.rr(), degree=5).start([0, 0], acceleration=0.0, jerk=0.0, snap=0.0)
    lower, upper = p.bounds(p.basis)
    assert (lower == upper).all(axis=1).sum() == 5


def test_predictions_of_rigid_robots_have_no_drives_to_tell_of():
    p = MotionProblem(lissom.robots.rr(), control_points=8, duration=0.6).start([0, -2]).end([1, -1])
    found = p.minimize("integral", 1.0, "torque").solve()
    for ask in (found.drives, found.deflections):
        with pytest.raises(StateError, match="robot 'barman_rr' has no motors behind springs"):
            ask(0.1)
    assert len(found.coordinates(0.1)) == 3
