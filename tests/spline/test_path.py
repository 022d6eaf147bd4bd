"""Paths: values, derivatives, bounds and the ways to make one path from another."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline

import lissom
from lissom import SplinePath


def random_path(count, degree, seed=0, duration=0.7, joints=3):
    return SplinePath(np.random.default_rng(seed).normal(size=(count, joints)), duration, degree)


def scipy_spline(path):
    """Return the same path as SciPy has it, in seconds."""
    return BSpline(path.basis.knots * path.duration, path.points, path.degree)


def near(found, wanted, share=1e-11):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=share * max(np.abs(wanted).max(), 1e-300))


paths = st.builds(
    lambda degree, more, seed, duration: random_path(degree + 1 + more, degree, seed, duration),
    st.integers(1, 6),
    st.integers(0, 20),
    st.integers(0, 1000),
    st.floats(0.01, 100),
)


@given(paths, st.lists(st.floats(0, 1), max_size=9))
def test_states_are_those_of_scipy(path, s):
    t = np.append(s, [0.0, 1.0]) * path.duration
    spline = scipy_spline(path)
    near(path.at(t), spline(t))
    for order, found in enumerate(path.states(t)):
        assert np.array_equal(found, path.rate(t, order))
        wanted = spline.derivative(order)(t) if 0 < order <= path.degree else spline(t) if order == 0 else np.zeros_like(found)
        # a derivative that jumps at knots has two values there; those are compared elsewhere
        smooth = np.abs(t[:, None] / path.duration - path.basis.knots).min(axis=1) > 1e-9
        rows = slice(None) if order < path.degree else smooth
        if wanted[rows].size:
            np.testing.assert_allclose(found[rows], wanted[rows], rtol=0, atol=1e-10 * max(np.abs(wanted).max(), 1e-300))


@given(paths)
def test_what_the_functions_combine_is_what_the_polygons_give(path):
    s = path.basis.grid(3)
    for order, found in enumerate(path.states(s * path.duration)):
        near(path.basis.matrix(s, order) @ path.points / path.duration**order, found)


def test_rates_are_differences_of_the_rates_below():
    path, h = random_path(9, 5), 1e-5
    t = np.linspace(0.01, 0.69, 40)
    for order in range(1, 5):
        found = (path.rate(t + h, order - 1) - path.rate(t - h, order - 1)) / (2 * h)
        near(found, path.rate(t, order), 1e-6)


def test_times_may_have_any_shape():
    path = random_path(7, 3)
    t = np.linspace(0, 0.7, 6).reshape(2, 3)
    assert path.at(t).shape == (2, 3, 3)
    assert path.at(0.35).shape == (3,)
    assert path.at([]).shape == (0, 3)
    assert np.array_equal(path.at(t)[1, 2], path.points[-1])
    assert np.array_equal(path.at(0), path.points[0])


@given(st.integers(1, 60), st.floats(0.01, 100))
def test_times_of_knots_count_as_the_knots(spans, duration):
    path = random_path(spans + 3, 3, duration=duration, joints=1)
    t = np.unique(path.basis.knots) * duration
    wanted = path.basis.matrix(np.unique(path.basis.knots), 3) @ path.points / duration**3
    near(path.rate(t, 3), wanted)  # qddd jumps there
    near(path.at(duration * (1 + 2e-16)), path.points[-1])


def test_the_curve_stays_within_its_hull_and_the_hull_closes_in():
    path = random_path(12, 4)
    gaps = []
    for _ in range(4):
        hull = path.hull()
        curve = path.states(np.linspace(0, path.duration, 2001))
        for (low, high), values in zip(hull, curve, strict=False):
            room = 1e-12 * np.abs(values).max()
            assert (low <= values.min(axis=0) + room).all()
            assert (values.max(axis=0) <= high + room).all()
        gaps.append(np.max(hull.q[1] - curve[0].max(axis=0)))
        path = path.refined()
    assert gaps[3] < gaps[2] / 3 < gaps[1] / 9  # about four times less each time
    assert hull.q.shape == hull.qd.shape == hull.qdd.shape == (2, 3)


def test_hull_of_a_cubic_is_reached_by_accelerations_at_knots():
    path = random_path(8, 3)
    knots = np.unique(path.basis.knots) * path.duration
    accelerations = path.rate(knots, 2)
    near(path.hull().qdd, np.stack([accelerations.min(axis=0), accelerations.max(axis=0)]))


def test_a_path_of_degree_one_has_no_acceleration_between_knots():
    path = random_path(5, 1)
    assert not path.hull().qdd.any()
    assert not path.rate(0.1, 2).any()


@given(paths)
def test_refined_paths_are_the_same_curve(path):
    fine = path.refined()
    assert fine.basis.spans == 2 * path.basis.spans
    s = np.random.default_rng(1).uniform(0, 1, 50)
    for order in range(path.degree + 1):
        near(fine.rate(s * path.duration, order), path.rate(s * path.duration, order), 1e-10)
    assert np.array_equal(fine.points[[0, -1]], path.points[[0, -1]])


@given(paths, st.floats(0.1, 10))
def test_another_duration_stretches_and_reversal_mirrors(path, duration):
    s = np.random.default_rng(2).uniform(0, 1, 20)
    slow, back = path.with_duration(duration), path.reversed()
    for order in range(path.degree):
        here = path.rate(s * path.duration, order)
        near(slow.rate(s * duration, order) * (duration / path.duration) ** order, here)
        near(back.rate((1 - s) * path.duration, order) * (-1) ** order, here, 1e-9)
    assert np.array_equal(back.reversed().points, path.points)


@given(st.integers(1, 6), st.integers(0, 9), st.data())
def test_the_line_between_two_postures_is_monotone_and_rests_at_its_ends(degree, more, data):
    rest = data.draw(st.integers(0, degree - 1))
    q0, q1 = np.array(data.draw(st.lists(st.tuples(*[st.floats(-10, 10)] * 2), min_size=1, max_size=4))).T
    count = max(degree + 1, 2 * (rest + 1)) + more
    path = SplinePath.between(q0, q1, 0.4, count, degree, rest)
    assert np.array_equal(path.at([0.0, 0.4]), [q0, q1])
    assert (path.points[: rest + 1] == q0).all()
    assert (path.points[-rest - 1 :] == q1).all()
    assert (np.diff(path.points, axis=0) * np.sign(q1 - q0) >= 0).all()
    t = np.linspace(0, 0.4, 101)
    assert (path.rate(t) * np.sign(q1 - q0) >= 0).all()
    for order in range(1, rest + 1):
        assert not path.rate([0.0, 0.4], order).any(), f"order {order}"
    share = (path.at(t) - q0) * (q1 - q0).sum() - (path.at(t) - q0).sum(axis=1, keepdims=True) * (q1 - q0)
    np.testing.assert_allclose(share, 0.0, atol=1e-11)  # straight: all joints have come the same share of their way


def test_paths_cannot_be_changed_and_keep_no_hold_of_the_callers_array():
    points = np.zeros((5, 2))
    path = SplinePath(points, 1)
    points[0] = 7.0
    assert not path.points.any()
    for each in (path, copy.deepcopy(path), pickle.loads(pickle.dumps(path))):
        with pytest.raises(ValueError, match="read-only"):
            each.points[0] = 1.0
    with pytest.raises(AttributeError):
        path.duration = 2.0
    assert repr(path) == "<SplinePath of 2 joints: 5 control points, degree 3, 1 s>"
    assert repr(SplinePath(np.zeros((4, 1)), 0.25, 2)) == "<SplinePath of 1 joint: 4 control points, degree 2, 0.25 s>"


def test_paths_survive_a_file(tmp_path):
    path = random_path(8, 4)
    np.savez(tmp_path / "path.npz", **path.to_dict())
    with np.load(tmp_path / "path.npz") as arrays:
        again = SplinePath.from_dict(arrays)
    assert np.array_equal(again.points, path.points)
    assert (again.duration, again.degree) == (path.duration, path.degree)
    assert type(again.degree) is int
    path.to_dict()["points"][0] = 5.0
    assert np.array_equal(again.points, path.points)


def test_the_name_is_imported_when_first_asked_for(python):
    text = "import sys, lissom; assert 'lissom.spline' not in sys.modules, 'too early'\n"
    text += "assert {'SplinePath', 'spline'} <= set(dir(lissom)); print(lissom.SplinePath is lissom.spline.SplinePath)"
    assert python(text) == "True"


ARRAYS = {"points": np.zeros((4, 1)), "duration": np.array(1.0), "degree": np.array(3)}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: SplinePath(np.zeros(5), 1.0), r"points has shape \(5,\), expected control points of shape \(m, n\)"),
        (lambda: SplinePath(np.zeros((3, 2)), 1.0), "count is 3, expected at least 4; a spline of degree 3"),
        (lambda: SplinePath(np.zeros((5, 0)), 1.0), r"points has shape \(5, 0\): a path needs one joint or more"),
        (lambda: SplinePath([[0], [0], [np.inf], [0]], 1.0), r"points\[2, 0\] is inf, expected finite numbers"),
        (lambda: SplinePath([[0], [0, 1]], 1.0), "points must be real numbers, expected control points"),
        (lambda: SplinePath(np.zeros((5, 2)), 0.0), "duration is 0 s, expected more than zero"),
        (lambda: SplinePath(np.zeros((5, 2)), np.nan), "duration is nan, expected finite numbers"),
        (lambda: SplinePath(np.zeros((5, 2)), [1.0]), r"duration has shape \(1,\), expected one number \[s\]"),
        (lambda: SplinePath(np.zeros((5, 2)), 1e-99), "duration is 1e-99 s, expected 1e-60 ... 1e[+]60 s"),
        (lambda: random_path(5, 3).at([0.1, 0.71]), r"t\[1\] is 0.7\d* s, expected 0 ... 0.7 s"),
        (lambda: random_path(5, 3).at(-0.1), "t is -0.1\\d* s, expected 0 ... 0.7 s"),
        (lambda: random_path(5, 3).at(np.nan), "t is nan, expected finite numbers"),
        (lambda: random_path(5, 3).rate(0.1, -1), "order is -1, expected at least 0"),
        (lambda: random_path(5, 3).sensitivities(), "needs either times t .* or normalized times s=, one of the two"),
        (lambda: random_path(5, 3).sensitivities(0.1, s=0.1), "one of the two"),
        (lambda: random_path(5, 3).sensitivities(s=[2.0]), r"s\[0\] is 2, expected 0 ... 1"),
        (lambda: random_path(5, 3).with_duration(-1), "duration is -1 s, expected more than zero"),
        (lambda: SplinePath.between([0.0], [1.0, 2.0], 1, 8), "q0 has 1 joints and q1 has 2, expected the same number"),
        (lambda: SplinePath.between(0.0, [1.0], 1, 8), r"q0 has shape \(\), expected positions of shape \(n,\)"),
        (lambda: SplinePath.between([0.0], [1.0], 1, 5), "count is 5, expected at least 6: rest=2 holds 3 points at each end"),
        (lambda: SplinePath.between([0.0], [1.0], 1, 8, 2), "rest is 2, expected less than the degree.*take rest=1 or degree=3"),
        (lambda: SplinePath.from_dict({**ARRAYS, "point": 1}), "a path has no entry 'point'; did you mean 'points'?"),
        (lambda: SplinePath.from_dict({"points": ARRAYS["points"]}), "the path lacks 'duration' and 'degree', expected points"),
        (lambda: SplinePath.from_dict({**ARRAYS, "degree": 2.5}), "degree is .*2.5.*, expected a whole number of at least 1"),
        (lambda: SplinePath.from_dict([1]), "expected arrays by name, as to_dict returns them, got list"),
    ],
)
def test_wrong_arguments_are_told(call, text):
    with pytest.raises(lissom.StateError, match=text):
        call()
