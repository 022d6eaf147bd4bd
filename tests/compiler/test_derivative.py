"""Derivatives of a trace: every operation, both modes, and nothing recorded for nothing."""

import math

import numpy as np
import pytest

from lissom.compiler.derivative import forward, reverse
from lissom.compiler.program import CONST
from lissom.compiler.replay import replay
from lissom.compiler.symbol import Graph
from support.native import program_of

OPERATIONS = {
    "add": (lambda x, y: x + y, lambda x, y: (1, 1)),
    "sub": (lambda x, y: x - y, lambda x, y: (1, -1)),
    "mul": (lambda x, y: x * y, lambda x, y: (y, x)),
    "square": (lambda x, y: x * x, lambda x, y: (2 * x, 0)),
    "div": (lambda x, y: x / y, lambda x, y: (1 / y, -x / y**2)),
    "inverse": (lambda x, y: 3.0 / y, lambda x, y: (0, -3 / y**2)),
    "nothing over a number": (lambda x, y: 0.0 / y + x, lambda x, y: (1, 0)),
    "neg": (lambda x, y: -(x * y), lambda x, y: (-y, -x)),
    "sin": (lambda x, y: x.sin() * y, lambda x, y: (math.cos(x) * y, math.sin(x))),
    "cos": (lambda x, y: x.cos() * y, lambda x, y: (-math.sin(x) * y, math.cos(x))),
    "sign": (lambda x, y: x.sign() * y, lambda x, y: (0, math.copysign(1, x))),
    "guard": (lambda x, y: 1.0 / (x * x).guard(1e-3) + y, lambda x, y: (-2 / x**3, 1)),
    "sqrt": (lambda x, y: (x * x + 1.0).sqrt() * y, lambda x, y: (x * y / math.sqrt(x * x + 1), math.sqrt(x * x + 1))),
    "exp": (lambda x, y: (x * y).exp(), lambda x, y: (y * math.exp(x * y), x * math.exp(x * y))),
    "log": (lambda x, y: (x * x).log() * y, lambda x, y: (2 * y / x, math.log(x * x))),
    "tanh": (lambda x, y: x.tanh() * y, lambda x, y: (y / math.cosh(x) ** 2, math.tanh(x))),
    "less": (lambda x, y: x.less(y) * x, lambda x, y: (float(x < y), 0)),
    "select": (lambda x, y: x.less(y).select(x * x, x * y), lambda x, y: (2 * x, 0) if x < y else (y, x)),
    "select of a number": (lambda x, y: x.less(0.0).select(3.0, x * y), lambda x, y: (0, 0) if x < 0 else (y, x)),
    "const": (lambda x, y: x * 0.0 + 2.0, lambda x, y: (0, 0)),
    "input": (lambda x, y: y, lambda x, y: (0, 1)),
}


def slopes_by(mode, function):
    """Return a text of two numbers that gives the two derivatives of a function."""

    def text(arguments):
        graph, y = arguments[0].graph, arguments[0].graph.as_symbol(function(*arguments))
        one, zero = graph.constant(1.0), graph.constant(0.0)
        if mode == "forward":
            tangents = forward(graph, {x.index: {k: one} for k, x in enumerate(arguments)}, [y])[0]
            return [[tangents.get(k, zero) for k in range(2)]]
        return [reverse(graph, arguments, [y], [one])]

    return text


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_its_slopes(name, mode):
    function, slopes = OPERATIONS[name]
    program = program_of(slopes_by(mode, function), [2], [2])
    for x, y in ((0.7, -1.3), (-2.1, 0.4)):
        found = replay(program, [[x, y]])[0]
        assert found == pytest.approx(slopes(x, y), rel=1e-14)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_the_slope_of_sign_is_zero_where_it_jumps(mode):
    program = program_of(slopes_by(mode, OPERATIONS["sign"][0]), [2], [2])
    assert replay(program, [[0.0, 2.0]])[0] == [0.0, 0.0]


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_a_long_expression_agrees_with_a_complex_step(mode):
    def function(x, y, sin=None, cos=None):
        sin, cos = sin or (lambda a: a.sin()), cos or (lambda a: a.cos())
        z = sin(x * y + 0.3) / (1.5 + cos(x) * y)
        return (z * z - y) * sin(z) / x + z * 2.0 - 0.5 / z

    program = program_of(slopes_by(mode, function), [2], [2])
    x, y, h = 0.8, 0.6, 1e-30
    expected = [function(x + 1j * h, y, np.sin, np.cos).imag / h, function(x, y + 1j * h, np.sin, np.cos).imag / h]
    assert replay(program, [[x, y]])[0] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize(
    "square", [lambda x: (x * 2.0).sqrt(), lambda x: -(x * 2.0).log() + x.sqrt(), lambda x: 1.0 / (x.sqrt() * x)]
)
def test_what_is_not_taken_does_not_spoil_a_derivative(mode, square):
    """Roots and logarithms of negative numbers have derivatives that are NaN; they stay where they are."""
    program = program_of(slopes_by(mode, lambda x, y: (0.0 * x + x).less(0.0).select(3.0 * y, square(x) * y)), [2], [2])
    with np.errstate(all="ignore"):
        found = [np.broadcast_to(v, 2) for v in replay(program, [[np.array([-1.0, 2.0]), np.array([0.5, 0.5])]])[0]]
    assert (found[0][0], found[1][0]) == (0.0, 3.0)
    assert np.isfinite(found).all()


