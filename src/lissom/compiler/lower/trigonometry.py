"""Sine and cosine in LLVM IR, as one: LLVM's own vector intrinsics would call the scalar library eight times.

x = k pi/2 + r with |r| <= pi/4 (Cody and Waite). k comes from adding a large number that pushes the fraction out of the
mantissa; with fused multiply-adds x - k P1 is exact and the two parts P1 + P2 of pi/2 leave an error below 1e-24 up to LARGEST.
Where they may be missing, pi/2 has three parts, two of them of 33 bits, so that k times each is exact up to LARGEST_UNFUSED.
Beyond, the result is not a number, which the kernel reports; the caller then asks the C library, which is right for every
argument. The polynomials are those of Cephes (Moshier), good to one unit in the last place for |r| <= pi/4.
"""

from __future__ import annotations

from .emitter import Emitter

LARGEST, LARGEST_UNFUSED = 2.0**30, 2.0**20

_PUSH = 1.5 * 2.0**52
PARTS = 1.5707963267948966, 6.123233995736766e-17  # of pi/2
_SHORT_PARTS = (
    float.fromhex("0x1.921fb54400000p+0"),
    float.fromhex("0x1.0b4611a600000p-34"),
    float.fromhex("0x1.3198a2e037073p-69"),
)
SINE: tuple[float, ...] = (1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6)
SINE += (-1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1)
COSINE: tuple[float, ...] = (-1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7)
COSINE += (2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2)


def emit_sincos(e: Emitter, x: str, shift: float = 0.0) -> tuple[str, str]:
    """Append sin(x + shift) and cos(x + shift); return their names.

    The shift (at most pi/4) is added to what is left of x, so that a large x keeps its digits.
    """
    v, i, c = e.vector, e.integer, e.constant
    # too large or not finite: not a number
    size = e.value(f"call {v} @llvm.fabs.{e.suffix}({v} {x})")
    known = e.value(f"fcmp ole {v} {size}, {c(LARGEST if e.fused else LARGEST_UNFUSED)}")
    x = e.value(f"select {e.mask} {known}, {v} {x}, {v} {c(float('nan'))}")
    # nearest multiple of pi/2, and what is left
    turns = e.fma(x, c(0.6366197723675814), c(shift * 0.6366197723675814)) if shift else None
    pushed = e.value(f"fadd {v} {turns}, {c(_PUSH)}") if shift else e.fma(x, c(0.6366197723675814), c(_PUSH))
    k = e.value(f"fsub {v} {pushed}, {c(_PUSH)}")
    first, *rest = PARTS if e.fused else _SHORT_PARTS
    r = e.fma(k, c(-first), x)
    r = e.value(f"fadd {v} {r}, {c(shift)}") if shift else r
    for part in rest:
        r = e.fma(k, c(-part), r)
    # both polynomials
    z = e.value(f"fmul {v} {r}, {r}")
    sine, cosine = c(SINE[0]), c(COSINE[0])
    for p, q in zip(SINE[1:], COSINE[1:], strict=True):
        sine, cosine = e.fma(sine, z, c(p)), e.fma(cosine, z, c(q))
    sine = e.fma(sine, e.value(f"fmul {v} {z}, {r}"), r)
    cosine = e.fma(cosine, e.value(f"fmul {v} {z}, {z}"), e.fma(z, c(-0.5), c(1.0)))
    # odd quarters exchange the two, the second bit of the quarter gives the sign
    quarter = e.value(f"bitcast {v} {pushed} to {i}")
    odd = e.value(f"icmp ne {i} {e.value(f'and {i} {quarter}, {e.whole(1)}')}, {e.whole(0)}")
    out_sine = e.value(f"select {e.mask} {odd}, {v} {cosine}, {v} {sine}")
    out_cosine = e.value(f"select {e.mask} {odd}, {v} {sine}, {v} {cosine}")
    next_quarter = e.value(f"add {i} {quarter}, {e.whole(1)}")
    return _with_sign(e, out_sine, quarter), _with_sign(e, out_cosine, next_quarter)


def _with_sign(e: Emitter, x: str, quarter: str) -> str:
    """Negate x where the second bit of `quarter` is set."""
    # shift first: masking and flipping are then one instruction where the machine has it
    bit = e.value(f"and {e.integer} {e.value(f'shl {e.integer} {quarter}, {e.whole(62)}')}, {e.whole(-(2**63))}")
    flipped = e.value(f"xor {e.integer} {e.value(f'bitcast {e.vector} {x} to {e.integer}')}, {bit}")
    return e.value(f"bitcast {e.integer} {flipped} to {e.vector}")
