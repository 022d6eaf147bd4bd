"""Sign, guard, comparison and selection in LLVM IR.

A NaN that is compared stays a NaN: the fast sine returns one for an angle that is too large for it (`trigonometry.py`), and a
selection of one side would then be silently wrong. Only the operand that is not selected is lost.
"""

from __future__ import annotations

import math

from .emitter import Emitter


def emit_sign(e: Emitter, x: str) -> str:
    """Append -1, 0 or 1, or NaN; return its name."""
    v, zero = e.vector, e.constant(0.0)
    above, below = e.value(f"fcmp ogt {v} {x}, {zero}"), e.value(f"fcmp olt {v} {x}, {zero}")
    # neither: x is 0 or NaN itself
    plus = e.value(f"select {e.mask} {above}, {v} {e.constant(1.0)}, {v} {x}")
    return e.value(f"select {e.mask} {below}, {v} {e.constant(-1.0)}, {v} {plus}")


def emit_guard(e: Emitter, x: str, least: str) -> str:
    """Append x where it is above `least`, otherwise NaN; return its name."""
    above = e.value(f"fcmp ogt {e.vector} {x}, {least}")
    return e.value(f"select {e.mask} {above}, {e.vector} {x}, {e.vector} {e.constant(math.nan)}")


def emit_less(e: Emitter, a: str, b: str) -> str:
    """Append 1 where a < b, otherwise 0; NaN where one of them is NaN; return its name."""
    v, c = e.vector, e.constant
    holds, unknown = e.value(f"fcmp olt {v} {a}, {b}"), e.value(f"fcmp uno {v} {a}, {b}")
    found = e.value(f"select {e.mask} {holds}, {v} {c(1.0)}, {v} {c(0.0)}")
    return e.value(f"select {e.mask} {unknown}, {v} {c(math.nan)}, {v} {found}")


def emit_select(e: Emitter, condition: str, a: str, b: str) -> str:
    """Append a where the condition is above 0, otherwise b; NaN where it is NaN; return its name."""
    v, zero = e.vector, e.constant(0.0)
    holds, unknown = e.value(f"fcmp ogt {v} {condition}, {zero}"), e.value(f"fcmp uno {v} {condition}, {zero}")
    found = e.value(f"select {e.mask} {holds}, {v} {a}, {v} {b}")
    return e.value(f"select {e.mask} {unknown}, {v} {condition}, {v} {found}")
