"""What a Timing tells: states, forces, limits that are reached and missed, pictures."""

import numpy as np
import pytest

import lissom
from lissom.timing import time_optimal
from lissom.timing.coefficients import forces, torque_rates
from lissom.timing.curve import through
from lissom.timing.descend import descend
from support.timing import cart, pendulum


@pytest.fixture(scope="module")
def timing():
    return time_optimal(lissom.robots.planar_two_link(), [[0.0, 0.3], [1.0, -0.5], [1.5, 0.8]], torque=[60.0, 25.0], velocity=4.0)


def test_velocities_and_accelerations_are_rates_of_positions(timing):
    inner = timing.profile.times
    t = 0.5 * (inner[:-1] + inner[1:])  # away from the jumps of sddot
    h = 1e-6
    q, qd, qdd, qddd = timing.states(t)
    before, after = timing.states(t - h), timing.states(t + h)
    np.testing.assert_allclose((after[0] - before[0]) / (2 * h), qd, atol=1e-7)
    np.testing.assert_allclose((after[1] - before[1]) / (2 * h), qdd, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose((after[2] - before[2]) / (2 * h), qddd, rtol=1e-4, atol=1e-3)


def test_the_motion_begins_and_ends_with_the_path_at_rest(timing):
    q, qd, *_ = timing.states([0.0, timing.duration])
    np.testing.assert_allclose(q, [[0.0, 0.3], [1.5, 0.8]], atol=1e-12)
    np.testing.assert_allclose(qd, 0.0, atol=1e-9)
    assert timing.s(0.0) == 0.0
    assert timing.s(timing.duration) == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(timing.s(np.linspace(0, timing.duration, 5000))) > 0).all()


def test_limits_hold_at_the_points_and_nearly_between_them(timing):
    assert set(timing.violation) == {"velocity", "torque"}
    times, progress = timing.profile.within(1)
    tau = timing.robot.inverse_dynamics(*timing._moved(progress)[:3])
    assert (np.abs(tau) <= np.array([60.0, 25.0]) * (1 + 1e-9)).all()
    worst = timing.violation["torque"]
    assert worst.relative == pytest.approx(max(0.0, abs(worst.value / worst.limit) - 1))


def test_violation_between_the_points_is_of_second_order():
    robot, path = lissom.robots.planar_two_link(), [[0.0, 0.3], [1.0, -0.5], [1.5, 0.8]]
    found = []
    for points in (50, 100, 200, 400):
        found.append(time_optimal(robot, path, torque=[60.0, 25.0], velocity=np.inf, points=points).violation["torque"].relative)
    assert found[-1] < 0.1 * found[0]
    assert found[-1] < 1e-3


def test_a_finer_grid_converges_at_first_order():
    robot, path = lissom.robots.planar_two_link(), [[0.0, 0.3], [1.0, -0.5], [1.5, 0.8]]
    points = np.array([101, 201, 401, 801, 1601, 3201])
    found = np.array([time_optimal(robot, path, torque=[60.0, 25.0], points=int(n)).duration for n in points])
    errors = np.abs(found[:-1] - found[-1])
    order = np.log(errors[0] / errors[3]) / np.log(8)
    assert order > 0.8


def test_active_limits_of_a_trapezoid():
    timing = time_optimal(cart(), [[0.0], [3.0]], acceleration=2.0, velocity=1.2, points=301)
    assert [(a.kind, a.side) for a in timing.active] == [
        ("acceleration", "upper"),
        ("velocity", "upper"),
        ("acceleration", "lower"),
    ]
    first, middle, last = timing.active
    assert first.joint == "slide"
    assert (first.t0, last.t1) == (0.0, timing.duration)
    assert (first.t1, last.t0) == pytest.approx((0.6, timing.duration - 0.6), abs=0.01)
    assert (middle.s0, middle.s1) == pytest.approx((0.12, 0.88), abs=0.01)


def test_somewhere_a_limit_is_always_reached(timing):
    reached = sorted((a.t0, a.t1) for a in timing.active)
    until = 0.0
    for begin, end in reached:
        assert begin <= until + 0.02 * timing.duration
        until = max(until, end)
    assert until > 0.98 * timing.duration


