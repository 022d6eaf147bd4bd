"""Series: derivatives in time that an algorithm carries along, beside calculus of many digits and beside known recursions."""

from math import factorial

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Robot
from lissom.algorithms.dynamics.rnea import rnea
from lissom.spatial.scalar import add, exp, guard, less, log, mul, select, sign, sincos, sincos_plus, sqrt, sub, tanh
from lissom.spatial.series import Series, terms_of
from lissom.tree import lump
from support.elastic import untangled
from support.motors import single_axis_trees
from support.native import Native, program_of
from support.paths import Swing, rate, times
from support.states import error

seeds = st.integers(0, 1000)
T, ORDER = 0.7, 5


def x_of(t):
    return 1 + 2 * t - t**2 / 3 + t**4 / 5


def y_of(t):
    return 2.5 - t + t**3 / 7


def exact(f):
    """Return value and derivatives of a function of time, computed with forty digits."""
    with mpmath.workdps(40):
        return [float(c * factorial(k)) for k, c in enumerate(mpmath.taylor(f, mpmath.mpf(T), ORDER))]


X, Y = Series(exact(x_of)), Series(exact(y_of))

EXPRESSIONS = {
    "sum": lambda x, y: x + y,
    "difference": lambda x, y: x - y,
    "product": lambda x, y: x * y * x,
    "quotient": lambda x, y: x / y,
    "quotient of sums": lambda x, y: (x * y - 3.0 * y) / (y * y + x),
    "negative": lambda x, y: -x * y,
    "number first": lambda x, y: 3.0 - (2.0 + (0.5 * (1.5 / x))),
    "number last": lambda x, y: ((x - 3.0) * 0.5 + 2.0) / 4.0,
    "whole numbers": lambda x, y: 2 * x + 1 - y / 3,
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_arithmetic_is_that_of_functions(name):
    f = EXPRESSIONS[name]
    assert np.allclose(terms_of(f(X, Y), ORDER + 1), exact(lambda t: f(x_of(t), y_of(t))), rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.25, -1.3])
def test_sine_and_cosine_are_those_of_functions(shift):
    s, c = sincos_plus(X, shift)
    assert np.allclose(terms_of(s, ORDER + 1), exact(lambda t: mpmath.sin(x_of(t) + shift)), rtol=1e-12, atol=1e-11)
    assert np.allclose(terms_of(c, ORDER + 1), exact(lambda t: mpmath.cos(x_of(t) + shift)), rtol=1e-12, atol=1e-11)
    assert np.array_equal(terms_of(sincos(X)[0], ORDER + 1), terms_of(sincos_plus(X, 0.0)[0], ORDER + 1))


def test_the_same_by_the_functions_that_recursions_use():
    f = exact(lambda t: x_of(t) * y_of(t) - 2 * x_of(t))
    assert np.allclose(terms_of(sub(mul(X, Y), add(X, X)), ORDER + 1), f, rtol=1e-13)
    assert np.allclose(terms_of(sub(0.0, mul(-1.0, X)), ORDER + 1), X.terms)


def test_what_does_not_change_is_no_series():
    assert mul(0.0, X) == 0.0 and type(mul(0.0, X)) is float
    assert (X - X) == 0.0 and (Series([2.0, 0.0, 0.0]) + 1.0) == 3.0
    assert add(X, 0.0) is X and mul(1.0, X) is X and sub(X, 0.0) is X
    assert terms_of(4.0, 3) == [4.0, 0.0, 0.0]
    assert terms_of(X, 2) == list(X.terms[:2])
    # in an array nobody knows whether zeros are there by chance
    assert isinstance(Series([np.ones(2), np.zeros(2)]) * 2.0, Series)


def test_the_shorter_series_says_how_far_results_go():
    short = Series(X.terms[:3])
    for found in (short * Y, Y * short, short + Y, Y - short, short / Y, Y / short):
        assert len(found.terms) == 3
    assert np.allclose((short / Y).terms, exact(lambda t: x_of(t) / y_of(t))[:3])


