"""Functions with given breaks and smoothness, against SciPy's and their own identities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline, PPoly

import lissom
from lissom.predict.data.phases import Phases
from lissom.predict.transcription.track import Track
from lissom.spline import Basis
from lissom.spline.polygon import derivatives


@st.composite
def bases(draw, most=6):
    """Draw breaks at least 0.02 apart, each with some smoothness."""
    degree = draw(st.integers(1, most))
    steps = np.array(draw(st.lists(st.floats(0.1, 1.0), min_size=1, max_size=6)))
    breaks = np.append(0.0, np.cumsum(steps) / steps.sum())
    breaks[-1] = 1.0
    smooth = [draw(st.integers(0, degree - 1)) for _ in steps[1:]]
    return Basis.with_breaks(breaks, degree, smooth)


def pieces(basis):
    """Return SciPy's polynomials of each span, (spans, count) coefficients from the highest power, from each span's beginning."""
    functions = [PPoly.from_spline(BSpline(basis.knots, row, basis.degree)) for row in np.eye(basis.count)]
    ends = basis.span_ends
    which = np.searchsorted(functions[0].x, ends[:-1], side="right") - 1
    return [[np.poly1d(f.c[:, k]) for f in functions] for k in which]


def dense(basis, s, order, left=None):
    """Return what `local` gives, with its zeros (N, count)."""
    first, values = basis.local(s, order, left)
    full = np.zeros((len(s), basis.count))
    full[np.arange(len(s))[:, None], first[:, None] + np.arange(basis.degree + 1)] = values[order]
    return full


def near(found, wanted, share=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=share * max(np.abs(wanted).max(), 1.0))


@given(bases())
def test_functions_and_derivatives_on_both_sides_are_those_of_scipy(basis):
    ends = basis.span_ends
    for k, functions in enumerate(pieces(basis)):
        inside = ends[k] + (ends[k + 1] - ends[k]) * np.array([0.2, 0.7])
        inside = np.concatenate([ends[k : k + 1], inside, ends[k + 1 : k + 2]])
        left = np.array([False, False, True, True])  # has no effect between breaks
        for order in range(basis.degree + 2):
            wanted = np.stack([np.polyval(f.deriv(order) if order else f, inside - ends[k]) for f in functions], axis=1)
            near(dense(basis, inside, order, left), wanted)
            near(basis.matrix(inside, order, left).toarray(), wanted)


@given(bases())
def test_derivatives_agree_on_both_sides_up_to_the_smoothness_and_jump_beyond_it(basis):
    inner = basis.span_ends[1:-1]
    yes = np.ones(len(inner), dtype=bool)
    for order in range(basis.degree + 1):
        before, after = dense(basis, inner, order, yes), dense(basis, inner, order, ~yes)
        gap = np.abs(before - after).max(axis=1, initial=0.0)
        size = np.maximum(np.abs(before).max(axis=1, initial=0.0), np.abs(after).max(axis=1, initial=0.0))
        smooth = np.array(basis.smooth) >= order
        assert (gap[smooth] <= 1e-11 * size[smooth]).all()
        jumps = np.array(basis.smooth) == order - 1
        assert (gap[jumps] > 1e-3).all()


@given(bases(), st.lists(st.floats(0, 1), min_size=1, max_size=9).map(np.array))
def test_functions_are_not_negative_sum_to_one_and_make_straight_lines_of_their_centers(basis, s):
    first, values = basis.local(s, 1)
    assert (values[0] >= 0).all()
    np.testing.assert_allclose(values[0].sum(axis=-1), 1.0, rtol=0, atol=1e-14)
    assert (first >= 0).all()
    assert (first + basis.degree < basis.count).all()
    near(basis.matrix(s) @ basis.centers, s, 1e-13)
    near(basis.matrix(s, 1) @ basis.centers, np.ones_like(s), 1e-11)


@given(bases(), st.integers(1, 5))
def test_the_grid_meets_every_break_and_divides_spans_equally(basis, parts):
    s = basis.grid(parts)
    assert np.array_equal(s[::parts], basis.span_ends)
    assert len(s) == basis.spans * parts + 1
    lengths = np.diff(s).reshape(basis.spans, parts)
    np.testing.assert_allclose(lengths, np.repeat(np.diff(basis.span_ends)[:, None] / parts, parts, axis=1), rtol=1e-9)


@given(bases())
def test_counts_follow_from_degree_and_smoothness(basis):
    p = basis.degree
    assert basis.count == p + 1 + sum(p - order for order in basis.smooth)
    assert basis.knots.shape == (basis.count + p + 1,)
    assert np.array_equal(np.unique(basis.knots), basis.span_ends)
    assert basis == Basis.with_breaks(basis.span_ends, p, basis.smooth)
    assert hash(basis) == hash(Basis.with_breaks(basis.span_ends.tolist(), p, basis.smooth))


def test_even_breaks_that_are_smooth_are_the_uniform_basis():
    basis = Basis.with_breaks(np.arange(8) / 7, 4)
    assert basis == Basis(11, 4)
    assert type(basis) is Basis
    assert basis.smooth == (3,) * 6
    assert Basis.with_breaks([0, 1], 2) == Basis(3, 2)
    corner = Basis.with_breaks([0, 0.5, 1], 3, [0])
    assert corner != Basis(7, 3)
    assert not corner.even
    assert repr(corner) == "Basis.with_breaks([0, 0.5, 1], 3, [0])"
    assert repr(Basis.with_breaks([0, 0.25, 1])) == "Basis.with_breaks([0, 0.25, 1], 3)"


@given(st.integers(1, 5), st.integers(1, 12))
def test_given_and_uniform_knots_have_the_same_functions(degree, spans):
    """The general way to compute them on uniform breaks, one of which is a hair off."""
    even = Basis(spans + 1 + degree, degree)
    ends = even.span_ends.copy()
    ends[1] += 1e-15
    basis = Basis.with_breaks(ends, degree)
    assert not basis.even
    s = np.linspace(0, 1, 57)
    s = s[np.abs(s[:, None] - ends).min(axis=1) > 1e-6]
    for order in range(degree + 1):
        wanted = even.matrix(s, order).toarray()
        near(basis.matrix(s, order).toarray() / np.abs(wanted).max(), wanted / np.abs(wanted).max(), 1e-11)


def test_uniform_knots_have_a_left_side_too():
    basis = Basis(3 + 49)
    inner = basis.span_ends[1:-1]
    before = basis.matrix(inner, 3, np.ones(48, dtype=bool))
    near(before.toarray(), basis.matrix(np.nextafter(inner, 0), 3).toarray())
    assert basis.local([0.0, 0.5, 1.0], 1, True)[0].tolist() == [0, 24, 48]  # no break at 0.5, nothing left of 0
    assert np.array_equal(basis.matrix(inner, 3, False).toarray(), basis.matrix(inner, 3).toarray())


@given(bases())
def test_halved_spans_keep_their_breaks_and_smoothness(basis):
    fine = basis.refined()
    assert fine.spans == 2 * basis.spans
    assert np.array_equal(fine.span_ends[::2], basis.span_ends)
    assert tuple(fine.smooth[1::2]) == tuple(basis.smooth)
    assert all(order == basis.degree - 1 for order in fine.smooth[::2])
    s = np.linspace(0, 1, 41)
    back = np.linalg.lstsq(fine.matrix(s).toarray(), basis.matrix(s).toarray(), rcond=None)[0]
    near(fine.matrix(s) @ back, basis.matrix(s).toarray(), 1e-9)  # contains the old functions


@given(bases())
def test_reversed_functions_are_those_of_one_minus_s(basis):
    s = np.linspace(0.013, 0.987, 23)
    near(basis.reversed().matrix(s).toarray(), basis.matrix(1.0 - s).toarray()[:, ::-1])


@given(bases(), st.integers(1, 6))
def test_another_degree_has_the_same_spans(basis, degree):
    other = basis.with_degree(degree)
    assert other.degree == degree
    assert np.array_equal(other.span_ends, basis.span_ends)
    assert tuple(other.smooth) == tuple(max(order + degree - basis.degree, 0) for order in basis.smooth)
    assert Basis(9, 4).with_degree(2) == Basis(7, 2)


def test_stretching_moves_breaks_in_proportion_and_keeps_the_shape_of_each_part():
    basis = Basis.with_breaks([0, 0.1, 0.3, 0.6, 1.0], 3, [2, 0, 2])
    moved = basis.stretched([0, 0.3, 1], [0, 0.5, 1])
    near(moved.span_ends, np.array([0, 0.1 * 5 / 3, 0.5, 0.5 + 0.3 * 5 / 7, 1]), 1e-15)
    assert moved.smooth == basis.smooth
    assert moved.count == basis.count
    x = np.linspace(0, 1, 9)
    for old, new in (((0.0, 0.3), (0.0, 0.5)), ((0.3, 1.0), (0.5, 1.0))):
        left = x == 1.0
        s, z = (low + (high - low) * x for low, high in (old, new))
        for order in range(4):
            faster = ((old[1] - old[0]) / (new[1] - new[0])) ** order
            near(moved.matrix(z, order, left).toarray(), faster * basis.matrix(s, order, left).toarray())


def test_stretching_a_smooth_break_is_refused_unless_nothing_changes_there():
    basis = Basis(6, 3)
    assert basis.stretched([0, basis.span_ends[1], 1], [0, basis.span_ends[1], 1]) == basis
    with pytest.raises(
        lissom.StateError, match="the speed changes at the break 0.333333333333, where derivatives up to the order 2"
    ):
        basis.stretched([0, basis.span_ends[1], 1], [0, 0.5, 1])
    assert Basis(3, 1).stretched([0, 0.5, 1], [0, 0.2, 1]) == Basis.with_breaks([0, 0.2, 1], 1)


@given(bases())
def test_control_points_of_derivatives_make_the_derivatives(basis):
    """Evaluated by SciPy with the knots that belong to them; each has an influence somewhere."""
    points = np.random.default_rng(4).normal(size=(basis.count, 2))
    s = np.random.default_rng(5).uniform(0, 1, 30)
    s = s[np.abs(s[:, None] - basis.span_ends).min(axis=1) > 1e-6]
    for order, (own, knots) in enumerate(derivatives(points, basis, basis.degree)):
        degree = basis.degree - order
        assert len(knots) == len(own) + degree + 1
        assert (knots[degree + 1 :] > knots[: len(own)]).all()
        near(BSpline(knots, own, degree)(s), basis.matrix(s, order) @ points)


@given(bases(), st.integers(0, 3))
def test_limits_on_control_points_of_a_derivative_see_the_same_points(basis, order):
    order = min(order, basis.degree)
    track, instants = Track.hull(basis, 2, order, 4, Phases())
    places = instants.s
    points = np.random.default_rng(6).normal(size=(basis.count, 2))
    near(track.whole[order] @ points, derivatives(points, basis, order)[-1].points)
    assert (np.diff(places) >= 0).all()
    assert places[0] >= 0
    assert places[-1] <= 1


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Basis.with_breaks([0, 0.5, 0.5, 1]), r"breaks\[2\] is 0.5 after 0.5, expected numbers that increase by 1e-12"),
        (
            lambda: Basis.with_breaks([0.1, 1]),
            "breaks has 2 numbers from 0.10000000000000001 to 1, expected two or more, the fir",
        ),
        (lambda: Basis.with_breaks([]), "breaks has 0 numbers, expected two or more"),
        (lambda: Basis.with_breaks([0, np.nan, 1]), r"breaks\[1\] is nan, expected finite numbers"),
        (lambda: Basis.with_breaks(0.5), r"breaks has shape \(\), expected numbers that increase from 0 to 1"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 0), "degree is 0, expected at least 1"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 101), "degree is 101, expected 100 at most"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 3, [3]), r"smooth\[0\] is 3, expected 2 at most with degree 3; take a higher"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 3, [-1]), r"smooth\[0\] is -1, expected at least 0"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 3, [1.5]), r"smooth\[0\] is 1.5, expected a whole number"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 3, [1, 1]), "smooth has 2 entries, expected one for each of the 1 inner breaks"),
        (lambda: Basis.with_breaks([0, 0.5, 1], 3, 1), "smooth is 1, expected an order of derivatives for each of the 1 inner"),
        (lambda: Basis(6).stretched([0, 0.4, 1], [0, 0.5, 1]), r"old\[1\] is 0.4, not a break; the nearest break is 0.3333"),
        (lambda: Basis(6).stretched([0, 1], [0, 0.5, 1]), "old has 2 places and new has 3, expected the same number"),
        (lambda: Basis(6).local([0.5], 1, [1]), r"left must be True or False for each time, of shape \(1,\), got int64 of shape"),
        (lambda: Basis(6).local([0.5], 1, [True, False]), r"of shape \(1,\), got bool of shape \(2,\)"),
    ],
)
def test_wrong_arguments_are_told(call, text):
    with pytest.raises(lissom.StateError, match=text):
        call()
