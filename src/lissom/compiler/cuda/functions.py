"""Exponential, logarithm and hyperbolic tangent in PTX: the reductions and polynomials of `lower/functions.py`.

In single precision they are computed in double and rounded: robots use them rarely. Every argument is served, NaN and infinity
too.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..lower.functions import EXP_TERMS, LN2, LN2_REST, LOG_TERMS
from .emitter import Emitter, double

_PUSH = 1.5 * 2.0**52  # pushes the fraction out of the mantissa; the whole number is then in the last bits
_ROOT = 0x3FE6A09E667F3BCD  # bits of sqrt(1/2)
_ONE = 0x3FF0000000000000  # bits of 1


class _Double:
    """Operations on doubles, whatever the precision of the kernel; they are never fused unless asked for."""

    def __init__(self, e: Emitter) -> None:
        self.e = e

    def op(self, name: str, *x: str) -> str:
        return self.e.value(f"{name}.f64", *x, kind="h")

    def add(self, a: str, b: str) -> str:
        return self.op("add.rn", a, b)

    def sub(self, a: str, b: str) -> str:
        return self.op("sub.rn", a, b)

    def mul(self, a: str, b: str) -> str:
        return self.op("mul.rn", a, b)

    def fma(self, a: str, b: str, c: str) -> str:
        return self.op("fma.rn", a, b, c)

    def div(self, a: str, b: str) -> str:
        return self.op("div.rn", a, b)

    def where(self, how: str, a: str, b: str, x: str, y: str) -> str:
        """Return x where a and b compare in this way, otherwise y."""
        return self.op("selp", x, y, self.e.value(f"setp.{how}.f64", a, b, kind="p"))

    def horner(self, terms: tuple[float, ...], x: str) -> str:
        """Return the polynomial of these terms, the highest first."""
        found = double(terms[0])
        for term in terms[1:]:
            found = self.fma(found, x, double(term))
        return found

    def two_to(self, pushed: str) -> str:
        """Return 2^k, a normal number, for k in the last bits of a pushed value: they become the exponent."""
        e = self.e
        biased = e.value("add.s64", e.value("mov.b64", pushed, kind="a"), "1023", kind="a")
        return e.value("mov.b64", e.value("shl.b64", biased, "52", kind="a"), kind="h")

    def reduced(self, x: str) -> tuple[str, str, str, str]:
        """Return k with the fraction pushed out, k, and r of x = k ln 2 + r with what rounding leaves over."""
        pushed = self.fma(x, double(1.4426950408889634), double(_PUSH))
        k = self.sub(pushed, double(_PUSH))
        first = self.fma(k, double(-LN2), x)  # exact
        r = self.fma(k, double(-LN2_REST), first)
        return pushed, k, r, self.fma(k, double(-LN2_REST), self.sub(first, r))

    def bend(self, r: str) -> str:
        """Return e^r - 1 - r for |r| <= ln(2) / 2."""
        return self.mul(self.mul(r, r), self.fma(self.horner(EXP_TERMS, r), r, double(0.5)))


def _exp(d: _Double, x: str) -> str:
    # beyond, the result is 0 or infinite; NaN passes both comparisons
    x = d.where("lt", x, double(-746.0), double(-746.0), x)
    x = d.where("gt", x, double(710.0), double(710.0), x)
    _, k, r, _ = d.reduced(x)
    power = d.add(d.add(r, d.bend(r)), double(1.0))
    half = d.fma(k, double(0.5), double(_PUSH))
    rest = d.sub(k, d.sub(half, double(_PUSH)))
    power = d.mul(power, d.two_to(half))
    return d.mul(power, d.two_to(d.add(rest, double(_PUSH))))


def _tanh(d: _Double, x: str) -> str:
    size = d.op("abs", x)
    twice = d.add(size, size)
    twice = d.where("gt", twice, double(44.0), double(44.0), twice)  # beyond, the result is 1
    pushed, _, r, r_rest = d.reduced(twice)
    # e^r - 1, then t, each with what rounding leaves over
    bend = d.bend(r)
    p = d.add(r, bend)
    p_rest = d.add(d.add(d.sub(r, p), bend), r_rest)
    scale = d.two_to(pushed)
    whole, part = d.sub(scale, double(1.0)), d.mul(scale, p)
    t = d.add(whole, part)
    t_rest = d.fma(scale, p_rest, d.add(d.sub(whole, t), part))
    # the quotient, and what is missing in it
    below = d.add(t, double(2.0))
    below_rest = d.add(d.sub(t, d.sub(below, double(2.0))), t_rest)
    inverse = d.div(double(1.0), below)
    y = d.mul(t, inverse)
    minus = d.op("neg", y)
    missing = d.add(d.fma(minus, below, t), d.fma(minus, below_rest, t_rest))
    y = d.fma(missing, inverse, y)
    return d.op("copysign", x, y)  # the sign of the first, the size of the second


def _log(d: _Double, x: str) -> str:
    e = d.e
    # below the normal numbers, digits are brought up first
    low = e.value("setp.lt.f64", x, double(2.0**-1022), kind="p")
    normal = d.op("selp", d.mul(x, double(2.0**54)), x, low)
    # exponent and mantissa, parted at sqrt(1/2) instead of at 1
    parted = e.value("add.s64", e.value("mov.b64", normal, kind="a"), str(_ONE - _ROOT), kind="a")
    exponent = e.value("or.b64", e.value("shr.u64", parted, "52", kind="a"), str(0x4330000000000000), kind="a")
    offset = d.op("selp", double(2.0**52 + 1023 + 54), double(2.0**52 + 1023), low)
    k = d.sub(e.value("mov.b64", exponent, kind="h"), offset)
    mantissa = e.value("add.s64", e.value("and.b64", parted, str(2**52 - 1), kind="a"), str(_ROOT), kind="a")
    f = d.add(e.value("mov.b64", mantissa, kind="h"), double(-1.0))
    # logarithm of the mantissa, and k ln 2
    s = d.div(f, d.add(f, double(2.0)))
    z = d.mul(s, s)
    h = d.mul(d.mul(f, double(0.5)), f)
    inner = d.fma(s, d.fma(z, d.horner(LOG_TERMS, z), h), d.mul(k, double(LN2_REST)))
    found = d.fma(k, double(LN2), d.sub(f, d.sub(h, inner)))
    # infinity and NaN are their own logarithms, 0 and negative numbers have none
    found = d.where("lt", x, double(math.inf), found, x)
    none = d.where("eq", x, double(0.0), double(-math.inf), double(math.nan))
    return d.where("gt", x, double(0.0), found, none)


def _served(function: Callable[[_Double, str], str]) -> Callable[[Emitter, str], str]:
    def emit(e: Emitter, x: str) -> str:
        given = e.value("cvt.f64.f32", x, kind="h") if e.single else x
        found = function(_Double(e), given)
        return e.value("cvt.rn.f32.f64", found) if e.single else e.value("mov.f64", found)

    return emit


emit_exp, emit_log, emit_tanh = _served(_exp), _served(_log), _served(_tanh)
