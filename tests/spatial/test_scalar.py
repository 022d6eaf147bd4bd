"""Arithmetic over any scalar: constants take their operation away, and floats, arrays and symbols agree."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.compiler.symbol import Graph
from lissom.spatial.scalar import add, mul, sign, sincos, sincos_plus, sub

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
