"""Exponential, logarithm and hyperbolic tangent in LLVM IR; LLVM's own vector intrinsics would call the scalar library.

    exp    x = k ln 2 + r with |r| <= ln(2) / 2; e^r = 1 + r + r^2/2 + r^3 P(r); 2^k as two factors, for results below the normal
           numbers and up to the largest
    log    x = 2^k m with m between sqrt(1/2) and sqrt(2), f = m - 1, s = f / (2 + f);
           log m = 2 artanh(s) = f - (h - s (h + R)) with h = f^2/2 and R = 2 artanh(s)/s - 2, a polynomial in s^2
    tanh   t / (t + 2) with t = e^(2|x|) - 1, without cancellation: (2^k - 1) + 2^k (e^r - 1)
The polynomials go through the functions at Chebyshev nodes (docs/why/functions.md). Every argument is served, NaN and infinity
too, as the C library does.
"""

from __future__ import annotations

import math

from .emitter import Emitter

_PUSH = 1.5 * 2.0**52  # pushes the fraction out of the mantissa; the whole number is then in the last bits
LN2, LN2_REST = 0.6931471805599453, 2.3190468138462996e-17  # ln 2 in two parts
_LN2_SHORT, _LN2_SHORT_REST = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")  # 32 bits, and the rest
EXP_TERMS: tuple[float, ...] = (
    2.0911236630261545e-09,
    2.510038549551032e-08,
    2.755728296954995e-07,
    2.7557268459997064e-06,
    2.4801587317144498e-05,
)
EXP_TERMS += (0.00019841269863053618, 0.0013888888888886552, 0.008333333333330062, 0.041666666666666664, 0.16666666666666669)
LOG_TERMS: tuple[float, ...] = (0.14616585426228007, 0.15331710618082683, 0.18182889455679657)
LOG_TERMS += (0.22222211130259795, 0.2857142862600327, 0.39999999999899444, 0.666666666666667)
_ROOT = 0x3FE6A09E667F3BCD  # bits of sqrt(1/2)
_ONE = 0x3FF0000000000000  # bits of 1


def emit_sqrt(e: Emitter, x: str) -> str:
    """Append the square root, which processors round exactly; return its name."""
    return e.value(f"call {e.vector} @llvm.sqrt.{e.suffix}({e.vector} {x})")


def emit_exp(e: Emitter, x: str) -> str:
    """Append e^x; return its name."""
    v, c = e.vector, e.constant
    # beyond, the result is 0 or infinite; NaN passes both comparisons
    x = _bounded(e, _bounded(e, x, "olt", -746.0), "ogt", 710.0)
    _, k, r, _ = _reduced(e, x)
    power = e.value(f"fadd {v} {e.value(f'fadd {v} {r}, {_bend(e, r)}')}, {c(1.0)}")
    half = e.fma(k, c(0.5), c(_PUSH))
    rest = e.value(f"fsub {v} {k}, {e.value(f'fsub {v} {half}, {c(_PUSH)}')}")
    power = e.value(f"fmul {v} {power}, {_two_to(e, half)}")
    return e.value(f"fmul {v} {power}, {_two_to(e, e.value(f'fadd {v} {rest}, {c(_PUSH)}'))}")


def emit_tanh(e: Emitter, x: str) -> str:
    """Append tanh(x); return its name."""
    v, c = e.vector, e.constant

    def op(name: str, *x: str) -> str:
        return e.value(f"{name} {v} {', '.join(x)}")

    size = e.value(f"call {v} @llvm.fabs.{e.suffix}({v} {x})")
    double = _bounded(e, e.value(f"fadd {v} {size}, {size}"), "ogt", 44.0)  # beyond, the result is 1
    pushed, k, r, r_rest = _reduced(e, double)
    # e^r - 1, then t, each with what rounding leaves over
    bend = _bend(e, r)
    p = op("fadd", r, bend)
    p_rest = op("fadd", op("fadd", op("fsub", r, p), bend), r_rest)
    scale = _two_to(e, pushed)
    whole, part = op("fsub", scale, c(1.0)), op("fmul", scale, p)
    t = op("fadd", whole, part)
    t_rest = e.fma(scale, p_rest, op("fadd", op("fsub", whole, t), part))
    # the quotient, and what is missing in it
    below = op("fadd", t, c(2.0))
    below_rest = op("fadd", op("fsub", t, op("fsub", below, c(2.0))), t_rest)
    inverse = op("fdiv", c(1.0), below)
    y = op("fmul", t, inverse)
    missing = op("fadd", e.fma(op("fneg", y), below, t), e.fma(op("fneg", y), below_rest, t_rest))
    y = e.fma(missing, inverse, y)
    return e.value(f"call {v} @llvm.copysign.{e.suffix}({v} {y}, {v} {x})")


