"""Elimination inside programs beside NumPy's dense solver."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.algorithms.elimination import Elimination
from lissom.errors import ModelError


def sparse(table, columns):
    return [{c: float(x) for c, x in zip(columns, row, strict=True) if x != 0.0} for row in table]


def system(seed, n, share):
    """Return a matrix with a full diagonal somewhere, other entries now and then, rows and columns shuffled."""
    rng = np.random.default_rng(seed)
    table = np.where(rng.uniform(size=(n, n)) < share, rng.normal(size=(n, n)), 0.0)
    table[np.arange(n), np.arange(n)] = rng.uniform(1.0, 2.0, n) * rng.choice([-1, 1], n)
    return table[rng.permutation(n)][:, rng.permutation(n)], rng


@given(st.integers(0, 10_000), st.integers(1, 9), st.floats(0.0, 0.6))
def test_solutions_of_sparse_systems(seed, n, share):
    table, rng = system(seed, n, share)
    if np.linalg.cond(table) > 1e6:
        return
    columns = list(10 + rng.permutation(n))
    elimination = Elimination(sparse(table, columns), columns, [1.0] * n, dict.fromkeys(columns, 1.0))
    b = rng.normal(size=n)
    y, z = elimination.solve(list(b)), elimination.transposed(dict(zip(columns, b, strict=True)))
    scale = np.linalg.cond(table)
    assert np.abs(np.array([y[c] for c in columns]) - np.linalg.solve(table, b)).max() < 1e-12 * scale**2
    assert np.abs(np.array(z) - np.linalg.solve(table.T, b)).max() < 1e-12 * scale**2
    assert abs(elimination.square - np.linalg.det(table) ** 2) < 1e-9 * max(1.0, np.linalg.det(table) ** 2)


def test_blocks_are_as_small_as_the_zeros_allow():
    table = np.array([[1.0, 2.0, 0.0, 0.0], [3.0, 4.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 5.0, 2.0]])
    elimination = Elimination(sparse(table, range(4)), range(4), [1.0] * 4, dict.fromkeys(range(4), 1.0))
    assert sorted(elimination.sizes) == [1, 1, 2]


def test_more_rows_than_columns_give_the_smallest_solution():
    table = np.random.default_rng(0).normal(size=(5, 3))
    elimination = Elimination(sparse(table, range(3)), range(3), [1.0] * 5, dict.fromkeys(range(3), 1.0))
    c = np.array([1.0, -2.0, 0.5])
    assert np.abs(np.array(elimination.transposed(dict(enumerate(c)))) - np.linalg.pinv(table.T) @ c).max() < 1e-12


def test_units_decide_what_is_singular():
    """Millimeters: a small robot is not singular because its numbers are small."""
    for length in (1.0, 1e-3):
        good = Elimination([{0: 1e-3 * length}], [0], [length], {0: 1.0}).solve([1.0])[0]
        assert np.isfinite(good)
        # a batch of one, as machine code sees it
        bad = Elimination([{0: np.array([1e-12 * length])}], [0], [length], {0: 1.0}).solve([np.array([1.0])])[0]
        assert np.isnan(bad).all()


def test_what_has_no_solution_for_any_numbers():
    with pytest.raises(ModelError, match="one of them is redundant"):
        Elimination([{0: 1.0}, {0: 2.0}], [0, 1], [1.0] * 2, {0: 1.0, 1: 1.0})
