"""Equations that follow from others are found and left out; the solution is that of the whole program."""

import numpy as np

from lissom.nlp import ipopt
from lissom.nlp.independent import independent_rows
from lissom.nlp.problem import Nlp
from lissom.nlp.status import Status
from lissom.predict.search.presolve import without


def twice():
    """A point of a circle and a line, the circle said twice, an equation of fixed variables, and an inequality."""

    def constraints(x):
        return np.array([x[0] ** 2 + x[1] ** 2, x[0] - x[1], 3 * x[0] ** 2 + 3 * x[1] ** 2, x[3], x[0] + x[2]])

    def jacobian(x):
        return np.array([2 * x[0], 2 * x[1], 1.0, -1.0, 6 * x[0], 6 * x[1], 1.0, 1.0, 1.0])

    def hessian(x, factor, y):
        return [2 * y[0] + 6 * y[2], 2 * y[0] + 6 * y[2], 2 * factor]

    return Nlp(
        n=4,
        m=5,
        objective=lambda x: (x[2] - 5) ** 2,
        gradient=lambda x: [0, 0, 2 * (x[2] - 5), 0],
        lower=[-9, -9, -9, 7.0],
        upper=[9, 9, 9, 7.0],
        constraints=constraints,
        constraint_lower=[2, 0, 6, 7, -9],
        constraint_upper=[2, 0, 6, 7, 3],
        jacobian_structure=([0, 0, 1, 1, 2, 2, 3, 4, 4], [0, 1, 0, 1, 0, 1, 3, 0, 2]),
        jacobian=jacobian,
        hessian_structure=([0, 1, 2], [0, 1, 2]),
        hessian=hessian,
    )


def test_equations_that_follow_from_others_are_left_out():
    nlp, x = twice(), np.array([1.3, 0.4, 0.0, 7.0])
    kept = independent_rows(nlp, x)
    assert kept[1] and kept[4] and kept[0] != kept[2] and not kept[3]
    less = without(nlp, np.flatnonzero(~kept))
    assert less.m == 3
    found = ipopt.solve(less, x)
    assert found.status is Status.SOLVED and np.allclose(found.x, [1, 1, 2, 7], atol=1e-6)


def test_a_program_whose_derivatives_are_not_finite_keeps_all_rows():
    nlp = twice()
    assert independent_rows(nlp, np.array([np.nan, 0.4, 0.0, 7.0])).all()