def emit_log(e: Emitter, x: str) -> str:
    """Append the natural logarithm; return its name."""
    v, i, c = e.vector, e.integer, e.constant
    # below the normal numbers, digits are brought up first
    low = e.value(f"fcmp olt {v} {x}, {c(2.0**-1022)}")
    raised = e.value(f"fmul {v} {x}, {c(2.0**54)}")
    normal = e.value(f"select {e.mask} {low}, {v} {raised}, {v} {x}")
    # exponent and mantissa, parted at sqrt(1/2) instead of at 1
    bits = e.value(f"bitcast {v} {normal} to {i}")
    parted = e.value(f"add {i} {bits}, {e.whole(_ONE - _ROOT)}")
    exponent = e.value(f"or {i} {e.value(f'lshr {i} {parted}, {e.whole(52)}')}, {e.whole(0x4330000000000000)}")
    offset = e.value(f"select {e.mask} {low}, {v} {c(2.0**52 + 1023 + 54)}, {v} {c(2.0**52 + 1023)}")
    k = e.value(f"fsub {v} {e.value(f'bitcast {i} {exponent} to {v}')}, {offset}")
    mantissa = e.value(f"add {i} {e.value(f'and {i} {parted}, {e.whole(2**52 - 1)}')}, {e.whole(_ROOT)}")
    f = e.value(f"fadd {v} {e.value(f'bitcast {i} {mantissa} to {v}')}, {c(-1.0)}")
    # logarithm of the mantissa, and k ln 2
    s = e.value(f"fdiv {v} {f}, {e.value(f'fadd {v} {f}, {c(2.0)}')}")
    z = e.value(f"fmul {v} {s}, {s}")
    polynomial = c(LOG_TERMS[0])
    for p in LOG_TERMS[1:]:
        polynomial = e.fma(polynomial, z, c(p))
    h = e.value(f"fmul {v} {e.value(f'fmul {v} {f}, {c(0.5)}')}, {f}")
    inner = e.fma(s, e.fma(z, polynomial, h), e.value(f"fmul {v} {k}, {c(LN2_REST)}"))
    found = e.fma(k, c(LN2), e.value(f"fsub {v} {f}, {e.value(f'fsub {v} {h}, {inner}')}"))
    # infinity and NaN are their own logarithms, 0 and negative numbers have none
    positive, finite = e.value(f"fcmp ogt {v} {x}, {c(0.0)}"), e.value(f"fcmp olt {v} {x}, {c(math.inf)}")
    found = e.value(f"select {e.mask} {finite}, {v} {found}, {v} {x}")
    is_zero = e.value(f"fcmp oeq {v} {x}, {c(0.0)}")
    none = e.value(f"select {e.mask} {is_zero}, {v} {c(-math.inf)}, {v} {c(math.nan)}")
    return e.value(f"select {e.mask} {positive}, {v} {found}, {v} {none}")


def _bounded(e: Emitter, x: str, side: str, bound: float) -> str:
    beyond = e.value(f"fcmp {side} {e.vector} {x}, {e.constant(bound)}")
    return e.value(f"select {e.mask} {beyond}, {e.vector} {e.constant(bound)}, {e.vector} {x}")


def _reduced(e: Emitter, x: str) -> tuple[str, str, str, str]:
    """Return k with the fraction pushed out, k, and r of x = k ln 2 + r with what rounding leaves over."""
    c = e.constant
    pushed = e.fma(x, c(1.4426950408889634), c(_PUSH))
    k = e.value(f"fsub {e.vector} {pushed}, {c(_PUSH)}")
    high, rest = (LN2, LN2_REST) if e.fused else (_LN2_SHORT, _LN2_SHORT_REST)
    first = e.fma(k, c(-high), x)  # exact
    r = e.fma(k, c(-rest), first)
    return pushed, k, r, e.fma(k, c(-rest), e.value(f"fsub {e.vector} {first}, {r}"))


def _bend(e: Emitter, r: str) -> str:
    """Return e^r - 1 - r for |r| <= ln(2) / 2."""
    c = e.constant
    polynomial = c(EXP_TERMS[0])
    for p in EXP_TERMS[1:]:
        polynomial = e.fma(polynomial, r, c(p))
    return e.value(f"fmul {e.vector} {e.value(f'fmul {e.vector} {r}, {r}')}, {e.fma(polynomial, r, c(0.5))}")


def _two_to(e: Emitter, pushed: str) -> str:
    """Return 2^k, a normal number, for k in the last bits of a pushed value: they become the exponent."""
    i = e.integer
    biased = e.value(f"add {i} {e.value(f'bitcast {e.vector} {pushed} to {i}')}, {e.whole(1023)}")
    return e.value(f"bitcast {i} {e.value(f'shl {i} {biased}, {e.whole(52)}')} to {e.vector}")
