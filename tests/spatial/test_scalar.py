"""Arithmetic over any scalar: constants take their operation away, and floats, arrays and symbols agree."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.compiler.symbol import Graph
from lissom.spatial.scalar import add, exp, is_zero, less, log, mul, select, sign, sincos, sincos_plus, sqrt, sub, tanh

numbers = st.sampled_from([0.0, -0.0, 1.0, -1.0]) | st.floats(-1e3, 1e3)


@given(numbers, numbers)
def test_floats_and_arrays_give_what_the_operators_give(a, b):
    array = np.array([b, 2.0])
    for ours, theirs in ((mul, np.multiply), (add, np.add), (sub, np.subtract)):
        assert ours(a, b) == theirs(a, b)
        assert np.array_equal(np.broadcast_to(ours(a, array), 2), theirs(a, array))
        assert np.array_equal(np.broadcast_to(ours(array, a), 2), theirs(array, a))


def test_constants_take_the_operation_away():
    x = np.array([1.0, 2.0])
    assert mul(1.0, x) is x
    assert mul(x, 1.0) is x
    assert add(0.0, x) is x
    assert add(x, 0.0) is x
    assert sub(x, 0.0) is x
    assert mul(0.0, x) == 0.0
    assert np.array_equal(mul(-1.0, x), -x)
    assert np.array_equal(sub(0.0, x), -x)


def test_zero_times_what_is_not_finite_is_zero():
    assert mul(0.0, math.nan) == 0.0
    assert mul(np.array([math.inf]), 0.0) == 0.0


@pytest.mark.parametrize("x", [0.3, -2.0, 0.0])
def test_functions_agree_over_every_scalar(x):
    graph = Graph()
    constant = graph.constant(x)
    for function in (sincos, lambda x: sincos_plus(x, 0.4), lambda x: (sign(x), sign(x))):
        ours = function(x)
        assert np.allclose(function(np.array([x]))[0], ours[0])
        assert np.allclose(function(np.array([x]))[1], ours[1])
        for symbol, value in zip(function(constant), ours, strict=True):
            assert graph.nodes[symbol.index][1] == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("x", [1.0, 1e6, -1e9, 1e15])
def test_a_shift_does_not_round_a_large_angle(x):
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(50):
        exact = mpmath.mpf(x) + mpmath.mpf(0.3)
        expected = float(mpmath.sin(exact)), float(mpmath.cos(exact))
    assert np.allclose(sincos_plus(x, 0.3), expected, rtol=0, atol=5e-16)
    assert np.allclose(np.ravel(sincos_plus(np.array([x]), 0.3)), expected, rtol=0, atol=5e-16)


@pytest.mark.parametrize("function", [sqrt, exp, log, tanh])
@pytest.mark.parametrize("x", [0.3, 2.0, 7.5])
def test_more_functions_agree_over_every_scalar(function, x):
    expected = getattr(math, function.__name__)(x)
    graph = Graph()
    assert function(x) == function(np.float64(x)) == expected
    assert graph.nodes[function(graph.constant(x)).index][1] == expected
    assert function(np.array([x]))[0] == pytest.approx(expected, rel=1e-15)
    assert function(int(x) + 1) == getattr(math, function.__name__)(int(x) + 1)
    step = function(np.array([x + 1e-30j])).imag[0] / 1e-30
    slope = {sqrt: 0.5 / expected, exp: expected, log: 1 / x, tanh: 1 - expected**2}[function]
    assert step == pytest.approx(slope, rel=1e-14)


def test_constants_without_a_root_or_a_logarithm_are_refused():
    for function, x, message in (
        (sqrt, -2.0, "square root of -2.0"),
        (log, 0.0, "logarithm of 0.0"),
        (exp, 710.0, "exponential of 710.0"),
    ):
        with pytest.raises((ValueError, OverflowError), match=message):
            function(x)


def test_arrays_without_a_root_are_nan():
    with np.errstate(all="ignore"):
        assert np.isnan(sqrt(np.array([-1.0]))[0])
        assert log(np.array([0.0]))[0] == -math.inf


def test_choices_agree_over_every_scalar():
    a, b = np.array([1.0, 2.0, 2.0, math.nan]), np.array([2.0, 1.0, 2.0, 1.0])
    graph = Graph()
    for found in (less(a, b), [less(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]):
        assert np.array_equal(found, [1.0, 0.0, 0.0, math.nan], equal_nan=True)
    assert np.array_equal(less(a, 1.5), [1.0, 0.0, 0.0, math.nan], equal_nan=True)
    assert less(graph.constant(1.0), 2.0) is less(1.0, graph.constant(2.0)) is graph.constant(1.0)
    condition = np.array([1.0, 0.0, -1.0, math.nan])
    assert np.array_equal(select(condition, a, 7.0), [1.0, 7.0, 7.0, math.nan], equal_nan=True)
    assert np.array_equal(select(condition, 3.0, b), [3.0, 1.0, 2.0, math.nan], equal_nan=True)
    assert (select(1.0, 3.0, math.nan), select(0.0, math.nan, 3.0)) == (3.0, 3.0)
    assert math.isnan(select(math.nan, 3.0, 3.0))
    assert select(1.0, a, b) is a
    x = graph.input(0, 0)
    assert select(less(x, 1.0), x, 1.0) is x.less(1.0).select(x, 1.0)
    assert select(less(x, 1.0), 2.0, 3.0) is x.less(1.0).select(2.0, 3.0)


def test_a_complex_step_does_not_leave_its_side():
    x = np.array([1.0 + 1e-30j, 3.0 - 1e-30j])
    assert np.array_equal(less(x, 1.0), [0.0, 0.0])
    assert np.array_equal(less(x, 2.0), [1.0, 0.0])
    assert select(less(x, 2.0), x * x, 5.0)[0].imag == pytest.approx(2e-30)


def test_only_constants_are_zero_for_every_configuration():
    graph = Graph()
    x = graph.input(0, 0)
    assert all(is_zero(z) for z in (0.0, -0.0, graph.constant(0.0), x * 0.0))
    assert not any(is_zero(z) for z in (1.0, math.nan, graph.constant(2.0), x, np.zeros(3)))
