"""Motion problems of floating, spherical and planar joints, and of joints without a drive: closed forms, ends and errors."""

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import lissom
from lissom import MotionProblem, StateError
from lissom.predict import Prediction
from lissom.simulate import Interpolated
from support.free_robots import cart_pole, free_body, hopper

M1, M2, L, G = 1.0, 0.3, 0.5, 9.81  # Kelly 2017, table 3


def kelly(x, u, sin=np.sin, cos=np.cos):
    """Return accelerations of the cart-pole, Kelly 2017, eqs (6.1) and (6.2)."""
    _, q2, _, w = x
    s, c = sin(q2), cos(q2)
    share = M1 + M2 * (1 - c * c)
    cart = (L * M2 * s * w * w + u + M2 * G * c * s) / share
    return cart, -(L * M2 * c * s * w * w + u * c + (M1 + M2) * G * s) / (L * share)


def swing_up(**options):
    problem = MotionProblem(cart_pole(), duration=2.0, undriven="pole", **options)
    problem.start([0, 0]).end([1.0, np.pi]).limit("position", -2, 2, entries="cart").limit("torque", -20, 20)
    return problem.minimize("integral", 1.0, "torque")


def collocated(found, intervals):
    """Return the least integral of the squared force near a motion, by Hermite-Simpson collocation of Kelly's equations."""
    casadi = pytest.importorskip("casadi")
    h, problem = 2.0 / intervals, casadi.Opti()
    x, u = problem.variable(4, intervals + 1), problem.variable(1, intervals + 1)
    between, pushed = problem.variable(4, intervals), problem.variable(1, intervals)
    total = 0.0

    def rate(x, u):
        return casadi.vertcat(x[2], x[3], *kelly((x[0], x[1], x[2], x[3]), u, casadi.sin, casadi.cos))

    for k in range(intervals):
        a, b, m = rate(x[:, k], u[k]), rate(x[:, k + 1], u[k + 1]), rate(between[:, k], pushed[k])
        problem.subject_to(between[:, k] == (x[:, k] + x[:, k + 1]) / 2 + h / 8 * (a - b))
        problem.subject_to(x[:, k + 1] == x[:, k] + h / 6 * (a + 4 * m + b))
        total += h / 6 * (u[k] ** 2 + 4 * pushed[k] ** 2 + u[k + 1] ** 2)
    problem.minimize(total)
    problem.subject_to(problem.bounded(-20, u, 20))
    problem.subject_to(problem.bounded(-2, x[0, :], 2))
    problem.subject_to(x[:, 0] == 0)
    problem.subject_to(x[:, intervals] == casadi.vertcat(1.0, np.pi, 0, 0))
    t = np.linspace(0, 2, intervals + 1)
    for states, force, at in ((x, u, t), (between, pushed, t[:-1] + h / 2)):
        problem.set_initial(states, np.hstack(found.states(at)[:2]).T)
        problem.set_initial(force, found.torques(at)[:, :1].T)
    problem.solver("ipopt", {"print_time": 0}, {"print_level": 0, "sb": "yes", "mu_init": 1e-4})
    return problem.solve().value(total)


def test_the_cart_pole_swings_up_with_the_published_effort():
    """Kelly 2017 reports 58.8 for a local optimum, to which the straight line leads with 40 control points."""
    found = swing_up(control_points=40, degree=5).solve()
    assert found.objective == pytest.approx(collocated(found, 50), rel=3e-4)
    assert found.objective == pytest.approx(58.8, abs=0.05)
    t = found.times()
    assert not found.torques(t)[:, 1].any() and np.abs(found.imbalance(t)).max() < 0.02
    # the same force on the published equations brings the pole up
    run = solve_ivp(lambda s, x: [x[2], x[3], *kelly(x, found.torques(s)[0])], (0, 2), np.zeros(4), rtol=1e-9, atol=1e-9)
    assert np.abs(run.y[:, -1] - [1.0, np.pi, 0, 0]).max() < 0.05


