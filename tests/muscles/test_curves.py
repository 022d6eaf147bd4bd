"""Curves of muscles: points that their papers state, inverses, smoothness, and slopes beside complex steps."""

import math

import numpy as np
import pytest

from lissom.muscles import DeGrooteFregly, Millard, Thelen
from lissom.muscles.activation import activation_rate, first_order_rate
from lissom.spatial.series import Series

H = 1e-30
ALL = [DeGrooteFregly(), Thelen(), Millard()]
GRIDS = {
    "active": np.linspace(0.3, 1.9, 97),
    "passive": np.linspace(0.8, 1.7, 97),
    "velocity": np.linspace(-0.95, 1.2, 97),
    "tendon": np.linspace(0.99, 1.06, 97),
}


@pytest.mark.parametrize("curves", ALL, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("name", GRIDS)
def test_slopes_are_those_of_complex_steps(curves, name):
    function, x = getattr(curves, name), GRIDS[name]
    slopes = function(Series([x, np.ones_like(x)])).terms[1]
    assert np.allclose(slopes, np.imag(function(x + 1j * H)) / H, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("curves", ALL, ids=lambda x: type(x).__name__)
def test_a_fiber_at_its_optimal_length_and_at_rest_has_its_maximum_force(curves):
    assert curves.active(1.0) == pytest.approx(1.0, abs=0.03)  # De Groote's active curve passes 0.3 % below one
    assert curves.velocity(0.0) == pytest.approx(1.0, abs=1e-9)
    assert curves.velocity(-1.0) == pytest.approx(0.0, abs=1e-9)
    assert curves.tendon(1.0 + curves.tendon_strain) == pytest.approx(1.0, abs=1e-9)
    assert curves.passive(1.0 + curves.passive_strain) == pytest.approx(1.0, abs=1e-9)


def test_curves_of_de_groote_have_the_numbers_of_the_paper():
    curves = DeGrooteFregly()
    # the exponents and factors of De Groote 2016, with the three digits that it prints
    assert curves.tendon(1.0) == pytest.approx(0.2 * math.exp(0.0) - 0.2)
    assert curves.velocity(0.3) == pytest.approx(-0.318 * math.asinh(-8.149 * 0.3 - 0.374) + 0.886, abs=0.012)
    assert curves.passive(0.2) == 0.0
    assert DeGrooteFregly(width=1.5).active(1.3) == pytest.approx(curves.active(1.2))


def test_curves_of_thelen_have_the_numbers_of_the_paper():
    curves = Thelen()
    assert curves.active(1.0 + math.sqrt(0.45)) == pytest.approx(math.exp(-1.0))
    assert curves.passive(0.9) == 0.0
    # equation (6): v = (1/4 + 3/4 a) (f - 1) / (f + 1 / Af), f relative to a fl, with Af = 1/4
    f = 0.4
    assert curves.velocity((0.25 + 0.75 * 0.5) * (f - 1) / (1 + 4 * f), 0.5) == pytest.approx(f)


@pytest.mark.parametrize("curves", [DeGrooteFregly(), Thelen()], ids=lambda x: type(x).__name__)
def test_the_velocity_of_a_factor_is_the_inverse_of_the_factor(curves):
    v = np.linspace(-0.24, 1.0, 50)
    for a in (0.05, 0.5, 1.0):
        assert np.allclose(curves.inverse_velocity(curves.velocity(v, a), a), v, atol=1e-12)


def test_the_tendon_of_de_groote_has_an_inverse():
    curves, x = DeGrooteFregly(), np.linspace(0.98, 1.07, 30)
    assert np.allclose(curves.inverse_tendon(curves.tendon(x)), x, atol=1e-13)


def test_activation_follows_excitation_with_its_time_constants():
    a = 0.4
    assert first_order_rate(1.0, a) == pytest.approx(0.6 / (0.015 * (0.5 + 1.5 * a)))
    assert first_order_rate(0.1, a) == pytest.approx(-0.3 * (0.5 + 1.5 * a) / 0.050)
    assert activation_rate(a, a) == 0.0
    steep = activation_rate(1.0, a, fall=0.050, steepness=1e3), activation_rate(0.1, a, fall=0.050, steepness=1e3)
    assert steep == pytest.approx((first_order_rate(1.0, a), first_order_rate(0.1, a)))
