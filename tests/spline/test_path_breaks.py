"""Paths on a basis with given breaks: the same curve as SciPy's, and what is made from them."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline, PPoly

import lissom
from lissom import SplinePath
from lissom.control import ComputedTorque
from lissom.control.reference import Path
from lissom.spline import Basis


@st.composite
def paths(draw, most=6):
    degree = draw(st.integers(1, most))
    steps = np.array(draw(st.lists(st.floats(0.1, 1.0), min_size=1, max_size=6)))
    breaks = np.append(0.0, np.cumsum(steps) / steps.sum())
    breaks[-1] = 1.0
    basis = Basis.with_breaks(breaks, degree, [draw(st.integers(0, degree - 1)) for _ in steps[1:]])
    points = np.random.default_rng(draw(st.integers(0, 1000))).normal(size=(basis.count, 2))
    return SplinePath(points, draw(st.floats(0.1, 10)), basis=basis)


def near(found, wanted, share=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=share * max(np.abs(wanted).max(initial=0.0), 1e-300))


def away(path, count=40):
    """Return times that are no breaks."""
    s = np.random.default_rng(3).uniform(0, 1, count)
    return s[np.abs(s[:, None] - path.basis.span_ends).min(axis=1) > 1e-6] * path.duration


def corner(degree=3):
    """Return a path with a corner at 0.3 of its duration."""
    basis = Basis.with_breaks([0, 0.1, 0.3, 0.6, 1.0], degree, [degree - 1, 0, degree - 1])
    return SplinePath(np.random.default_rng(0).normal(size=(basis.count, 2)), 2.0, basis=basis)


@given(paths())
def test_rates_are_those_of_scipy(path):
    t = away(path)
    pieces = [PPoly.from_spline(BSpline(path.basis.knots * path.duration, joint, path.degree)) for joint in path.points.T]
    for order, found in enumerate(path.states(t)):
        near(found, np.stack([joint.derivative(order)(t) for joint in pieces], axis=1))
        assert np.array_equal(found, path.rate(t, order))


@given(paths())
def test_polygons_and_functions_give_the_same_on_both_sides_of_breaks(path):
    s = path.basis.grid(3)
    for left in (None, True, np.arange(len(s)) % 2 == 0):
        for order, found in enumerate(path.states(s * path.duration, left=left)):
            near(path.basis.matrix(s, order, left) @ path.points / path.duration**order, found)


@given(paths())
def test_refined_paths_are_the_same_curve(path):
    fine, t = path.refined(), away(path)
    assert fine.basis == path.basis.refined()
    assert len(fine.points) == fine.basis.count
    for order in range(path.degree + 1):
        near(fine.rate(t, order), path.rate(t, order), 1e-9)
    assert np.array_equal(fine.points[[0, -1]], path.points[[0, -1]])


@given(st.integers(1, 7), st.integers(1, 12), st.integers(0, 1000))
def test_refinement_loses_no_digits_where_short_spans_are_beside_long_ones(degree, spans, seed):
    rng = np.random.default_rng(seed)
    breaks = np.append(0.0, np.cumsum(10.0 ** rng.uniform(-4, 0, spans)))
    basis = Basis.with_breaks(breaks / breaks[-1], degree, rng.integers(0, degree, spans - 1))
    path = SplinePath(rng.normal(size=(basis.count, 2)), 1.0, basis=basis)
    s = np.concatenate([rng.uniform(0, 1, 20), basis.grid(3)])
    near(path.refined().at(s), path.at(s), 1e-14)
    assert (np.abs(path.refined().points).max(axis=0) <= np.abs(path.points).max(axis=0)).all()  # means of them


@given(paths(), st.floats(0.1, 10))
def test_another_duration_stretches_and_reversal_mirrors(path, duration):
    t = away(path)
    slow, back = path.with_duration(duration), path.reversed()
    assert slow.basis == path.basis
    for order in range(path.degree + 1):
        here = path.rate(t, order)
        near(slow.rate(t / path.duration * duration, order) * (duration / path.duration) ** order, here, 1e-9)
        near(back.rate(np.clip(path.duration - t, 0, path.duration), order) * (-1) ** order, here, 1e-8)


def test_each_part_of_a_stretched_path_is_only_faster_or_slower():
    path = corner()
    moved = SplinePath(path.points, 3.0, basis=path.basis.stretched([0, 0.3, 1], [0, 0.5, 1]))
    x = np.linspace(0, 1, 11)
    for (a, b), (c, d) in (((0.0, 0.6), (0.0, 1.5)), ((0.6, 2.0), (1.5, 3.0))):
        for order in range(4):
            here, there = (p.rate(lo + (hi - lo) * x, order, left=x == 1.0) for p, lo, hi in ((path, a, b), (moved, c, d)))
            near(there * ((d - c) / (b - a)) ** order, here)


@given(paths())
def test_every_derivative_stays_within_the_hull_of_its_control_points(path):
    s = path.basis.grid(20)
    for left in (None, True):
        for (low, high), values in zip(path.hull(), path.states(s * path.duration, left=left), strict=False):
            room = 1e-11 * np.abs(values).max()
            assert (low <= values.min(axis=0) + room).all()
            assert (values.max(axis=0) <= high + room).all()


def test_jumps_at_a_corner_are_not_part_of_the_hull():
    """Accelerations of a cubic are reached by their control points, on both sides of a corner."""
    path = corner()
    ends = path.basis.span_ends * path.duration
    reached = np.concatenate([path.rate(ends, 2), path.rate(ends, 2, left=np.ones(5, dtype=bool))])
    near(path.hull().qdd, np.stack([reached.min(axis=0), reached.max(axis=0)]))
    # a path that bends upward on both sides of a corner that points down: no negative acceleration anywhere
    x = Basis.with_breaks([0, 0.5, 1], 4, [0])
    t = x.grid(8)
    up = SplinePath.fit(t, np.where(t < 0.5, t**2, (1.5 - t) ** 2 - 0.75)[:, None], basis=x)
    near(up.hull().qdd, np.full((2, 1), 2.0), 1e-8)


@given(paths(5))
def test_sensitivities_by_control_points_and_duration(path):
    """The path is linear in its control points; the duration by differences."""
    t, h = away(path, 12), 1e-6
    found = path.sensitivities(t)
    columns = found.first[:, None] + np.arange(path.degree + 1)
    for r, rates in enumerate(path.states(t)):
        near((found.by_points[r][..., None] * path.points[columns]).sum(axis=1), rates)
        slow, fast = (path.with_duration(path.duration * x).states(t * x)[r] for x in (1 + h, 1 - h))
        wanted, size = (slow - fast) / (2 * h * path.duration), np.abs(rates).max(initial=0.0) / path.duration
        np.testing.assert_allclose(found.by_duration_fixed_s[r], wanted, rtol=0, atol=1e-7 * size)
        assert np.allclose(
            found.by_duration_fixed_t[r], found.by_duration_fixed_s[r] - t[:, None] / path.duration * path.rate(t, r + 1)
        )


@given(paths())
def test_a_path_is_recovered_from_samples_on_its_basis(path):
    t = path.basis.grid(4 * path.degree) * path.duration
    found = SplinePath.fit(t, path.at(t), basis=path.basis)
    near(found.points, path.points, 1e-7)
    assert found.basis == path.basis


@given(paths(), st.data())
def test_a_fit_on_given_breaks_is_the_least_squares_solution(path, data):
    """The same by NumPy's dense least squares, with the ends held."""
    basis = path.basis
    rest = data.draw(st.integers(0, min(path.degree - 1, basis.count // 2 - 1)))
    t = path.basis.grid(3 * path.degree)
    q = np.random.default_rng(1).normal(size=(len(t), 2))
    found = SplinePath.fit(t, q, basis=basis, rest=rest)
    full = basis.matrix(t).toarray()
    held = np.r_[: rest + 1, basis.count - rest - 1 : basis.count]
    free = np.setdiff1d(np.arange(basis.count), held)
    fixed = np.stack([q[0]] * (rest + 1) + [q[-1]] * (rest + 1))
    wanted = np.linalg.lstsq(full[:, free], q - full[:, held] @ fixed, rcond=None)[0]
    np.testing.assert_allclose(found.points[free], wanted, rtol=0, atol=1e-8)


@given(paths(), st.data())
def test_the_line_between_two_postures_is_monotone_and_has_no_corner(path, data):
    basis = path.basis
    rest = data.draw(st.integers(0, min(path.degree - 1, basis.count // 2 - 1)))
    line = SplinePath.between([0.0, 2.0], [1.0, -3.0], 2.0, rest=rest, basis=basis)
    t = basis.grid(7) * 2.0
    assert np.array_equal(line.at([0.0, 2.0]), [[0.0, 2.0], [1.0, -3.0]])
    assert (np.diff(line.points, axis=0) * [1, -1] >= 0).all()
    near(line.at(t)[:, 0] * -5.0 + 2.0, line.at(t)[:, 1])
    for order in range(1, rest + 1):
        assert not line.rate([0.0, 2.0], order).any()
    if rest == 0:
        near(line.rate(t), np.broadcast_to([0.5, -2.5], (len(t), 2)))
        assert line.smoothness == basis.degree - 1


@given(paths())
def test_paths_survive_files_copies_and_pickles(path):
    for again in (SplinePath.from_dict(path.to_dict()), pickle.loads(pickle.dumps(path))):
        assert np.array_equal(again.points, path.points)
        assert (again.duration, again.degree, again.basis) == (path.duration, path.degree, path.basis)
        with pytest.raises(ValueError, match="read-only"):
            again.points[0] = 1.0
    assert ("breaks" in path.to_dict()) == (not path.basis.even)


def test_smoothness_is_what_the_control_points_make_of_the_breaks():
    path = corner(5)
    assert path.smoothness == 0
    assert SplinePath(np.zeros((8, 1)), 1.0).smoothness == 2
    smooth = SplinePath(np.random.default_rng(1).normal(size=(9, 1)), 1.0, 5)
    cornered = Basis.with_breaks(smooth.basis.span_ends, 5, [4, 0, 4])
    t = cornered.grid(20)
    assert SplinePath.fit(t, smooth.at(t), basis=cornered).smoothness == 4
    kinked = Basis.with_breaks([0, 0.5, 1.0], 5, [2])
    assert SplinePath(np.random.default_rng(2).normal(size=(kinked.count, 1)), 1.0, basis=kinked).smoothness == 2


def test_controllers_and_timing_refuse_jumps_at_breaks_and_follow_other_breaks():
    robot = lissom.robots.rr()
    with pytest.raises(lissom.StateError, match="derivative number 1 of the path jumps at a break, 2 are needed"):
        ComputedTorque(robot, corner(), 10.0)
    with pytest.raises(lissom.StateError, match="the path has corners, at breaks, that a motion can pass only at rest"):
        lissom.timing.time_optimal(robot, corner(), torque=[50.0, 50.0])
    bent = Basis.with_breaks([0, 0.5, 1], 3, [1])
    bent = SplinePath(np.cumsum(np.random.default_rng(0).uniform(0.1, 1, size=(bent.count, 2)), axis=0), 1.0, basis=bent)
    assert bent.smoothness == 1
    with pytest.raises(
        lissom.StateError, match="accelerations along the path jump at a break, so that rates of torques cannot be"
    ):
        lissom.timing.time_optimal(robot, bent, torque=[50.0, 50.0], torque_rate=[500.0, 500.0])
    path = SplinePath.between([0.0, 0.0], [1.0, 1.0], 2.0, basis=Basis.with_breaks([0, 0.1, 0.5, 0.6, 1]))
    ComputedTorque(robot, path, 10.0)
    uneven = Path(path)
    for t in (0.0, 0.1, 0.2, 0.77, 1.2, 1.9):
        near(uneven.derivatives(t, 2), np.stack([path.rate(t, r) for r in range(3)]), 1e-9)


def test_repr_tells_of_given_breaks():
    assert repr(corner()) == "<SplinePath of 2 joints: 9 control points, degree 3, 4 spans with given breaks, 2 s>"


BASIS = Basis.with_breaks([0, 0.3, 1.0], 3)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: SplinePath(np.zeros((6, 1)), 1.0, basis=BASIS),
            "points has 6 rows, expected the 5 control points of its basis",
        ),
        (lambda: SplinePath(np.zeros((5, 1)), 1.0, 4, basis=BASIS), "degree is 4 and that of the basis 3; leave degree out"),
        (lambda: SplinePath(np.zeros((5, 1)), 1.0, basis=[0, 1]), r"basis is \[0, 1\], expected a lissom.spline.Basis"),
        (
            lambda: SplinePath.between([0.0], [1.0], 1.0, 8, basis=BASIS),
            "count is 8 and the basis has 5 control points; leave count",
        ),
        (lambda: SplinePath.between([0.0], [1.0], 1.0), "neither count nor basis is given; expected a number of control points"),
        (lambda: SplinePath.fit([0, 1], [[0], [1]], basis=BASIS), "2 samples do not determine 3 free control points"),
        (
            lambda: SplinePath.from_dict({"points": np.zeros((5, 1)), "duration": 1.0, "degree": 3, "breaks": [0, 0.5, 1]}),
            "the path has only one of 'breaks' and 'smooth', expected both, or none where knots are uniform",
        ),
    ],
)
def test_wrong_arguments_are_told(call, text):
    with pytest.raises(lissom.StateError, match=text):
        call()
