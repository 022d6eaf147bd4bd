"""Helpers of C sources: sine and cosine in one, and the operations that C has no word for; those that are called are written.

The sine is lissom's own (`compiler/lower/trigonometry.py`): the angle less multiples of pi/2, in parts that are exact for angles
up to a limit, then the polynomials of Cephes (Moshier). Here pi/2 has three parts, so that fused multiply-add is not needed.
Beyond the limit, and where the processor computes with more digits than it stores, libm answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...compiler import program as ops
from ...compiler.statements import SINCOS

if TYPE_CHECKING:
    from ..library import Library
    from .body import Body

_OWN = """/* Sine and cosine of x{plus}, to one unit in the last place. Do not compile with -ffast-math. */
{static}inline void {name}({real} x, {argument}{real} {by}sine, {real} {by}cosine)
{{
    const {real} push = {push}; /* adding it leaves a whole number of quarter turns */
    const {real} turns = x*{quarters}{turned} + push, k = turns - push;
    const {real} r = ((x - k*{p1}) - k*{p2}) - k*{p3}{plus};
    const {real} z = r*r;
    const {real} s = r +
        r*z*({sines});
    const {real} c = {one} - {half}*z +
        z*z*({cosines});
    {bits} quarter, a, b, swap; /* the last digits of turns, and bits of s and c: choosing by them needs no branch */
    if (!({m}fabs{f}(x) <= {limit}) || {excess}) {{
        {large}
        return;
    }}
    {m}memcpy(&quarter, &turns, sizeof quarter);
    {m}memcpy(&a, &s, sizeof a);
    {m}memcpy(&b, &c, sizeof b);
    swap = (a ^ b) & (0 - (quarter & 1));
    a ^= swap ^ ((quarter & 2) << {top});
    b ^= swap ^ (((quarter + 1) & 2) << {top});
    {m}memcpy({to}sine, &a, sizeof a);
    {m}memcpy({to}cosine, &b, sizeof b);
}}

"""
_LIBM = """/* Sine and cosine of x{plus}. */
{static}inline void {name}({real} x, {argument}{real} {by}sine, {real} {by}cosine)
{{
    {large}
}}

"""
_LARGE = "{at}sine = {m}sin{f}(x);\n    {at}cosine = {m}cos{f}(x);"
_LARGE_PLUS = """const {real} s = {m}sin{f}(x), c = {m}cos{f}(x), s0 = {m}sin{f}(shift), c0 = {m}cos{f}(shift);
    {at}sine = s*c0 + c*s0;
    {at}cosine = c*c0 - s*s0;"""
_DOUBLE = {
    "push": "6755399441055744.0",
    "quarters": "0.6366197723675814",
    "p1": "1.57079632673412561417",
    "p2": "6.07710050630396597660e-11",
    "p3": "2.02226624879595063154e-21",
    "one": "1.0",
    "half": "0.5",
    "limit": "1.0e6",
    "excess": "FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD > 64",  # 16 with half precision: doubles stay so
}
_SINES: tuple[str, ...] = ("-1.66666666666666307295e-1", "8.33333333332211858878e-3", "-1.98412698295895385996e-4")
_SINES += ("2.75573136213857245213e-6", "-2.50507477628578072866e-8", "1.58962301576546568060e-10")
_COSINES: tuple[str, ...] = ("4.16666666666665929218e-2", "-1.38888888888730564116e-3", "2.48015872888517045348e-5")
_COSINES += ("-2.75573141792967388112e-7", "2.08757008419747316778e-9", "-1.13585365213876817300e-11")
_SINGLE = {
    "push": "12582912.0f",
    "quarters": "0.636619772f",
    "p1": "1.5703125f",
    "p2": "4.83751297e-4f",
    "p3": "7.54978995e-8f",
    "one": "1.0f",
    "half": "0.5f",
    "limit": "8.0e3f",
    "excess": "(FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && FLT_EVAL_METHOD != 32)",
}
_SINES_SINGLE = ("-1.6666654611e-1f", "8.3321608736e-3f", "-1.9515295891e-4f")
_COSINES_SINGLE = ("4.166664568e-2f", "-1.388731625e-3f", "2.443315712e-5f")

_SMALL = {
    ops.SIGN: """static inline {real} sign_of({real} x)
{{
    return x > {zero} ? {one} : x < {zero} ? -{one} : x;
}}
""",
    ops.GUARD: """/* x where it is above a limit; a divisor below it would ruin the result unseen */
