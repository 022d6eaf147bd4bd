"""Limits of torque rates: closed form of a mass, exact derivatives, and the way to the motion without them."""

import numpy as np
import pytest

import lissom
from lissom.nlp import check_derivatives
from lissom.spline import Basis
from lissom.timing import time_optimal
from lissom.timing.curve import through
from lissom.timing.limits import bounds
from lissom.timing.rate_curve import Warp
from lissom.timing.rate_program import RateProgram
from support.timing import cart

WAY = [[0.0, 0.3], [1.0, -0.5], [1.5, 0.8]]


def test_a_mass_under_limited_rates_alone():
    m, d, rate = 2.0, 3.0, 5.0
    timing = time_optimal(cart(m), [[0.0], [d]], torque=100.0, torque_rate=rate)
    assert timing.duration == pytest.approx((32 * d * m / rate) ** (1 / 3), rel=2e-4)
    np.testing.assert_allclose(timing.torques([0.0, timing.duration]), 0.0, atol=1e-6)


def test_a_mass_under_limited_torques_and_rates():
    m, d, rate, force = 2.0, 3.0, 20.0, 4.0
    jerk, a = rate / m, force / m
    wanted = a / jerk + np.sqrt((a / jerk) ** 2 + 4 * d / a)  # ramps, then the whole force, without a limit of velocity
    timing = time_optimal(cart(m), [[0.0], [d]], torque=force, torque_rate=rate)
    assert timing.duration == pytest.approx(wanted, rel=5e-4)


@pytest.mark.parametrize("ends", [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0), (1.1, 1.2)])
@pytest.mark.parametrize("make", [lissom.robots.planar_two_link, cart])
def test_derivatives_of_the_program_are_exact(make, ends):
    robot = make() if make is not cart else cart(viscous=0.7, coulomb=0.1)
    path = through(np.array(WAY)[:, : robot.nq])
    limits = bounds(robot, 6.0, 50.0, 60.0, 400.0)
    program = RateProgram(robot, path, limits, Warp(ends[0] == 0, ends[1] == 0), Basis(9), ends)
    program.reference = 0.7
    assert check_derivatives(program.nlp(), np.random.default_rng(0).uniform(1.0, 2.0, 9)).ok


def test_the_start_of_the_program_keeps_to_all_limits():
    robot = lissom.robots.planar_two_link()
    program = RateProgram(robot, through(WAY), bounds(robot, 6.0, 50.0, 200.0, 400.0), Warp(True, True), Basis(30), (0.0, 0.0))
    nlp, start = program.nlp(), program.slowed(np.full(30, 40.0))
    assert nlp.violation(start, nlp.constraints(start)) == 0.0


def test_without_a_bound_in_reach_the_rates_tend_to_the_torque_limited_motion():
    robot, limits = lissom.robots.planar_two_link(), {"torque": [60.0, 25.0], "velocity": 6.0}
    free = time_optimal(robot, WAY, **limits, points=801).duration
    found = [time_optimal(robot, WAY, **limits, torque_rate=rate).duration for rate in (100.0, 300.0, 1e3, 3e3, 1e4, 1e5)]
    assert (np.diff(found) < 0).all()
    assert found[0] > 1.2 * free
    assert free * (1 - 1e-3) < found[-1] < free * (1 + 1e-2)


def test_limits_hold_on_a_finer_grid():
    robot = lissom.robots.planar_two_link()
    timing = time_optimal(robot, WAY, torque=[60.0, 25.0], velocity=6.0, torque_rate=1000.0)
    assert set(timing.violation) == {"velocity", "torque", "torque_rate"}
    assert all(worst.relative < 0.01 for worst in timing.violation.values())
    # the rates of the forces themselves, by differences
    t = np.linspace(0.01, 0.99, 301) * timing.duration
    h = 1e-6
    by_differences = (timing.torques(t + h) - timing.torques(t - h)) / (2 * h)
    np.testing.assert_allclose(timing.torque_rates(t), by_differences, rtol=1e-3, atol=0.5)
    np.testing.assert_allclose(timing.torques(0.0), robot.gravity_torques(WAY[0]), rtol=1e-6)


def test_time_and_place_agree():
    timing = time_optimal(lissom.robots.planar_two_link(), WAY, torque=[60.0, 25.0], velocity=6.0, torque_rate=1000.0)
    np.testing.assert_allclose(timing.s(timing.profile.times), timing.profile.s, atol=1e-12)
    t, h = np.linspace(0.01, 0.99, 50) * timing.duration, 1e-5
    middle, before, after = (timing.progress(x) for x in (t, t - h, t + h))
    for order in range(3):
        np.testing.assert_allclose((after[order] - before[order]) / (2 * h), middle[order + 1], rtol=1e-3, atol=1e-3)


def test_given_speeds_at_the_ends_are_kept():
    timing = time_optimal(
        lissom.robots.planar_two_link(), WAY, torque=[60.0, 25.0], torque_rate=2000.0, start_speed=0.4, end_speed=0.7
    )
    np.testing.assert_allclose(timing.progress([0.0, timing.duration]).sd, [0.4, 0.7], rtol=1e-9)


def test_friction_counts_in_rates_too():
    slow, quick = (time_optimal(cart(viscous=v), [[0.0], [3.0]], torque=4.0, torque_rate=20.0) for v in (2.0, 0.0))
    assert slow.duration > quick.duration
    assert slow.violation["torque_rate"].relative < 0.01
    assert slow.violation["torque"].relative < 0.01
