"""The functions of a spline, against SciPy's and their own identities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline

import lissom
from lissom.spline import Basis

sizes = st.integers(1, 7).flatmap(lambda p: st.tuples(st.integers(p + 1, p + 30), st.just(p)))
shares = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20).map(np.array)


def functions_of_scipy(basis, s, order):
    """Return all functions (N, count) at s, from the right at knots and from the left at the end."""
    spline = BSpline(basis.knots, np.eye(basis.count), basis.degree)
    return spline.derivative(order)(s) if order else spline(s)


def spread(basis, s, orders):
    """Return what `local` gives, with its zeros (orders + 1, N, count)."""
    first, values = basis.local(s, orders)
    full = np.zeros((orders + 1, len(s), basis.count))
    for a in range(basis.degree + 1):
        full[:, np.arange(len(s)), first + a] = values[..., a]
    return full


@given(sizes, shares)
def test_functions_and_derivatives_are_those_of_scipy(size, s):
    basis = Basis(*size)
    s = np.concatenate([s, basis.grid(3)])
    for order, found in enumerate(spread(basis, s, basis.degree)):
        wanted = functions_of_scipy(basis, s, order)
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11 * np.abs(wanted).max(), err_msg=f"order {order}")


@given(sizes, shares)
def test_functions_are_not_negative_and_sum_to_one(size, s):
    _, values = Basis(*size).local(s, 4)
    assert (values[0] >= 0).all()
    np.testing.assert_allclose(values[0].sum(axis=-1), 1.0, rtol=0, atol=1e-14)
    assert np.all(np.abs(values[1:].sum(axis=-1)) <= 1e-13 * np.abs(values[1:]).sum(axis=-1) + 1e-300)


@given(sizes)
def test_greville_abscissae_as_control_points_make_the_straight_line(size):
    basis = Basis(*size)
    s = basis.grid(5)
    means = np.array([basis.knots[i + 1 : i + basis.degree + 1].mean() for i in range(basis.count)])
    np.testing.assert_allclose(basis.matrix(s, 0) @ means, s, rtol=0, atol=1e-14)
    np.testing.assert_allclose(basis.matrix(s, 1) @ means, 1.0, rtol=0, atol=1e-12)


def test_orders_above_the_degree_are_zero():
    _, values = Basis(6, 2).local(Basis(6, 2).grid(4), 5)
    assert values.shape == (6, 17, 3)
    assert values[2].any()
    assert not values[3:].any()


def test_a_knot_begins_a_span_and_the_end_belongs_to_the_last():
    basis = Basis(3 + 49)  # 1/49 times 49 falls short of 1
    knots = np.arange(50) / 49
    assert basis.local(knots)[0].tolist() == [*range(49), 48]
    left = np.nextafter(knots[1:], 0)
    assert basis.local(left)[0].tolist() == list(range(49))
    # the third derivative jumps: from the right at a knot
    here, before, after = (basis.matrix(x, 3).toarray() for x in (knots[1:-1], left[:-1], knots[1:-1] + 0.3 / 49))
    assert np.allclose(here, after)
    assert not np.allclose(here, before)


@given(sizes, st.integers(1, 9))
def test_the_grid_meets_every_knot(size, parts):
    basis = Basis(*size)
    s = basis.grid(parts)
    assert len(s) == basis.spans * parts + 1
    assert s[0] == 0.0
    assert s[-1] == 1.0
    assert np.array_equal(s[::parts], np.unique(basis.knots))
    np.testing.assert_allclose(np.diff(s), 1 / (len(s) - 1), rtol=1e-12)


def test_sizes_of_a_basis_and_shapes_of_its_results():
    basis = Basis(np.int64(9), 4)
    assert (basis.count, basis.degree, basis.spans, basis.knots.shape) == (9, 4, 5, (14,))
    assert basis == Basis(9, 4)
    first, values = basis.local(np.full((2, 3), 0.5), orders=1)
    assert first.shape == (2, 3)
    assert values.shape == (2, 2, 3, 5)
    matrix = basis.matrix(basis.grid(2), 2)
    assert matrix.format == "csr"
    assert matrix.shape == (11, 9)
    assert matrix.nnz == 55
    assert basis.local([])[1].shape == (4, 0, 5)
    with pytest.raises(ValueError, match="read-only"):
        basis.knots[0] = 1.0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Basis(3), "count is 3, expected at least 4; a spline of degree 3 needs degree [+] 1 control points or more"),
        (lambda: Basis(8, 0), "degree is 0, expected at least 1"),
        (lambda: Basis(8.0), "count is 8.0, expected a whole number of at least 4"),
        (lambda: Basis(True, 1), "count is True, expected a whole number"),
        (lambda: Basis(8).local([0.5, 1.1]), r"s\[1\] is 1.1000000000000001, expected 0 ... 1"),
        (lambda: Basis(8).local(-0.5), r"s is -0.5, expected 0 ... 1"),
        (lambda: Basis(8).local([[0.5, np.nan]]), r"s\[0, 1\] is nan, expected finite numbers"),
        (lambda: Basis(8).local([0.5j]), "s must be real numbers, got"),
        (lambda: Basis(8).local("half"), "s must be real numbers, got 'half'"),
        (lambda: Basis(8).local(0.5, -1), "orders is -1, expected at least 0"),
        (lambda: Basis(8).local(0.5, 10**15), "1000000000000000 orders at 1 points would take"),
        (lambda: Basis(8).matrix([0.5], -1), "order is -1, expected at least 0"),
        (lambda: Basis(8).matrix(0.5), r"s has shape \(\), expected normalized times of shape \(N,\)"),
        (lambda: Basis(8).grid(0), "points_per_span is 0, expected at least 1"),
        (lambda: Basis(8).grid(10**15), "a grid of 5e[+]15 points would take"),
    ],
)
def test_wrong_arguments_are_told(call, text):
    with pytest.raises(lissom.StateError, match=text):
        call()
