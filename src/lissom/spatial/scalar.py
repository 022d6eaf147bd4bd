"""Arithmetic over any scalar: Python floats, NumPy arrays (a batch), symbols of a trace, or series of these in time.

The constants of a robot are Python floats. A constant 0, 1 or -1 removes its operation, for any other operand, so that the code
of an algorithm can be general and only the operations of the robot at hand remain (Khalil's customized technique).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Scalar = Any  # float | np.ndarray of shape (N,) | compiler.symbol.Symbol | Series of these
_NUMPY = (np.ndarray, np.generic, complex)


def is_zero(x: Scalar) -> bool:
    """Return whether a scalar is zero for every configuration: a constant, of a trace too."""
    if type(x) is float:
        return x == 0.0
    return getattr(x, "op", None) == "const" and x._value == 0.0


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
    """Return x where it is above `least`, otherwise NaN: a divisor that would silently ruin the result."""
    if type(x) is float:
        return x if x > least else math.nan
    if isinstance(x, np.ndarray):
        return np.where(x > least, x, np.nan)
    return x.guard(least)


def sqrt(x: Scalar) -> Scalar:
    """Return the square root; NaN where x is negative, and an error for a constant that is."""
    if isinstance(x, float | int):
        if x < 0:
            raise ValueError(f"the square root of {x} is not a real number")
        return math.sqrt(x)
    return np.sqrt(x) if isinstance(x, _NUMPY) else x.sqrt()


def exp(x: Scalar) -> Scalar:
    """Return the exponential."""
    if isinstance(x, float | int):
        try:
            return math.exp(x)
        except OverflowError:
            raise OverflowError(f"the exponential of {x} is larger than any number") from None
    return np.exp(x) if isinstance(x, _NUMPY) else x.exp()


def log(x: Scalar) -> Scalar:
    """Return the natural logarithm; not finite where x is not positive, and an error for a constant that is not."""
    if isinstance(x, float | int):
        if x <= 0:
            raise ValueError(f"the logarithm of {x} is not a finite real number")
        return math.log(x)
    return np.log(x) if isinstance(x, _NUMPY) else x.log()


def tanh(x: Scalar) -> Scalar:
    """Return the hyperbolic tangent."""
    if isinstance(x, float | int):
        return math.tanh(x)
    return np.tanh(x) if isinstance(x, _NUMPY) else x.tanh()


def less(a: Scalar, b: Scalar) -> Scalar:
    """Return the condition a < b: 1 where it holds, otherwise 0; NaN where one of the two is NaN.

    Conditions are numbers: 1 - less(b, a) is a <= b, a product is "and", 1 - c is "not".
    """
    a, b = _value(a), _value(b)
    if isinstance(a, float | int) and isinstance(b, float | int):
        return math.nan if math.isnan(a) or math.isnan(b) else float(a < b)
    if hasattr(a, "graph") or hasattr(b, "graph"):
        return (a if hasattr(a, "graph") else b.graph.as_symbol(a)).less(b)
    # a complex step does not leave its side
    return np.where(np.isnan(a) | np.isnan(b), np.nan, np.real(a) < np.real(b))


def select(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """Return a where the condition is above zero, otherwise b; NaN where the condition is NaN.

    Both are computed, and the one not taken may be anything, NaN too.
    """
    condition = _value(condition)
    if isinstance(condition, float | int):
        return math.nan if math.isnan(condition) else a if condition > 0 else b
    for x in (a, b):
        if hasattr(x, "terms"):
            return x.select(condition, a, b)
    graph = next((x.graph for x in (condition, a, b) if hasattr(x, "graph")), None)
    if graph is not None:
        return graph.as_symbol(condition).select(a, b)
    return np.where(np.isnan(condition), np.nan, np.where(np.real(condition) > 0, a, b))


def _value(x: Scalar) -> Scalar:
    """Return the compared value: the first term of a series."""
    return x.terms[0] if hasattr(x, "terms") else x