static inline {real} guarded({real} x, {real} least)
{{
    return x > least ? x : ({real})NAN;
}}
""",
    ops.LESS: """static inline {real} is_less({real} a, {real} b)
{{
    return a < b ? {one} : a >= b ? {zero} : ({real})NAN;
}}
""",
    ops.SELECT: """static inline {real} selected({real} condition, {real} a, {real} b)
{{
    return condition > {zero} ? a : condition <= {zero} ? b : condition;
}}
""",
}


def helpers(library: Library, bodies: Sequence[Body]) -> str:
    """Return the includes and the functions that bodies call."""
    calls = frozenset[str]().union(*(body.calls for body in bodies))
    own = library.choices.get("sine", "own") == "own"
    turned = calls & {SINCOS, "sincos_plus"}
    includes = ["float.h", "math.h", "stdint.h", "string.h"] if turned and own else ["math.h"] if calls else []
    text = "".join(f"#include <{name}>\n" for name in includes)
    return text + ("\n" if text else "") + small(calls, library.precision) + sines(calls, library.precision, own)


def small(calls: frozenset[str], precision: str) -> str:
    """Return the helpers that are comparisons."""
    f = "" if precision == "double" else "f"
    words = {"real": "float" if f else "double", "zero": f"0.0{f}", "one": f"1.0{f}"}
    return "".join(f"{text.format(**words)}\n" for op, text in _SMALL.items() if op in calls)


def sines(calls: frozenset[str], precision: str, own: bool, cpp: bool = False) -> str:
    """Return sine and cosine, of an angle, and of an angle and a constant; for C++ with references."""
    text = ""
    if SINCOS in calls:
        text += _sine("sine_cosine", precision, own, shifted=False, cpp=cpp)
    if "sincos_plus" in calls:
        text += _sine("sine_cosine_plus", precision, own, shifted=True, cpp=cpp)
    return text


def _sine(name: str, precision: str, own: bool, shifted: bool, cpp: bool) -> str:
    f = "" if precision == "double" else "f"
    numbers = _SINGLE if f else _DOUBLE
    words = {"name": name, "real": "float" if f else "double", "f": "" if cpp else f}
    words |= (
        {"static": "", "by": "&", "at": "", "to": "&", "m": "std::"}
        if cpp
        else {"static": "static ", "by": "*", "at": "*", "to": "", "m": ""}
    )
    large = (_LARGE_PLUS if shifted else _LARGE).format(**words)
    words["large"] = large.replace("\n", "\n    ") if own else large
    words["argument"] = f"{words['real']} shift, " if shifted else ""
    words["plus"] = " + shift" if shifted else ""
    words["turned"] = f" + shift*{numbers['quarters']}" if shifted else ""
    words |= {"bits": "uint32_t", "top": "30"} if f else {"bits": "uint64_t", "top": "62"}
    words["sines"] = _horner(_SINES_SINGLE if f else _SINES)
    words["cosines"] = _horner(_COSINES_SINGLE if f else _COSINES)
    return (_OWN if own else _LIBM).format(**numbers, **words)


def _horner(coefficients: Sequence[str]) -> str:
    *rest, text = coefficients
    for k, c in reversed(tuple(enumerate(rest))):
        space = "\n        " if k % 3 == 2 else " "
        text = f"{c} +{space}z*({text})" if "+" in text else f"{c} +{space}z*{text}"
    return text
