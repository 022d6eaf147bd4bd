"""Instructions of a program in PTX, other than sine and cosine.

A NaN that is compared stays a NaN: the fast sine returns one for an angle that is too large for it (`trigonometry.py`), and a
selection of one side would then be silently wrong. Only the operand that is not selected is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ..program import ADD, DIV, EXP, GUARD, LESS, LOG, MUL, NEG, SELECT, SIGN, SQRT, SUB, TANH
from .emitter import Emitter
from .functions import emit_exp, emit_log, emit_tanh


def emit_sign(e: Emitter, x: str) -> str:
    """Append -1, 0 or 1, or NaN."""
    zero = e.constant(0.0)
    # neither above nor below: x is 0 or NaN itself
    above = e.choose(e.compare("gt", x, zero), e.constant(1.0), x)
    return e.choose(e.compare("lt", x, zero), e.constant(-1.0), above)


def emit_guard(e: Emitter, x: str, least: str) -> str:
    """Append x where it is above `least`, otherwise NaN."""
    return e.choose(e.compare("gt", x, least), x, e.constant(math.nan))


def emit_less(e: Emitter, a: str, b: str) -> str:
    """Append 1 where a < b, otherwise 0; NaN where one of them is NaN."""
    found = e.choose(e.compare("lt", a, b), e.constant(1.0), e.constant(0.0))
    return e.choose(e.compare("nan", a, b), e.constant(math.nan), found)


def emit_select(e: Emitter, condition: str, a: str, b: str) -> str:
    """Append a where the condition is above 0, otherwise b; NaN where it is NaN."""
    zero = e.constant(0.0)
    found = e.choose(e.compare("gt", condition, zero), a, b)
    return e.choose(e.compare("nan", condition, zero), condition, found)


def _plain(op: str) -> Callable[..., str]:
    return lambda e, *operands: e.number(op, *operands)


EMIT: Mapping[str, Callable[..., str]] = {
    ADD: _plain("add"),
    SUB: _plain("sub"),
    MUL: _plain("mul"),
    DIV: _plain("div.rn"),
    NEG: _plain("neg"),
    SQRT: _plain("sqrt.rn"),
    SIGN: emit_sign,
    GUARD: emit_guard,
    LESS: emit_less,
    SELECT: emit_select,
    EXP: emit_exp,
    LOG: emit_log,
    TANH: emit_tanh,
}
