"""Functions of one coordinate: polynomials, lines and cubic splines through given points, functions of functions, with their
derivatives, over any scalar.

A spline has one cubic between each two points, and continues straight beyond its ends, as in OpenSim. The coefficients of the
active cubic and its origin are selected; it is then evaluated once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..errors import ModelError, is_choice, suggest
from ..spatial.scalar import Scalar, add, less, mul, select, sub

MOST = 100  # coefficients of a polynomial, points of a spline
ENDS = ("natural", "cubic")
DEEP = 10  # functions inside one another


@dataclass(frozen=True)
class Polynomial:
    """c[0] + c[1] x + c[2] x^2 + ...: a constant has one coefficient, a line two."""

    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "coefficients", _numbers(self.coefficients, "coefficients of a polynomial", 1))

    def derivatives(self, x: Scalar, order: int) -> list[Scalar]:
        """Return the value at x, and the derivatives up to an order."""
        c, found = list(self.coefficients), []
        for _ in range(order + 1):
            found.append(_horner(c, x))
            c = _derived(c)
        return found

    @property
    def constant(self) -> float | None:
        """The value if it does not depend on x, else None."""
        return self.coefficients[0] if not any(self.coefficients[1:]) else None


@dataclass(frozen=True)
class Spline:
    """The twice differentiable piecewise cubic through the points (at, values), straight beyond them.

    Attributes:
        at: points, increasing [unit of the coordinate].
        values: one per point [rad or m].
        ends: "natural": no curvature at the ends, so that there are no jumps anywhere. "cubic": the third derivatives at the ends
            are those of the cubics through the four points there (Forsythe, Malcolm and Moler 1977; OpenSim's SimmSpline), zero
            where there are only three; the curvature jumps to zero beyond the ends.
    """

    at: tuple[float, ...]
    values: tuple[float, ...]
    ends: str = "natural"

    def __post_init__(self) -> None:
        if not is_choice(self.ends, ENDS):
            raise ModelError(
                f"the ends of a spline must be 'natural' or 'cubic', got {self.ends!r}; {suggest(str(self.ends), ENDS)}"
            )
        _check_points(self, "a spline", 2 if self.ends == "natural" else 3)
        try:
            with np.errstate(all="ignore"):
                good = bool(np.isfinite(self.pieces).all())
        except np.linalg.LinAlgError:
            good = False
        if not good:
            raise ModelError("the points of a spline lie too close together, or its values are too large")

    @cached_property
    def pieces(self) -> list[tuple[float, ...]]:
        """Origin and four coefficients of each piece; the first and the last are the straight ends."""
        x, y = np.array(self.at), np.array(self.values)
        h, slope = np.diff(x), np.diff(y) / np.diff(x)
        curvature = self._curvatures(h, slope)
        first = slope - h * (2 * curvature[:-1] + curvature[1:]) / 6
        last = slope[-1] + h[-1] * (curvature[-2] + 2 * curvature[-1]) / 6
        inner = zip(x[:-1], y[:-1], first, curvature[:-1] / 2, np.diff(curvature) / (6 * h), strict=True)
        rows = [(x[0], y[0], first[0], 0.0, 0.0), *inner, (x[-1], y[-1], last, 0.0, 0.0)]
        return [tuple(float(value) for value in row) for row in rows]

    def _curvatures(self, h: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Return the second derivatives at the points: first derivatives have to agree where two cubics meet."""
        n = len(h) + 1
        A, b = np.zeros((n, n)), np.zeros(n)
        for k in range(1, n - 1):
            A[k, k - 1 : k + 2] = h[k - 1], 2 * (h[k - 1] + h[k]), h[k]
            b[k] = 6 * (slope[k] - slope[k - 1])
        A[0, 0] = A[-1, -1] = 1.0
        if self.ends == "cubic":
            x = np.array(self.at)
            for row, inner, span, four in ((0, 1, h[0], slice(0, 4)), (-1, -2, h[-1], slice(max(n - 4, 0), n))):
                third = 6 * np.polyfit(x[four] - x[row], np.array(self.values)[four], 3)[0] if n > 3 else 0.0
                A[row, inner] = -1.0
                b[row] = -third * span if row == 0 else third * span
        return np.linalg.solve(A, b)

    def derivatives(self, x: Scalar, order: int) -> list[Scalar]:
        """Return the value at x, and the derivatives up to an order."""
        return _piecewise(self.at, self.pieces, x, order)

    @property
    def constant(self) -> float | None:
        """The value if it does not depend on x, else None."""
        return self.values[0] if all(value == self.values[0] for value in self.values) else None


@dataclass(frozen=True)
class Polyline:
    """Straight lines from each of the points (at, values) to the next, the first and the last of them without end.

    Its slope jumps at the points; there it is that of the next line.

    Attributes:
        at: points, increasing [unit of the coordinate].
        values: one per point [rad or m].
    """

    at: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        _check_points(self, "a polyline", 2)
        if not all(map(math.isfinite, (slope for _, _, slope in self.pieces))):
            raise ModelError("the points of a polyline lie too close together, or its values are too large")

    @cached_property
    def pieces(self) -> list[tuple[float, ...]]:
        """Origin and two coefficients of each line."""
        return [(a, y, (z - y) / (b - a)) for (a, b), (y, z) in zip(pairwise(self.at), pairwise(self.values), strict=True)]

    def derivatives(self, x: Scalar, order: int) -> list[Scalar]:
        """Return the value at x, and the derivatives up to an order."""
        return _piecewise(self.at[1:-1], self.pieces, x, order)

    @property
    def constant(self) -> float | None:
        """The value if it does not depend on x, else None."""
        return self.values[0] if all(value == self.values[0] for value in self.values) else None


@dataclass(frozen=True)
class Composed:
    """A function of a function: `outer` of `inner` of x."""

    outer: Function
    inner: Function

    def __post_init__(self) -> None:
        depth, part = 0, self
        while isinstance(part, Composed) and depth <= DEEP:
            depth, part = depth + 1, part.inner  # type: ignore[assignment]
        if depth > DEEP or isinstance(self.outer, Composed):
            raise ModelError(f"functions of functions are chains of at most {DEEP}, the last of them inside")
        for function in (self.outer, self.inner):
            if not isinstance(function, Function):
                raise ModelError(f"a function of a function takes a Polynomial, Spline or Polyline, got {function!r}")

    def derivatives(self, x: Scalar, order: int) -> list[Scalar]:
        """Return the value at x, and the derivatives up to an order, at most the third."""
        assert order <= 3, "the chain rule is written to the third derivative"
        g = self.inner.derivatives(x, order)
        f = self.outer.derivatives(g[0], order)
        found = f[:1]
        if order >= 1:
            found.append(mul(f[1], g[1]))
        if order >= 2:
            found.append(add(mul(f[2], mul(g[1], g[1])), mul(f[1], g[2])))
        if order >= 3:
            bent = mul(3.0, mul(f[2], mul(g[1], g[2])))
            found.append(add(add(mul(f[3], mul(g[1], mul(g[1], g[1]))), bent), mul(f[1], g[3])))
        return found

    @property
    def constant(self) -> float | None:
        """The value if it does not depend on x, else None."""
        inner = self.inner.constant
        return self.outer.constant if inner is None else float(self.outer.derivatives(inner, 0)[0])


Function = Polynomial | Spline | Polyline | Composed


def _check_points(function: Spline | Polyline, what: str, least: int) -> None:
    for name in ("at", "values"):
        object.__setattr__(function, name, _numbers(getattr(function, name), f"{name!r} of {what}", least))
    if len(function.at) != len(function.values):
        raise ModelError(f"{what} needs one value per point, got {len(function.at)} points and {len(function.values)} values")
    for a, b in pairwise(function.at):
        if not a < b:
            raise ModelError(f"the points of {what} must increase, got {b:g} after {a:g}")


def _piecewise(at: Sequence[float], pieces: Sequence[tuple[float, ...]], x: Scalar, order: int) -> list[Scalar]:
    """Return value and derivatives of the piece that holds x: that after the last of the points `at` that x has reached."""
    here: list[Scalar] = list(pieces[0])
    for point, piece in zip(at, pieces[1:], strict=True):
        before = less(x, point)
        here = [select(before, a, b) for a, b in zip(here, piece, strict=True)]
    t, c = sub(x, here[0]), here[1:]
    found: list[Scalar] = []
    for _ in range(order + 1):
        found.append(_horner(c, t))
        c = _derived(c)
    return found


def _numbers(values: object, what: str, least: int) -> tuple[float, ...]:
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str):
        raise ModelError(f"{what} must be a list of numbers, got {values!r}")
    if not least <= len(values) <= MOST:
        raise ModelError(f"{what} must be {least} to {MOST} numbers, got {len(values)}")
    try:
        found = tuple(float(value) + 0.0 for value in values)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{what} must be a list of numbers, got {values!r}") from None
    if not all(map(math.isfinite, found)):
        raise ModelError(f"{what} must be finite, got {found}")
    return found


def _horner(c: list[Scalar], x: Scalar) -> Scalar:
    total: Scalar = 0.0
    for a in reversed(c):
        total = add(a, mul(total, x))
    return total


def _derived(c: list[Scalar]) -> list[Scalar]:
    return [mul(float(k), a) for k, a in enumerate(c)][1:]
