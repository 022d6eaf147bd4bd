"""Fitting a path to samples: what must come back, what is held exactly, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom import SplinePath
from lissom.spline import Basis

T = np.linspace(0.0, 2.0, 60)
Q = np.stack([np.sin(T), T**2], axis=1)


@given(st.integers(1, 6), st.integers(0, 20), st.integers(0, 1000), st.floats(0.01, 100), st.floats(-10, 10))
def test_a_spline_is_recovered_from_its_samples(degree, more, seed, duration, begin):
    rng = np.random.default_rng(seed)
    path = SplinePath(rng.normal(size=(degree + 1 + more, 2)), duration, degree)
    s = np.unique(np.concatenate([path.basis.grid(4 * degree), rng.uniform(0, 1, 10)]))
    found = SplinePath.fit(begin + s * duration, path.at(s * duration), len(path.points), degree)
    np.testing.assert_allclose(found.points, path.points, rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.duration, duration, rtol=1e-12, atol=4e-15)
    assert np.array_equal(found.points[[0, -1]], path.at([0.0, duration]))


def test_as_many_samples_as_control_points_are_met_exactly():
    found = SplinePath.fit(T[::6], Q[::6], len(T[::6]))
    times = T[::6] - T[0]
    np.testing.assert_allclose(found.at(np.minimum(times, found.duration)), Q[::6], rtol=0, atol=1e-12)


@given(st.integers(2, 5), st.integers(0, 15), st.data())
def test_the_fit_is_the_least_squares_solution_with_both_ends_held(degree, more, data):
    """The same problem by NumPy's dense least squares."""
    rest = data.draw(st.integers(0, degree - 1))
    count = max(degree + 1, 2 * (rest + 1)) + more
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    q, start, end = rng.normal(size=(len(T), 3)), rng.normal(size=3), rng.normal(size=3)
    found = SplinePath.fit(T, q, count, degree, start=start, end=end, rest=rest)
    dense = Basis(count, degree).matrix(T / T[-1]).toarray()
    held = np.r_[: rest + 1, count - rest - 1 : count]
    free = np.setdiff1d(np.arange(count), held)
    fixed = np.stack([start] * (rest + 1) + [end] * (rest + 1))
    wanted = np.linalg.lstsq(dense[:, free], q - dense[:, held] @ fixed, rcond=None)[0]
    np.testing.assert_allclose(found.points[free], wanted, rtol=0, atol=1e-9)
    assert np.array_equal(found.at([0.0, found.duration]), [start, end])
    for order in range(1, rest + 1):
        assert not found.rate([0.0, found.duration], order).any()


def test_errors_fall_with_the_fourth_power_of_the_span_for_cubics():
    t = np.linspace(0, 1, 4001)
    q = np.sin(7 * t)[:, None]
    errors = [np.abs(SplinePath.fit(t, q, 3 + spans).at(t) - q).max() for spans in (10, 20, 40)]
    slopes = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (np.abs(slopes - 4) < 0.3).all(), slopes


def test_a_recorded_motion_can_be_fitted():
    swing = lissom.robots.planar_two_link().simulate([0.3, 0.4], [0.0, 0.0], duration=1.0)
    paths = [SplinePath.fit(swing.t, swing.q, count) for count in (40, 80, 160)]
    errors = [[np.abs(path.rate(swing.t, r) - x).max() for r, x in enumerate((swing.q, swing.qd))] for path in paths]
    assert max(errors[2]) < 1e-3
    # positions and velocities come nearer at the orders 4 and 3
    assert (np.log2(np.divide(errors[0], errors[2])) / 2 > [3.7, 2.7]).all()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: SplinePath.fit(T[:6], Q[:6], 7), "6 samples do not determine 5 free control points: none is left for control"),
        (
            lambda: SplinePath.fit(np.append(T[:-1] / 100, 2.0), Q, 12),
            "none is left for control point 4, which acts from 0.1111 to 0.5556 of the duration; give more samples there, or "
            "less than count=12",
        ),
        (lambda: SplinePath.fit([0, 1e-8, 1], Q[:3], 5, 4, rest=1), "the samples hardly determine control point 2: give more"),
        (
            lambda: SplinePath.fit(T, Q[:-1], 8),
            "there are 60 times and 59 rows of q, expected the same number of both, two or more",
        ),
        (lambda: SplinePath.fit(T[:1], Q[:1], 8), "there are 1 times and 1 rows of q"),
        (lambda: SplinePath.fit(T, Q[:, 0], 8), r"q has shape \(60,\), expected positions of shape \(N, n\)"),
        (lambda: SplinePath.fit(T[::-1], Q, 8), r"times\[1\] is 1.9661 s after 2 s, expected times that increase"),
        (lambda: SplinePath.fit(T, Q, 8, start=[0.0]), "start has 1 joints and q has 2, expected the same number"),
        (lambda: SplinePath.fit(T, Q, 8, end=[0.0, np.nan]), r"end\[1\] is nan, expected finite numbers"),
        (lambda: SplinePath.fit(T, Q, 8, rest=3), "rest is 3, expected less than the degree, which is 3"),
        (lambda: SplinePath.fit(T, Q, 5, rest=2), "count is 5, expected at least 6: rest=2 holds 3 points at each end"),
        (lambda: SplinePath.fit(T, Q, 8, rest=-1), "rest is -1, expected at least 0"),
    ],
)
def test_wrong_arguments_are_told(call, text):
    with pytest.raises(lissom.StateError, match=text):
        call()
