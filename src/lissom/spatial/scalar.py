"""Arithmetic over any scalar: Python floats, NumPy arrays (a batch), symbols of a trace, or series of these in time.

The constants of a robot are Python floats. A constant 0, 1 or -1 takes its operation away, whatever the other operand is, so
that the text of an algorithm can be general and what remains of it is the robot at hand (Khalil's customized technique).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Scalar = Any  # float | np.ndarray of shape (N,) | compiler.symbol.Symbol | Series of these


def mul(a: Scalar, b: Scalar) -> Scalar:
    """Return a * b; a constant zero gives zero even where the other factor is not finite."""
    if type(a) is float:
        if a == 0.0:
            return 0.0
        if a == 1.0:
            return b
        if a == -1.0:
            return -b
    if type(b) is float:
        if b == 0.0:
            return 0.0
        if b == 1.0:
            return a
        if b == -1.0:
            return -a
    return a * b


def add(a: Scalar, b: Scalar) -> Scalar:
    """Return a + b."""
    if type(a) is float and a == 0.0:
        return b
    if type(b) is float and b == 0.0:
        return a
    return a + b


def sub(a: Scalar, b: Scalar) -> Scalar:
    """Return a - b."""
    if type(b) is float and b == 0.0:
        return a
    if type(a) is float and a == 0.0:
        return -b
    return a - b


def sincos(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return sin(x), cos(x)."""
    if hasattr(x, "sincos_plus"):
        s, c = x.sincos_plus(0.0)
        return s, c
    if type(x) is float:
        return math.sin(x), math.cos(x)
    if isinstance(x, np.ndarray):
        return np.sin(x), np.cos(x)
    return x.sin(), x.cos()


def sincos_plus(x: Scalar, shift: float) -> tuple[Scalar, Scalar]:
    """Return sin(x + shift), cos(x + shift) for a small constant, without rounding the sum where x is large."""
    if hasattr(x, "sincos_plus"):
        s, c = x.sincos_plus(shift)
        return s, c
    if hasattr(x, "graph"):
        s, c = sincos(x + shift)  # the compiler adds the shift after the multiples of pi/2 are gone
        return s, c
    s, c = sincos(x)
    s0, c0 = math.sin(shift), math.cos(shift)
    return add(mul(s, c0), mul(c, s0)), sub(mul(c, c0), mul(s, s0))


def sign(x: Scalar) -> Scalar:
    """Return -1, 0 or 1."""
    if type(x) is float:
        return float(x > 0) - float(x < 0)
    if isinstance(x, np.ndarray):
        return np.sign(x.real)  # a complex step along x does not leave its side
    return x.sign()


def guard(x: Scalar, least: float) -> Scalar:
    """Return x where it is above `least`, otherwise not a number: a divisor that would ruin the result without a word."""
    if type(x) is float:
        return x if x > least else math.nan
    if isinstance(x, np.ndarray):
        return np.where(x > least, x, np.nan)
    return x.guard(least)