def test_second_derivatives_of_every_function_agree_with_many_digits():
    mpmath = pytest.importorskip("mpmath")

    def function(x, m):
        z = m.sqrt(1.5 + x * x) * m.exp(-x) + m.tanh(x * 2.0)
        return m.log(2.0 + z * z) * x

    class Symbolic:
        sqrt, exp, log, tanh = (staticmethod(lambda x, name=name: getattr(x, name)()) for name in ("sqrt", "exp", "log", "tanh"))

    def text(arguments):
        graph, x = arguments[0].graph, arguments[0]
        one = graph.constant(1.0)
        slope = reverse(graph, [x], [function(x, Symbolic)], [one])
        return [[forward(graph, {x.index: {0: one}}, slope)[0][0]]]

    program = program_of(text, [1], [1])
    for at in (-0.7, 0.2, 1.3):
        with mpmath.workdps(40):
            expected = float(mpmath.diff(lambda x: function(x, mpmath), mpmath.mpf(at), 2))
        assert replay(program, [[at]])[0][0] == pytest.approx(expected, rel=1e-13)


def test_directions_that_do_not_matter_leave_no_trace():
    graph = Graph()
    x, y = graph.input(0, 0), graph.input(0, 1)
    results = [x.sin() * y, y * 3.0]
    seeds = {x.index: {0: graph.constant(1.0), 1: graph.constant(0.0)}, y.index: {}}
    first, second = forward(graph, seeds, results)
    assert set(first) == {0}
    assert not second
    adjoint = reverse(graph, [x], [results[1]], [graph.constant(1.0)])[0]
    assert (adjoint.op, graph.nodes[adjoint.index][1]) == (CONST, 0.0)


def test_an_input_that_is_a_result_too_keeps_its_weight():
    graph = Graph()
    x, w = graph.input(0, 0), graph.input(0, 1)
    assert reverse(graph, [x], [x, x * 2.0], [w, w])[0] is w + w * 2.0


def test_a_program_is_replayed_on_any_scalar():
    def text(a, b):
        x, y = a
        return [[(x + 0.25).sin() * y / b[0], -(x + 0.25).cos()], [y.sign() + x.guard(0.0) - 1.0]]

    program = program_of(text, [2, 1], [2, 1])
    x, y, z = np.array([0.4, 2.0]), np.array([-3.0, 5.0]), np.array([2.0, 4.0])
    expected = [[np.sin(x + 0.25) * y / z, -np.cos(x + 0.25)], [np.sign(y) + x - 1.0]]
    for ours, theirs in zip(replay(program, [[x, y], [z]]), expected, strict=True):
        assert np.allclose(ours, theirs, rtol=1e-14)
    floats = replay(program, [[0.4, -3.0], [2.0]])
    assert np.allclose([*floats[0], *floats[1]], [part[0] for value in expected for part in value], rtol=1e-14)
    again = program_of(lambda a, b: replay(program, [a, b]), [2, 1], [2, 1])
    assert again.operation_count() == program.operation_count()
    assert np.isnan(replay(program, [[np.array([-1.0]), y[:1]], [z[:1]]])[1][0])


def test_replay_keeps_the_digits_of_large_angles():
    program = program_of(lambda a: [[(a[0] + 0.25).sin()]], [1], [1])
    x = 1e9 + 0.3
    expected = math.sin(x) * math.cos(0.25) + math.cos(x) * math.sin(0.25)
    assert replay(program, [[np.array([x])]])[0][0] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_a_value_behind_two_selections_has_slopes_where_it_does_not_exist(mode):
    def function(x, y):
        return x.select(x.sqrt(), 0.0) + (x - 0.1).select(2.0 * x.sqrt(), 0.0) + y * 0.0

    program = program_of(slopes_by(mode, function), [2], [2])
    with np.errstate(invalid="ignore"):
        found = replay(program, [[np.array([-2.1, 0.05, 0.7]), np.ones(3)]])[0][0]
    assert np.allclose(found, [0.0, 0.5 / 0.05**0.5, 1.5 / 0.7**0.5], rtol=1e-14)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_selections_within_selections_by_one_condition_stay_small(mode):
    def nested(x, y):
        c = x.less(y)
        share = 1.0 / c.select(x * y, 1.0).sqrt()
        for _ in range(30):  # of a chain such as that from leg lengths to a platform's rotation
            x = (x * y + x * x).sin()
        return c.select(x * share, 0.0)

    assert len(program_of(slopes_by(mode, nested), [2], [2]).code) < 1000


def test_a_selection_within_another_by_the_same_condition_is_its_branch():
    def text(a):
        c = a[0].less(a[1])
        inner = c.select(a[0], a[1])
        return [[c.select(inner, 2.0), c.select(-inner, inner)]]

    program = program_of(text, [2], [2])
    assert sum(code[0] == "select" for code in program.code) == 2
    assert replay(program, [[1.0, 3.0]])[0] == [1.0, -1.0] and replay(program, [[3.0, 1.0]])[0] == [2.0, 1.0]