def test_the_trajectory_has_the_forces_of_its_motion(timing):
    motion = timing.trajectory(dt=0.01)
    assert isinstance(motion, lissom.Trajectory)
    assert motion.t[-1] == pytest.approx(timing.duration)
    np.testing.assert_allclose(motion.tau, timing.robot.inverse_dynamics(motion.q, motion.qd, motion.qdd), atol=1e-6)


@pytest.mark.parametrize("what", ["tau", "torque_rate", "qd", "qdd", "s"])
def test_pictures(timing, tmp_path, what):
    assert timing.plot(tmp_path / "picture.png", what).stat().st_size > 1000


def test_limits_of_the_model_are_taken_where_none_are_given():
    assert (
        time_optimal(pendulum(effort=14.0), [[0.0], [1.0]]).duration
        == time_optimal(pendulum(), [[0.0], [1.0]], torque=14.0).duration
    )


@pytest.mark.parametrize("make", [lissom.robots.stanford, lissom.robots.puma560])
def test_coefficients_give_forces_and_rates_at_any_speed(make):
    robot, rng = make(), np.random.default_rng(1)
    path = through(rng.uniform(-1, 1, (4, robot.nq)))
    p, p1, p2, p3 = path.states(np.linspace(0.05, 0.95, 7))
    v, u, j = 0.7, -1.3, 2.1  # sdot, sddot, sdddot; x' = 2 u, and sdddot = x'' sdot / 2
    qd, qdd, qddd = p1 * v, p2 * v**2 + p1 * u, p3 * v**3 + 3 * p2 * v * u + p1 * j
    f, r = forces(robot, p, p1, p2), torque_rates(robot, p, p1, p2, p3)
    rub = 0.0 if f.d is None else f.d * v
    steady = 0.0 if f.coulomb is None else f.coulomb
    found = f.a * u + f.b * v**2 + f.c + rub + steady
    np.testing.assert_allclose(found, robot.inverse_dynamics(p, qd, qdd), rtol=1e-9, atol=1e-9)
    inner = r.second * (2 * j / v) + r.first * 2 * u + r.square * v**2 + r.constant
    rates = v * inner + r.friction_slope * v**2 + r.friction * u
    np.testing.assert_allclose(rates, robot.torque_rates(p, qd, qdd, qddd), rtol=1e-8, atol=1e-8)


def test_machine_code_and_numpy_follow_the_same_recurrence():
    rng = np.random.default_rng(0)
    gain, offset = rng.uniform(0.8, 1.2, (50, 7)), rng.uniform(0.0, 1.0, (50, 7))
    cap, floor = rng.uniform(0.5, 3.0, 50), rng.uniform(0.0, 0.4, 50)
    one, other = (descend(gain, offset, cap, floor, 0.3, machine_code) for machine_code in (True, False))
    np.testing.assert_allclose(one, other, rtol=1e-15)


def test_both_backends_find_the_same_motion(backend):
    robot = lissom.Robot(lissom.robots.planar_two_link().model, backend=backend)
    again = time_optimal(lissom.robots.planar_two_link(), [[0.0, 0.3], [1.0, -0.5]], torque=[60.0, 25.0])
    assert time_optimal(robot, [[0.0, 0.3], [1.0, -0.5]], torque=[60.0, 25.0]).duration == pytest.approx(
        again.duration, rel=1e-12
    )


@pytest.mark.parametrize("m", [2, 3, 4, 11, 300])
def test_a_path_through_waypoints_meets_them_and_has_straight_ends(m):
    points = np.random.default_rng(m).normal(size=(m, 3))
    path, s = through(points), np.linspace(0.0, 1.0, m)
    assert np.allclose(path.states(s)[0], points, rtol=0, atol=1e-12)
    bend = path.rate(np.linspace(0.0, 1.0, 50), 2)
    assert np.abs(bend[[0, -1]]).max() <= 1e-10 * max(1.0, np.abs(bend).max())
