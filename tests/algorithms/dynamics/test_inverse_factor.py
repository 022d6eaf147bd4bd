"""The inverse of a mass matrix as factors: right for any tree, and cheaper than substitution where a tree has branches."""

import numpy as np
import pytest

from lissom.algorithms.dynamics.factor import Factor
from lissom.algorithms.dynamics.inverse_factor import TOGETHER, InverseFactor
from lissom.compiler.program import Port
from lissom.compiler.trace import trace

CHAIN = [None, 0, 1, 2, 3]
TWO_LIMBS = [None, 0, 1, 2, 3, 4, 1, 6, 7, 8, 9]  # joint before each


def matrix_of(parents, seed=0):
    """Return a positive definite matrix with entries only where one joint carries the other, as nested lists."""
    n, rng = len(parents), np.random.default_rng(seed)
    L = np.eye(n)
    for k in range(n):
        i = parents[k]
        while i is not None:
            L[k, i], i = rng.normal(), parents[i]
    return (L.T @ np.diag(rng.uniform(1, 2, n)) @ L).tolist()


def inverse_of(M):
    return InverseFactor(Factor(M, lambda k, x: x))


@pytest.mark.parametrize("parents", [[], [None], CHAIN, TWO_LIMBS])
@pytest.mark.parametrize("width", [0, 1, TOGETHER, TOGETHER + 3])
def test_it_is_the_inverse(parents, width):
    M = matrix_of(parents)
    n = len(M)
    inverse = inverse_of(M)
    table = np.random.default_rng(1).normal(size=(n, width))
    assert np.allclose(np.array(inverse.matrix()).reshape(n, n), np.linalg.inv(np.array(M).reshape(n, n)), rtol=1e-12)
    found = np.array(inverse.minus_times(table.tolist())).reshape(n, width)
    assert np.allclose(np.array(M).reshape(n, n) @ found, -table, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("parents", "limb", "fewer"), [(CHAIN, range(5), 0), (TWO_LIMBS, range(6), 60)])
def test_products_are_those_of_substitution_or_fewer(parents, limb, fewer):
    """Forces on one limb move the other through the joints before both: two products for each joint, not up to six."""
    M, n, width = matrix_of(parents), len(parents), 10

    def products(solved):
        def text(m, x):
            symbols = [[m[n * i + k] if M[i][k] else 0.0 for k in range(n)] for i in range(n)]
            table = [[x[width * i + k] if i in limb else 0.0 for k in range(width)] for i in range(n)]
            return [[y for row in solved(Factor(symbols, lambda k, y: y), table) for y in row]]

        ports = [Port("m", n * n), Port("x", n * width)], [Port("y", n * width)]
        return trace("test", *ports, text).operation_count().multiplications

    def plainly(factor, table):
        return zip(*(factor.solve(column) for column in zip(*table, strict=True)), strict=True)

    plain, shared = products(plainly), products(lambda factor, table: InverseFactor(factor).minus_times(table))
    assert shared <= plain - fewer
    assert fewer or shared == plain