def test_doubled_knots_have_equations_of_their_own():
    found = swing_up(control_points=15).solve(refine=2)
    coarse = swing_up(control_points=15).solve()
    errors = [np.abs(each.imbalance(each.times())).max() for each in (coarse, found)]
    assert "Between knots, balance of pole lacks up to" in coarse.message and "more control points, or degree=5" in coarse.message
    assert found.rounds[-1].control_points == 51 and errors[1] < 0.15 * errors[0]
    assert found.objective == pytest.approx(collocated(found, 50), rel=0.01)
    missed = next(limit for limit in found.limits if limit.label == "torque of pole")
    assert errors[1] <= missed.residual < 1.5 * errors[1] and missed.violation < 1e-9


def test_phases_of_unknown_durations_keep_the_equations_of_motion():
    problem = MotionProblem(cart_pole(), control_points=48, undriven="pole")
    problem.phases({"swing": (0.3, 2.0), "catch": (0.3, 2.0)}, smooth=1)  # torques may jump where their limits do
    problem.start([0, 0]).end([1.0, np.pi]).limit("torque", -20, 20).limit("torque", -5, 5, during="catch")
    found = problem.minimize("time").minimize("integral", 0.01, "torque").solve()
    t = found.times(401)
    assert np.abs(found.imbalance(t)).max() < 0.12
    late = t > found.duration - 0.25
    assert np.abs(found.torques(t[late])[:, 0]).max() < 5.01 < np.abs(found.torques(t)[:, 0]).max()


@pytest.mark.slow
def test_a_thrown_body_keeps_its_momentum_and_falls():
    robot = free_body(com=(0.05, -0.03, 0.02))
    q0, v0 = np.array([0, 0, 1, *Rotation.from_rotvec([0.3, -0.2, 0.4]).as_quat()]), np.array([1.0, 0.5, 3.0, 2.0, 3.0, -1.0])
    problem = MotionProblem(robot, control_points=14, degree=5, duration=0.5).start(q0, v0)
    assert problem.undriven_names == ("base_x", "base_y", "base_z", "base_rx", "base_ry", "base_rz")
    found = problem.minimize("integral", 1e-6, "acceleration").solve()
    t = found.times(51)
    q, qd, _ = found.coordinates(t)
    assert np.abs(q[0] - q0).max() < 1e-12 and np.abs(qd[0] - v0).max() < 1e-12
    com = robot.center_of_mass(q)
    at = com[0] + np.outer(t, robot.momentum(q[0], v0)[:3] / 2.0) + np.outer(t * t / 2, [0, 0, -9.81])
    assert np.abs(com - at).max() < 1e-4
    turning = robot.momentum(q, qd)[:, 3:]  # about the center of mass
    assert np.abs(turning - turning[0]).max() < 1e-3 * np.abs(turning).max()
    assert np.abs(robot.difference(q[-1], robot.simulate(q0, v0, 0.5).q[-1])).max() < 1e-4


@pytest.mark.slow
def test_an_unknown_wrench_lifts_a_free_body_with_least_force():
    """F = m (g + a), and a integrates to zero from rest to rest: m^2 (g^2 T + 12 d^2 / T^3)."""
    m, d, T = 2.0, 0.3, 0.8
    problem = MotionProblem(free_body(mass=m), control_points=8, duration=T)
    problem.channel("push", ["fx", "fy", "fz", "mx", "my", "mz"], link="body")
    turn = Rotation.from_rotvec([0.5, 0.2, -0.3]).as_quat()
    problem.start([0, 0, 1, *turn]).end([0, 0, 1 + d, *turn])
    found = problem.minimize("integral", 1.0, "push").solve()
    assert found.objective == pytest.approx(m**2 * (9.81**2 * T + 12 * d**2 / T**3), rel=1e-9)
    assert np.abs(found.imbalance(found.times())).max() < 1e-9


