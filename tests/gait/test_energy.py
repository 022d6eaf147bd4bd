"""Energy of walks: Minetti and Alexander's function of moments and speeds, and the measured curve."""

import numpy as np
import pytest

import lissom.gait
from lissom.gait import measured_cost, metabolic_power


def test_a_moment_without_work_costs_and_none_costs_nothing():
    assert metabolic_power(np.array([10.0, -10.0, 0.0]), np.zeros(3)) == pytest.approx([8.1, 8.1, 0.0])
    assert metabolic_power(np.zeros(3), np.array([1.0, -3.0, 100.0])) == pytest.approx(np.zeros(3))


def test_flexors_and_extensors_cost_the_same():
    tau, speed = np.random.default_rng(0).normal(size=(2, 50)) * [[50.0], [3.0]]
    np.testing.assert_allclose(metabolic_power(tau, speed), metabolic_power(-tau, -speed))
    np.testing.assert_allclose(metabolic_power(3 * tau, speed), 3 * metabolic_power(tau, speed))


def test_work_is_done_with_about_half_of_the_energy_at_most_and_stretched_muscles_use_little():
    speed = np.linspace(0.05, 11.9, 400)
    efficiency = speed / metabolic_power(np.ones(400), speed)
    assert 0.4 < efficiency.max() < 0.55 and 0.05 < speed[efficiency.argmax()] / 15.0 < 0.3
    stretched = metabolic_power(np.ones(400), -0.5 * speed)
    assert (stretched > 0).all() and (stretched < metabolic_power(np.ones(1), np.zeros(1))).all()


def test_power_is_continuous_where_muscles_begin_to_be_stretched():
    around = metabolic_power(np.ones(2), np.array([-1e-9, 1e-9]))
    assert around[0] == pytest.approx(around[1], rel=1e-6)
    fast = metabolic_power(np.ones(2), np.array([12.0, 500.0]))
    assert fast[0] == fast[1] and np.isfinite(fast).all()


def test_the_measured_curve_is_least_at_its_published_speed():
    """Ralston 1958: 29 + 0.0053 v^2 cal/(kg min), v in m/min: least at 74 m/min, 0.78 cal/(kg m)."""
    v = np.linspace(0.5, 2.0, 1501)
    cost = np.array([measured_cost(x) for x in v])
    assert v[cost.argmin()] == pytest.approx(74 / 60, abs=0.002)
    assert cost.min() / 4.184 == pytest.approx(0.784, abs=0.001)


@pytest.mark.slow
def test_energy_per_distance_is_a_u_over_the_speed():
    slow, best, fast = (lissom.gait.predict(speed) for speed in (0.6, 1.1, 1.7))
    assert slow.metabolic_cost > 1.03 * best.metabolic_cost and fast.metabolic_cost > 1.1 * best.metabolic_cost
    assert slow.cost_of_transport < best.cost_of_transport < fast.cost_of_transport  # work alone has no least value
    assert 1.0 < best.metabolic_cost / measured_cost(1.1) < 1.5
