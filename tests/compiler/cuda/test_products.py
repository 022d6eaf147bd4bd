"""Sums of products on a pretended card, beside NumPy."""

import numpy as np
import pytest

from lissom import CUDA
from lissom.compiler.cuda.products import ONE, Table, launch, summer


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize(("rows", "n"), [(1, 1), (40, 33), (70, 70)])
def test_sums_of_products_are_those_of_numpy(fake, rows, n, precision):
    backend, rng = CUDA(precision), np.random.default_rng(rows)
    counts = rng.integers(0, 4, rows)
    starts = np.concatenate([[0], np.cumsum(counts)])
    numbers, factors = rng.normal(size=(9, n)), rng.normal(size=starts[-1])
    first, second = (np.where(rng.random(starts[-1]) < 0.3, ONE, rng.integers(0, 9, starts[-1])) for _ in range(2))
    there, out = backend.array(numbers), backend.array(np.full((rows, n), np.nan))
    item = backend.dtype.itemsize
    table = Table(backend.card(), starts, factors, first, second)
    launch(summer(backend.card(), precision == "single"), table, (there._pointer, n * item), (out._pointer, n * item), n, 0)
    taken = [np.where((x == ONE)[:, None], 1.0, numbers[np.where(x == ONE, 0, x)]) for x in (first, second)]
    expected = np.zeros((rows, n))
    np.add.at(expected, np.repeat(np.arange(rows), counts), factors[:, None] * taken[0] * taken[1])
    assert np.abs(out.copy_to_host() - expected).max() < (1e-13 if precision == "double" else 1e-5)


def test_no_rows_are_nothing(fake):
    card = CUDA().card()
    nothing = np.zeros(0, int)
    launch(summer(card, False), Table(card, np.zeros(1, int), np.zeros(0), nothing, nothing), (0, 0), (0, 0), 5, 0)
    assert "cuLaunchKernel" not in fake.calls
