"""Fastest motions that can be written down: a mass on a rail, and a pendulum by its energy."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from lissom import SplinePath
from lissom.timing import time_optimal
from lissom.timing.rows import Rows
from lissom.timing.sweep import controllable
from support.timing import cart, pendulum


@pytest.mark.parametrize("points", [3, 50, 51, 200])
def test_a_mass_is_pushed_and_braked_with_all_its_force(points):
    timing = time_optimal(cart(2.0), [[0.5], [3.5]], torque=4.0, points=points)
    wanted = 2 * np.sqrt(3.0 * 2.0 / 4.0)
    # with the middle on the grid the motion itself is on it; otherwise the tip of the speed is cut off
    assert timing.duration == pytest.approx(wanted, rel=1e-12 if points % 2 else 0.5 / points**2)
    assert timing.duration >= wanted * (1 - 1e-12)


def test_limits_of_acceleration_do_what_forces_do():
    by_force = time_optimal(cart(2.0), [[0.0], [1.0]], torque=4.0)
    by_acceleration = time_optimal(cart(2.0), [[0.0], [1.0]], acceleration=2.0)
    assert by_force.duration == pytest.approx(by_acceleration.duration, rel=1e-12)


def test_a_velocity_limit_makes_a_trapezoid():
    distance, a, v = 3.0, 2.0, 1.2
    timing = time_optimal(cart(), [[0.0], [distance]], acceleration=a, velocity=v, points=501)
    assert timing.duration == pytest.approx(distance / v + v / a, rel=1e-5)
    _, qd, qdd, _ = timing.states(timing.duration / 2)
    np.testing.assert_allclose((qd[0], qdd[0]), (v, 0.0), atol=1e-12)


def test_unequal_limits_of_pushing_and_braking():
    push, brake = 4.0, 1.0
    timing = time_optimal(cart(1.0), [[0.0], [2.0]], torque=[[-brake], [push]], points=101)  # the switch, at 1/5, is on the grid
    assert timing.duration == pytest.approx(np.sqrt(2 * 2.0 * (1 / push + 1 / brake)), rel=1e-12)


def test_given_speeds_at_the_ends():
    # s from 0 to 1 with sdot from 0.3 to 0.5 on a line of 2 m: v0 = 0.6, v1 = 1.0 m/s, pushed then braked with a = 2
    v0, v1, a, d = 0.6, 1.0, 2.0, 2.0
    top = np.sqrt((2 * a * d + v0**2 + v1**2) / 2)
    timing = time_optimal(cart(), [[0.0], [d]], acceleration=a, start_speed=0.3, end_speed=0.5, points=801)
    assert timing.duration == pytest.approx((2 * top - v0 - v1) / a, rel=1e-6)
    np.testing.assert_allclose(timing.states([0.0, timing.duration])[1][:, 0], [v0, v1], rtol=1e-9)


def test_coulomb_friction_takes_from_the_push_and_adds_to_the_brake():
    m, force, rub, d = 2.0, 4.0, 1.0, 3.0
    up, down = (force - rub) / m, (force + rub) / m
    timing = time_optimal(cart(m, coulomb=rub), [[0.0], [d]], torque=force, points=2001)
    assert timing.duration == pytest.approx(np.sqrt(2 * d * (1 / up + 1 / down)), rel=1e-6)
    assert timing.violation["torque"].relative < 1e-10


@pytest.mark.parametrize("viscous", [0.5, 3.0, 10.0])
def test_viscous_friction(viscous):
    m, force, d = 2.0, 4.0, 3.0
    rate, limit = viscous / m, force / viscous

    def run(switch):
        """Return how far the mass comes, and when it stops, if the force turns round at the time `switch`."""
        v = limit * (1 - np.exp(-rate * switch))
        far = limit * (switch - (1 - np.exp(-rate * switch)) / rate)
        brake = np.log(1 + v / limit) / rate  # v = (v + limit) exp(-rate t) - limit
        return far + (v + limit) * (1 - np.exp(-rate * brake)) / rate - limit * brake, switch + brake

    wanted = run(brentq(lambda switch: run(switch)[0] - d, 1e-3, 100.0))[1]
    found = [time_optimal(cart(m, viscous=viscous), [[0.0], [d]], torque=force, points=n) for n in (200, 400, 800)]
    errors = np.array([timing.duration / wanted - 1 for timing in found])
    assert (errors > 0).all()  # a constant sddot is held back by the faster end of its interval
    assert (errors[1:] < 0.65 * errors[:-1]).all()
    assert errors[-1] < 5e-3
    assert all(timing.violation["torque"].relative < 1e-9 for timing in found)


@pytest.mark.parametrize(("start", "end"), [(-1.2, 0.9), (0.9, -1.2), (0.1, 2.0)])
def test_a_pendulum_follows_its_energy(start, end):
    m, l, g, torque = 1.5, 0.7, 9.81, 14.0
    inertia, way = m * l**2, np.sign(end - start)

    def energy(q, q0, tau):  # half the squared speed times inertia, from rest at q0 under a constant torque
        return tau * (q - q0) + m * g * l * (np.sin(q) - np.sin(q0))

    switch = brentq(lambda q: energy(q, start, way * torque) - energy(q, end, -way * torque), min(start, end), max(start, end))

    def duration(q0, tau):  # q = q0 + y^2 takes the root out
        far = switch - q0
        slow = lambda y: 2 * y / np.sqrt(2 / inertia * energy(q0 + np.sign(far) * y**2, q0, tau))  # noqa: E731
        return quad(slow, 0.0, np.sqrt(abs(far)), epsabs=1e-12)[0]

    wanted = duration(start, way * torque) + duration(end, -way * torque)
    found = np.array([time_optimal(pendulum(m, l), [[start], [end]], torque=torque, points=n).duration for n in (100, 200, 400)])
    errors = found / wanted - 1
    assert (errors > 0).all()
    assert (errors[1:] < 0.6 * errors[:-1]).all()  # of first order
    assert errors[-1] < 2e-3


@pytest.mark.slow
def test_torques_of_the_result_move_the_robot_along_the_path():
    robot = pendulum()
    timing = time_optimal(robot, [[-1.0], [0.8]], torque=14.0)

    def rates(t, y):
        q, qd = y
        return [qd, robot.forward_dynamics([q], [qd], timing.torques(min(t, timing.duration)))[0]]

    run = solve_ivp(rates, (0, timing.duration), [-1.0, 0.0], max_step=timing.duration / 500, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run.y[:, -1], [0.8, 0.0], atol=2e-3)


def test_the_duration_of_a_path_and_its_parameter_do_not_matter():
    path = SplinePath([[0.0], [1.0], [1.0], [2.0]], duration=7.0)
    one, other = (time_optimal(cart(), p, torque=4.0).duration for p in (path, path.with_duration(0.1)))
    assert one == other


@pytest.mark.filterwarnings("error")
def test_a_row_that_does_not_depend_on_x_at_the_end_warns_of_nothing():
    """With h = 1/2, the row -1 <= u + x <= 1 bounds x + 2 h u alone, which is 0 at the end: x is bounded by 4 only."""
    one = np.ones((1, 1))
    rows = Rows(one, -one, one, np.zeros(1), np.full(1, np.inf), [("torque", 0, True)])
    low, high, empty = controllable(0.5, rows, np.zeros(1), np.full(1, 4.0), 0.0, machine_code=False)
    assert empty == -1 and low[0] == 0.0 and high[0] == 4.0
