"""Formulas of study files: arithmetic as in Python, and nothing else."""

import math
import pickle

import pytest

from lissom import StateError
from lissom.study.expression import Expression

VALUES = {"x": 0.5, "y": -2.0, "side": "left"}


@pytest.mark.parametrize(
    "text, value",
    [
        ("0.6 - x", 0.1),
        ("2*x**2 + y/4", 0.0),
        ("-(x + y)", 1.5),
        ("max(x, y, 3)", 3.0),
        ("hypot(3, 4) * cos(pi)", -5.0),
        ("x < 1 < 2 and not y > 0", True),
        ("x > 1 or side == 'left'", True),
        ("y != -2", False),
    ],
)
def test_a_formula_has_the_value_of_its_arithmetic(text, value):
    formula = pickle.loads(pickle.dumps(Expression(text, VALUES)))
    assert formula(VALUES) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    "text, message",
    [
        ("__import__('os')", "is no function of a formula; expected one of sqrt"),
        ("x.real", "Attribute cannot be used in one"),
        ("[x for x in (1,)]", "cannot be used in one"),
        ("lambda: 1", "Lambda cannot be used in one"),
        ("max(x, key=y)", "is no function of a formula"),
        ("z + 1", "no parameter 'z' in 'z \\+ 1'"),
        ("x +", "is no formula; expected numbers"),
        ("(" * 200 + "x" + ")" * 200, "a formula has 401 characters, expected 400 at most"),
        ("True", "True in 'True' is no number"),
        ("1j", "is no number"),
    ],
)
def test_what_is_no_formula_is_refused(text, message):
    with pytest.raises(StateError, match=message):
        Expression(text, VALUES)


@pytest.mark.parametrize("text", ["1/(x - 0.5)", "sqrt(y)", "side + 1", "9.0**999", "exp(x*5000)"])
def test_a_formula_without_a_value_says_so(text):
    with pytest.raises(StateError, match="has no value here"):
        Expression(text, VALUES)(VALUES)


@pytest.mark.parametrize("text", ["1e308 * 10", "y**0.5"])
def test_values_that_are_not_finite_are_refused(text):
    with pytest.raises(StateError, match="has no finite value here"):
        Expression(text, VALUES)(VALUES)


def test_any_name_may_be_left_open():
    assert math.isclose(Expression("a + 1")({"a": 1.0}), 2.0)
