"""Replay: run a program on scalars of any kind: floats, NumPy arrays (a batch), or symbols of another trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..spatial.scalar import Scalar, add, exp, guard, less, log, mul, select, sign, sincos, sincos_plus, sqrt, sub, tanh
from . import program as ops
from .labels import listening
from .program import Program, operands
from .segment import angle

_OPERATIONS: dict[str, Callable[..., Scalar]] = {ops.ADD: add, ops.SUB: sub, ops.MUL: mul, ops.DIV: lambda a, b: a / b}
_OPERATIONS |= {ops.NEG: lambda a: -a, ops.SQRT: sqrt, ops.EXP: exp, ops.LOG: log, ops.TANH: tanh}
_OPERATIONS |= {ops.SIGN: sign, ops.GUARD: guard, ops.LESS: less, ops.SELECT: select}


def replay(program: Program, arguments: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return the results of a program at its arguments, one list of scalars for each; a trace hears the program's labels."""
    notes = listening.get()
    labels = program.words.labels if notes is not None and program.words is not None else {}
    if notes is not None and program.words is not None:
        for symbol, meaning in program.words.meanings.items():
            notes.meanings.setdefault(symbol, meaning)
    values: dict[int, Scalar] = {}
    turned: dict[tuple[int, float], tuple[Scalar, Scalar]] = {}
    for k, ending in enumerate(_endings(program)):
        op, a, b = program.code[k][:3]
        if op == ops.CONST:
            values[k] = a
        elif op == ops.INPUT:
            values[k] = arguments[int(a)][int(b or 0)]
        elif op in (ops.SIN, ops.COS):
            x, shift = at = angle(program, k)
            if at not in turned:
                turned[at] = sincos_plus(values[x], shift) if shift else sincos(values[x])
            values[k] = turned[at][op == ops.COS]
        else:
            values[k] = _OPERATIONS[op](*(values[x] for x in operands(program.code[k])))
        if notes is not None and k in labels:
            notes.put(values[k], labels[k])
        for x in ending:  # a batch of a long program would not fit in memory otherwise
            del values[x]
    return [[values[k] for k in entries] for entries in program.results]


def _endings(program: Program) -> list[list[int]]:
    """Return for each instruction the values that nothing uses after it; results stay."""
    last: dict[int, int] = {}
    for k, instruction in enumerate(program.code):
        last[k] = k
        if instruction[0] in (ops.SIN, ops.COS):
            last[angle(program, k)[0]] = k
        last.update(dict.fromkeys(operands(instruction), k))
    kept = {k for entries in program.results for k in entries}
    endings: list[list[int]] = [[] for _ in program.code]
    for k, end in last.items():
        if k not in kept:
            endings[end].append(k)
    return endings
