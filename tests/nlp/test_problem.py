"""A program is checked when it is made: the message names what is wrong and where."""

import numpy as np
import pytest

from lissom.nlp import Nlp, NlpError
from support.programs import hs071, rosenbrock


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": 0}, "n is 0; expected at least 1"),
        ({"n": 4.0}, r"n is 4\.0; expected a whole number"),
        ({"m": -1}, "m is -1; expected at least 0"),
        ({"objective": 3.0}, r"objective is 3\.0; expected a function of x"),
        ({"constraints": None}, "constraints is None; expected a function of x, as m = 2"),
        ({"hessian": 1}, "hessian is 1; expected a function"),
        ({"lower": [1.0, 1.0]}, r"lower has shape \(2,\), expected \(4,\), one number per variable, or a single number"),
        ({"lower": "low"}, "lower is not an array of numbers"),
        ({"upper": [5, 5, 5, np.nan]}, r"upper\[3\] is nan; write -inf or inf"),
        (
            {"lower": [1, 6, 7, 1]},
            r"bounds of variable 1 \(and 1 more\) contradict each other: lower\[1\] = 6.0, upper\[1\] = 5.0",
        ),
        ({"constraint_lower": [25, 41]}, r"bounds of constraint 1 contradict each other: constraint_lower\[1\] = 41.0"),
        ({"lower": np.inf, "upper": np.inf}, r"bounds of variable 0 \(and 3 more\) contradict each other"),
        ({"jacobian_structure": [0, 1, 2]}, r"jacobian_structure must be a pair \(rows, columns\)"),
        ({"jacobian_structure": ([0, 1], [0])}, r"jacobian_structure have shapes \(2,\) and \(1,\)"),
        ({"jacobian_structure": ([0, 2], [0, 1])}, "entry 1 of jacobian_structure is in row 2; there are 2, counted from 0"),
        ({"jacobian_structure": ([0, 1], [-1, 1])}, "entry 0 of jacobian_structure is in column -1; there are 4"),
        ({"jacobian_structure": ([0.0], [1.0])}, "rows of jacobian_structure are of type float64; expected whole numbers"),
        ({"hessian_structure": ([0, 0], [0, 3])}, r"entry 1 of hessian_structure, \(0, 3\), is above the diagonal.*\(3, 0\)"),
        ({"hessian": None}, "hessian_structure is given without hessian"),
    ],
)
def test_a_contradiction_is_named(changes, message):
    with pytest.raises(NlpError, match=message):
        hs071(**changes)


def test_arrays_of_a_program_are_its_own_and_cannot_be_changed():
    lower = np.ones(4)
    nlp = hs071(lower=lower)
    lower[0] = 9.0
    assert nlp.lower[0] == 1.0
    for array in (nlp.lower, nlp.constraint_upper, *nlp.jacobian_structure, *nlp.hessian_structure):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_constraints_are_not_needed_without_any():
    nlp = Nlp(n=1, objective=lambda x: x[0] ** 2, gradient=lambda x: 2 * x)
    assert nlp.m == 0
    assert nlp.lower == -np.inf


def test_the_violation_is_that_of_the_worst_place():
    nlp = rosenbrock(radius_squared=2.0, lower=[-1.0, -np.inf])
    assert nlp.violation(np.array([0.0, 1.0]), np.array([1.0])) == 0.0
    assert nlp.violation(np.array([-1.5, 0.0]), np.array([2.25])) == 0.5
    assert nlp.violation(np.array([0.0, 2.0]), np.array([4.0])) == 2.0
    assert np.isnan(nlp.violation(np.array([0.0, 2.0]), np.array([np.nan])))