@pytest.mark.slow
def test_a_flip_passes_a_full_turn_where_the_joints_origin_is_half_a_turn():
    robot = free_body()
    half = lissom.model.Pose(np.diag([-1.0, 1.0, -1.0]))
    turned = lissom.Robot(robot.model.with_joints(lambda joint: dataclasses.replace(joint, origin=half)))
    start = dict.fromkeys(turned.path_columns, 0.0) | {"base_ry": -np.pi}
    problem = MotionProblem(turned, control_points=10, degree=5, duration=0.8)
    problem.start(start, {"base": [0, 0, 0.4 * 9.81, 0, 2 * np.pi / 0.8, 0]})
    found = problem.minimize("integral", 1.0, "acceleration").solve()
    poses = turned.link_pose(found.coordinates(np.array([0.0, 0.4, 0.8]))[0], "body")
    assert np.abs(poses[:, :3, 0] - [[1, 0, 0], [-1, 0, 0], [1, 0, 0]]).max() < 1e-6
    assert np.abs(poses[:, 2, 3] - [0.0, 0.5 * 9.81 * 0.16, 0.0]).max() < 1e-6


def test_a_ball_joint_turns_about_the_shortest_axis():
    """A ball at its own center has w' = tau / J: from rest to rest it takes 12 J^2 angle^2 / T^3, as one joint would."""
    J, T, robot = 0.03, 0.7, free_body("spherical", tensor=(0.03, 0.03, 0.03))
    one, turn = Rotation.from_rotvec([0.4, 1.0, -0.6]), np.array([0.5, -0.9, 0.7])
    problem = MotionProblem(robot, control_points=16, duration=T)
    problem.start(one.as_quat()).end({"base": (one * Rotation.from_rotvec(turn)).as_quat()})
    assert not problem.undriven
    found = problem.minimize("integral", 1.0, "torque").solve()
    assert found.objective == pytest.approx(12 * J**2 * turn @ turn / T**3, rel=2e-4)
    t = found.times(21)
    q, qd, _ = found.coordinates(t)
    axis = turn / np.linalg.norm(turn)
    assert np.abs(np.cross(qd, axis)).max() < 2e-2 * np.abs(qd).max()
    assert q.shape == (21, 4) and np.abs(np.linalg.norm(q, axis=1) - 1).max() < 1e-12


def test_a_driven_planar_base_moves_as_a_mass():
    robot = free_body("planar", mass=3.0)
    problem = MotionProblem(robot, control_points=10, duration=2.0, driven="base").start([0, 0, 0.5]).end([3.0, 4.0, 0.5])
    found = (
        problem.minimize("integral", 1.0, "torque", entries=["base_vx", "base_vy"]).minimize("integral", 1.0, "torque").solve()
    )
    assert found.objective == pytest.approx(2 * 12 * 9.0 * 25.0 / 8.0, rel=1e-6)
    assert found.robot.path_columns == ("base_x", "base_y", "base_angle")


def test_rotations_go_the_shorter_way_between_the_ends():
    robot = free_body("spherical")
    one, two = (Rotation.from_rotvec([0, 0, angle]).as_quat() for angle in (0.9 * np.pi, 1.1 * np.pi))
    for problem in (MotionProblem(robot).start(one).end(two), MotionProblem(robot).end(two).start(one)):
        apart = problem.ends["end"]["position"] - problem.ends["start"]["position"]
        assert np.abs(apart - [0, 0, 0.2 * np.pi]).max() < 1e-12


def test_ends_are_the_robots_own_coordinates_and_velocities():
    robot = hopper()
    q, v = robot.random_configuration(np.random.default_rng(1)), np.random.default_rng(1).normal(size=7)
    given = [(q, v), ({"base": q[:7], "knee": q[7]}, {"base": v[:6], "knee": v[6]})]
    names = ("base_vx", "base_vy", "base_vz", "base_wx", "base_wy", "base_wz", "knee")
    columns = dict(zip(robot.path_columns, robot.path_at(q), strict=True))
    given.append((columns, dict(zip(names, v, strict=True))))
    for position, velocity in given:
        end = MotionProblem(robot).start(position, velocity).ends["start"]
        state = robot.path_state([end["position"], end["velocity"], np.zeros(7)])
        assert np.abs(robot.difference(state[0], q)).max() < 1e-12 and np.abs(state[1] - v).max() < 1e-12
    assert not MotionProblem(robot).start(q).ends["start"]["velocity"].any()
    mirrored = MotionProblem(robot).same_at_both_ends("position", pairs=[("base_z", "base_z", 1.0), ("base_ry", "base_ry", -1.0)])
    assert len(mirrored.parts.equations) == 2


