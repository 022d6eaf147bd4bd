import dataclasses
import math

import pytest

from lissom import CompilerError
from lissom.compiler import program as ops
from lissom.compiler.program import ADD, CONST, COS, INPUT, MUL, NEG, SIN, OperationCount, Port, Program, verify

GOOD = Program("good", (Port("x", 2),), (Port("y", 1),), ((INPUT, 0, 0), (CONST, 2.0, None), (MUL, 0, 1)), ((2,),))


def with_code(*code):
    return dataclasses.replace(GOOD, code=(*code, *GOOD.code))


def test_a_good_program_passes():
    assert verify(GOOD) is GOOD


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (with_code((CONST, math.nan, None)), "program 'good' is not valid at instruction 0: constant nan is not a finite float"),
        (with_code((CONST, 1, None)), "constant 1 is not a finite float"),
        (with_code((CONST, math.inf, None)), "constant inf is not a finite float"),
        (with_code((INPUT, 1, 0)), "argument 1 has no entry 0"),
        (with_code((INPUT, -1, 0)), "argument -1 has no entry 0"),
        (with_code((INPUT, 0, 2)), "argument 0 has no entry 2"),
        (with_code((INPUT, 0, None)), "argument 0 has no entry None"),
        (with_code((ADD, 0, 0)), "instruction 0: add uses value 0, which is not computed before it"),
        (with_code((INPUT, 0, 0), (ADD, 0, 2)), "instruction 1: add uses value 2, which is not computed before it"),
        (with_code((INPUT, 0, 0), (ADD, 0, None)), "add uses value None"),
        (with_code((NEG, 5, None)), "neg uses value 5"),
        (with_code((SIN, 0.0, None)), "sin uses value 0.0"),
        (with_code(("tan", 0, None)), "unknown operation 'tan'"),
        (with_code((INPUT, 0, 0), (ops.SELECT, 0, 0, 1)), "instruction 1: select uses value 1, which is not computed before it"),
        (with_code((INPUT, 0, 0), (ops.SELECT, 0, 0)), "instruction 1: select has 2 fields"),
        (with_code((INPUT, 0, 0), (ops.EXP, 0, None, None)), "instruction 1: exp has 3 fields"),
        (dataclasses.replace(GOOD, results=()), "instruction end: 0 results for 1 outputs"),
        (dataclasses.replace(GOOD, results=((2, 2),)), "output 'y' has 2 entries, expected 1"),
        (dataclasses.replace(GOOD, results=((3,),)), "output 'y' refers to value 3, which does not exist"),
        (dataclasses.replace(GOOD, results=((-1,),)), "output 'y' refers to value -1"),
    ],
)
def test_bad_programs_are_refused_at_the_instruction(program, message):
    with pytest.raises(CompilerError, match=message):
        verify(program)


def test_operations_are_counted_and_told():
    code = (
        (INPUT, 0, 0),
        (SIN, 0, None),
        (COS, 0, None),
        (MUL, 1, 2),
        (ADD, 3, 0),
        (NEG, 4, None),
        ("div", 5, 1),
        ("sign", 6, None),
    )
    program = dataclasses.replace(GOOD, code=code, results=((7,),))
    count = program.operation_count()
    assert count == OperationCount(multiplications=1, additions=1, trigonometric=2, divisions=1, signs=1)
    assert str(count) == "1 mul, 1 add, 2 sin/cos, 1 div, 1 sign"
    assert str(GOOD.operation_count()) == "1 mul, 0 add, 0 sin/cos"
    more = tuple((op, 0, None) for op in (ops.SQRT, ops.EXP, ops.LOG, ops.TANH)), ((ops.LESS, 0, 1), (ops.SELECT, 2, 0, 1))
    count = dataclasses.replace(program, code=(*code, *more[0], *more[1])).operation_count()
    assert (count.functions, count.choices) == (4, 2)
    assert str(count) == "1 mul, 1 add, 2 sin/cos, 1 div, 1 sign, 4 sqrt/exp/log/tanh, 2 select"


def test_a_program_reads_line_by_line():
    chosen = dataclasses.replace(
        GOOD, code=((INPUT, 0, 1), (ops.EXP, 0, None), (ops.LESS, 0, 1), (ops.SELECT, 2, 0, 1)), results=((3,),)
    )
    assert chosen.text().splitlines()[1:] == [
        "v0 = x[1]",
        "v1 = exp(v0)",
        "v2 = less(v0, v1)",
        "v3 = select(v2, v0, v1)",
        "y[0] = v3",
    ]
    code = ((INPUT, 0, 1), (CONST, 2.5, None), (ADD, 0, 1), (NEG, 2, None), (SIN, 3, None))
    text = dataclasses.replace(GOOD, code=code, results=((4,),)).text()
    assert text.splitlines()[1:] == ["v0 = x[1]", "v1 = 2.5", "v2 = v0 + v1", "v3 = -v2", "v4 = sin(v3)", "y[0] = v4"]
