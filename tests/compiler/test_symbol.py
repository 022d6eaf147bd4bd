"""What a trace folds and shares while it is recorded."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.compiler.program import ADD, CONST, COS, DIV, MUL, NEG, SIGN, SIN, SUB
from lissom.compiler.symbol import Graph


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def x(graph):
    return graph.input(0, 0)


@pytest.fixture
def y(graph):
    return graph.input(0, 1)


def test_zeros_and_ones_leave_nothing(graph, x):
    zero, one = graph.constant(0.0), graph.constant(1.0)
    assert x + 0.0 is x
    assert 0.0 + x is x
    assert x - 0.0 is x
    assert x * 1.0 is x
    assert one * x is x
    assert x * 0.0 is zero
    assert 0.0 * x is zero
    assert (x - x) is zero
    assert (0.0 - x).op == NEG


def test_constants_are_folded(graph):
    a, b = graph.constant(3.0), graph.constant(-4.0)
    assert a + b is graph.constant(-1.0)
    assert a - b is graph.constant(7.0)
    assert a * b is graph.constant(-12.0)
    assert a / b is graph.constant(-0.75)
    assert 6.0 / a is graph.constant(2.0)
    assert -a is graph.constant(-3.0)
    assert a.sin() is graph.constant(math.sin(3.0))
    assert b.cos() is graph.constant(math.cos(-4.0))
    assert (b.sign(), a.sign(), (a - a).sign()) == (graph.constant(-1.0), graph.constant(1.0), graph.constant(0.0))


def test_signs_travel_outwards(graph, x, y):
    minus = -x
    assert -minus is x
    assert (minus + y).op == SUB
    assert (x + (-y)) is -(y - x)  # the difference there is, turned
    assert (x - (-y)).op == ADD
    assert ((-x) * y).op == NEG
    assert ((-x) * (-y)) is x * y
    assert (x * -2.0).op == NEG
    assert ((-x) / y).op == NEG
    assert (x / (-y)).op == NEG
    assert ((-x) / (-y)) is x / y
    assert ((-x) - y) is -(x + y)


def test_turning_a_sign_turns_sine_and_leaves_cosine(graph, x):
    assert (-x).sin() is -(x.sin())
    assert (-x).cos() is x.cos()
    assert (-x).sign() is -(x.sign())


def test_functions_of_constants_are_folded(graph, x):
    two, minus = graph.constant(2.0), graph.constant(-1.0)
    assert two.sqrt() is graph.constant(math.sqrt(2.0))
    assert two.exp() is graph.constant(math.exp(2.0))
    assert two.log() is graph.constant(math.log(2.0))
    assert two.tanh() is graph.constant(math.tanh(2.0))
    assert (-x).tanh() is -(x.tanh())
    assert x.sqrt() is x.sqrt()
    for wrong, message in ((minus.sqrt, "square root of -1.0"), (minus.log, "logarithm of -1.0"), ((two * 1e3).exp, "of 2000.0")):
        with pytest.raises((ValueError, OverflowError), match=message):
            wrong()


def test_choices_that_are_known_are_not_recorded(graph, x, y):
    zero, one = graph.constant(0.0), graph.constant(1.0)
    assert one.less(2.0) is one
    assert one.less(1.0) is zero
    assert x.less(x) is zero
    assert (-x).less(-y) is y.less(x)
    assert one.select(x, y) is x
    assert zero.select(x, y) is y
    condition = x.less(y)
    assert condition.select(x, x) is x
    assert condition.select(-x, -y) is -condition.select(x, y)
    assert condition.select(x, 2.0) is condition.select(x, 2.0)


def test_the_same_operation_is_recorded_once(graph, x, y):
    assert x + y is y + x
    assert x * y is y * x
    assert x.sin() is x.sin()
    assert x - y is -(y - x)
    before = len(graph.nodes)
    assert [x + y, x * y, x - y, y - x] == [x + y, x * y, x - y, y - x]
    assert len(graph.nodes) == before


def test_division_by_a_constant_is_a_product(x):
    assert (x / 4.0).op == MUL
    assert (2.0 / x).op == DIV


def test_numpy_scalars_leave_the_arithmetic_to_the_symbol(graph, x):
    assert np.float64(2.0) * x is x * 2.0
    assert np.float64(2.0) + x is x + 2.0
    assert np.float64(0.0) * x is graph.constant(0.0)


def test_negative_zero_is_zero(graph):
    assert graph.constant(-0.0) is graph.constant(0.0)


OPERATIONS = {
    ADD: lambda a, b: a + b,
    SUB: lambda a, b: a - b,
    MUL: lambda a, b: a * b,
    NEG: lambda a, b: -a,
    SIN: lambda a, b: a.sin() if hasattr(a, "graph") else math.sin(a),
    COS: lambda a, b: a.cos() if hasattr(a, "graph") else math.cos(a),
    SIGN: lambda a, b: a.sign() if hasattr(a, "graph") else math.copysign(1, a) if a else 0.0,
}


def evaluate(graph, symbol, values):
    op, a, b = graph.nodes[symbol.index]
    if op == CONST:
        return a
    if op == "input":
        return values[b]
    operands = [evaluate(graph, s, values) for s in (a, b) if s is not None]
    return OPERATIONS[op](*operands, *[None] * (2 - len(operands)))


@given(st.lists(st.tuples(st.sampled_from(list(OPERATIONS)), st.integers(0, 30), st.integers(0, 30)), max_size=25))
def test_folding_never_changes_a_value(steps):
    graph, values = Graph(), [0.7, -1.3, 0.0]
    symbols = [graph.input(0, k) for k in range(3)] + [graph.constant(c) for c in (0.0, 1.0, -1.0, 0.5)]
    numbers = [*values, 0.0, 1.0, -1.0, 0.5]
    for op, i, j in steps:
        i, j = i % len(symbols), j % len(symbols)
        if abs(numbers[i]) > 1e3 or abs(numbers[j]) > 1e3 or (op == SIGN and abs(numbers[i]) < 1e-9):
            continue
        symbols.append(graph.as_symbol(OPERATIONS[op](symbols[i], symbols[j])))
        numbers.append(OPERATIONS[op](numbers[i], numbers[j]))
    for symbol, number in zip(symbols, numbers, strict=True):
        assert evaluate(graph, symbol, values) == pytest.approx(number, rel=1e-9, abs=1e-9)
