"""Replay: run a program on scalars of any kind: floats, NumPy arrays (a batch), or symbols of another trace."""

from __future__ import annotations

from collections.abc import Sequence

from ..spatial.scalar import Scalar, add, guard, mul, sign, sincos, sincos_plus, sub
from .program import ADD, BINARY, CONST, COS, DIV, GUARD, INPUT, MUL, NEG, SIGN, SIN, SUB, Program
from .segment import angle

_TWO = {ADD: add, SUB: sub, MUL: mul, DIV: lambda a, b: a / b, GUARD: guard}
_ONE = {NEG: lambda a: -a, SIGN: sign}


def replay(program: Program, arguments: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return the results of a program at its arguments, one list of scalars for each."""
    values: dict[int, Scalar] = {}
    turned: dict[tuple[int, float], tuple[Scalar, Scalar]] = {}
    for k, ending in enumerate(_endings(program)):
        op, a, b = program.code[k]
        if op == CONST:
            values[k] = a
        elif op == INPUT:
            values[k] = arguments[int(a)][int(b or 0)]
        elif op in BINARY:
            values[k] = _TWO[op](values[int(a)], values[int(b or 0)])
        elif op in (SIN, COS):
            x, shift = at = angle(program, k)
            if at not in turned:
                turned[at] = sincos_plus(values[x], shift) if shift else sincos(values[x])
            values[k] = turned[at][op == COS]
        else:
            values[k] = _ONE[op](values[int(a)])
        for x in ending:  # a batch of a long program would not fit in memory otherwise
            del values[x]
    return [[values[k] for k in entries] for entries in program.results]


def _endings(program: Program) -> list[list[int]]:
    """Return for each instruction the values that nothing uses after it; results stay."""
    last: dict[int, int] = {}
    for k, (op, a, b) in enumerate(program.code):
        last[k] = k
        if op in (SIN, COS):
            last[angle(program, k)[0]] = k
        if op not in (CONST, INPUT):
            last[int(a)] = k
            if op in BINARY:
                last[int(b or 0)] = k
    kept = {k for entries in program.results for k in entries}
    endings: list[list[int]] = [[] for _ in program.code]
    for k, end in last.items():
        if k not in kept:
            endings[end].append(k)
    return endings
