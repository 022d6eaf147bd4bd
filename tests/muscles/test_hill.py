"""Hill-type forces: equilibrium with elastic tendons, and its derivatives."""

import math

import numpy as np
import pytest

from lissom import ModelError
from lissom.muscles import DeGrooteFregly, Millard, Muscle, Path, Point, Thelen, hill
from lissom.muscles.energy import muscle_mass, umberger

PATH = Path((Point("a", (0.0, 0.0, 0.0)), Point("b", (0.1, 0.0, 0.0))))
CURVES = [DeGrooteFregly(damping=0.01), Millard(), Thelen()]


def muscle(curves=CURVES[0], **changes):
    return Muscle(**{"name": "m", "path": PATH, "max_isometric_force": 1000, "optimal_fiber_length": 0.1,
                     "tendon_slack_length": 0.2, "pennation": 0.3, "curves": curves} | changes)  # fmt: skip


@pytest.mark.parametrize("curves", CURVES, ids=lambda x: type(x).__name__)
def test_a_fiber_at_rest_balances_its_tendon(curves):
    m, a, length = muscle(curves), np.array([0.05, 0.3, 1.0]), np.array([0.29, 0.3, 0.32])
    fiber = hill.fiber_length_at_rest(m, a, length)
    assert np.abs(hill.imbalance(m, a, hill.elastic_fiber(m, fiber), length)).max() < 1e-12
    moved = hill.fiber_velocity(m, a, fiber * 1.02, length)
    assert (moved < 0).all()
    assert np.abs(hill.imbalance(m, a, hill.elastic_fiber(m, fiber * 1.02, moved), length)).max() < 1e-12


@pytest.mark.parametrize("curves", CURVES, ids=lambda x: type(x).__name__)
def test_solutions_have_the_derivatives_of_the_equations(curves):
    m, h = muscle(curves), 1e-30
    fiber = hill.fiber_length_at_rest(m, np.array([0.5]), np.array([0.31]))
    slope = np.imag(hill.fiber_length_at_rest(m, np.array([0.5]), np.array([0.31 + 1j * h]))) / h
    step = 1e-6
    ends = [hill.fiber_length_at_rest(m, np.array([0.5]), np.array([0.31 + s])) for s in (step, -step)]
    assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-6)
    slope = np.imag(hill.fiber_velocity(m, np.array([0.5 + 1j * h]), fiber * 1.01, np.array([0.31]))) / h
    ends = [hill.fiber_velocity(m, np.array([0.5 + s]), fiber * 1.01, np.array([0.31])) for s in (step, -step)]
    assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)


@pytest.mark.parametrize("curves", CURVES, ids=lambda x: type(x).__name__)
def test_a_stiff_tendon_is_a_rigid_one(curves):
    stiff = muscle(type(curves)(**{**vars_of(curves), "tendon_strain": 1e-7}))
    length = np.array([0.28, 0.3, 0.31])
    fiber = hill.fiber_length_at_rest(stiff, 0.7, length)
    assert np.allclose(fiber, hill.rigid_fiber(stiff, length).length, atol=1e-6)
    forces = hill.tendon_force(stiff, length, hill.elastic_fiber(stiff, fiber))
    assert np.allclose(forces, hill.rigid_force(stiff, 0.7, length), rtol=1e-4)


def vars_of(curves):
    return {name: getattr(curves, name) for name in curves.__dataclass_fields__}


def test_power_of_a_rigid_tendon_is_that_of_the_fiber():
    m, length, rate = muscle(), np.array([0.29, 0.31]), np.array([-0.2, 0.15])
    fiber = hill.rigid_fiber(m, length, rate)
    force = hill.rigid_force(m, 0.6, length, rate)
    along_fiber = force / fiber.cosine
    assert np.allclose(along_fiber * fiber.velocity * m.max_velocity * m.optimal_fiber_length, force * rate)


def test_a_slack_fiber_has_no_force():
    m = muscle()
    assert hill.rigid_force(m, 1.0, 0.19) == 0.0


def test_resting_heat_is_that_of_umberger():
    m = muscle()
    # isometric, fully active at the optimal length, half of the fibers fast: 1.5 (1.28 * 50 + 25) W/kg
    assert umberger(m, 1.0, 1.0, 1.0, 0.0, 1000.0) == pytest.approx(muscle_mass(m) * 1.5 * (1.28 * 50 + 25))
    assert muscle_mass(m) == pytest.approx(1000 / 250000 * 1059.7 * 0.1)
    assert umberger(m, 1e-6, 1e-6, 1.0, 0.0, 0.0) == pytest.approx(muscle_mass(m))  # at least 1 W/kg


def test_shortening_gives_work_and_heat():
    m = muscle()
    v = -0.2  # two optimal lengths a second
    power = umberger(m, 0.8, 0.8, 0.95, v, 300.0, slow=0.6)
    slow, fast = 100 * 2.5 / 10 * 2, 153 / 10 * 2
    heat = 1.5 * (0.8**0.6 * (1.28 * 40 + 25) + 0.64 * (slow * 0.6 + fast * 0.4))
    assert power == pytest.approx(heat * muscle_mass(m) + 300 * 0.2 * m.max_velocity * m.optimal_fiber_length)
    gentle = umberger(m, 0.1, 0.1, 0.95, 0.2, 900.0)  # a strong fiber lengthens: its power is not negative
    assert gentle == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("field", ["max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "max_velocity"])
def test_sizes_must_be_positive(field):
    for value in (0.0, -1.0, math.inf, "1"):
        with pytest.raises(ModelError, match=f"muscle 'm': {field} is .*expected a positive number"):
            muscle(**{field: value})


def test_the_pennation_is_below_a_right_angle():
    with pytest.raises(ModelError, match=r"pennation is 1.6, expected an angle from 0 up to pi/2"):
        muscle(pennation=1.6)