def test_signs_do_not_change_and_guards_speak_of_values():
    assert sign(X) == 1.0 and sign(-X) == -1.0
    assert guard(X, 0.1).terms == X.terms
    assert np.isnan(guard(X, 100.0).terms[0])


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_arrays_hold_many_series(name):
    f, shifts = EXPRESSIONS[name], np.array([0.0, 0.3, 1.0])
    x = Series([a + shifts for a in X.terms])
    found = f(x, Y)
    for k, shift in enumerate(shifts):
        alone = f(Series([a + shift for a in X.terms]), Y)
        assert np.allclose([term[k] for term in found.terms], alone.terms, rtol=1e-14)


def test_arrays_and_their_numbers_leave_arithmetic_to_series():
    numbers = np.array([1.0, 2.0])
    for found in (numbers * X, X * numbers, numbers + X, numbers - X, numbers / X, numbers[1] * X, numbers[1] / X):
        assert isinstance(found, Series)
    assert np.allclose((numbers / X).terms[1], -numbers * X.terms[1] / X.terms[0] ** 2)
    assert np.allclose((numbers[1] - X).terms, (2.0 - X).terms)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_symbols_of_a_trace(name):
    f = EXPRESSIONS[name]

    def text(x, y):
        c, s = sincos(Series(x))
        return [terms_of(f(c, Series(y)), ORDER + 1) + terms_of(f(y[0] * s, x[1] + c), ORDER + 1)]

    sizes = [ORDER + 1, ORDER + 1]
    _, (found,) = Native(program_of(text, sizes, [2 * ORDER + 2]), 1)([X.terms], [Y.terms])
    assert np.allclose(found[0], text(list(X.terms), list(Y.terms))[0], rtol=1e-13, atol=1e-13)


def forces(model, path, order):
    """Return the joint forces and derivatives of them (order + 1, nv), by series."""
    q, qd, qdd = ([Series(terms) for terms in path[k : k + order + 1].T.tolist()] for k in range(3))
    return np.array([terms_of(x, order + 1) for x in rnea(lump(model), q, qd, qdd).tau]).T


@given(single_axis_trees(), seeds)
@settings(max_examples=25)
def test_inverse_dynamics_on_series_is_the_force_rate_recursion(model, seed):
    robot, path = Robot(model, backend="numpy"), Swing(model.nv, seed).at(0.3, 3)
    tau, tau_rate = robot.torques_and_rates(*path)
    found = forces(model, path, 1)
    assert error(found[0], tau) < 1e-13
    assert error(found[1], tau_rate) < 1e-12


@given(single_axis_trees(), seeds)
@settings(max_examples=20)
def test_higher_rates_are_those_along_the_motion(model, seed):
    model = untangled(model)  # smooth, too
    robot, path = Robot(model, backend="numpy"), Swing(model.nv, seed)
    tau = robot.inverse_dynamics(*path.at(times(0.3), 2))
    found = forces(model, path.at(0.3, 5), 3)
    assert error(found[1], rate(tau)) < 1e-10
    assert error(found[2], rate(tau, 2)) < 1e-9
    assert error(found[3], rate(tau, 3)) < 1e-7


@pytest.mark.parametrize("function", [sqrt, exp, log, tanh])
def test_functions_are_those_of_functions_of_time(function):
    inner = getattr(mpmath, function.__name__)
    assert np.allclose(terms_of(function(X), ORDER + 1), exact(lambda t: inner(x_of(t))), rtol=1e-12, atol=1e-12)
    both = function(X * X / Y + 0.5)
    assert np.allclose(terms_of(both, ORDER + 1), exact(lambda t: inner(x_of(t) ** 2 / y_of(t) + 0.5)), rtol=1e-11, atol=1e-11)


def test_a_choice_takes_the_derivatives_along():
    assert less(X, Y) == float(X.terms[0] < Y.terms[0])
    for a, b in ((X, Y), (Y, X)):
        assert terms_of(select(less(a, b), a, b), ORDER + 1) == list(min((a, b), key=lambda s: s.terms[0]).terms)
    condition = np.array([1.0, 0.0])
    chosen = select(condition, X, 2.0)
    assert [list(term) for term in chosen.terms] == [[x, 2.0 if k == 0 else 0.0] for k, x in enumerate(X.terms)]
    assert select(X, Y, 0.0) is Y
