import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.read.number import parse_expression, parse_number, shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pi/2", math.pi / 2),
        ("-pi/2", -math.pi / 2),
        ("3*pi/4", 3 * math.pi / 4),
        ("-2 pi", -2 * math.pi),
        ("0.5π", math.pi / 2),
        ("90deg", math.pi / 2),
        ("-45 °", -math.pi / 4),
        (" 1e-3 ", 1e-3),
        (".5", 0.5),
        ("5.", 5.0),
    ],
)
def test_multiples_of_pi_and_degrees_are_numbers(text, value):
    assert parse_expression(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nan",
        "inf",
        "1e999",
        "1_000",
        "0x10",
        "pi/0",
        "pi**2",
        "__import__('os')",
        "1+1",
        "deg",
        "١",
        "1,5",
        "90deg°",
        "90°deg",
        "1" * 101,
    ],
)
def test_everything_else_is_none(text):
    assert parse_expression(text) is None
    assert parse_number(text) is None


def test_infinity_only_where_allowed():
    assert (parse_number("inf", True), parse_number("-.inf", True), parse_expression(".inf", True)) == (
        math.inf,
        -math.inf,
        math.inf,
    )


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_read_back_to_the_last_bit(x):
    assert parse_expression(repr(x)) == x


@pytest.mark.parametrize(
    "text", ["1" * 2000 + " " * 2000 + "x", "1" * 99 + "x", "1" + " " * 98 + "x", " " * 10**6 + "1 " * 10**6]
)
def test_long_texts_are_refused_at_once(text):
    start = time.perf_counter()
    assert parse_expression(text) is None
    assert parse_number(text) is None
    assert time.perf_counter() - start < 0.5


def test_messages_quote_the_beginning_of_a_long_text():
    assert shown("pi/0") == "'pi/0'"
    assert shown("7" * 500) == f"'{'7' * 60}'.. (500 characters)"
