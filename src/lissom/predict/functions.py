"""Functions for formulas of quantities of your own (`lissom.predict.quantity`): of its values, and of plain numbers."""

from __future__ import annotations

from typing import Any

from ..spatial import scalar
from .quantities.value import Value, plain

__all__ = ["cos", "exp", "log", "select", "sin", "sqrt", "tanh"]


def sin(x: Any) -> Value:
    """Return the sine of an angle [rad]."""
    return Value(scalar.sincos(plain(x))[0])


def cos(x: Any) -> Value:
    """Return the cosine of an angle [rad]."""
    return Value(scalar.sincos(plain(x))[1])


def sqrt(x: Any) -> Value:
    """Return the square root; its slope is infinite at zero."""
    return Value(scalar.sqrt(plain(x)))


def exp(x: Any) -> Value:
    """Return the exponential."""
    return Value(scalar.exp(plain(x)))


def log(x: Any) -> Value:
    """Return the natural logarithm."""
    return Value(scalar.log(plain(x)))


def tanh(x: Any) -> Value:
    """Return the hyperbolic tangent."""
    return Value(scalar.tanh(plain(x)))


def select(condition: Any, one: Any, other: Any) -> Value:
    """Return `one` where the condition (a < b, a > b) holds, otherwise `other`; both are computed."""
    return Value(scalar.select(plain(condition), plain(one), plain(other)))
