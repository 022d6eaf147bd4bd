"""Damped least squares, judged by the conditions of a minimum and by SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares, lsq_linear

from lissom.least_squares import LeastSquares, bounded_step, descend

seeds = st.integers(0, 10_000)


def rosenbrock(lower, upper, tolerance=1e-12):
    """N problems r = (10 (y - x^2), c - x), c the number of the problem plus one."""

    def residual(x, rows):
        return np.stack([10 * (x[:, 1] - x[:, 0] ** 2), 1.0 + rows - x[:, 0]], axis=1)

    def jacobian(x, rows):
        J = np.zeros((len(x), 2, 2))
        J[:, 0, 0], J[:, 0, 1], J[:, 1, 0] = -20 * x[:, 0], 10.0, -1.0
        return J

    return LeastSquares(
        residual,
        jacobian,
        lambda x, step: np.clip(x + step, lower, upper),
        lambda x: (lower - x, upper - x),
        lambda r: np.abs(r).max(axis=1) <= tolerance,
    )


def test_each_problem_finds_its_own_minimum():
    start = np.random.default_rng(1).uniform(-2, 2, (3, 2))
    found = descend(rosenbrock(-np.inf, np.inf), start, 200)
    c = np.array([1.0, 2.0, 3.0])
    assert np.allclose(found.x, np.stack([c, c**2], axis=1), rtol=1e-9)
    assert (found.iterations > 0).all()
    assert np.allclose(found.cost(), 0.0, atol=1e-20)


def test_a_problem_takes_the_same_steps_alone_and_among_others():
    start = np.random.default_rng(2).uniform(-2, 2, (5, 2))
    problem = rosenbrock(-np.inf, np.inf)
    together, alone = descend(problem, start, 7), descend(problem, start[:1], 7)
    assert np.allclose(together.x[0], alone.x[0], rtol=1e-13)
    assert together.iterations[0] == alone.iterations[0]


@settings(max_examples=30)
@given(seeds)
def test_bounds_hold_and_the_minimum_within_them_is_that_of_scipy(seed):
    rng = np.random.default_rng(seed)
    lower, upper = np.sort(rng.uniform(-2, 2, (2, 2)), axis=0)
    start = rng.uniform(lower, upper)
    found = descend(rosenbrock(lower, upper), start[None], 500)
    assert (found.x >= lower).all() and (found.x <= upper).all()
    theirs = least_squares(
        lambda x: np.array([10 * (x[1] - x[0] ** 2), 1.0 - x[0]]), start, bounds=(lower - 1e-12, upper + 1e-12), xtol=1e-15
    )
    # either may stop in another of two minima at the bounds; where costs differ ours has to be a minimum as well
    x, r = found.x[0], found.r[0]
    slope = np.array([[-20 * x[0], 10.0], [-1.0, 0.0]]).T @ r
    inward = np.where(x <= lower, np.minimum(slope, 0.0), np.where(x >= upper, np.maximum(slope, 0.0), slope))
    assert np.abs(inward).max() < 1e-4 or found.cost()[0] <= theirs.cost * (1 + 1e-6)


@given(seeds)
def test_a_step_that_meets_a_bound_is_the_minimum_of_the_linear_model(seed):
    """With one bound on the way: bounded linear least squares, the damping as rows."""
    rng = np.random.default_rng(seed)
    J, r, damping = rng.normal(size=(4, 3)), rng.normal(size=4), 0.1
    free = -np.linalg.solve(J.T @ J + damping * np.eye(3), J.T @ r)
    least, most = np.full(3, -np.inf), np.full(3, np.inf)
    k = int(rng.integers(3))
    if free[k] > 0:
        most[k] = 0.5 * free[k]
    else:
        least[k] = 0.5 * free[k]
    step = bounded_step(J[None], -(J.T @ r)[None], np.array([damping]), least[None], most[None])[0]
    stacked = np.concatenate([J, np.sqrt(damping) * np.eye(3)])
    expected = lsq_linear(stacked, -np.concatenate([r, np.zeros(3)]), (least - 1e-15, most + 1e-15), tol=1e-14).x
    assert np.allclose(step, expected, rtol=0, atol=1e-6)


def test_it_stops_when_enough_are_done():
    start = np.array([[1.0, 1.0], [-5.0, 5.0], [-9.0, 3.0]])
    found = descend(rosenbrock(-np.inf, np.inf), start, 200, enough=1)
    assert found.iterations.tolist() == [0, 0, 0]


def test_what_cannot_be_improved_stalls():
    found = descend(rosenbrock(np.array([-1.0, -1.0]), np.array([0.5, 0.1])), np.array([[0.0, 0.0]]), 500)
    assert found.stalled[0] and found.iterations[0] < 500
    assert found.cost()[0] > 0.1


def test_problems_without_residuals_in_reach_do_not_stop_others():
    problem = rosenbrock(np.array([-np.inf, -np.inf]), np.array([1.5, np.inf]))
    found = descend(problem, np.zeros((2, 2)), 300)
    assert found.x[0] == pytest.approx([1.0, 1.0])
    assert found.x[1] == pytest.approx([1.5, 2.25])
