"""Square root, exponential, logarithm and hyperbolic tangent against many digits, in every width; comparison and selection."""

import math

import numpy as np
import pytest

from support.function_arguments import SPECIAL, arguments
from support.native import Native, program_of

mpmath = pytest.importorskip("mpmath")
WIDTHS = (1, 2, 4, 8)
ULPS = 1.0  # the largest error, in units of the last place


@pytest.mark.sweep(8)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "tanh"])
def test_functions_are_good_to_one_unit_in_the_last_place(name, width):
    x = arguments(name)
    _, (y,) = Native(program_of(lambda x: [[getattr(x[0], name)()]], [1], [1]), width)(x[:, None])
    with mpmath.workprec(120):
        for argument, found in zip(x.tolist(), y[:, 0].tolist(), strict=True):
            exact = getattr(mpmath, name)(mpmath.mpf(argument))
            assert abs(mpmath.mpf(found) - exact) <= ULPS * math.ulp(float(exact)), argument


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "tanh"])
def test_what_is_special_is_as_in_the_c_library(name, width):
    x = np.array(SPECIAL)
    flag, (y,) = Native(program_of(lambda x: [[getattr(x[0], name)()]], [1], [1]), width)(x[:, None])
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x)
    assert np.allclose(y[:, 0], expected, rtol=2.3e-16, atol=0, equal_nan=True)
    known = ~np.isnan(expected)
    assert np.array_equal(np.signbit(y[known, 0]), np.signbit(expected[known]))
    assert flag == 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_an_input_that_is_not_finite_is_reported_through_every_function(width, bad):
    def text(x):
        return [[x[0].sqrt(), x[1].exp(), x[2].log(), x[3].tanh(), x[4].less(x[5]).select(x[6], x[7]), 1.0 / x[8]]]

    native = Native(program_of(text, [9], [6]), width)
    good = np.linspace(1.0, 2.0, (width + 1) * 9).reshape(width + 1, 9)
    assert native(good)[0] == 0
    for entry in range(9):
        x = good.copy()
        x[width, entry] = bad
        assert native(x)[0] == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_choices_are_those_of_numpy(width):
    def text(x):
        condition = x[0].less(x[1])
        return [[condition, condition.select(x[2], x[3]), (x[0] - x[1]).select(x[2], 5.0), (1.0 - condition).select(x[0], x[1])]]

    rng = np.random.default_rng(3)
    x = rng.integers(-2, 3, (37, 4)).astype(float)
    x[3, :2], x[4, :2] = (0.0, -0.0), (5e-324, 0.0)
    flag, (y,) = Native(program_of(text, [4], [4]), width)(x)
    a, b, c, d = x.T
    assert flag == 0
    assert np.array_equal(y, np.column_stack([a < b, np.where(a < b, c, d), np.where(a > b, c, 5.0), np.maximum(a, b)]))


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_not_taken_may_be_anything(width):
    """The root of a negative number is not taken; a NaN that is compared, or decides, shows."""
    native = Native(program_of(lambda x: [[x[0].less(0.0).select(-x[0], x[0].sqrt())]], [1], [1]), width)
    flag, (y,) = native([[-4.0], [4.0], [-1.0]] * 3)
    assert flag == 0
    assert y[:3, 0].tolist() == [4.0, 2.0, 1.0]
    for text in (
        lambda x: [[x[0].sqrt().less(2.0)]],
        lambda x: [[x[0].sqrt().select(1.0, 2.0)]],
        lambda x: [[x[0].sqrt().sign()]],
    ):
        flag, (y,) = Native(program_of(text, [1], [1]), width)([[1.0], [-1.0], [1.0]])
        assert flag == 1
        assert np.isnan(y[:, 0]).tolist() == [False, True, False]
