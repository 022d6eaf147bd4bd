"""Value: the scalar of a user's own formula, and functions of it.

It has the arithmetic of a float, over symbols of a trace and over NumPy arrays alike, and refuses what a trace cannot record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ...errors import StateError
from ...spatial import scalar


class Value:
    """A scalar of a formula: + - * /, whole powers, and < and > for `select`."""

    __slots__ = ("x",)
    __array_ufunc__ = None  # NumPy scalars leave the arithmetic to the value

    def __init__(self, x: scalar.Scalar) -> None:
        self.x = x

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return each(lambda x: self + x, other)
        return Value(scalar.add(self.x, plain(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return each(lambda x: self - x, other)
        return Value(scalar.sub(self.x, plain(other)))

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return each(lambda x: x - self, other)
        return Value(scalar.sub(plain(other), self.x))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return each(lambda x: self * x, other)
        return Value(scalar.mul(self.x, plain(other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Value:
        return Value(self.x / plain(other))

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return each(lambda x: x / self, other)
        return Value(plain(other) / self.x)

    def __neg__(self) -> Value:
        return Value(-self.x)

    def __pow__(self, power: Any) -> Value:
        if isinstance(power, bool) or not isinstance(power, int) or not 1 <= power <= 16:
            raise StateError(
                f"power {power!r} of a value; expected a whole number from 1 to 16, otherwise exp(p * log(x)) or sqrt"
            )
        found = self
        for _ in range(power - 1):
            found = found * self
        return found

    def __lt__(self, other: Any) -> Value:
        return Value(scalar.less(self.x, plain(other)))

    def __gt__(self, other: Any) -> Value:
        return Value(scalar.less(plain(other), self.x))

    def __bool__(self) -> NoReturn:
        raise StateError(
            "a formula is recorded once for all values, so `if`, `and`, `or`, `not`, min and max do not work in it; "
            "write select(a < b, one, other)"
        )

    def __float__(self) -> NoReturn:
        raise StateError(
            "a formula is recorded once for all values, so functions of NumPy and math do not work in it; use those of "
            "lissom.predict.functions: sin, cos, sqrt, exp, log, tanh, select"
        )


def plain(x: Any) -> scalar.Scalar:
    """Return the scalar of a value, or a number as a float."""
    if isinstance(x, Value):
        return x.x
    try:
        return float(x)
    except (TypeError, ValueError):
        raise StateError(f"a formula has {x!r} where a value or a number is expected") from None


def each(function: Callable[[Any], Any], values: np.ndarray) -> np.ndarray:
    """Return a function of all entries of an array, as an array of values."""
    found = np.empty(values.shape, dtype=object)
    for place, x in np.ndenumerate(values):
        found[place] = function(x)
    return found
