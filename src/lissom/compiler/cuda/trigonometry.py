"""Sine and cosine in PTX, as one; the reduction and the polynomials are those of `lower/trigonometry.py`.

x = k pi/2 + r with |r| <= pi/4. k comes from adding a large number that pushes the fraction out of the mantissa. In double two
parts of pi/2 serve up to 2^44: x - k P1 is exact by the fused operation, and what they leave out of pi/2 is 1.5e-33, k times that
2e-20. In single three parts serve up to 2^17, where neighboring numbers are 0.016 apart. Beyond, and for what is not finite, the
result is not a number: the kernel reports that, and samples from host memory are computed again by NumPy, which is right for
every argument.
"""

from __future__ import annotations

import struct

from ..lower.trigonometry import COSINE, PARTS, SINE
from .emitter import Emitter

LARGEST, LARGEST_SINGLE = 2.0**44, 2.0**17

_TURNS = 0.6366197723675814  # 2 / pi
_PUSH, _PUSH_SINGLE = 1.5 * 2.0**52, 1.5 * 2.0**23
_NAN, _NAN_SINGLE = 0x7FF80000, 0x7FC00000  # of a double the high word
# of Cephes' sinf and cosf
_SINE_SINGLE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE_SINGLE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)


def emit_sincos(e: Emitter, x: str, shift: float = 0.0) -> tuple[str, str]:
    """Append sin(x + shift) and cos(x + shift); return their registers.

    The shift (at most pi/4) is added to what is left of x, so that a large x keeps its digits.
    """
    c = e.constant
    push, parts = (_PUSH_SINGLE, _parts_single()) if e.single else (_PUSH, PARTS)
    x = _known(e, x)
    if shift:
        pushed = e.number("add.rn", e.fma(x, c(_TURNS), c(shift * _TURNS)), c(push))
    else:
        pushed = e.fma(x, c(_TURNS), c(push))
    k = e.number("sub.rn", pushed, c(push))
    r = e.fma(k, c(-parts[0]), x)
    r = e.number("add.rn", r, c(shift)) if shift else r
    for part in parts[1:]:
        r = e.fma(k, c(-part), r)
    sine, cosine = _polynomials(e, r)
    # odd quarters exchange the two, the second bit of the quarter gives the sign
    quarter = e.value("mov.b32", pushed, kind="i") if e.single else e.words(pushed)[0]
    odd = e.value("setp.ne.u32", e.value("and.b32", quarter, "1", kind="i"), "0", kind="p")
    out_sine, out_cosine = e.choose(odd, cosine, sine), e.choose(odd, sine, cosine)
    following = e.value("add.u32", quarter, "1", kind="i")
    return _with_sign(e, out_sine, quarter), _with_sign(e, out_cosine, following)


def _known(e: Emitter, x: str) -> str:
    """Append x, or NaN where it is too large or not finite: whole numbers compare as the magnitudes do."""
    if e.single:
        bits = e.value("mov.b32", x, kind="i")
        size = e.value("and.b32", bits, "2147483647", kind="i")
        fits = e.value("setp.le.u32", size, str(struct.unpack("<I", struct.pack("<f", LARGEST_SINGLE))[0]), kind="p")
        return e.value("mov.b32", e.value("selp.b32", bits, str(_NAN_SINGLE), fits, kind="i"))
    low, high = e.words(x)
    size = e.value("and.b32", high, "2147483647", kind="i")
    fits = e.value("setp.lt.u32", size, str(struct.unpack("<Q", struct.pack("<d", LARGEST))[0] >> 32), kind="p")
    return e.from_words(low, e.value("selp.b32", high, str(_NAN), fits, kind="i"))


def _polynomials(e: Emitter, r: str) -> tuple[str, str]:
    """Append sine and cosine of |r| <= pi/4."""
    c = e.constant
    sines, cosines = (_SINE_SINGLE, _COSINE_SINGLE) if e.single else (SINE, COSINE)
    z = e.number("mul.rn", r, r)
    sine, cosine = c(sines[0]), c(cosines[0])
    for p in sines[1:]:
        sine = e.fma(sine, z, c(p))
    for p in cosines[1:]:
        cosine = e.fma(cosine, z, c(p))
    sine = e.fma(sine, e.number("mul.rn", z, r), r)
    return sine, e.fma(cosine, e.number("mul.rn", z, z), e.fma(z, c(-0.5), c(1.0)))


def _with_sign(e: Emitter, x: str, quarter: str) -> str:
    """Negate x where the second bit of `quarter` is set."""
    bit = e.value("and.b32", e.value("shl.b32", quarter, "30", kind="i"), "2147483648", kind="i")
    if e.single:
        return e.value("mov.b32", e.value("xor.b32", e.value("mov.b32", x, kind="i"), bit, kind="i"))
    low, high = e.words(x)
    return e.from_words(low, e.value("xor.b32", high, bit, kind="i"))


def _parts_single() -> tuple[float, ...]:
    """Return pi/2 in three parts, the first two in single precision."""
    parts, left = [], PARTS[0]
    for _ in range(2):
        parts.append(struct.unpack("<f", struct.pack("<f", left))[0])
        left -= parts[-1]
    return (*parts, left + PARTS[1])
