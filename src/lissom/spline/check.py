"""Checks of the arguments of splines."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..errors import StateError


def integer(value: Any, what: str, least: int, advice: str = "", most: int | None = None) -> int:
    """Return a whole number from `least` to `most`; `advice` ends the error message."""
    tail = f"; {advice}" if advice else ""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise StateError(f"{what} is {value!r}, expected a whole number of at least {least}{tail}") from None
    if number < least:
        raise StateError(f"{what} is {number}, expected at least {least}{tail}")
    if most is not None and number > most:
        raise StateError(f"{what} is {number}, expected {most} at most")
    return number


def numbers(value: Any, what: str, ndim: int | None = None, shape: str = "") -> np.ndarray:
    """Return a float array whose entries are finite, with `ndim` axes if given; `shape` says in words what is expected."""
    wanted = f", expected {shape}" if shape else ""
    try:
        array = np.asarray(value)
        if (
            array.dtype.kind not in "iuf"
        ):  # neither strings, which NumPy would parse, nor complex, which it would truncate, nor bool
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise StateError(f"{what} must be real numbers{wanted}, got {_shown(value)}") from None
    if ndim is not None and array.ndim != ndim:
        raise StateError(f"{what} has shape {array.shape}{wanted}")
    bad = ~np.isfinite(array)
    if bad.any():
        raise StateError(f"{what}{first_place(bad)} is {array[bad][0]}, expected finite numbers")
    return array


def positive(value: Any, what: str, unit: str) -> float:
    """Return a positive number."""
    number = float(numbers(value, what, 0, f"one number [{unit}]"))
    if number <= 0.0:
        raise StateError(f"{what} is {number:g} {unit}, expected more than zero")
    return number


def within(array: np.ndarray, what: str, unit: str, low: float, high: float) -> None:
    """Raise StateError where an entry lies outside low ... high."""
    bad = (array < low) | (array > high)
    if bad.any():
        raise StateError(f"{what}{first_place(bad)} is {array[bad][0]:.17g}{unit}, expected {low:.12g} ... {high:.12g}{unit}")


def first_place(bad: np.ndarray) -> str:
    """Return the index of the first entry that is True, as it is written after a name."""
    return "[" + ", ".join(str(i) for i in np.argwhere(bad)[0]) + "]" if bad.ndim else ""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