def test_goals_and_limits_of_torques_leave_undriven_joints_out():
    robot = hopper()
    strong = lissom.Robot(
        robot.model.with_joints(lambda j: dataclasses.replace(j, limits=dataclasses.replace(j.limits, effort=5.0)))
    )
    problem = MotionProblem(strong).limit("torque", -9, 9).limit_by_model("torque").minimize("integral", 1.0, "power")
    assert [limit.label(0) for limit in problem.parts.limits] == ["torque of knee"] * 2
    assert problem.parts.integrals[0].factors.tolist() == [0, 0, 0, 0, 0, 0, 1]
    with pytest.raises(StateError, match=r"torque of base_vz is zero: it has no drive; leave it out of entries="):
        problem.limit("torque", -1, 1, entries=["base_vz"])
    with pytest.raises(StateError, match="'body' has no drive in this problem, so no torque to limit"):
        MotionProblem(free_body()).limit("torque", -1, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"undriven": "pol"}, r"undriven=: no joint 'pol' with its own coordinates; did you mean 'pole'"),
        ({"driven": ["pole"]}, "driven= names joint 'pole', which has a drive unless undriven= says otherwise"),
    ],
)
def test_wrong_names_of_drives_are_told(options, message):
    with pytest.raises(StateError, match=message):
        MotionProblem(cart_pole(), **options)


def test_a_joint_has_a_drive_or_none():
    with pytest.raises(StateError, match="joint 'base' is named in driven= and in undriven="):
        MotionProblem(free_body(), driven="base", undriven="base")


def test_too_few_unknowns_and_impossible_ends_are_told():
    robot, q = free_body(), [0, 0, 1, 0, 0, 0, 1]
    both = MotionProblem(robot, control_points=10, duration=1.0).start(q).end([1, 0, 1, 0, 0, 0, 1]).minimize("time")
    with pytest.raises(StateError, match=r"48 equations for 36 unknowns: base_x, .* have no drive, so that too little is left"):
        both.solve()
    with pytest.raises(StateError, match=r"the start's torque of base_vz, 19.62 N, breaks a limit: it must be exactly 0 N"):
        MotionProblem(robot, degree=5).start(q, acceleration=0.0).minimize("time").solve()


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ([0, 0, 1], r"start's position has shape \(3,\), expected \(8,\): base_x, .*, base_qw, knee"),
        ([0, 0, 1, 1, 1, 0, 1, 0], r"joint 'base' has a quaternion x y z w of length 1.732, expected 1; no rotation is 0 0 0 1"),
        ({"base": [0, 0, 1, 0, 0, 0, 1]}, "start's position has no value for joint 'knee'; give 1 under its name$"),
        ({"knee": 1.0}, r"no value for joint 'base'; give 7 under its name, or for each of base_x, .*, base_rz"),
        ({"base": [0, 0, 1], "knee": 0}, r"of joint 'base' has shape \(3,\), expected \(7,\): x, y, z, qx, qy, qz, qw"),
        ({"base": [0, 0, 1, 0, 0, 0, 1], "base_x": 1.0, "knee": 0}, "has joint 'base' and its 'base_x'; give one of them"),
        ({"bas": 1.0}, "start's position: no joint 'bas'; did you mean 'base'"),
        (
            {"base": [0, 0, 1, 0, 0, 0, 1], "knee": 90.0},
            "start's position of 'knee' is 90 rad, 14.3 turns; it looks like degrees",
        ),
        ({"base": "up", "knee": 0}, "start's position of joint 'base' is 'up', expected numbers"),
        ([0, 0, np.nan, 0, 0, 0, 1, 0], "which is not finite"),
    ],
)
def test_wrong_ends_are_told(position, message):
    with pytest.raises(StateError, match=message):
        MotionProblem(hopper()).start(position)


def test_a_velocity_needs_the_position_that_it_is_turned_by():
    with pytest.raises(StateError, match=r"end's velocity of 'base', a floating joint, needs its position there; give both"):
        MotionProblem(hopper()).end(None, [0, 0, 1, 0, 0, 0, 0])
    problem = MotionProblem(hopper()).end(None, [0, 0, 0, 0, 0, 0, 2.0])
    assert problem.ends["end"]["velocity"].tolist() == [0, 0, 0, 0, 0, 0, 2.0]


