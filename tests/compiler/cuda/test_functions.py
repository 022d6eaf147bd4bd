"""Every instruction in PTX, by an interpreter: against NumPy, and functions against many digits."""

import math

import numpy as np
import pytest

from lissom.compiler.cuda.kernel import make_kernel
from lissom.compiler.cuda.trigonometry import LARGEST, LARGEST_SINGLE
from lissom.spatial.scalar import guard, sincos
from support.function_arguments import SPECIAL, arguments
from support.native import program_of
from support.ptx import compute

mpmath = pytest.importorskip("mpmath")


def run(text, x, results, single=False):
    """Return the flag and the table of a text on rows x."""
    x = np.asarray(x, float)
    program = program_of(text, [x.shape[1]], [results])
    flag, (y,) = compute(make_kernel(program, ["rows"] * 2, single), program, ["rows"] * 2, [x], len(x))
    return flag, y


@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "tanh"])
def test_functions_are_good_to_one_unit_in_the_last_place(name):
    x = arguments(name)
    _, y = run(lambda x: [[getattr(x[0], name)()]], x[:, None], 1)
    with mpmath.workprec(120):
        for argument, found in zip(x.tolist(), y[:, 0].tolist(), strict=True):
            exact = getattr(mpmath, name)(mpmath.mpf(argument))
            assert abs(mpmath.mpf(found) - exact) <= 1.01 * math.ulp(float(exact)), argument


@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "tanh"])
def test_what_is_special_is_as_in_the_c_library(name):
    flag, y = run(lambda x: [[getattr(x[0], name)()]], np.array(SPECIAL)[:, None], 1)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(np.array(SPECIAL))
    assert np.allclose(y[:, 0], expected, rtol=2.3e-16, atol=0, equal_nan=True)
    known = ~np.isnan(expected)
    assert np.array_equal(np.signbit(y[known, 0]), np.signbit(expected[known]))
    assert flag == 1


@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "tanh"])
def test_functions_in_single_precision(name):
    x = np.linspace(0.01, 20.0, 500).astype(np.float32)
    _, y = run(lambda x: [[getattr(x[0], name)()]], x[:, None], 1, single=True)
    assert y.dtype == np.float32
    assert np.allclose(y[:, 0], getattr(np, name)(x.astype(float)), rtol=1.2e-7, atol=0)


@pytest.mark.parametrize("shift", [0.0, 0.25, -0.7])
@pytest.mark.parametrize(("single", "largest"), [(False, LARGEST), (True, LARGEST_SINGLE)])
def test_sine_and_cosine_keep_their_digits(single, largest, shift):
    rng = np.random.default_rng(2)
    kind = np.float32 if single else np.float64
    x = np.concatenate([rng.uniform(-10, 10, 500), rng.uniform(-largest, largest, 500), np.arange(-8, 9) * math.pi / 4]).astype(
        kind
    )
    flag, y = run(lambda x: [list(sincos(x[0] + shift) if shift else sincos(x[0]))], x[:, None], 2, single)
    assert flag == 0
    with mpmath.workprec(120):
        exact = [mpmath.mpf(float(angle)) + mpmath.mpf(shift) for angle in x]
        expected = np.array([[float(mpmath.sin(angle)), float(mpmath.cos(angle))] for angle in exact])
    assert np.abs(y - expected).max() < (1.5e-7 if single else 2.5e-16)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, 1e38, -3e13])
def test_angles_that_are_too_large_are_not_numbers(x, single):
    flag, y = run(lambda x: [list(sincos(x[0]))], [[x]], 2, single)
    assert flag == 1
    assert np.isnan(y).all()


@pytest.mark.parametrize("single", [False, True])
def test_arithmetic_and_choices_are_those_of_numpy(single):
    def text(x):
        a, b, c, d = x
        condition = a.less(b)
        sums = [a + b, a - b, a * b, a / (b + 9.0), -a, a.sign(), guard(a + 5.0, 1.0)]
        return [[*sums, condition, condition.select(c, d), (a - b).select(c, 5.0), (1.0 - condition).select(a, b)]]

    rng = np.random.default_rng(3)
    x = rng.integers(-2, 3, (37, 4)).astype(float)
    a, b, c, d = x.T
    flag, y = run(text, x, 11, single)
    assert flag == 0
    choices = [a < b, np.where(a < b, c, d), np.where(a > b, c, 5.0), np.maximum(a, b)]
    expected = np.column_stack([a + b, a - b, a * b, a / (b + 9.0), -a, np.sign(a), a + 5.0, *choices])
    assert np.allclose(y, expected, rtol=1e-6 if single else 1e-15)


def test_a_nan_that_is_compared_shows():
    for text in (
        lambda x: [[x[0].sqrt().less(2.0)]],
        lambda x: [[x[0].sqrt().select(1.0, 2.0)]],
        lambda x: [[x[0].sqrt().sign()]],
        lambda x: [[guard(x[0].sqrt(), 0.5)]],
    ):
        flag, y = run(text, [[1.0], [-1.0], [1.0]], 1)
        assert flag == 1
        assert np.isnan(y[:, 0]).tolist() == [False, True, False]
