"""Statements and expressions: the same numbers as the program, names that are free, sums with their signs."""

import math

import pytest

from lissom.compiler.program import ADD, CONST, INPUT, MUL, NEG, SUB, Port
from lissom.compiler.statements import SINCOS, listing, most_alive
from lissom.compiler.trace import trace
from lissom.compiler.writer import Writer
from lissom.spatial.scalar import sincos, sincos_plus

X = (Port("x", 3),)


def evaluated(program, x, turned_first=False):
    """Run the statements as Python."""
    writer = Writer(program.inputs)
    names = {"x": x}
    listed = listing(program, turned_first=turned_first)
    for statement in listed.statements:
        if statement.expression[0] == SINCOS:
            angle = eval(writer.write(statement.expression[1]), {}, names) + statement.expression[2]
            values = (math.sin(angle), math.cos(angle))
        else:
            values = (eval(writer.write(statement.expression), {}, names),)
        names.update(zip(statement.names, values, strict=True))
    return [eval(writer.write(e), {}, names) for e in listed.results[0]]


def text(x):
    s, c = sincos(x[0])
    s2, _ = sincos_plus(x[1], 0.25)
    a = (x[0] - x[1]) * (x[1] + x[2]) - (x[2] - (x[0] - 0.5))
    return [[-a * s, a / (c + 2.0) - s2, (x[0] * x[1]) * x[2] - x[0] * (x[1] * x[2]) + a, 0.25, -x[1]]]


def test_statements_have_the_numbers_of_the_text():
    x = [0.3, -1.2, 0.7]
    program = trace("test", X, (Port("y", 5),), text)
    assert evaluated(program, x) == pytest.approx([float(v) for v in text(x)[0]], rel=1e-15)


def test_sines_of_arguments_stand_first_where_asked_and_those_of_values_where_they_are():
    def text(x):
        s, c = sincos(x[1] * sincos(x[0])[0])
        return [[s * x[2], c + sincos(x[2])[1]]]

    x = [0.3, -1.2, 0.7]
    program = trace("test", X, (Port("y", 2),), text)
    names = [statement.names for statement in listing(program, turned_first=True).statements]
    assert {names[0], names[1]} == {("s_x1", ""), ("", "c_x3")}
    assert evaluated(program, x, turned_first=True) == pytest.approx(text(x)[0], rel=1e-15)


def test_names_avoid_those_that_are_taken():
    program = trace("test", X, (Port("y", 5),), text)
    names = {name for statement in listing(program, {"s_x1", "t1"}).statements for name in statement.names if name}
    assert "s_x1_2" in names
    assert not names & {"s_x1", "t1"}


def test_a_sine_that_nothing_uses_has_no_name():
    program = trace("test", X, (Port("y", 1),), lambda x: [[sincos(x[0])[1]]])
    (statement,) = listing(program).statements
    assert statement.names == ("", "c_x1")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ((ADD, (CONST, -0.5), (INPUT, 0, 1)), "x[1] - 0.5"),
        ((ADD, (NEG, (INPUT, 0, 0)), (INPUT, 0, 1)), "-x[0] + x[1]"),
        ((ADD, (INPUT, 0, 1), (NEG, (INPUT, 0, 0))), "x[1] - x[0]"),
        ((SUB, (INPUT, 0, 0), (SUB, (INPUT, 0, 1), (INPUT, 0, 2))), "x[0] - (x[1] - x[2])"),
        ((MUL, (CONST, -2.0), (ADD, (INPUT, 0, 0), (INPUT, 0, 1))), "-2.0*(x[0] + x[1])"),
        ((MUL, (INPUT, 0, 0), (MUL, (INPUT, 0, 1), (INPUT, 0, 2))), "x[0]*(x[1]*x[2])"),
        ((NEG, (ADD, (INPUT, 0, 0), (INPUT, 0, 1))), "-(x[0] + x[1])"),
    ],
)
def test_expressions_keep_the_order_of_operations(expression, expected):
    assert Writer(X).write(expression) == expected


def test_values_alive_are_counted():
    program = trace("test", X, (Port("y", 1),), lambda x: [[sincos(x[0])[0] * sincos(x[1])[0]]])
    listed = listing(program)
    assert most_alive(listed.statements, listed.results) == 2