def test_results_go_through_files_with_their_undriven_columns(tmp_path):
    found = swing_up(control_points=20).solve()
    back = Prediction.load(found.save(tmp_path / "cart.npz"), found.robot)
    assert back.description.undriven == ("pole",) and ("undriven", "pole") in back.description.rows
    assert np.array_equal(back.torques(back.times(5)), found.torques(found.times(5)))
    problem = MotionProblem(free_body("spherical"), control_points=8, duration=1.0).start([0, 0, 0, 1]).end([0, 0.6, 0, 0.8])
    turned = problem.minimize("integral", 1.0, "torque").solve()
    back = Prediction.load(turned.save(tmp_path / "ball.npz"), turned.robot)
    trajectory = lissom.Trajectory.load(turned.save(tmp_path / "ball.csv"), turned.robot)
    assert trajectory.q.shape[1] == 4 and np.abs(trajectory.q[-1] - [0, 0.6, 0, 0.8]).max() < 1e-9
    assert back.report(tmp_path / "ball.html").exists() and turned.plot(tmp_path / "ball.svg").exists()


@pytest.mark.slow
def test_a_body_in_flight_turns_by_its_leg_and_simulation_repeats_it():
    robot = hopper()
    problem = MotionProblem(robot, control_points=16, degree=5, duration=0.4)
    problem.start([0, 0, 1, 0, 0, 0, 1, 0.2], [0.5, 0, 2.0, 0, 0, 0, 0])
    problem.limit("position", 1.0, 1.0, entries="knee", at=1.0).limit("velocity", 0, 0, entries="knee", at=1.0)
    found = problem.minimize("integral", 1.0, "torque").solve()
    trajectory = found.trajectory()
    assert not trajectory.tau[:, :6].any() and np.abs(trajectory.tau[:, 6]).max() > 0.1
    again = robot.simulate(trajectory.q[0], trajectory.qd[0], 0.4, Interpolated(trajectory.t, trajectory.tau))
    assert np.abs(robot.difference(again.q[-1], trajectory.q[-1])).max() < 2e-3
    # nothing turns it from outside
    assert np.abs(robot.momentum(trajectory.q, trajectory.qd)[:, 3:]).max() < 1e-3


FILE = """
lissom: 1
kind: motion
name: flight
robot: body.yaml
driven: []
undriven: knee
path: {control_points: 8, degree: 5}
duration: 0.3
start: {position: {base: [0, 0, 1, 0, 0, 0, 1], knee: 10deg}, velocity: {base: [0.5, 0, 2, 0, 0, 0], knee: 0}}
limits:
  - {quantity: position, entries: base_rx, within: 90deg}
minimize:
  - {goal: integral, quantity: acceleration}
"""


def test_problem_files_have_the_same_names(tmp_path):
    hopper().save(tmp_path / "body.yaml")
    (tmp_path / "flight.yaml").write_text(FILE)
    problem = lissom.predict.load(tmp_path / "flight.yaml")
    own = MotionProblem(hopper(), undriven="knee").start([0, 0, 1, 0, 0, 0, 1, np.deg2rad(10)], [0.5, 0, 2, 0, 0, 0, 0])
    assert problem.undriven == own.undriven == tuple(range(7))
    assert all(np.array_equal(problem.ends["start"][name], own.ends["start"][name]) for name in ("position", "velocity"))
    assert problem.solve().success
    (tmp_path / "flight.yaml").write_text(FILE.replace("knee: 10deg", "kne: 10deg"))
    with pytest.raises(lissom.FileError, match="flight.yaml:10.*kne"):
        lissom.predict.load(tmp_path / "flight.yaml")
    (tmp_path / "flight.yaml").write_text(FILE.replace("{base: [0, 0, 1, 0, 0, 0, 1], knee: 10deg}", "[0, 0, 1, 0, 0, 0, 1]"))
    with pytest.raises(lissom.FileError, match=r"flight.yaml:10.*has shape \(7,\), expected \(8,\)"):
        lissom.predict.load(tmp_path / "flight.yaml")
